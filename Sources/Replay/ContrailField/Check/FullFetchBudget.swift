package import ContrailCore
package import ContrailWire

/// The full fetches of a scope: each needs a cause of its own, and those by one rule keep a growing distance.
///
/// The judges of `replay check` and of the simulator keep a budget for each scope. The judge of `replay check` takes the causes from the
/// log, and the judge of the simulator from the events of the simulated world.
package struct FullFetchBudget: Sendable {
  /// A full fetch that should not be.
  package enum Violation: Sendable, Hashable {
    case withoutCause
    /// It follows the last answer by the same rule too soon.
    case tooSoon(sinceLastMS: Int64, shortestMS: Int64, count: Int)
  }

  /// The last full answer that was applied with nothing verified since.
  private struct Last: Sendable {
    var rule: Rule
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

  /// Ends the series of full answers by one rule.
  package mutating func endSeries() { last = nil }

  /// Notes a full fetch by another rule than expiry.
  ///
  /// - Parameters:
  ///   - rule: Its rule.
  ///   - want: The data that the scope wants.
  ///   - now: The time in milliseconds.
  /// - Returns: The violated guarantees.
  package mutating func start(_ rule: Rule, _ want: FetchSpec, at now: Int64) -> [Violation] {
    var violations: [Violation] = []
    if causes < 1 { violations.append(.withoutCause) }
    causes = max(causes - 1, 0)
    switch rule {
    case .refresh, .expired, .due, .requested: return violations
    default: break
    }
    guard let last, last.rule == rule, last.spec == want else { return violations }
    // The shortest wait that jitter allows after so many in a row.
    let shortest = min(300, Int64(1) << Int64(min(last.count, 9))) * 500
    if now < last.at + shortest {
      violations.append(.tooSoon(sinceLastMS: now - last.at, shortestMS: shortest, count: last.count))
    }
    return violations
  }

  /// Notes an answer that was applied.
  ///
  /// - Parameters:
  ///   - rule: The rule of the full fetch; nil for a delta. A delta verifies the held data.
  ///   - spec: What was requested.
  ///   - now: The time in milliseconds.
  package mutating func apply(fullBy rule: Rule?, _ spec: FetchSpec, at now: Int64) {
    guard let rule else {
      last = nil
      return
    }
    let again = last.flatMap { $0.rule == rule && $0.spec == spec ? $0 : nil }
    last = Last(
      rule: rule, spec: spec, count: (again?.count ?? 0) + 1, at: now,
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
