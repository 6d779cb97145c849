/// How time and memory grow with the length of a log: a sample of each size, measured in turn.
public struct GrowthTable: Sendable {
  /// A row for each size, shortest first.
  public private(set) var rows: [Row] = []

  public struct Row: Sendable {
    public let mebibytes: Int64
    public let bench: ReplayBench
  }

  /// The sizes of the whole table, in MiB.
  public static let sizes: [Int64] = [1, 4, 16, 64, 256, 1024]

  public init() {}

  /// Adds what was measured of a sample.
  public mutating func add(mebibytes: Int64, _ bench: ReplayBench) {
    rows.append(Row(mebibytes: mebibytes, bench: bench))
  }

  /// The table as text, the last line ended.
  public var text: String {
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
