import ContrailTestSupport
import ContrailWire
import Testing

/// Numbers by arithmetic on their digits, one at a time: slow, and too simple to be wrong in the same way.
private struct BigDecimal {
  var isNegative = false
  /// Most significant first, no leading zeros.
  var digits: [Int] = []
  var exponent = 0

  init(_ text: String) {
    var text = Substring(text)
    if text.first == "-" {
      isNegative = true
      text.removeFirst()
    }
    if let mark = text.firstIndex(where: { "eE".contains($0) }) {
      exponent = Int(text[text.index(after: mark)...].drop { $0 == "+" })!
      text = text[..<mark]
    }
    if let point = text.firstIndex(of: ".") {
      exponent -= text.distance(from: point, to: text.endIndex) - 1
      text.remove(at: point)
    }
    digits = Array(text.compactMap(\.wholeNumberValue).drop { $0 == 0 })
  }

  /// The value times ten to the power of `places`, rounded half away from zero; nil where it is no Int64.
  func scaled(by places: Int) -> (value: Int64, isExact: Bool)? {
    guard !digits.isEmpty else { return (0, true) }
    let power = exponent + places
    var whole = digits
    var fraction: [Int] = []
    if power >= 0 {
      guard digits.count + power <= 30 else { return nil }
      whole += [Int](repeating: 0, count: power)
    } else if -power >= digits.count {
      fraction = [Int](repeating: 0, count: min(-power - digits.count, 40)) + digits
      whole = []
    } else {
      fraction = Array(digits.suffix(-power))
      whole.removeLast(-power)
    }
    if let first = fraction.first, first >= 5 {
      var index = whole.count - 1
      while index >= 0, whole[index] == 9 {
        whole[index] = 0
        index -= 1
      }
      if index >= 0 { whole[index] += 1 } else { whole.insert(1, at: 0) }
    }
    guard let value = Int64((isNegative ? "-" : "") + "0" + whole.map(String.init).joined()) else { return nil }
    return (value, fraction.allSatisfy { $0 == 0 })
  }
}

@Suite struct JSONDecimalTests {
  private func check(_ text: String, _ places: Int, _ note: String) {
    let expected = BigDecimal(text).scaled(by: places)
    let isRounding = places != 0
    let value = try? reading(text) { (json) throws(JSONError) in try json.scaled(by: places) }
    #expect(
      value == (isRounding || expected?.isExact ?? false ? expected?.value : nil), "\(text) by \(places), \(note)")
    let exact = try? reading(text) { (json) throws(JSONError) in try json.scaled(by: places, exactly: true) }
    #expect(exact == (expected?.isExact ?? false ? expected?.value : nil), "\(text) by \(places) exactly, \(note)")
  }

  @Test func decimalsAreExactInAnySpelling() {
    for text in [
      "0.1121", "1.121e-1", "1121E-4", "0.00001121e+4", "0.11210000000000000000000000", "112100000000000000000000e-24",
      "0.11205", "0.11204999999999999999999", "0.112050000000000000000000001", "-0.11205", "0.00005", "-0.00005",
      "0.00004999999999999999", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
      "-9223372036854775809", "922337203685477.5807", "922337203685477.58074", "922337203685477.58075",
      "123456789012345678.95", "1234567890123456789.4999", "1234567890123456789.5", "-1234567890123456789.5", "1e18",
      "1e19", "0.0", "-0", "-0.0e5",
      "1e-19", "9e-20", "5e-20", "49999999999999999999e-20", "50000000000000000000e-20",
    ] {
      for places in [0, 1, 3, 4, 7] { check(text, places, "a case") }
    }
  }

  @Test func hugeExponentsAreNoTrap() throws {
    for places in [0, 4, 7] {
      #expect(try reading("0e999999999999999999999") { (json) throws(JSONError) in try json.scaled(by: places) } == 0)
      #expect(throws: JSONError.self) {
        try reading("1e999999999999999999999") { (json) throws(JSONError) in try json.scaled(by: places) }
      }
    }
    #expect(try reading("1e-999999999999999999999") { (json) throws(JSONError) in try json.scaled(by: 4) } == 0)
    let zeros = String(repeating: "0", count: 1_500_000)
    #expect(try reading("0.\(zeros)1e1500001") { (json) throws(JSONError) in try json.int64() } == 1)
    #expect(try reading("1\(zeros)e-1500000") { (json) throws(JSONError) in try json.int64() } == 1)
  }

  @Test func randomDecimalsAgreeWithArithmeticByDigits() {
    for seed in UInt64(0)..<8000 {
      var random = SplitMix64(seed: seed)
      func digits(_ count: ClosedRange<Int>) -> String {
        String(
          (0..<Int.random(in: count, using: &random)).map { _ in
            Character(String([0, 0, 9, 9, 5, 4, Int.random(in: 0...9, using: &random)].randomElement(using: &random)!))
          })
      }
      var text = random.chance(30) ? "-" : ""
      let whole = digits(1...22).drop { $0 == "0" }
      text += whole.isEmpty ? "0" : whole
      if random.chance(60) { text += "." + digits(1...24) }
      if random.chance(40) { text += "e\(Int.random(in: -25...22, using: &random))" }
      check(text, [0, 1, 3, 4, 7].randomElement(using: &random)!, "seed \(seed)")
    }
  }

  @Test func wholeNumbersAreReadWithinTheirRange() throws {
    for text in ["52", "5.2e1", "520e-1", "52.000"] {
      #expect(try reading(text) { (json) throws(JSONError) in try json.integer(in: 0...UInt8(52)) } == 52)
    }
    for text in ["53", "-1", "52.5", "1e30", "\"5\"", "null", "true", "[5]"] {
      #expect(throws: JSONError.self, "\(text)") {
        try reading(text) { (json) throws(JSONError) in try json.integer(in: 0...UInt8(52)) }
      }
    }
    #expect(throws: JSONError(offset: 2, reason: "expected an integer from 0 to 52")) {
      try reading("  53") { (json) throws(JSONError) in try json.integer(in: 0...UInt8(52)) }
    }
  }
}
