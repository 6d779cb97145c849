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
  import Synchronization
  import Testing

  /// What updates cost at the socket, over TLS and HTTP/2.
  @Suite(.enabled(if: SecureServerTests.openssl != nil, "openssl is missing")) struct WireBytesTests {
    private static let start: Int64 = 1_740_000_000
    /// Far from the routes of the simulated aircraft.
    private static func quietRing() throws -> Ring { try Ring(Rig.square(south: -75, west: -140)) }

    /// A server over TLS behind a relay, and a sender to it. Each request is a minute after the one before.
    private func withServer(
      _ body: (RequestSender, CountingRelay) async throws -> Void
    ) async throws {
      let folder = try TemporaryDirectory()
      var configuration = ServerConfiguration(seed: 3)
      configuration.aircraft = 4
      configuration.certificate = try SecureServerTests.certificate(in: folder)
      let clock = Clock(start: Self.start * 1000)
      configuration.clock = { clock.next() }
      let server = try await ReferenceServer.start(configuration)
      let relay = try await CountingRelay.start(to: server.port)
      let transport = try PlatformTransport.make(
        server: "https://127.0.0.1:\(relay.port)", trusting: configuration.certificate?.chain)
      try await body(RequestSender(transport: transport), relay)
      await transport.shutdown()
      await relay.stop()
      await server.stop()
    }

    private final class Clock: Sendable {
      private let now: Atomic<Int64>

      init(start: Int64) { now = Atomic(start) }

      func next() -> Int64 { now.wrappingAdd(60_000, ordering: .relaxed).newValue }
    }

    private func answer(_ request: OutgoingRequest, by sender: RequestSender) async throws -> Input.Response {
      guard case .answered(let response) = await sender.send(request, with: Credentials()) else {
        throw TransportError(.network, "no answer")
      }
      return response
    }

    private func full(_ ring: Ring, held: ObservationsRequest.HeldArea? = nil) -> OutgoingRequest {
      let request = ObservationsRequest(ring: ring, filter: Filter(types: .turbulence, history: .twoHours), held: held)
      return OutgoingRequest(
        number: 1, scope: .corridor, mode: .full, method: .post, target: ObservationsRequest.path, body: request.json,
        acceptsCompact: true)
    }

    private func delta(_ handle: String, since: Int64) -> OutgoingRequest {
      let area = AreaRequest(handle: handle, since: since)
      return OutgoingRequest(
        number: 2, scope: .corridor, mode: .delta, method: .get, target: area.target, acceptsCompact: true, area: area)
    }

    @Test func anUpdateWithoutNewsCosts120Bytes() async throws {
      try await withServer { sender, relay in
        let first = try await answer(full(try Self.quietRing()), by: sender)
        let handle = try #require(first.handle)
        var since = try first.body.observations().token
        // The table of HPACK fills first.
        var before = 0
        let (warm, count) = (3, 30)
        for number in 0..<warm + count {
          if number == warm { before = relay.bytes }
          let update = try await answer(delta(handle, since: since), by: sender)
          let observations = try update.body.observations()
          #expect(update.status == 200 && update.form == .compact)
          #expect(observations.follows == since && observations.token > since && observations.reports.isEmpty)
          #expect(update.serverTimeMS != nil)
          since = observations.token
        }
        let each = (relay.bytes - before) / count
        #expect(each <= 120, "\(each) bytes")
        #expect(relay.connections == 1)
      }
    }

    @Test func aRequestIsOneRecordAndAnAnswerIsOne() async throws {
      try await withServer { sender, relay in
        _ = try await answer(full(try Self.quietRing()), by: sender)
        let before = relay.bytes
        let again = try await answer(full(try Self.quietRing()), by: sender)
        // Two records and four frames: the body of the request, its head and that of the answer, and the answer.
        let bodies = Int(again.wireBytes - (again.headBytes ?? 0))
        #expect(relay.bytes - before <= 2 * 22 + 4 * 9 + 250 + 60 + bodies)
      }
    }
  }
#endif
