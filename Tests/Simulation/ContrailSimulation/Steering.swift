/// Chooses the flights of which there were few so far.
///
/// Of some seeds in a row, it takes the one whose script has the rarest pairs of neighbours: a fault, a change or another step, and what
/// follows it. The choice depends only on the seeds.
package struct Steering: Sendable {
  /// A flight is chosen from this number of seeds.
  package static let seedsPerFlight: UInt64 = 4

  private struct Pair: Hashable {
    var first: String
    var second: String
  }

  private var counts: [Pair: Int] = [:]

  package init() {}

  /// Returns the script with the rarest pairs among those of a seed and the ones that follow it.
  package mutating func script(from seed: UInt64) -> Script {
    var best: (script: Script, pairs: Set<Pair>, rarity: Double)?
    for offset in 0..<Self.seedsPerFlight {
      let script = Script(seed: seed &+ offset)
      let pairs = Self.pairs(in: script)
      let rarity = pairs.reduce(0) { $0 + 1 / Double(1 + counts[$1, default: 0]) }
      // Per step: otherwise the longest flight would always be chosen.
      let perStep = rarity / Double(script.steps.count)
      if perStep > best?.rarity ?? -1 { best = (script, pairs, perStep) }
    }
    guard let best else { return Script(seed: seed) }
    for pair in best.pairs { counts[pair, default: 0] += 1 }
    return best.script
  }

  private static func pairs(in script: Script) -> Set<Pair> {
    var pairs: Set<Pair> = []
    for (step, next) in zip(script.steps, script.steps.dropFirst()) {
      for first in step.names { for second in next.names { pairs.insert(Pair(first: first, second: second)) } }
    }
    return pairs
  }
}

extension Step {
  /// The names of what happens, without their numbers.
  fileprivate var names: [String] {
    switch self {
    case .set(let changes): changes.map { caseName($0) }
    case .meet(_, let changes): changes.map { "meet " + caseName($0) }
    case .answers(let faults): faults.map(\.rawValue)
    case .airportFiles(let faults): faults.map(\.rawValue)
    case .disk(let trouble): [caseName(trouble)]
    case .relaunch(let ending): [caseName(ending)]
    case .database(let trouble): [caseName(trouble)]
    case .airports(_, let step): [step.rawValue]
    default: [caseName(self)]
    }
  }
}

/// The name of an enumeration's case, without its values.
private func caseName<T>(_ value: T) -> String { Mirror(reflecting: value).children.first?.label ?? "\(value)" }
