import Contrail
import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailHTTP
import ContrailTestSupport
import ContrailTesting
import ContrailWire
import Foundation
import Testing

/// The viewport and the wall clock, by a clock that stands still until it is moved.
@Suite(.timeLimit(.minutes(30))) struct ViewportTests {
  private func area(_ west: Double) -> [Coordinate] {
    [(50, west), (50, west + 8), (42, west + 8), (42, west), (50, west)].map { Coordinate(latitude: $0, longitude: $1) }
  }

  @Test func theViewportFollowsTheMapOnlyOnceItIsAtRest() async throws {
    try await withClient { client, clock, _ in
      let map = ChannelSource<[Coordinate]>()
      client.followViewport(map.channel, restMS: 500)
      for step in 0..<20 {
        map.send(area(Double(step)))
        await clock.untilSomeoneSleeps(beyond: 499)
        clock.advance(by: 400)
        for _ in 0..<100 { await Task.yield() }
      }
      #expect(client.dataQuery.viewport == nil)
      clock.advance(by: 500)
      while client.dataQuery.viewport == nil { await Task.yield() }
      #expect(client.dataQuery.viewport == area(19))
      // The area that isn't at rest yet is forgotten, too.
      map.send(area(30))
      await clock.untilSomeoneSleeps(beyond: 499)
      client.stopFollowing()
      map.send(area(31))
      for _ in 0..<1000 { await Task.yield() }
      clock.advance(by: 5000)
      for _ in 0..<1000 { await Task.yield() }
      #expect(client.dataQuery.viewport == area(19))
    }
  }

  @Test(arguments: [Int64(0), -1]) func aMapWithoutATimeOfRestIsFollowedAtOnce(restMS: Int64) async throws {
    try await withClient { client, _, _ in
      let map = ChannelSource<[Coordinate]>()
      client.followViewport(map.channel, restMS: restMS)
      map.send(area(3))
      while client.dataQuery.viewport == nil { await Task.yield() }
      #expect(client.dataQuery.viewport == area(3))
    }
  }

  @Test func aStoppedClientFollowsNoMap() async throws {
    try await withClient { client, _, _ in
      let map = ChannelSource<[Coordinate]>()
      client.followViewport(map.channel)
      #expect(map.hasListeners)
      await client.stop()
      #expect(!map.hasListeners)
    }
  }

  @Test func onlyTheMapThatWasFollowedLastCounts() async throws {
    try await withClient { client, clock, _ in
      let (first, second) = (ChannelSource<[Coordinate]>(), ChannelSource<[Coordinate]>())
      client.followViewport(first.channel)
      first.send(area(1))
      client.followViewport(second.channel)
      first.send(area(2))
      second.send(area(3))
      await clock.untilSomeoneSleeps(beyond: 499)
      clock.advance(by: 500)
      while client.dataQuery.viewport == nil { await Task.yield() }
      #expect(client.dataQuery.viewport == area(3))
    }
  }

  @Test func aClockThatWasSetIsTold() async throws {
    try await withClient { client, clock, folder in
      for await update in client.updates { if case .opened = update { break } }
      clock.setWall(ahead: 90_000)
      client.dataHistoryTime = .fourHours
      while client.data(of: .corridor).state.history != .fourHours {
        try await client.report(Self.report(at: clock))
      }
      await client.stop()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jsonl") }
      let text = try names.map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }.joined()
      #expect(text.contains(#""kind":"clock.adjusted","by":90000"#))
    }
  }

  @Test func whatTheDiskRefusesIsWrittenOnceItTakesItAgain() async throws {
    let clock = ManualClock()
    let disk = MemoryDisk()
    let isFull = Flag()
    disk.refuses = { _ in isFull.value }
    // The database stands on the real disk.
    let folder = NSTemporaryDirectory() + "contrail-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let client = try ContrailClient(
      .init(server: "http://127.0.0.1:9", apiKey: nil, directory: folder), transport: Unplugged(), clock: clock,
      weatherTransport: nil, airportTransport: nil, storage: disk)
    for await update in client.updates { if case .opened = update { break } }
    isFull.value = true
    client.dataHistoryTime = .sixHours
    for await update in client.updates {
      guard case .failed(let error) = update else { continue }
      #expect(error.code == .disk && error.isTransient)
      break
    }
    // Who waits isn't kept waiting.
    await #expect(throws: ClientError.self) {
      try await client.report(Self.report(at: clock))
    }
    #expect(client.data(of: .corridor).state.history == .twoHours)
    isFull.value = false
    while client.data(of: .corridor).state.history != .sixHours {
      clock.advance(by: 1000)
      // Any report tells the client the state.
      try await client.report(Self.report(at: clock))
    }
    await client.stop()
  }

  private static func report(at clock: ManualClock) -> TurbulenceReport {
    TurbulenceReport(cell: 2 << 15, altitude: 3, severity: 1, edrE4: 1, observedAt: UInt32(clamping: clock.now / 1000))
  }

  private func withClient(_ body: (ContrailClient, ManualClock, String) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "contrail-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let clock = ManualClock()
    let client = try ContrailClient(
      .init(server: "http://127.0.0.1:9", apiKey: nil, directory: folder), transport: Unplugged(), clock: clock)
    try await body(client, clock, folder)
    await client.stop()
  }
}

/// No network at all.
private struct Unplugged: ClosableTransport {
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
    throw TransportError(.network, "unplugged")
  }

  func shutdown() async {}
}

/// Something that a test sets while others read it.
private final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var isSet = false

  var value: Bool {
    get { lock.withLock { isSet } }
    set { lock.withLock { isSet = newValue } }
  }
}
