import ContrailAirportData

extension BuildReport {
  /// The report as one JSON object with keys in a fixed order.
  public var json: String {
    var json = ReportJSON()
    json.object { json in
      json.field("cycle", cycle.identifier)
      json.field("effectiveFrom", "\(cycle.effectiveDay)")
      json.field("nasrCycle", nasrCycle?.identifier)
      json.field("airports", airportCount)
      json.field("runways", runwayCount)
      json.field("bytes", fileBytes)
      json.field("digest", "\(digest)")
      json.field("warnings", warnings)
      json.key("flows")
      json.object { json in
        for (name, flow) in [
          ("nasrAirports", nasrAirports), ("nasrRunways", nasrRunways), ("ourAirports", ourAirports),
          ("ourRunways", ourRunways),
        ] {
          json.key(name)
          json.object { json in
            json.field("read", flow.read)
            json.field("kept", flow.kept)
            json.field("merged", flow.merged)
            json.key("dropped")
            json.tallies(Dictionary(uniqueKeysWithValues: flow.dropped.map { ($0.key.rawValue, $0.value) }))
          }
        }
      }
      json.key("nasrOrphanEnds")
      json.tally(nasrOrphanEnds)
      json.key("matched")
      json.tallies(["identifier": matchedByIdentifier, "nearness": matchedByNearness])
      for (name, tallies) in [
        ("conflicts", conflicts), ("filled", filled), ("computed", computed), ("refusedValues", refusedValues),
      ] {
        json.key(name)
        json.tallies(tallies)
      }
      json.key("unknownSurfaces")
      json.object { json in
        for (spelling, count) in unknownSurfaces.sorted(by: { $0.key < $1.key }) { json.field(spelling, count) }
      }
      json.field("malformedRows", malformedCount)
      json.key("malformed")
      json.array(malformed) { json, row in
        json.object { json in
          json.field("file", row.file)
          json.field("line", row.line)
          json.field("reason", row.reason)
        }
      }
    }
    return json.text
  }
}

/// A writer for the JSON of the report.
private struct ReportJSON {
  private(set) var text = ""
  private var needsComma = false

  mutating func object(_ body: (inout ReportJSON) -> Void) {
    begin("{")
    body(&self)
    end("}")
  }

  mutating func array<T>(_ items: [T], _ body: (inout ReportJSON, T) -> Void) {
    begin("[")
    for item in items { body(&self, item) }
    end("]")
  }

  mutating func key(_ name: String) {
    value(Self.quoted(name) + ":")
    needsComma = false
  }

  mutating func field(_ name: String, _ text: String?) {
    key(name)
    value(text.map(Self.quoted) ?? "null")
  }

  mutating func field(_ name: String, _ number: Int) {
    key(name)
    value("\(number)")
  }

  mutating func field(_ name: String, _ texts: [String]) {
    key(name)
    array(texts) { $0.value(Self.quoted($1)) }
  }

  mutating func tallies(_ tallies: [String: Tally]) {
    object { json in
      for (name, tally) in tallies.sorted(by: { $0.key < $1.key }) {
        json.key(name)
        json.tally(tally)
      }
    }
  }

  mutating func tally(_ tally: Tally) {
    object { json in
      json.field("count", tally.count)
      json.field("examples", tally.examples)
    }
  }

  private mutating func begin(_ bracket: String) {
    if needsComma { text += "," }
    text += bracket
    needsComma = false
  }

  private mutating func end(_ bracket: String) {
    text += bracket
    needsComma = true
  }

  private mutating func value(_ value: String) {
    if needsComma { text += "," }
    text += value
    needsComma = true
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
