/// Makes a script that fails as short as it can and still fails the same way.
package struct Shrinker: Sendable {
  /// How many flights it may take.
  package var maximumFlights: Int
  private let verdict: @Sendable (Script) async -> Verdict?

  /// - Parameter verdict: Flies a script and returns its fault, if it has one.
  package init(maximumFlights: Int = 600, verdict: @escaping @Sendable (Script) async -> Verdict?) {
    self.maximumFlights = maximumFlights
    self.verdict = verdict
  }

  /// The shortened script, and its verdict.
  package struct ShortenedScript: Sendable {
    package var script: Script
    package var verdict: Verdict
    package var flights: Int
  }

  /// Delta debugging over the steps: halves, quarters and so on are left out, then single steps; then what is in a step.
  package func shortened(_ script: Script, _ first: Verdict) async -> ShortenedScript {
    var best = ShortenedScript(script: script, verdict: first, flights: 0)
    best.script.steps = Array(script.steps.prefix(first.step))
    guard await retry(&best, best.script) else {
      return ShortenedScript(script: script, verdict: first, flights: best.flights)
    }
    var size = max(1, best.script.steps.count / 2)
    while best.flights < maximumFlights {
      var isShorter = false
      var start = 0
      while start < best.script.steps.count, best.flights < maximumFlights {
        var candidate = best.script
        candidate.steps.removeSubrange(start..<min(start + size, candidate.steps.count))
        if await retry(&best, candidate) { isShorter = true } else { start += size }
      }
      if size == 1, !isShorter { break }
      if !isShorter || size > best.script.steps.count { size = max(1, size / 2) }
    }
    await simplify(&best)
    return best
  }

  /// Leaves out what single steps hold more than is needed, and what the setting adds.
  private func simplify(_ best: inout ShortenedScript) async {
    for index in best.script.steps.indices {
      for simpler in best.script.steps[index].simpler where best.flights < maximumFlights {
        var candidate = best.script
        candidate.steps[index] = simpler
        if await retry(&best, candidate) { break }
      }
    }
    for change in Script.Setting.simplifications where best.flights < maximumFlights {
      var candidate = best.script
      change(&candidate.setting)
      if candidate.setting != best.script.setting { _ = await retry(&best, candidate) }
    }
  }

  /// Whether a script fails in the same judge's eyes; then it is the best so far.
  private func retry(_ best: inout ShortenedScript, _ candidate: Script) async -> Bool {
    best.flights += 1
    guard let verdict = await verdict(candidate), verdict.judge == best.verdict.judge else { return false }
    best.script = candidate
    best.verdict = verdict
    return true
  }
}

extension Step {
  /// The same with less in it, the least first.
  fileprivate var simpler: [Step] {
    switch self {
    case .set(let changes) where changes.count > 1:
      changes.map { .set([$0]) } + changes.indices.map { .set(changes.without($0)) }
    case .meet(_, let changes):
      [.set(changes)] + (changes.count > 1 ? changes.map { .set([$0]) } : [])
    case .answers(let faults) where faults.count > 1:
      faults.map { .answers([$0]) } + faults.indices.map { .answers(faults.without($0)) }
    default: []
    }
  }
}

extension Array {
  fileprivate func without(_ index: Int) -> [Element] {
    var rest = self
    rest.remove(at: index)
    return rest
  }
}

extension Script.Setting {
  fileprivate static var simplifications: [@Sendable (inout Script.Setting) -> Void] {
    [
      { $0.hasDatabase = false }, { $0.packs = false }, { $0.segmentBytes = 8 << 20 }, { $0.keptBytes = 256 << 20 },
      { $0.hasSums = true }, { $0.isKilledAtTheEnd = false }, { $0.deliversCancelled = false },
    ]
  }
}
