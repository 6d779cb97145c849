/// A flight that failed, with as few steps as still fail.
package struct AppFailure: Sendable {
  package var result: AppFlight.Result
  package var originalStepCount: Int

  init(_ result: AppFlight.Result) { self.init(result, originalStepCount: result.script.steps.count) }

  private init(_ result: AppFlight.Result, originalStepCount: Int) {
    (self.result, self.originalStepCount) = (result, originalStepCount)
  }

  /// Leaves out halves, quarters and so on of the steps, then single ones, as long as something is found.
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
    return AppFailure(best, originalStepCount: first.script.steps.count)
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
