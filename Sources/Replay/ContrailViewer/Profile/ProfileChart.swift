package import ContrailQuery
import ContrailWire

/// A profile as text, at most 80 columns wide: a row for each level, a column for one bin or some.
///
/// The digits are severities of the wire format. What nobody reported is a dot, which isn't smooth.
package struct ProfileChart: Sendable {
  /// The lines of the chart.
  package let lines: [String]
  /// The number of bins in a column.
  package let binsPerColumn: Int
  /// Whether a line shows the areas over the route.
  package let showsAreas: Bool

  private static let nameWidth = 7
  private static let plotWidth = 72
  /// The number of levels without a report that are shown before others are left out.
  private static let shownEmptyLevels = 2

  /// - Parameters:
  ///   - profile: The profile.
  ///   - aircraftFeet: The altitude of the own aircraft; nil if it isn't known.
  package init(_ profile: RouteProfile, aircraftFeet: Double? = nil) {
    let share = max(1, (profile.binCount + Self.plotWidth - 1) / Self.plotWidth)
    let width = (profile.binCount + share - 1) / share
    binsPerColumn = share
    let levels = profile.levels(atLeast: 6)
    func row(_ name: String, _ cells: [Character]) -> String {
      var line = name + String(repeating: " ", count: Self.nameWidth - name.count) + String(cells)
      while line.last == " " { line.removeLast() }
      return line
    }
    var worst = [Int: [UInt8?]]()
    var ages = [Int64?](repeating: nil, count: width)
    var areas = [UInt8?](repeating: nil, count: width)
    for cell in profile.cells {
      let column = cell.bin / share
      if let severity = profile.areaSeverity(cell) { areas[column] = max(areas[column] ?? 0, severity) }
      guard let reports = cell.reports else { continue }
      let code = reports.worst.rawValue
      worst[cell.level, default: Array(repeating: nil, count: width)][column].raise(to: code)
      ages[column] = min(ages[column] ?? .max, reports.ageSeconds)
    }
    var lines: [String] = []
    var emptyLevels = 0
    for level in levels.reversed() {
      // Where airliners only climb and descend, there are often many levels that nobody reported from.
      emptyLevels = worst[level] == nil ? emptyLevels + 1 : 0
      if emptyLevels == Self.shownEmptyLevels + 1, levels.contains(level - 1), worst[level - 1] == nil {
        lines.append(row("  :", []))
      }
      if emptyLevels > Self.shownEmptyLevels, levels.contains(level - 1), worst[level - 1] == nil { continue }
      let cells = worst[level] ?? Array(repeating: nil, count: width)
      lines.append(row(RouteProfile.name(ofLevel: level), cells.map { $0.map(Self.digit) ?? "·" }))
    }
    showsAreas = areas.contains { $0 != nil }
    if showsAreas { lines.append(row("areas", areas.map { $0.map(Self.digit) ?? " " })) }
    if !profile.pireps.isEmpty {
      var marks = [Character](repeating: " ", count: width)
      for pirep in profile.pireps {
        marks[pirep.bin / share] = pirep.pirep.isUrgent || marks[pirep.bin / share] == "U" ? "U" : "P"
      }
      lines.append(row("PIREPs", marks))
    }
    // Tens of minutes, of which 9 is 90 and more.
    lines.append(row("age", ages.map { $0.map { Self.digit(UInt8(min(9, $0 / 600))) } ?? " " }))
    let axis = Self.axis(profile, columnNM: Double(share) * profile.binNM, width)
    lines.append(row("", axis.ticks))
    lines.append(row("NM", axis.labels))
    if let aircraft = profile.aircraft {
      let column = min(width - 1, Int(aircraft.alongNM / profile.binNM) / share)
      let level = aircraftFeet.map { RouteProfile.name(ofLevel: Int(max(0, $0 / 1000).rounded())) }
      lines.append(row("own", Self.own(column, level)))
    }
    self.lines = lines
  }

  private static func digit(_ code: UInt8) -> Character { Character(Unicode.Scalar(UInt8(ascii: "0") + min(code, 9))) }

  /// A mark in a column, with the level after it, or before it at the end of the line.
  private static func own(_ column: Int, _ level: String?) -> [Character] {
    var line = [Character](repeating: " ", count: column) + ["^"]
    guard let level else { return line }
    if column + 2 + level.count <= plotWidth {
      line += " " + level
    } else {
      line.replaceSubrange(column - 1 - level.count..<column, with: level + " ")
    }
    return line
  }

  private static func axis(
    _ profile: RouteProfile, columnNM: Double, _ width: Int
  ) -> (ticks: [Character], labels: [Character]) {
    var ticks = [Character](repeating: "-", count: width)
    var labels = [Character](repeating: " ", count: plotWidth)
    let step = profile.labelStepNM(Double(width) / 9)
    var end = -1
    for number in 0...Int(profile.lengthNM / step) {
      let column = Int(Double(number) * step / columnNM)
      guard column < width else { break }
      ticks[column] = "|"
      let label = "\(Int(step) * number)"
      guard column > end, column + label.count <= plotWidth else { continue }
      for (offset, character) in label.enumerated() { labels[column + offset] = character }
      end = column + label.count
    }
    return (ticks, labels)
  }
}

extension UInt8? {
  fileprivate mutating func raise(to code: UInt8) { self = Swift.max(self ?? 0, code) }
}
