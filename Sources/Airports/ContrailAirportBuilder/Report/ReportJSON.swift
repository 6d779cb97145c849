/// A writer for the JSON of reports and indexes.
struct ReportJSON {
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
