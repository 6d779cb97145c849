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

  /// What a repair costs at the socket: the state of a client, and the reference server behind a relay.
  @Suite(.enabled(if: SecureServerTests.openssl != nil, "openssl is missing")) struct RepairBytesTests {
    private static let start: Int64 = 1_740_000_000

    /// The North Atlantic.
    private static let area: [FixedCoordinate?] = [
      (35, -75), (35, -35), (35, 5), (62, 5), (62, -35), (62, -75), (35, -75),
    ].map { FixedCoordinate(latitudeE7: $0.0 * FixedCoordinate.degree, longitudeE7: $0.1 * FixedCoordinate.degree) }

    private final class Clock: Sendable {
      private let milliseconds: Atomic<Int64>

      init(at second: Int64) { milliseconds = Atomic(second * 1000) }

      var now: Int64 { milliseconds.load(ordering: .relaxed) }
      func pass(seconds: Int64) { milliseconds.wrappingAdd(seconds * 1000, ordering: .relaxed) }
    }

    /// A client's state, its link, and the clock of both sides.
    private struct Client {
      var rig = Rig(now: RepairBytesTests.start * 1000)
      let sender: RequestSender
      let clock: Clock

      mutating func pass(seconds: Int64) -> [String] {
        clock.pass(seconds: seconds)
        return rig.pass(seconds: seconds)
      }

      /// Sends the request in flight and folds its answer, changed before.
      mutating func exchange(_ change: (inout ObservationsAnswer) -> Void = { _ in }) async throws -> [String] {
        let request = try #require(rig.state.outgoingRequest(.corridor))
        var response: Input.Response
        switch await sender.send(request, with: Credentials()) {
        case .answered(let answered): response = answered
        case .failed(let failure, let message, _): throw TransportError(.network, "\(failure): \(message)")
        }
        if response.status == 200 {
          var observations = try response.body.observations()
          change(&observations)
          response.body = .answer(observations)
        }
        return rig.send(.responseReceived(response))
      }
    }

    private func withClient(
      isSecure: Bool = true, _ body: (inout Client, CountingRelay) async throws -> Void
    ) async throws {
      let folder = try TemporaryDirectory()
      var configuration = ServerConfiguration(seed: 3)
      if isSecure { configuration.certificate = try SecureServerTests.certificate(in: folder) }
      let clock = Clock(at: Self.start)
      configuration.clock = { clock.now }
      // The requests are counted one by one.
      configuration.holdSeconds = 0
      let server = try await ReferenceServer.start(configuration)
      let relay = try await CountingRelay.start(to: server.port)
      let transport = try PlatformTransport.make(
        server: "http\(isSecure ? "s" : "")://127.0.0.1:\(relay.port)", trusting: configuration.certificate?.chain)
      var client = Client(sender: RequestSender(transport: transport), clock: clock)
      client.rig.launch()
      client.rig.query { $0.polygon = Self.area }
      try await body(&client, relay)
      await transport.shutdown()
      await relay.stop()
      await server.stop()
    }

    @Test(arguments: [1, 5, 50]) func missingRecordsCostLittle(count: Int) async throws {
      try await withClient { client, relay in
        // The first answer lacks some, and says nothing of it.
        _ = try await client.exchange {
          var random = SplitMix64(seed: UInt64(count))
          $0.reports = Array($0.reports.shuffled(using: &random).dropFirst(count))
          $0.held = nil
        }
        #expect(client.pass(seconds: 60) == ["corridor delta due"])
        #expect(try await client.exchange() == ["corridor repair countDiffers"])
        _ = client.pass(seconds: 1)
        let before = relay.bytes
        var trips = 0
        while client.rig.state.scope(.corridor)?.inFlight?.mode == .repair {
          trips += 1
          _ = try await client.exchange()
        }
        let scope = try #require(client.rig.state.scope(.corridor))
        #expect(scope.have?.broken == nil && scope.inFlight == nil && scope.reports.count > 200)
        #expect(scope.have?.watermark == Self.start + 61)
        let bytes = relay.bytes - before
        #expect(trips <= 2 && bytes <= 300 + 40 * count, "\(bytes) bytes in \(trips) trips for \(count)")
        // The next delta agrees with the server.
        #expect(client.pass(seconds: 60) == ["corridor delta due"])
        #expect(try await client.exchange() == [])
      }
    }

    @Test func recordsThatAreNotTheServersAreRemoved() async throws {
      try await withClient(isSecure: false) { client, _ in
        _ = try await client.exchange {
          $0.reports = $0.reports.dropFirst(3).enumerated().map { index, report in
            index % 100 == 0
              ? TurbulenceReport(packed: report.packed, observedAt: report.observedAt - 1) : report
          }
          $0.held = nil
        }
        _ = client.pass(seconds: 60)
        #expect(try await client.exchange() == ["corridor repair countDiffers"])
        var count = 0
        while client.rig.state.scope(.corridor)?.inFlight != nil, count < 4 {
          count += 1
          _ = try await client.exchange()
        }
        // The counts show three of them; the second sketch shows all, or a full fetch brings them.
        #expect(count <= 3 && client.rig.state.scope(.corridor)?.have?.broken == nil)
        _ = client.pass(seconds: 60)
        #expect(try await client.exchange() == [])
      }
    }

    @Test func anAnswerToTheHandleOfAnotherAreaIsNone() async throws {
      try await withClient(isSecure: false) { client, _ in
        _ = try await client.exchange()
        _ = client.pass(seconds: 60)
        var request = try #require(client.rig.state.outgoingRequest(.corridor))
        let handle = try #require(request.area?.handle)
        request.area = nil
        request.mode = .repair
        request.method = .post
        request.target = AreaRequest(handle: handle).repairTarget
        for (digest, status) in [(client.rig.state.scope(.corridor)?.want?.areaDigest ?? 0, 200), (0, 404)] {
          let held = HeldRecords(reports: client.rig.state.scope(.corridor)?.reports.sorted ?? [])
          request.body = RecordSketch(of: held, areaDigest: digest, cellCount: 256).bytes
          request.heldRecords = held
          guard case .answered(let response) = await client.sender.send(request, with: Credentials()) else {
            Issue.record("no answer")
            continue
          }
          #expect(response.status == status)
          #expect(response.form == (status == 200 ? .compact : nil))
        }
      }
    }
  }
#endif
