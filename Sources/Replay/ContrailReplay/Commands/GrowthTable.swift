/// A table of time and memory over the size of a generated log.
package struct GrowthTable: Sendable {
  /// The rows, smallest size first.
  package private(set) var rows: [Row] = []

  package struct Row: Sendable {
    package let mebibytes: Int64
    package let bench: ReplayBench
  }

  /// The sizes of the complete table in MiB.
  package static let sizes: [Int64] = [1, 4, 16, 64, 256, 1024]

  package init() {}

  /// Adds the measurement of one size.
  package mutating func add(mebibytes: Int64, _ bench: ReplayBench) {
    rows.append(Row(mebibytes: mebibytes, bench: bench))
  }

  /// The table as text, ending with a line feed.
  package var text: String {
    var table = TextTable([
      .right("SIZE"), .right("EVENTS"), .right("RECORDS"), .right("TIME"), .right("SPREAD"), .right("SPEED"),
      .right("NS/RECORD"), .right("MEMORY"),
    ])
    for row in rows {
      let bench = row.bench
      table.add([
        "\(row.mebibytes) MiB", Words.count(bench.statistics.events), Words.count(bench.recordCount),
        Words.nanoseconds(bench.median), "±\(Words.nanoseconds(bench.spread))",
        "\(Words.count(bench.rate(of: bench.byteCount) / 1_000_000)) MB/s",
        bench.tenthsPerRecord.map { Words.decimal($0, digits: 1) } ?? "", bench.peakMemory.map(Words.bytes) ?? "",
      ])
    }
    return table.lines.map { $0 + "\n" }.joined()
  }
}
