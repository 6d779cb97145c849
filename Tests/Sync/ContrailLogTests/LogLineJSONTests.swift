import ContrailWire
import Testing

@testable import ContrailLog

@Suite struct LogLineJSONTests {
  private func isValue(_ text: String) -> Bool { isValue(Array(text.utf8)) }

  private func isValue(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { LogLine.isOneLineValue($0) } }

  @Test(arguments: [
    "0", "-0", "10", "1.5", "1e9", "1E+9", "1.0e-10", "true", "false", "null", "\"\"", "\"a\"", "[]", "{}", "[ ]",
    "{ }",
    "[1,2]", "[ 1 , 2 ]", "{\"a\":1}", "{ \"a\" : [ { } ] , \"b\" : \"\\u00e9\\n\\/\" }", " 1 ", "\t[\t]\t",
    "\"é漢😀\u{7f}\"",
  ]) func whatTheStandardAllowsIsTaken(_ text: String) {
    #expect(isValue(text))
  }

  @Test(arguments: [
    "", " ", "01", "+1", "1.", ".5", "1e", "1e+", "-", "--1", "0x1", "NaN", "Infinity", "tru", "truex", "nul", "'a'",
    "\"", "\"a", "\"\\x\"", "\"\\u12g4\"", "\"\\u123", "\"\\ud83d\"", "\"\\ude00\"", "\"\t\"", "[", "[1", "[1,", "[1,]",
    "[,1]", "[1 2]", "{",
    "{\"a\"",
    "{\"a\":", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:1}", "{\"a\" 1}", "]", "}", "1 2", "[]]", "1\n", "[\n1]", "1\r",
  ]) func whatItDoesNotAllowIsRefused(_ text: String) {
    #expect(!isValue(text))
  }

  @Test(
    arguments: [
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xE2, 0x82],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
    ] as [[UInt8]]) func malformedUTF8IsRefused(_ bytes: [UInt8])
  {
    let quote = UInt8(ascii: "\"")
    #expect(!isValue([quote] + bytes + [quote]))
    #expect(!isValue([quote] + bytes))
  }

  @Test func depthIsLimited() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      let nested = { (depth: Int) in
        String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
      }
      #expect(isValue(nested(LogLine.maximumDepth)))
      #expect(!isValue(nested(LogLine.maximumDepth + 1)))
      #expect(!isValue(String(repeating: open, count: 100_000)))
    }
  }

  @Test func wholeNumbersAreToldInAnySpelling() {
    let cases: [(String, Int64?)] = [
      ("0", 0), ("-7", -7), ("7.0", 7), ("70e-1", 7), ("1.7E3", 1700), ("9007199254740993", 9_007_199_254_740_993),
      ("9223372036854775807", .max), ("9223372036854775808", nil), ("1e400", nil), ("0.5", nil), ("\"7\"", nil),
      ("null", nil),
    ]
    for (text, number) in cases {
      #expect(Array(text.utf8).withUnsafeBytes { JSONReader.integer($0, in: .min ... .max) } == number)
    }
  }
}
