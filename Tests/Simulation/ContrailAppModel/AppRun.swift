import ContrailSimulation

/// Many flights of applications, counted.
package struct AppRun: Sendable {
  /// Which flights are flown.
  package struct Order: Sendable {
    /// These, if there are any.
    package var seeds: [UInt64] = []
    package var from: UInt64 = 0
    /// So many from there; nil for as many as there is time for.
    package var count: Int? = 1000
    /// Whether the script of a flight that differs is shortened.
    package var isShortening = true
    /// No flight begins after this time.
    package var end: ContinuousClock.Instant?

    package init() {}

    fileprivate func seed(_ index: Int) -> UInt64? {
      if let end, ContinuousClock.now > end { return nil }
      if !seeds.isEmpty { return index < seeds.count ? seeds[index] : nil }
      return index < count ?? .max ? from &+ UInt64(index) : nil
    }
  }

  package private(set) var flights = 0
  package private(set) var comparisons = 0
  package private(set) var requests = 0
  package private(set) var tally: [String: Int] = [:]
  package private(set) var failures: [AppFailure] = []

  /// After so many failures it is enough.
  private static let mostFailures = 5

  /// Flies several at a time, until there are no more seeds or enough have failed.
  package static func fly(_ order: Order) async -> AppRun {
    var run = AppRun()
    var index = 0
    await withTaskGroup(of: AppFlight.Result.self) { group in
      func begin() {
        guard run.failures.count < Self.mostFailures, let seed = order.seed(index) else { return }
        index += 1
        group.addTask { await AppFlight.fly(AppScript(seed: seed)) }
      }
      // A flight waits now and then, so there are more than processors.
      for _ in 0..<2 * Simulation.threadCount { begin() }
      while let result = await group.next() {
        run.flights += 1
        run.comparisons += result.comparisons
        run.requests += result.requests
        run.tally.merge(result.tally, uniquingKeysWith: +)
        if result.finding != nil {
          run.failures.append(order.isShortening ? await AppFailure.shortened(result) : AppFailure(result))
        }
        begin()
      }
    }
    return run
  }
}
