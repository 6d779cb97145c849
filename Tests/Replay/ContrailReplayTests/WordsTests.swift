import Testing

@testable import ContrailReplay

@Suite struct WordsTests {
  @Test(arguments: [(0, "0"), (999, "999"), (1204, "1,204"), (-1_234_567, "-1,234,567"), (100_000, "100,000")])
  func numbersAreGrouped(_ number: Int, _ text: String) {
    #expect(Words.count(number) == text)
  }

  @Test(
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (4096, "4.1 KB"), (9949, "9.9 KB"), (9999, "10 KB"),
      (412_345, "412 KB"),
      (999_499, "999 KB"), (999_500, "1.0 MB"), (1_300_000, "1.3 MB"), (67_108_864, "67 MB"), (5_000_000_000, "5.0 GB"),
      (9_999_999_000_000_000, "10,000 TB"),
    ] as [(Int64, String)])
  func sizesHaveTheirUnit(_ bytes: Int64, _ text: String) {
    #expect(Words.bytes(bytes) == text)
  }

  @Test(
    arguments: [
      (-5, "0s"), (0, "0s"), (12_999, "12s"), (2_467_000, "41m07s"), (25_920_000, "7h12m"), (7_200_000, "2h00m"),
      (360_000_000, "100h00m"),
    ] as [(Int64, String)])
  func spansHaveTheirTwoLargestUnits(_ milliseconds: Int64, _ text: String) {
    #expect(Words.span(milliseconds) == text)
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z"), (1_740_000_060_000, "2025-02-19T21:21:00Z"),
      (1_709_251_199_007, "2024-02-29T23:59:59.007Z"), (253_402_300_799_000, "9999-12-31T23:59:59Z"),
      (.max, "9223372036854775807 ms after 1970"),
    ] as [(Int64, String)])
  func timesAreISO8601(_ milliseconds: Int64, _ text: String) {
    #expect(Words.utc(milliseconds) == text)
  }

  @Test(
    arguments: [(5, "5 ns"), (12_340, "12.34 µs"), (12_345_678, "12.34 ms"), (3_210_000_000, "3.21 s")]
      as [(Int64, String)])
  func shortTimesHaveTheirUnit(_ nanoseconds: Int64, _ text: String) {
    #expect(Words.nanoseconds(nanoseconds) == text)
  }

  @Test(arguments: [
    ("Recordings/a-b_1.jsonl", "Recordings/a-b_1.jsonl"), ("my flight.jsonl", "'my flight.jsonl'"),
    ("it's $HOME", #"'it'\''s $HOME'"#), ("", "''"), ("überflug", "überflug"),
  ])
  func pathsAreQuotedWhereAShellNeedsIt(_ path: String, _ text: String) {
    #expect(Words.shell(path) == text)
  }

  /// A row whose first column is wider than the page, and a line that is nearly empty.
  @Test(arguments: [
    "recorded" + String(repeating: " ", count: 74) + "35   15 KB  6.8 KB       1s         0",
    String(repeating: " ", count: 30) + String(repeating: "word ", count: 20),
    String(repeating: " ", count: 100) + "end", String(repeating: "x", count: 90) + " y",
    "name" + String(repeating: " ", count: 50) + String(repeating: "word ", count: 20),
  ])
  func aLineOfAnyShapeIsBroken(_ line: String) {
    let page = Words.page(line)
    #expect(page.split(separator: " ").joined().filter { $0 != "\n" } == line.filter { $0 != " " })
    for part in page.split(separator: "\n") { #expect(part.count <= 80 || !part.dropLast().contains(" "), "\(part)") }
  }

  @Test func aTableIsAsWideAsItsWidestEntries() {
    var table = TextTable([.left("NAME"), .right("N"), .left("END")])
    table.add(["a", "1,000", "x"])
    table.add(["längst", "1", "longer"])
    #expect(table.lines == ["NAME        N  END", "a       1,000  x", "längst      1  longer"])
  }
}
