/// Counts kills by what the process was about when it died.
///
/// The process says `p PHASE` before it does something and `d` when it has done it; see `contrail-crash-writer`.
package struct KillTally: Sendable {
  package private(set) var phases: [String: Int] = [:]
  /// How often what was left opened again.
  package var reopenings = 0
  /// Tails that opening set aside.
  package var tornTails = 0
  /// Events that were acknowledged before a kill.
  package var acknowledged = 0
  /// Those of them that were not there afterwards.
  package var lost = 0

  package init() {}

  /// How often a process was killed.
  package var kills: Int { phases.values.reduce(0, +) }

  /// Counts a kill by the last that the process said.
  package mutating func count(lastWords lines: some BidirectionalCollection<Substring>) {
    let last = lines.last { $0.hasPrefix("p ") || $0 == "d" }
    phases[last.flatMap { $0 == "d" ? nil : String($0.dropFirst(2)) } ?? "between", default: 0] += 1
  }

  /// The counts in a line.
  package func text(_ name: String) -> String {
    let counts = phases.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    return "\(name): \(kills) kills (\(counts)), \(reopenings) reopenings, \(tornTails) torn tails set aside, "
      + "\(acknowledged) acknowledged events, \(lost) lost"
  }
}
