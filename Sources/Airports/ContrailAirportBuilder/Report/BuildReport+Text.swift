import ContrailAirportData

extension BuildReport {
  /// The report as text: the output, the results of all rows, and anomalies with examples.
  public var text: String {
    var lines = ["cycle \(cycle), effective from \(cycle.effectiveDay)"]
    lines += warnings.map { "warning: \($0)" }
    lines.append(
      "written: \(airportCount) airports, \(runwayCount) runway directions, \(fileBytes) bytes, digest \(digest)")
    let flows = [
      ("NASR airports", nasrAirports), ("NASR runways", nasrRunways), ("OurAirports airports", ourAirports),
      ("OurAirports runways", ourRunways),
    ]
    for (name, flow) in flows where flow.read > 0 {
      lines.append("")
      lines.append(
        "\(name): \(flow.read) read = \(flow.kept) kept + \(flow.merged) merged + \(flow.droppedCount) dropped")
      for reason in DropReason.allCases {
        if let tally = flow.dropped[reason] { lines.append(Self.line("dropped, \(reason.rawValue)", tally)) }
      }
    }
    lines += section("NASR runway ends without a runway", nasrOrphanEnds.count > 0 ? ["ends": nasrOrphanEnds] : [:])
    var matches: [String: Tally] = [:]
    if matchedByIdentifier.count > 0 { matches["by identifier"] = matchedByIdentifier }
    if matchedByNearness.count > 0 { matches["by distance"] = matchedByNearness }
    lines += section("matched in both sources", matches)
    lines += section("contradictions (NASR value used)", conflicts)
    lines += section("missing in NASR, filled from OurAirports", filled)
    lines += section("computed", computed)
    lines += section("rejected values", refusedValues)
    if !unknownSurfaces.isEmpty {
      let spellings = unknownSurfaces.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      let total = spellings.reduce(0) { $0 + $1.value }
      let shown = spellings.prefix(12).map { "'\($0.key)' \($0.value)" }.joined(separator: ", ")
      lines += ["", "unrecognised surfaces: \(total) runways, \(spellings.count) spellings: \(shown)"]
    }
    if malformedCount > 0 {
      lines += ["", "unreadable rows: \(malformedCount)"]
      lines += malformed.prefix(20).map { "  \($0.file):\($0.line): \($0.reason)" }
      if malformedCount > 20 { lines.append("  … and \(malformedCount - 20) more: see the report in JSON") }
    }
    return lines.joined(separator: "\n")
  }

  private func section(_ title: String, _ tallies: [String: Tally]) -> [String] {
    guard !tallies.isEmpty else { return [] }
    return ["", "\(title):"] + tallies.sorted { $0.key < $1.key }.map { Self.line($0.key, $0.value) }
  }

  private static func line(_ name: String, _ tally: Tally) -> String {
    let examples = tally.examples.prefix(3).joined(separator: "; ")
    return "  \(name): \(tally.count), such as \(examples)\(tally.count > 3 ? "; …" : "")"
  }
}
