/// A flight that failed, with as few steps as still fail.
package struct AppFailure: Sendable {
  package var result: AppFlight.Result
  package var originalStepCount: Int

  init(_ result: AppFlight.Result) { self.init(result, originalStepCount: result.script.steps.count) }

  private init(_ result: AppFlight.Result, originalStepCount: Int) {
    (self.result, self.originalStepCount) = (result, originalStepCount)
  }

  /// Leaves out halves, quarters and so on of the steps, then single ones, then parts of steps, as long as something is found.
  package static func shortened(_ first: AppFlight.Result, maximumFlights: Int = 200) async -> AppFailure {
    var best = first
    best.script.steps = Array(first.script.steps.prefix(first.step))
    var (size, flights) = (max(1, best.script.steps.count / 2), 0)
    while flights < maximumFlights {
      var (isShorter, start) = (false, 0)
      while start < best.script.steps.count, flights < maximumFlights {
        var candidate = best.script
        candidate.steps.removeSubrange(start..<min(start + size, candidate.steps.count))
        flights += 1
        let result = await AppFlight.fly(candidate)
        if result.finding?.kind == first.finding?.kind {
          (best, isShorter) = (result, true)
        } else {
          start += size
        }
      }
      if size == 1, !isShorter { break }
      if !isShorter || size > best.script.steps.count { size = max(1, size / 2) }
    }
    best = await simplified(best, like: first, maximumFlights: maximumFlights - flights)
    return AppFailure(best, originalStepCount: first.script.steps.count)
  }

  /// Leaves out what single steps do more than is needed.
  private static func simplified(
    _ shortened: AppFlight.Result, like first: AppFlight.Result, maximumFlights: Int
  ) async -> AppFlight.Result {
    var (best, flights, index) = (shortened, 0, 0)
    while index < best.script.steps.count {
      var isSimpler = false
      for step in best.script.steps[index].simpler where flights < maximumFlights {
        var candidate = best.script
        candidate.steps[index] = step
        flights += 1
        let result = await AppFlight.fly(candidate)
        guard result.finding?.kind == first.finding?.kind else { continue }
        (best, isSimpler) = (result, true)
        break
      }
      if !isSimpler { index += 1 }
    }
    return best
  }

  /// What a person needs to fly it again.
  package var text: String {
    let script = result.script
    var lines = ["seed \(script.seed): \(result.finding ?? "") (step \(result.step))"]
    lines.append("  \(script.steps.count) of \(originalStepCount) steps still fail so:")
    lines += script.steps.map { "    \($0.text)," }
    var setting = "  server \(script.serverAheadMS) ms ahead"
    if script.isServerPlain { setting += ", plain" }
    if script.packs { setting += ", packs" }
    return (lines + [setting]).joined(separator: "\n")
  }
}

extension String {
  /// A finding without its numbers and what is particular.
  fileprivate var kind: String { String(filter { !$0.isNumber }.prefix(24)) }
}
