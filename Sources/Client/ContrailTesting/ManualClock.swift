import Contrail
import Foundation

/// Time that passes when it is told to.
package final class ManualClock: EngineClock, @unchecked Sendable {
  private let lock = NSLock()
  private var time: Int64
  private var lead: Int64 = 0
  private var sleepers: [(id: Int, until: Int64, wake: CheckedContinuation<Void, any Error>)] = []
  private var nextID = 0

  /// - Parameter milliseconds: The time at the start, in milliseconds since 1970.
  package init(at milliseconds: Int64 = 1_740_000_000_000) { time = milliseconds }

  package var now: Int64 { lock.withLock { time } }
  package var wallNow: Int64 { lock.withLock { time + lead } }

  package func setWall(ahead milliseconds: Int64) { lock.withLock { lead = milliseconds } }

  package func advance(by milliseconds: Int64) {
    let due = lock.withLock {
      time += milliseconds
      let due = sleepers.filter { $0.until <= time }
      sleepers.removeAll { $0.until <= time }
      return due
    }
    due.forEach { $0.wake.resume() }
  }

  /// Returns when a sleep of more than the given number of milliseconds is under way.
  package func untilSomeoneSleeps(beyond milliseconds: Int64) async {
    while !(lock.withLock { sleepers.contains { $0.until > time + milliseconds && $0.until <= time + 500 } }) {
      await Task.yield()
    }
  }

  package func sleep(until milliseconds: Int64) async throws {
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
