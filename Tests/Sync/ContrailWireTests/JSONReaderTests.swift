import ContrailTestSupport
import ContrailWire
import Foundation
import Testing

@Suite struct JSONReaderTests {
  static let valid = [
    "{}", "[]", "0", "-0", "null", "true", "false", "\"\"", " 1 ", "\t[\r\n]\n", "1e5", "1E+5", "1e-5", "-1.50e+05",
    "0.0", "0e0", "[[[[]]]]", "{\"a\":{\"a\":1}}", #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\uD83D\uDE00""#,
    "\"\u{10ffff}\"", "\"\u{7f}\u{2028}\"", "[1,2,[3],{}]", #"{"":0}"#, "123456789012345678901234567890", "[null,true]",
  ]

  static let invalid = [
    "", " ", "{", "}", "[", "]", "[1", "[1,", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:1}",
    "01", "-01", "-", "+1", ".5", "5.", "1.e1", "1e", "1e+", "0x1", "1 2", "nul", "nulll", "True", "tru", "fals", "NaN",
    "Infinity", "-Infinity", "'a'", "\"", "\"\\", "\"\\\"", #""\x""#, #""\u12""#, #""\u12G4""#, "\"\n\"", "\"\t\"",
    "\"\u{0}\"", "//1", "/**/1", "[1]]", "{}{}", "[1 2]", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "\u{a0}1", "1\u{0}", "--1",
    "1-", "e1", "\"a", "[1:]", "[1.5:]", "[\"a]", "{\"a\":1]", "[1}", "truefalse", "nullnull",
  ]

  @Test(arguments: valid) func acceptsWhatIsJSON(text: String) throws {
    _ = try JSONTree(Array(text.utf8))
    #expect(Self.foundation(Array(text.utf8)) != nil)
  }

  @Test(arguments: invalid) func refusesWhatIsNot(text: String) {
    #expect(throws: JSONError.self) { try JSONTree(Array(text.utf8)) }
  }

  @Test func refusesBytesThatAreNotUTF8() {
    let bad: [[UInt8]] = [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
      [0xC3, 0x28], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28],
    ]
    for bytes in bad {
      #expect(throws: JSONError.self, "\(bytes)") { try JSONTree([0x22] + bytes + [0x22]) }
      #expect(throws: JSONError.self, "\(bytes)") { try JSONTree([0x22] + bytes) }
    }
  }

  @Test func refusesALoneSurrogate() {
    for text in [#""\uD800""#, #""\uDC00""#, #""\uD800\u0041""#, #""\uD800x""#, #""\uDC00\uD800""#, #""\uD800\uD800""#]
    {
      #expect(throws: JSONError.self, "\(text)") { try JSONTree(Array(text.utf8)) }
    }
  }

  @Test func nestingIsBounded() throws {
    let depth = JSONReader.maximumDepth
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    _ = try JSONTree(nested(depth))
    #expect(throws: JSONError(offset: depth + 1, reason: "nested deeper than \(depth) levels")) {
      try JSONTree(nested(depth + 1))
    }
    #expect(throws: JSONError.self) { try JSONTree([UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)) }
    // Closing gives the depth back.
    let wide = Array(("[" + [String](repeating: "[{}]", count: 1000).joined(separator: ",") + "]").utf8)
    _ = try JSONTree(wide)
  }

  /// Values without whitespace are skipped in one pass, others are read and forgotten. Both find the same.
  @Test func skippingFindsTheEndOrTheFaultThatReadingFinds() {
    func skip(_ text: [UInt8]) -> JSONError? {
      do throws(JSONError) {
        try reading(text) { (json) throws(JSONError) in
          try json.skipValue()
          try json.end()
        }
        return nil
      } catch { return error }
    }
    func read(_ text: [UInt8]) -> JSONError? {
      do throws(JSONError) {
        _ = try JSONTree(text)
        return nil
      } catch { return error }
    }
    var texts = (Self.valid + Self.invalid).map { Array($0.utf8) }
    for depth in [63, 64, 65, 127, 128, 129] {
      for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[[],", "]")] {
        let text = Array((String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
        // Also with the wrong bracket at the end.
        texts += [text, text.dropLast() + [close == "}" ? UInt8(ascii: "]") : UInt8(ascii: "}")]]
      }
    }
    for seed in UInt64(0)..<4000 {
      var speller = JSONSpeller(seed: seed &+ 50_000)
      let tree = speller.tree()
      let text = JSONWriter.compact(Array(speller.spell(tree).utf8))
      texts += [text, text.mutated(using: &speller.random)]
    }
    var faults = 0
    for text in texts {
      let (skipped, whole) = (skip(text), read(text))
      #expect(skipped == whole, "\(String(decoding: text, as: UTF8.self))")
      if skipped != nil { faults += 1 }
    }
    #expect((500...texts.count - 4000).contains(faults), "\(faults) of \(texts.count) have a fault")
  }

  @Test func membersAreReadWithoutBraces() throws {
    func keys(_ text: String) throws(JSONError) -> [String] {
      var keys: [String] = []
      try reading(Array(text.utf8)) { (json) throws(JSONError) in
        try json.members { (key, json) throws(JSONError) in
          keys.append(key.string)
          try json.skipValue()
        }
      }
      return keys
    }
    #expect(try keys("") == [] && keys(" \n") == [])
    #expect(try keys(#" "a":1 , "b" : {"c":[2]} "#) == ["a", "b"])
    for text in [#""a":1,"#, #""a":1}"#, #""a" 1"#, #"{"a":1}"#, ",", #""a":1 "b":2"#] {
      #expect(throws: JSONError.self, "\(text)") { try keys(text) }
    }
  }

  @Test func aNumberThatDoesNotFitIsNamedWhereItBegins() {
    let error = #expect(throws: JSONError.self) {
      try reading(Array("  1e30".utf8)) { (json) throws(JSONError) in try json.scaled(by: 4) }
    }
    #expect(error?.offset == 2)
  }

  @Test func aFaultNamesTheByte() {
    let cases: [(String, Int, String)] = [
      ("[1,x]", 3, "expected a value"), ("{\"a\" 1}", 5, "expected ':'"), ("[1 2]", 3, "expected ',' or ']'"),
      ("{\"a\":1 2}", 7, "expected ',' or '}'"), ("[1]x", 3, "expected the end of the input"),
      ("[01]", 2, "a number must not have a leading zero"),
      ("[\"a\u{1}\"]", 3, "a control character must be escaped"), ("[\"a", 3, "unterminated string"),
      (#"["\q"]"#, 2, "unknown escape sequence"), (#"["\u12x4"]"#, 4, "expected four hexadecimal digits"),
      ("[tru]", 1, "expected true"), ("{,}", 1, "expected a key"), ("[-]", 2, "expected a digit"),
    ]
    for (text, offset, reason) in cases {
      #expect(throws: JSONError(offset: offset, reason: reason), "\(text)") { try JSONTree(Array(text.utf8)) }
    }
  }

  @Test func aMemberThatReadsNothingIsAFault() {
    #expect(throws: JSONError(offset: 5, reason: "expected ',' or '}'")) {
      try reading(#"{"a":1}"#) { (json) throws(JSONError) in try json.object { (_, _) throws(JSONError) in } }
    }
  }

  @Test func keysCompareWithEscapesResolved() throws {
    let text = #"{"al\u0074":1,"alt":2,"a\/t":3,"\ud83d\ude00é\n":4}"#
    var seen: [String] = []
    try reading(text) { (json) throws(JSONError) in
      try json.object { (key, json) throws(JSONError) in
        if case "alt" = key { seen.append("alt") } else { seen.append(key.string) }
        try json.skipValue()
      }
    }
    #expect(seen == ["alt", "alt", "a/t", "😀é\n"])
  }

  // MARK: Against Foundation

  /// What Foundation reads; nil where it refuses.
  static func foundation(_ bytes: [UInt8]) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
  }

  /// Whether both read the same. Numbers are compared as doubles; ``JSONDecimalTests`` checks them exactly.
  static func agrees(_ tree: JSONTree, _ value: Any) -> Bool {
    switch tree {
    case .null: return value is NSNull
    case .bool(let flag): return (value as? Bool) == flag
    case .number(let text):
      guard let number = value as? NSNumber, let double = Double(text) else { return false }
      return abs(number.doubleValue - double) <= abs(double) * 1e-15
    case .string(let text):
      guard let other = value as? String else { return false }
      return other.unicodeScalars.elementsEqual(text.unicodeScalars)
    case .array(let elements):
      guard let other = value as? [Any], other.count == elements.count else { return false }
      return zip(elements, other).allSatisfy { agrees($0, $1) }
    case .object(let members):
      guard let other = value as? [String: Any], other.count == members.count else { return false }
      return members.allSatisfy { member in other[member.key].map { agrees(member.value, $0) } ?? false }
    }
  }

  @Test func readsWhatFoundationReads() throws {
    for seed in UInt64(0)..<1500 {
      var speller = JSONSpeller(seed: seed)
      let tree = speller.tree()
      let text = Array(speller.spell(tree).utf8)
      let read = try JSONTree(text)
      #expect(read == tree, "seed \(seed)")
      let value = try #require(Self.foundation(text), "seed \(seed)")
      #expect(Self.agrees(read, value), "seed \(seed): \(String(decoding: text, as: UTF8.self))")
    }
  }

  @Test func refusesWhatFoundationRefuses() {
    var refused = 0
    for seed in UInt64(0)..<6000 {
      var speller = JSONSpeller(seed: seed &+ 10_000)
      let tree = speller.tree()
      let text = Array(speller.spell(tree).utf8).mutated(using: &speller.random)
      let read = try? JSONTree(text)
      let value = Self.foundation(text)
      if read == nil { refused += 1 }
      if (read == nil) != (value == nil), Self.mayDiffer(text, read) { continue }
      #expect((read == nil) == (value == nil), "seed \(seed): \(String(decoding: text, as: UTF8.self))")
      if let read, let value, !Self.hasEqualKeys(read) {
        #expect(Self.agrees(read, value), "seed \(seed): \(String(decoding: text, as: UTF8.self))")
      }
    }
    #expect((1000...5500).contains(refused), "\(refused) of 6000 refused")
  }

  /// Where Foundation follows another rule than ours: it guesses UTF-16 and UTF-32 from the first bytes, passes over a
  /// byte order mark, and refuses numbers beyond a double's range.
  static func mayDiffer(_ text: [UInt8], _ read: JSONTree?) -> Bool {
    if text.prefix(4).contains(0) || text.starts(with: [0xEF, 0xBB, 0xBF]) { return true }
    return read.map(hasHugeNumber) ?? false
  }

  static func hasHugeNumber(_ tree: JSONTree) -> Bool {
    switch tree {
    case .number(let text):
      Double(text).map { !$0.isFinite || ($0 == 0 && text.contains { "123456789".contains($0) }) } ?? true
    case .array(let elements): elements.contains(where: hasHugeNumber)
    case .object(let members): members.contains { hasHugeNumber($0.value) }
    default: false
    }
  }

  /// Whether an object names a member twice; Swift's dictionaries take canonically equivalent keys for equal.
  static func hasEqualKeys(_ tree: JSONTree) -> Bool {
    switch tree {
    case .array(let elements): elements.contains(where: hasEqualKeys)
    case .object(let members):
      Set(members.map(\.key)).count < members.count || members.contains { hasEqualKeys($0.value) }
    default: false
    }
  }
}
