import Contrail
import ContrailHTTP

/// Time that passes when it is told to.
package final class ManualClock: EngineClock {
  private struct Hands {
    var time: Int64
    var lead: Int64 = 0
    var sleepers: [(id: Int, until: Int64, wake: CheckedContinuation<Void, any Error>)] = []
    var nextID = 0
  }

  private let hands: Lock<Hands>

  /// - Parameter milliseconds: The time at the start, in milliseconds since 1970.
  package init(at milliseconds: Int64 = 1_740_000_000_000) { hands = Lock(Hands(time: milliseconds)) }

  package var now: Int64 { hands.withLock { $0.time } }
  package var wallNow: Int64 { hands.withLock { $0.time + $0.lead } }

  package func setWall(ahead milliseconds: Int64) { hands.withLock { $0.lead = milliseconds } }

  package func advance(by milliseconds: Int64) {
    let due = hands.withLock { hands in
      hands.time += milliseconds
      let (time, sleepers) = (hands.time, hands.sleepers)
      hands.sleepers.removeAll { $0.until <= time }
      return sleepers.filter { $0.until <= time }
    }
    due.forEach { $0.wake.resume() }
  }

  /// Returns when a sleep is under way that has more than `milliseconds` left, and at most `maximum`.
  package func untilSomeoneSleeps(beyond milliseconds: Int64, within maximum: Int64 = 500) async {
    func sleeps() -> Bool {
      hands.withLock { hands in
        hands.sleepers.contains { $0.until > hands.time + milliseconds && $0.until <= hands.time + maximum }
      }
    }
    while !sleeps() { await Task.yield() }
  }

  package func sleep(until milliseconds: Int64) async throws {
    let id = hands.withLock { hands in
      hands.nextID += 1
      return hands.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (wake: CheckedContinuation<Void, any Error>) in
        let isOver = hands.withLock { hands in
          guard milliseconds > hands.time, !Task.isCancelled else { return true }
          hands.sleepers.append((id, milliseconds, wake))
          return false
        }
        if isOver { Task.isCancelled ? wake.resume(throwing: CancellationError()) : wake.resume() }
      }
    } onCancel: {
      let cancelled = hands.withLock { hands in
        let sleepers = hands.sleepers
        hands.sleepers.removeAll { $0.id == id }
        return sleepers.filter { $0.id == id }
      }
      cancelled.forEach { $0.wake.resume(throwing: CancellationError()) }
    }
  }
}
