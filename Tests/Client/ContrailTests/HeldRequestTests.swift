#if AsyncHTTPClient && os(Linux)
  import Contrail
  import ContrailCore
  import ContrailEngine
  import ContrailGeodesy
  import ContrailHTTP
  import ContrailServer
  import ContrailTestSupport
  import ContrailWire
  import ContrailWorld
  import Testing

  /// Requests that the server holds, over TLS and HTTP/2.
  @Suite(.enabled(if: SecureServerTests.openssl != nil, "openssl is missing"), .timeLimit(.minutes(2)))
  struct HeldRequestTests {
    private static func ring() throws -> Ring { try Ring(Rig.area) }

    private func withServer(
      _ change: (inout ServerConfiguration) -> Void = { _ in },
      _ body: (RequestSender, ReferenceServer, _ now: Int64) async throws -> Void
    ) async throws {
      let folder = try TemporaryDirectory()
      var configuration = ServerConfiguration(seed: 3)
      configuration.aircraft = 0
      configuration.certificate = try SecureServerTests.certificate(in: folder)
      change(&configuration)
      let now = configuration.clock() / 1000
      let server = try await ReferenceServer.start(configuration)
      let transport = try PlatformTransport.make(
        server: server.address, trusting: configuration.certificate?.chain)
      try await body(RequestSender(transport: transport), server, now)
      await transport.shutdown()
      await server.stop()
    }

    private func response(_ request: OutgoingRequest, by sender: RequestSender) async throws -> Input.Response {
      guard case .answered(let answer) = await sender.send(request, with: Credentials()) else {
        throw TransportError(.network, "no answer")
      }
      return answer
    }

    private func full() throws -> OutgoingRequest {
      let request = ObservationsRequest(ring: try Self.ring(), filter: Filter())
      return OutgoingRequest(
        number: 1, scope: .corridor, mode: .full, method: .post, target: ObservationsRequest.path, body: request.json,
        acceptsCompact: true)
    }

    private func held(_ handle: String, since: Int64, seconds: Int64) -> OutgoingRequest {
      let area = AreaRequest(
        handle: handle, since: since,
        hold: HoldTerms(seconds: seconds, urgent: .moderate, ordinarySeconds: 3600))
      return OutgoingRequest(
        number: 2, scope: .corridor, mode: .delta, method: .get, target: area.target, acceptsCompact: true, area: area)
    }

    @Test func anUploadAnswersAHeldRequest() async throws {
      try await withServer { sender, _, now in
        let first = try await response(full(), by: sender)
        #expect(first.holdSeconds == 540)
        let handle = try #require(first.handle)
        async let waiting = response(held(handle, since: now, seconds: 60), by: sender)
        // Other requests of the connection aren't blocked.
        let report = try TurbulenceReport(
          at: Coordinate(latitude: 45, longitude: -35), altitudeFeet: 35_000, severity: .moderateSevere, edr: 0.5,
          observedAt: now)
        let upload = OutgoingRequest(
          number: 3, scope: .outbox, mode: nil, method: .post, target: ReportsUpload.path, idempotencyKey: "one",
          body: ReportsUpload(reports: [report]).json)
        #expect(try await response(upload, by: sender).status == 200)
        let answer = try await waiting
        #expect(answer.status == 200 && answer.form == .compact)
      }
    }

    /// After an answer, the server holds the request again, and the next one isn't sent.
    @Test func answersFollowWithoutRequests() async throws {
      try await withServer { sender, _, now in
        let handle = try #require(try await response(full(), by: sender).handle)
        var since = now
        var sent: [Int64] = []
        for number in 0..<3 {
          let next = held(handle, since: since, seconds: 60)
          async let waiting = stream(next, by: sender)
          try await upload(number, at: now, by: sender)
          let answer = try await waiting
          sent.append(answer.sent?.total ?? -1)
          guard case .answer(let observations) = answer.body else { throw TransportError(.malformed, "no answer") }
          #expect(observations.follows == since && observations.reports.count == 1)
          since = observations.token
        }
        #expect(sent[0] > 0 && sent[1] == 0 && sent[2] == 0)
        // A request that the server doesn't hold is sent.
        let other = held(handle, since: since - 1, seconds: 2)
        #expect(try await stream(other, by: sender).sent?.total ?? 0 > 0)
      }
    }

    private func stream(_ request: OutgoingRequest, by sender: RequestSender) async throws -> Input.Response {
      guard case .answered(let answer) = await sender.send([request], with: Credentials()).first else {
        throw TransportError(.network, "no answer")
      }
      return answer
    }

    private func upload(_ number: Int, at now: Int64, by sender: RequestSender) async throws {
      let report = try TurbulenceReport(
        at: Coordinate(latitude: 45, longitude: -35), altitudeFeet: 30_000 + Double(number) * 1000,
        severity: .moderateSevere, edr: 0.5, observedAt: now)
      let upload = OutgoingRequest(
        number: 3, scope: .outbox, mode: nil, method: .post, target: ReportsUpload.path, idempotencyKey: "\(number)",
        body: ReportsUpload(reports: [report]).json)
      #expect(try await response(upload, by: sender).status == 200)
    }

    @Test func aStreamEndsWithAServerThatStops() async throws {
      try await withServer { sender, server, now in
        let handle = try #require(try await response(full(), by: sender).handle)
        async let first = stream(held(handle, since: now, seconds: 60), by: sender)
        try await upload(1, at: now, by: sender)
        guard case .answer(let observations) = try await first.body else { return }
        async let waiting = stream(held(handle, since: observations.token, seconds: 60), by: sender)
        await server.stop()
        let last = try await waiting
        #expect(last.status == 200 && last.sent?.total == 0)
      }
    }

    @Test func aHeldRequestOutlastsAnIdleConnection() async throws {
      try await withServer({
        // Longer than a busy machine needs from one step of a connection to the next.
        $0.limits.idle = .seconds(2)
        $0.limits.drain = .seconds(2)
      }) { sender, _, now in
        let handle = try #require(try await response(full(), by: sender).handle)
        #expect(try await response(held(handle, since: now, seconds: 5), by: sender).status == 200)
      }
    }

    @Test func aServerThatStopsAnswersHeldRequests() async throws {
      try await withServer { sender, server, now in
        let handle = try #require(try await response(full(), by: sender).handle)
        async let waiting = response(held(handle, since: now, seconds: 500), by: sender)
        while await server.holdCount == 0 { await Task.yield() }
        await server.stop()
        #expect(try await waiting.status == 200)
      }
    }
  }
#endif
