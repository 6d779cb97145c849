import ContrailAirports
import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailHTTP
import ContrailServer
import ContrailTestSupport
import ContrailTesting
import ContrailWire
import ContrailWorld
import Foundation
import Logging
import Testing

@testable import Contrail

/// What the client promises, and no other test would miss.
@Suite(.timeLimit(.minutes(30))) struct PromiseTests {
  /// Notes the keys of requests for airports, which fail or wait until they are cancelled.
  private final class AirportsLink: ClosableTransport, @unchecked Sendable {
    /// Guards what follows.
    private let lock = NSLock()
    private var noted: [String?] = []
    private var cancelled = 0
    private let waits: Bool

    init(waits: Bool = false) { self.waits = waits }

    /// The keys since the last call.
    func takeKeys() -> [String?] {
      lock.withLock {
        defer { noted = [] }
        return noted
      }
    }

    var requestCount: Int { lock.withLock { noted.count } }
    var cancelledCount: Int { lock.withLock { cancelled } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
      guard request.target.hasPrefix("/airports") else { throw TransportError(.network, "there is no link") }
      let key = request.headers.first { $0.name == WireHeader.apiKey }?.value
      lock.withLock { noted.append(key) }
      guard waits else { return TransportAnswer(status: 404, headers: [], body: []) }
      // Longer than any test takes.
      try? await Task.sleep(for: .seconds(3600))
      lock.withLock { cancelled += 1 }
      throw TransportError(.cancelled, "cancelled")
    }

    func shutdown() async {}
  }

  private static func client(
    _ folder: String, _ link: any ClosableTransport, _ delivery: AirportDeliveryMode = .manual,
    _ clock: any EngineClock = ManualClock()
  ) throws -> ContrailClient {
    var configuration = ContrailClient.Configuration(
      server: "http://127.0.0.1:9", apiKey: "the-first-key", directory: folder + "/log")
    configuration.airportDelivery = delivery
    configuration.followsSystemLink = false
    return try ContrailClient(configuration, transport: link, clock: clock)
  }

  @Test func requestsForAirportsHaveTheKeyThatWasSetLast() async throws {
    try await withFolder { folder in
      let link = AirportsLink()
      let client = try Self.client(folder, link)
      for key in ["the-first-key", "the-second-key", nil, "the-third-key"] {
        if key != "the-first-key" { client.setAPIKey(key) }
        _ = try? await client.airports.loadCurrent()
        let keys = link.takeKeys()
        #expect(!keys.isEmpty && keys.allSatisfy { $0 == key }, "\(keys)")
      }
      await client.stop()
    }
  }

  @Test func stoppingAClientEndsADelivery() async throws {
    try await withFolder { folder in
      let link = AirportsLink(waits: true)
      let client = try Self.client(folder, link, .automatic)
      while link.requestCount == 0 { await Task.yield() }
      await client.stop()
      #expect(link.cancelledCount == link.requestCount)
    }
  }

  /// Requests that end when a test says so, even if they were cancelled before.
  private final class StubbornLink: ClosableTransport {
    private let waiting = Lock<[CheckedContinuation<Void, Never>]>([])

    var requestCount: Int { waiting.withLock { $0.count } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
      await withCheckedContinuation { request in waiting.withLock { $0.append(request) } }
      throw TransportError(.network, "there is no link")
    }

    func end() {
      for request in waiting.withLock({ requests in
        defer { requests = [] }
        return requests
      }) { request.resume() }
    }

    func shutdown() async {}
  }

  /// Tests that advance a clock wait for rest. A cancelled request still waits beside its successor, which may not have begun.
  @Test func aCancelledRequestDoesNotStandForItsSuccessor() async throws {
    try await withFolder { folder in
      let link = StubbornLink()
      let client = try Self.client(folder, link)
      client.dataQuery.polygon = line.buffer(widthNM: 200)
      #expect(await client.settle(within: .seconds(60)) { link.requestCount })
      let first = link.requestCount
      #expect(first > 0)
      client.dataQuery.polygon = line.buffer(widthNM: 400)
      #expect(await client.settle(within: .seconds(60)) { link.requestCount })
      #expect(link.requestCount > first)
      #expect(await !client.settle(within: .zero) { first })
      link.end()
      #expect(await client.settle(within: .seconds(60)) { link.requestCount })
      await client.stop()
    }
  }

  @Test func aChannelAloneIsToldThatDataExpire() async throws {
    try await withFolder { folder in
      let world = ReferenceWorld(seed: 3)
      let client = try await offlineClient(folder, in: world)
      let counts = Lock<[Int]>([])
      let subscription = client.channel(for: .corridor).sink { held in
        counts.withLock { $0.append(held.turbulence.count) }
      }
      try await world.advance(by: .seconds(3600))
      #expect(counts.withLock { $0.last } == 0)
      withExtendedLifetime(subscription) {}
      await client.stop()
    }
  }

  @Test(arguments: [-600_000, 600_000]) func aReportWithoutATimeIsObservedByTheServersClock(aheadMS: Int64) async throws
  {
    try await withFolder { folder in
      let clock = ManualClock(at: 1_769_040_000_000)
      let now = clock.now
      var configuration = ServerConfiguration(seed: 3)
      configuration.aircraft = 20
      configuration.clock = { now + aheadMS }
      configuration.logger.logLevel = .critical
      let server = try await ReferenceServer.start(configuration)
      var settings = ContrailClient.Configuration(server: server.address, directory: folder + "/log")
      settings.followsSystemLink = false
      let client = try ContrailClient(
        settings, transport: try PlatformTransport.make(server: server.address), clock: clock)
      client.dataQuery.polygon = line.buffer(widthNM: 100)
      await firstData(of: .corridor, from: client, clock)
      client.isOnline = false
      try await client.report(
        at: Coordinate(latitude: 52, longitude: -20), altitudeFeet: 35_000, severity: .moderate, edr: 0.3)
      let report = try #require(client.core.shown.state.outbox.reports.last)
      // The offset is known to half a round trip, by a clock that stands still.
      #expect(abs(Int64(report.observedAt) - (now + aheadMS) / 1000) <= 5)
      await client.stop()
      await server.stop()
    }
  }

  @Test func beforeAnAnswerAReportIsObservedByTheDevicesClock() async throws {
    try await withFolder { folder in
      let client = try Self.client(folder, AirportsLink(), .manual, ManualClock(at: 1_740_000_000_999))
      client.isOnline = false
      try await client.report(at: line[0], altitudeFeet: 31_000, severity: .light, edr: 0.1)
      #expect(client.core.shown.state.outbox.reports.map(\.observedAt) == [1_740_000_000])
      await client.stop()
    }
  }
}
