import Contrail
import ContrailCore
import ContrailDeferred
import ContrailGeodesy
import ContrailWire
import Foundation
import Testing

/// The viewport and the wall clock, by a clock that stands still until it is moved.
@Suite(.timeLimit(.minutes(1))) struct ViewportTests {
  private func area(_ west: Double) -> [Coordinate] {
    [(50, west), (50, west + 8), (42, west + 8), (42, west), (50, west)].map { Coordinate(latitude: $0, longitude: $1) }
  }

  @Test func theViewportFollowsTheMapOnlyOnceItIsAtRest() async throws {
    try await withClient { client, clock, _ in
      let map = ChannelSource<[Coordinate]>()
      client.followViewport(map.channel, restMS: 500)
      for step in 0..<20 {
        map.send(area(Double(step)))
        clock.advance(by: 400)
      }
      #expect(client.dataQuery.viewport == nil)
      await clock.untilSomeoneSleeps(beyond: 100)
      clock.advance(by: 500)
      while client.dataQuery.viewport == nil { await Task.yield() }
      #expect(client.dataQuery.viewport == area(19))
      client.stopFollowing()
      map.send(area(30))
      clock.advance(by: 5000)
      #expect(client.dataQuery.viewport == area(19))
    }
  }

  @Test func aClockThatWasSetIsTold() async throws {
    try await withClient { client, clock, folder in
      for await update in client.updates { if case .opened = update { break } }
      clock.setWall(ahead: 90_000)
      client.dataHistoryTime = .fourHours
      while client.data(of: .corridor).state.history != .fourHours {
        try await client.report(.init(cell: 2 << 15, altitude: 3, severity: 1, edrE4: 1, observedAt: 1))
      }
      await client.stop()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jsonl") }
      let text = try names.map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }.joined()
      #expect(text.contains(#""kind":"clock.adjusted","by":90000"#))
    }
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

/// Time that passes when it is told to.
private final class ManualClock: EngineClock, @unchecked Sendable {
  private let lock = NSLock()
  private var time: Int64 = 1_740_000_000_000
  private var lead: Int64 = 0
  private var sleepers: [(id: Int, until: Int64, wake: CheckedContinuation<Void, any Error>)] = []
  private var nextID = 0

  var now: Int64 { lock.withLock { time } }
  var wallNow: Int64 { lock.withLock { time + lead } }

  func setWall(ahead milliseconds: Int64) { lock.withLock { lead = milliseconds } }

  func advance(by milliseconds: Int64) {
    let due = lock.withLock {
      time += milliseconds
      let due = sleepers.filter { $0.until <= time }
      sleepers.removeAll { $0.until <= time }
      return due
    }
    due.forEach { $0.wake.resume() }
  }

  /// Returns when a sleep of more than so many milliseconds is under way.
  func untilSomeoneSleeps(beyond milliseconds: Int64) async {
    while !(lock.withLock { sleepers.contains { $0.until > time + milliseconds && $0.until <= time + 500 } }) {
      await Task.yield()
    }
  }

  func sleep(until milliseconds: Int64) async throws {
    let id = lock.withLock {
      nextID += 1
      return nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (wake: CheckedContinuation<Void, any Error>) in
        let isOver = lock.withLock {
          guard milliseconds > time, !Task.isCancelled else { return true }
          sleepers.append((id, milliseconds, wake))
          return false
        }
        if isOver { Task.isCancelled ? wake.resume(throwing: CancellationError()) : wake.resume() }
      }
    } onCancel: {
      let cancelled = lock.withLock {
        let cancelled = sleepers.filter { $0.id == id }
        sleepers.removeAll { $0.id == id }
        return cancelled
      }
      cancelled.forEach { $0.wake.resume(throwing: CancellationError()) }
    }
  }
}
