package import ContrailCore
package import ContrailWire

/// The full fetches of a scope: each needs a cause of its own, and those for one reason keep a growing distance.
///
/// The judges of `replay check` and of the simulator keep a budget for each scope. The judge of `replay check` takes the causes from the
/// log, and the judge of the simulator from the events of the simulated world.
package struct FullFetchBudget: Sendable {
  /// A full fetch that should not be.
  package enum Violation: Sendable, Hashable {
    case withoutCause
    /// It follows the last answer for the same reason too soon.
    case tooSoon(sinceLastMS: Int64, shortestMS: Int64, count: Int)
  }

  /// The last full answer that was applied with nothing verified since.
  private struct Last: Sendable {
    var reason: Reason
    var spec: FetchSpec
    var count: Int
    var at: Int64
    var isLoopReported: Bool
  }

  /// How many full fetches there is still a cause for.
  private var causes = 0
  private var last: Last?

  package init() {}

  /// Adds causes for full fetches.
  package mutating func allow(_ count: Int = 1) { causes += count }

  /// Ends the series of full answers for one reason.
  package mutating func endSeries() { last = nil }

  /// Notes a full fetch for another reason than expiry.
  ///
  /// - Parameters:
  ///   - reason: Its reason.
  ///   - want: The data that the scope wants.
  ///   - now: The time in milliseconds.
  /// - Returns: The fault, or nil.
  package mutating func start(_ reason: Reason, _ want: FetchSpec, at now: Int64) -> [Violation] {
    var violations: [Violation] = []
    if causes < 1 { violations.append(.withoutCause) }
    causes = max(causes - 1, 0)
    switch reason {
    case .refresh, .expired, .due, .requested: return violations
    default: break
    }
    guard let last, last.reason == reason, last.spec == want else { return violations }
    // The shortest wait that jitter allows after this number of consecutive fetches.
    let shortest = min(300, Int64(1) << Int64(min(last.count, 9))) * 500
    if now < last.at + shortest {
      violations.append(.tooSoon(sinceLastMS: now - last.at, shortestMS: shortest, count: last.count))
    }
    return violations
  }

  /// Notes an answer that was applied.
  ///
  /// - Parameters:
  ///   - reason: The reason of the full fetch; nil for a delta. A delta verifies the held data.
  ///   - spec: The requested data.
  ///   - now: The time in milliseconds.
  package mutating func apply(fullFor reason: Reason?, _ spec: FetchSpec, at now: Int64) {
    guard let reason else {
      last = nil
      return
    }
    let again = last.flatMap { $0.reason == reason && $0.spec == spec ? $0 : nil }
    last = Last(
      reason: reason, spec: spec, count: (again?.count ?? 0) + 1, at: now,
      isLoopReported: again?.isLoopReported ?? false
    )
  }

  /// Removes all causes, because the held data was verified.
  package mutating func takeBackCauses() { causes = 0 }

  /// Notes that the series was reported as a loop.
  ///
  /// - Returns: Whether it was reported before.
  package mutating func reportLoop() -> Bool {
    defer { last?.isLoopReported = true }
    return last?.isLoopReported ?? false
  }
}
