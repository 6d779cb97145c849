import ContrailSimulation

/// Many flights of applications, counted.
package struct AppRun: Sendable {
  package var flights = 0
  package var comparisons = 0
  package var requests = 0
  package var tally: [String: Int] = [:]
  package var failures: [AppFailure] = []

  /// Flies several at a time, until there are no more seeds, it is over, or enough have failed.
  package static func fly(_ seed: (Int) -> UInt64?, until isOver: () -> Bool = { false }) async -> AppRun {
    var run = AppRun()
    var index = 0
    await withTaskGroup(of: AppFlight.Result.self) { group in
      func begin() {
        guard !isOver(), run.failures.count < 5, let seed = seed(index) else { return }
        index += 1
        group.addTask { await AppFlight.fly(AppScript(seed: seed)) }
      }
      for _ in 0..<Simulation.threadCount { begin() }
      while let result = await group.next() {
        run.flights += 1
        run.comparisons += result.comparisons
        run.requests += result.requests
        run.tally.merge(result.tally, uniquingKeysWith: +)
        if result.finding != nil { run.failures.append(await AppFailure.shortened(result)) }
        begin()
      }
    }
    return run
  }
}
