import ContrailTestSupport
import ContrailWire

/// Calls `body` with a reader of the text.
func reading<T, E: Error>(_ text: String, _ body: (inout JSONReader) throws(E) -> T) throws(E) -> T {
  try reading(Array(text.utf8), body)
}

func reading<T, E: Error>(_ bytes: [UInt8], _ body: (inout JSONReader) throws(E) -> T) throws(E) -> T {
  let result = bytes.withUnsafeBytes { bytes -> Result<T, E> in
    var reader = JSONReader(bytes)
    do throws(E) {
      return .success(try body(&reader))
    } catch {
      return .failure(error)
    }
  }
  return try result.get()
}

/// Reads a document like the body of an answer.
func document(_ text: String) throws(WireError) -> JSONDocument {
  do throws(JSONError) {
    return try JSONDocument(Array(text.utf8))
  } catch {
    throw .json(error)
  }
}

/// JSON as a tree: numbers as they are spelt, members in their order.
enum JSONTree {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONTree])
  case object([Member])

  struct Member {
    var key: String
    var value: JSONTree
  }

  /// Reads a whole text.
  init(_ bytes: [UInt8]) throws(JSONError) {
    self = try reading(bytes) { (json) throws(JSONError) in
      let tree = try JSONTree(from: &json, bytes)
      try json.end()
      return tree
    }
  }

  private init(from json: inout JSONReader, _ bytes: [UInt8]) throws(JSONError) {
    let start = json.next()
    switch start < bytes.count ? bytes[start] : 0 {
    case UInt8(ascii: "{"):
      var members: [Member] = []
      try json.object { (key, json) throws(JSONError) in
        members.append(Member(key: key.string, value: try JSONTree(from: &json, bytes)))
      }
      self = .object(members)
    case UInt8(ascii: "["):
      var elements: [JSONTree] = []
      try json.array { (json) throws(JSONError) in elements.append(try JSONTree(from: &json, bytes)) }
      self = .array(elements)
    case UInt8(ascii: "\""): self = .string(try json.string())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool(try json.bool())
    case UInt8(ascii: "n"):
      guard try json.null() else { throw json.fault("null was announced") }
      self = .null
    default: self = .number(String(decoding: json.slice(try json.skipValue()), as: UTF8.self))
    }
  }

}

extension JSONTree: Equatable {
  static func == (a: JSONTree, b: JSONTree) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a.unicodeScalars.elementsEqual(b.unicodeScalars)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)):
      a.elementsEqual(b) { $0.key.unicodeScalars.elementsEqual($1.key.unicodeScalars) && $0.value == $1.value }
    default: false
    }
  }
}

/// Writes random JSON in odd spellings.
struct JSONSpeller {
  var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func tree(depth: Int = 0) -> JSONTree {
    switch Int.random(in: 0..<(depth > 4 ? 4 : 6), using: &random) {
    case 0: .null
    case 1: .bool(random.chance(50))
    case 2: .number(number())
    case 3: .string(text())
    case 4: .array((0..<Int.random(in: 0...4, using: &random)).map { _ in tree(depth: depth + 1) })
    default:
      // Keys are numbered: which of two equal ones counts is nobody's rule.
      .object(
        (0..<Int.random(in: 0...4, using: &random)).map { .init(key: "\($0)" + text(), value: tree(depth: depth + 1)) })
    }
  }

  mutating func number() -> String {
    var text = random.chance(30) ? "-" : ""
    text +=
      random.chance(20)
      ? "0" : String(UInt32.random(in: 1...UInt32.max, using: &random) >> UInt32.random(in: 0...31, using: &random))
    if text.hasSuffix("-") { text += "0" }
    if random.chance(40) { text += "." + String(UInt32.random(in: 0...9999, using: &random)) }
    if random.chance(30) {
      text += ["e", "E"].randomElement(using: &random)!
      text += ["", "+", "-"].randomElement(using: &random)!
      text += String(Int.random(in: 0...30, using: &random))
    }
    return text
  }

  mutating func text() -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\t", "\u{0}", "\u{1f}", "\u{7f}", "\u{80}", "é", "\u{301}", "\u{7ff}",
      "\u{800}", "\u{d7ff}", "\u{e000}", "\u{2028}", "\u{ffff}", "\u{10000}", "😀", "\u{10ffff}",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...6, using: &random) { text.append(scalars.randomElement(using: &random)!) }
    return String(text)
  }

  mutating func space() -> String {
    guard random.chance(30) else { return "" }
    return [" ", "\t", "\n", "\r", "  \r\n"].randomElement(using: &random)!
  }

  mutating func spell(_ tree: JSONTree) -> String {
    let before = space()
    let text: String =
      switch tree {
      case .null: "null"
      case .bool(let flag): flag ? "true" : "false"
      case .number(let text): text
      case .string(let text): spell(string: text)
      case .array(let elements):
        "[" + (elements.isEmpty ? space() : "") + elements.map { spell($0) }.joined(separator: ",") + "]"
      case .object(let members):
        "{" + (members.isEmpty ? space() : "")
          + members.map { space() + spell(string: $0.key) + space() + ":" + spell($0.value) }.joined(separator: ",")
          + "}"
      }
    return before + text + space()
  }

  mutating func spell(string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      if !mustEscape && !random.chance(20) {
        text.unicodeScalars.append(scalar)
      } else if let letter = Self.letters[scalar], random.chance(50) {
        text += "\\\(letter)"
      } else {
        for unit in String(scalar).utf16 {
          var digits = String(unit, radix: 16, uppercase: random.chance(50))
          digits = String(repeating: "0", count: 4 - digits.count) + digits
          text += "\\u" + digits
        }
      }
    }
    return text + "\""
  }

  private static let letters: [Unicode.Scalar: Character] = [
    "\"": "\"", "\\": "\\", "/": "/", "\u{8}": "b", "\u{c}": "f", "\n": "n", "\r": "r", "\t": "t",
  ]

  /// The same members in another order, spelt anew.
  mutating func shuffled(_ tree: JSONTree) -> JSONTree {
    switch tree {
    case .array(let elements): return .array(elements.map { shuffled($0) })
    case .object(let members):
      return .object(members.map { .init(key: $0.key, value: shuffled($0.value)) }.shuffled(using: &random))
    case .number(let text): return .number(respelt(text))
    default: return tree
    }
  }

  /// Another spelling of a decimal without exponent.
  mutating func respelt(_ text: String) -> String {
    guard !text.contains(where: { "eE".contains($0) }) else { return text }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return text + (text.contains(".") ? "000" : ".000")
    case 1: return text + "e0"
    case 2: return text.contains(".") || text == "0" ? text + "E+00" : text + "0e-1"
    default: return text
    }
  }
}

extension Array<UInt8> {
  /// A few bytes changed, taken out, put in or doubled.
  func mutated(using random: inout SplitMix64) -> [UInt8] {
    let favourites = Array("{}[]\",:\\u0123456789-+.eEntf \n\u{0}é".utf8) + [0x80, 0xBF, 0xC0, 0xED, 0xF5, 0xFF]
    var bytes = self
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard !bytes.isEmpty else { return bytes }
      let index = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[index] = favourites.randomElement(using: &random)!
      case 2: bytes.insert(favourites.randomElement(using: &random)!, at: index)
      case 3: bytes.remove(at: index)
      case 4: bytes.removeSubrange(index...)
      default: bytes.insert(contentsOf: bytes[index..<Swift.min(index + 8, bytes.count)], at: index)
      }
    }
    return bytes
  }
}
