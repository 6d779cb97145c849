import ContrailCore
import ContrailReplay
import ContrailWire

/// What a set of logs reaches of the planner's table, its rules, and the faults.
package struct CoverageReport: Sendable {
  /// A log and its coverage.
  package struct Entry: Sendable {
    package var path: String
    package var coverage: FlightCoverage

    package init(path: String, coverage: FlightCoverage) {
      self.path = path
      self.coverage = coverage
    }
  }

  package let entries: [Entry]
  /// What all logs reach together.
  package let total: FlightCoverage

  package init(_ entries: [Entry]) {
    self.entries = entries
    var total = FlightCoverage()
    for entry in entries { total.formUnion(entry.coverage) }
    self.total = total
  }

  /// What the planner's table itself reaches: each cell, rule and fault that a log can reach.
  package static let reachable: FlightCoverage = {
    var coverage = FlightCoverage()
    coverage.addTable()
    return coverage
  }()

  /// A small set of logs with the coverage of all logs. The logs that no other can replace come first. Then the log that adds most is
  /// added until nothing is missing. At the end, unnecessary logs are removed.
  ///
  /// - Complexity: O(logs² × names).
  package var minimal: [Entry] {
    var missing = total.names
    var rest = entries.map { (entry: $0, names: $0.coverage.names) }
    var chosen: [(entry: Entry, names: Set<String>)] = []
    while !missing.isEmpty {
      var best: (index: Int, gain: Int)?
      for (index, candidate) in rest.enumerated() {
        let gain = candidate.names.intersection(missing).count
        if gain > best?.gain ?? 0 { best = (index, gain) }
      }
      guard let best else { break }
      let taken = rest.remove(at: best.index)
      missing.subtract(taken.names)
      chosen.append(taken)
    }
    for candidate in chosen.reversed() {
      let others = chosen.filter { $0.entry.path != candidate.entry.path }
      let reached = others.reduce(into: Set<String>()) { $0.formUnion($1.names) }
      if candidate.names.isSubset(of: reached) { chosen = others }
    }
    let paths = Set(chosen.map(\.entry.path))
    return entries.filter { paths.contains($0.path) }
  }

  // MARK: Missing parts

  /// Why the logs don't reach a cell. The test of the planner's table reaches all of them.
  package enum WhyNot: String, CaseIterable, Sendable {
    /// No log is in the situation when an input comes.
    case noSituation
    /// No log has the input for a scope of this family.
    case noInput
    /// The logs have both, but never the input in the situation: most situations last for seconds.
    case notTogether

    /// The heading of its column.
    fileprivate var title: String {
      switch self {
      case .noSituation: "NO SITUATION"
      case .noInput: "NO INPUT"
      case .notTogether: "NOT TOGETHER"
      }
    }

    package var summary: String {
      switch self {
      case .noSituation: "no log is in the situation"
      case .noInput: "no log has the input"
      case .notTogether: "the input never came in the situation"
      }
    }
  }

  /// The cells that the logs don't reach, and why, in the order of the table.
  package var missing: [(cell: FlightCoverage.Cell, why: WhyNot)] { Self.missing(from: total.cells) }

  /// The cells that aren't among some, and why, in the order of the table.
  package static func missing(
    from cells: some Collection<FlightCoverage.Cell>
  ) -> [(cell: FlightCoverage.Cell, why: WhyNot)] {
    let cells = Set(cells)
    var situations: [PlannerTable.Family: Set<PlannerTable.Situation>] = [:]
    var inputs: [PlannerTable.Family: Set<PlannerTable.Occurrence>] = [:]
    for cell in cells {
      situations[cell.family, default: []].insert(cell.situation)
      inputs[cell.family, default: []].insert(cell.occurrence)
    }
    return FlightCoverage.Cell.all.compactMap { cell in
      if cells.contains(cell) { return nil }
      if situations[cell.family]?.contains(cell.situation) != true { return (cell, .noSituation) }
      return (cell, inputs[cell.family]?.contains(cell.occurrence) == true ? .notTogether : .noInput)
    }
  }

  // MARK: Text

  /// The counts, and the missing parts.
  ///
  /// - Parameter listsMissing: Whether to list each cell that is not reached.
  package func text(listingMissing listsMissing: Bool) -> String {
    var lines = ["\(Words.count(entries.count, "log"))"]
    var table = TextTable([
      .left("FAMILY"), .right("CELLS"), .right("OF"), .right("SITUATIONS"), .right("OF"), .right("INPUTS"),
      .right("OF"), .right("NO SITUATION"), .right("NO INPUT"), .right("NOT TOGETHER"),
    ])
    let missing = missing
    for family in PlannerTable.Family.allCases {
      let reached = total.cells.filter { $0.family == family }
      var counts = [
        reached.count, family.situations.count * PlannerTable.Occurrence.allCases.count,
        Set(reached.map(\.situation)).count, family.situations.count, Set(reached.map(\.occurrence)).count,
        PlannerTable.Occurrence.allCases.count,
      ]
      for why in WhyNot.allCases { counts.append(missing.count { $0.cell.family == family && $0.why == why }) }
      table.add([family.rawValue] + counts.map { Words.count($0) })
    }
    lines += table.lines
    lines.append(
      "Cells that aren't reached: "
        + WhyNot.allCases.map { "\($0.title) means that \($0.summary)" }.joined(separator: ", ")
        + ". The test of the planner's table reaches all.")
    lines.append("")
    lines += Self.lines("rules", total.rules, of: Self.reachable.rules)
    lines += Self.lines("faults", total.faults, of: Self.reachable.faults)
    for family in PlannerTable.Family.allCases {
      let reached = Set(total.cells.filter { $0.family == family }.map(\.situation.rawValue))
      let missing = family.situations.map(\.rawValue).filter { !reached.contains($0) }
      if !missing.isEmpty { lines.append("\(family.rawValue) never \(missing.joined(separator: ", "))") }
    }
    if listsMissing {
      lines += missing.map { "not reached  \($0.cell.name): \($0.why.summary)" }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func lines(_ title: String, _ reached: Set<String>, of all: Set<String>) -> [String] {
    let missing = all.subtracting(reached).sorted()
    let count = "\(title): \(reached.intersection(all).count) of \(all.count)"
    return [missing.isEmpty ? count : "\(count); not reached: \(missing.joined(separator: ", "))"]
  }

  /// The smallest set that was found, with a path on each line, and its savings.
  package var minimalText: String {
    let minimal = minimal
    return minimal.map { "\($0.path)\n" }.joined()
  }

  /// One JSON object.
  package var json: String {
    var json = JSONWriter()
    json.object { json in
      json.member("logs", Int64(entries.count))
      json.member("cells", Int64(total.cells.count))
      json.member("allCells", Int64(FlightCoverage.Cell.all.count))
      json.key("rules")
      json.array { json in total.rules.sorted().forEach { json.value($0) } }
      json.key("missingRules")
      json.array { json in Self.reachable.rules.subtracting(total.rules).sorted().forEach { json.value($0) } }
      json.key("faults")
      json.array { json in total.faults.sorted().forEach { json.value($0) } }
      json.key("missingFaults")
      json.array { json in Self.reachable.faults.subtracting(total.faults).sorted().forEach { json.value($0) } }
      json.key("missingCells")
      json.array { json in
        for (cell, why) in missing {
          json.object { json in
            json.member("cell", cell.name)
            json.member("why", why.rawValue)
          }
        }
      }
      json.key("minimal")
      json.array { json in minimal.forEach { json.value($0.path) } }
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }
}
