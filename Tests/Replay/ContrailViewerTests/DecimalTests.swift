import CContrailPage
import ContrailTestSupport
import Testing

/// The conversion of decimal numbers that the engine of the page has instead of the C library's.
@Suite struct DecimalTests {
  private func parse(_ text: String) -> (value: Double, count: Int)? {
    var value = 0.0
    let bytes = text.utf8.map { CChar(bitPattern: $0) }
    let count = contrail_decimal_to_double(bytes, bytes.count, &value)
    return count > 0 ? (value, count) : nil
  }

  /// Whether the result has the bits of the standard library's.
  private func isRight(_ text: String) -> Bool {
    guard let here = parse(text), let there = Double(text) else { return false }
    return here.count == text.utf8.count && here.value.bitPattern == there.bitPattern
  }

  @Test(arguments: [
    "0", "-0", "1", "0.1", "123456789012345678", "9007199254740993", "1e23", "8.5e-324", "4.9e-324", "2.4703e-324",
    "2.2250738585072011e-308", "2.2250738585072014e-308", "1.7976931348623157e308", "1.7976931348623159e308", "1e400",
    "1e-400", "1e999999999999999999", "0e999999999999", "7.2057594037927933e16", "00012.500", ".5", "5.", "1E+2",
    "2.4703282292062327208e-324", "2.4703282292062328e-324", "6.631236846766476e-316",
  ])
  func knownNumbersAreRight(_ text: String) { #expect(isRight(text)) }

  @Test func numbersMidwayBetweenTwoDoublesAreRight() {
    // 2^53 + 1 is midway, and so is the same followed by any number of zeros. One digit far behind decides.
    for zeros in [0, 1, 20, 700, 790, 900] {
      let tie = "9007199254740993." + String(repeating: "0", count: zeros)
      #expect(isRight(tie))
      #expect(isRight(tie + "1"))
    }
  }

  @Test func randomNumbersAreRight() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<20_000 {
      let digits = Int.random(in: 1...24, using: &random)
      var text = Bool.random(using: &random) ? "-" : ""
      for _ in 0..<digits { text += String(Int.random(in: 0...9, using: &random)) }
      text += "."
      for _ in 0..<Int.random(in: 0...24, using: &random) { text += String(Int.random(in: 0...9, using: &random)) }
      text += "e\(Int.random(in: -345...320, using: &random))"
      #expect(isRight(text), "\(text)")
    }
  }

  @Test func shortestTextsOfDoublesAreRight() {
    var random = SplitMix64(seed: 8)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      #expect(parse("\(value)")?.value.bitPattern == value.bitPattern, "\(value)")
    }
  }

  @Test func whatFollowsANumberIsLeft() {
    #expect(parse("12abc")?.count == 2)
    #expect(parse("1.5e")?.count == 3)
    #expect(parse("1.5e+")?.count == 3)
    #expect(parse("1..2")?.count == 2)
    #expect(parse("infinity")?.value == .infinity)
    #expect(parse("-INF")?.value == -.infinity)
    #expect(parse("nan")?.value.isNaN == true)
    for text in ["", "-", ".", "e5", "+.e1", "x"] { #expect(parse(text) == nil, "\(text)") }
  }
}
