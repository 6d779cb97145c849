/// Counts kills by what the process was about when it died.
///
/// The process says `p PHASE` before it does something and `d` when it has done it; see `contrail-crash-writer`.
public struct KillTally: Sendable {
  public private(set) var phases: [String: Int] = [:]
  /// How often what was left opened again.
  public var reopenings = 0
  /// Tails that opening set aside.
  public var tornTails = 0
  /// Events that were acknowledged before a kill.
  public var acknowledged = 0
  /// Those of them that were not there afterwards.
  public var lost = 0

  public init() {}

  /// How often a process was killed.
  public var kills: Int { phases.values.reduce(0, +) }

  /// Counts a kill by the last that the process said.
  public mutating func count(lastWords lines: some BidirectionalCollection<Substring>) {
    let last = lines.last { $0.hasPrefix("p ") || $0 == "d" }
    phases[last.flatMap { $0 == "d" ? nil : String($0.dropFirst(2)) } ?? "between", default: 0] += 1
  }

  /// The counts in a line.
  public func text(_ name: String) -> String {
    let counts = phases.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    return "\(name): \(kills) kills (\(counts)), \(reopenings) reopenings, \(tornTails) torn tails set aside, "
      + "\(acknowledged) acknowledged events, \(lost) lost"
  }
}
