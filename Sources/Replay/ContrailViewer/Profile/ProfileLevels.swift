package import ContrailQuery
import ContrailWire

extension RouteProfile {
  /// The levels to draw, in thousands of feet: those with a report or a PIREP and others, with at least `count` levels, up to the ceiling.
  package func levels(atLeast count: Int, including others: [Int] = []) -> ClosedRange<Int> {
    let used = cells.filter { $0.reports != nil || !$0.pireps.isEmpty }.map(\.level) + others
    // Without any, those of airliners.
    var (low, high) = (used.min() ?? 36, used.max() ?? 36)
    if used.isEmpty == false { (low, high) = (max(0, low - 1), min(Self.ceiling, high + 1)) }
    while high - low + 1 < count {
      if high < Self.ceiling { high += 1 }
      if low > 0, high - low + 1 < count { low -= 1 }
    }
    return low...high
  }

  /// The highest severity of the areas that cover a cell; nil if none does, or no severity is stated.
  package func areaSeverity(_ cell: ProfileCell) -> UInt8? {
    cell.areas.compactMap { areas[$0].severity?.rawValue }.max()
  }

  /// The flight level of a level in thousands of feet: `FL370`.
  static func name(ofLevel level: Int) -> String { name(ofFlightLevel: level * 10) }

  /// The name of a flight level in hundreds of feet: `FL370`.
  static func name(ofFlightLevel level: Int) -> String {
    let digits = "\(level)"
    return "FL" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
  }

  /// A distance between labels, in nautical miles, with about `count` of them.
  func labelStepNM(_ count: Double) -> Double {
    let steps = [10.0, 20, 50, 100, 200, 500, 1000, 2000, 5000]
    return steps.first { lengthNM / $0 <= count } ?? 10_000
  }
}
