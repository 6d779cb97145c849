import ArgumentParser
import ContrailLog
import ContrailReplay

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a flight for other tools: Perfetto, maps, tables, OpenTelemetry.",
    discussion: """
      FORMATS
        perfetto  requests, holds, sessions and uploads as slices, with arrows from
                  each cause to its decisions, and bytes, records and ages as
                  counters; opens in ui.perfetto.dev, also offline
        geojson   what was held at a time (--at): route, areas, reports, PIREPs,
                  traffic; for maps
        csv       a folder with a table each for lines, requests, sessions, link,
                  reports, pireps, traffic, own and held; for pandas and DuckDB
        otlp      spans of OpenTelemetry: a session is a trace, a request a span;
                  JSON lines, as its collector reads them

      EXAMPLES
        replay export flight.jsonl --to perfetto
        replay export flight.jsonl --to geojson --at t+01:30:00 -o held.geojson
        replay export flight.jsonl --to csv -o tables
        duckdb -c "COPY (FROM 'tables/reports.csv') TO 'reports.parquet'"
        replay export flight.jsonl --to otlp

      EXIT STATUS
        0   everything is written
        2   the recording can't be read, or the output can't be written; nothing was
            written
        64  invalid arguments
      """)

  /// A format; DuckDB writes Parquet from the tables.
  private static func format(_ text: String) throws -> Format {
    if let format = Format(rawValue: text) { return format }
    guard text != "parquet" else {
      throw ValidationError(
        "replay doesn't write Parquet. Export the tables, and convert them with DuckDB:\n"
          + "  replay export flight.jsonl --to csv -o tables\n"
          + "  duckdb -c \"COPY (FROM 'tables/reports.csv') TO 'reports.parquet'\"")
    }
    throw ValidationError(
      "'\(text)' is no format. Give one of: \(Format.allCases.map(\.rawValue).joined(separator: ", ")).")
  }

  enum Format: String, CaseIterable {
    case perfetto
    case geojson
    case csv
    case otlp

    /// What follows the name of the recording in that of the output.
    fileprivate var suffix: String {
      switch self {
      case .perfetto: ".perfetto-trace"
      case .geojson: ".geojson"
      case .csv: "-csv"
      case .otlp: ".otlp.jsonl"
      }
    }
  }

  @Argument(help: "The recording.", completion: .file())
  var file: String

  @Option(
    help: "The format: \(Format.allCases.map(\.rawValue).joined(separator: ", ")).",
    completion: .list(Format.allCases.map(\.rawValue)), transform: Self.format)
  var to: Format

  @Option(
    parsing: .unconditional,
    help: "The time of geojson: a seq (142) or a time (t+01:23:45, 1h23m, 2025-02-19T22:01:07Z). Default: the end.",
    transform: TimelinePosition.init)
  var at: TimelinePosition?

  @Option(
    name: [.customShort("o"), .customLong("out")],
    help: "The file, or the folder of csv. It may replace an earlier export, but no other file.", completion: .file())
  var output: String?

  func validate() throws {
    if at != nil, to != .geojson { throw ValidationError("--at belongs to --to geojson.") }
  }

  func run() throws {
    let target = output ?? Page.name(of: file) + to.suffix
    do {
      switch to {
      case .geojson: try writeMap(to: target)
      case .perfetto: try writeTrace(to: target)
      case .otlp: try writeSpans(to: target)
      case .csv: try writeTables(to: target)
      }
    } catch let error as UnreadableRecording {
      throw Failure.unreadable(error)
    } catch let error as LogError {
      throw Failure(message: "\(error)", exitCode: 2)
    }
  }

  private func writeMap(to target: String) throws {
    let inspection = try Inspection(path: file, at: at)
    guard inspection.seq != nil else {
      throw ValidationError("\(file) begins after this time. Give a later one.")
    }
    let document = FlightMap(inspection).geoJSON
    try StagedOutput.write(document, to: target, replacing: .map)
    Terminal.note(inspection.setAside)
    tell(target, document.count)
  }

  private func writeTrace(to target: String) throws {
    var trace = PerfettoTrace(title: Page.title(of: file))
    try write(to: target, replacing: .trace) { turn in
      trace.add(turn.events)
      return trace.take()
    } finish: {
      trace.take()
    }
  }

  private func writeSpans(to target: String) throws {
    var spans = OpenTelemetrySpans(title: Page.title(of: file))
    try write(to: target, replacing: .spans) { turn in
      spans.add(turn.events)
      return spans.take()
    } finish: {
      spans.finish()
      return spans.take()
    }
  }

  /// The bytes that are kept in memory before they are written.
  private static let bufferBytes = 1 << 20

  /// Writes a file from turns.
  private func write(
    to target: String, replacing replaceable: StagedOutput.Replaceable,
    _ bytes: (FlightTurns.Turn) -> [UInt8], finish: () -> [UInt8]
  ) throws {
    let output = try StagedOutput(target, replacing: replaceable)
    let writer = try output.writer()
    var turns = try FlightTurns(path: file)
    var buffer: [UInt8] = []
    while let turn = try turns.next() {
      buffer += bytes(turn)
      guard buffer.count >= Self.bufferBytes else { continue }
      try writer.append(buffer)
      buffer = []
      Terminal.progress("\(target): \(turns.byteCount / 1_000_000) MB read")
    }
    try writer.append(buffer + finish())
    try output.publish()
    Terminal.note(turns.setAside)
    tell(target, writer.byteCount)
  }

  private func writeTables(to folder: String) throws {
    let isNew = (try? POSIXStorage().kind(of: folder)) == .nothing
    do throws(StorageError) {
      try POSIXStorage().makeDirectory(folder)
    } catch {
      throw LogError(.writeFailed, file: folder, reason: error.description)
    }
    do {
      try writeTables(in: folder)
    } catch {
      if isNew { POSIXStorage().removeEmptyDirectory(folder) }
      throw error
    }
  }

  private func writeTables(in folder: String) throws {
    var outputs: [(table: FlightTables.Table, output: StagedOutput, writer: StagedOutput.Writer)] = []
    for table in FlightTables.Table.allCases {
      let output = try StagedOutput("\(folder)/\(table.rawValue).csv", replacing: .table(table))
      outputs.append((table, output, try output.writer()))
      try outputs[outputs.count - 1].writer.append(Array(table.header.utf8))
    }
    var tables = FlightTables()
    var turns = try FlightTurns(path: file)
    var written: Int64 = 0
    while let turn = try turns.next() {
      tables.add(turn, turns.state)
      guard turns.byteCount - written >= Int64(Self.bufferBytes) else { continue }
      written = turns.byteCount
      for (table, _, writer) in outputs { try writer.append(tables.take(table)) }
      Terminal.progress("\(folder): \(written / 1_000_000) MB read")
    }
    for (table, _, writer) in outputs { try writer.append(tables.take(table)) }
    for (_, output, _) in outputs { try output.publish() }
    Terminal.note(turns.setAside)
    for (table, _, writer) in outputs { tell("\(folder)/\(table.rawValue).csv", writer.byteCount) }
  }

  private func tell(_ target: String, _ byteCount: Int) {
    Terminal.clearProgress()
    print("\(target): \(Words.bytes(Int64(byteCount)))")
  }
}

extension StagedOutput.Replaceable {
  /// The exports that this program wrote.
  fileprivate static let trace = export(PerfettoTrace.generator, "a trace of 'replay export'")
  fileprivate static let map = export(FlightMap.generator, "a map of 'replay export'")
  fileprivate static let spans = export(OpenTelemetrySpans.generator, "the spans of 'replay export'")

  fileprivate static func table(_ table: FlightTables.Table) -> StagedOutput.Replaceable {
    StagedOutput.Replaceable("the table '\(table.rawValue)' of 'replay export'") { path in
      FileBytes.prefix(of: path, count: table.header.utf8.count).map { $0 == Array(table.header.utf8) } ?? false
    }
  }

  private static func export(_ generator: String, _ name: String) -> StagedOutput.Replaceable {
    StagedOutput.Replaceable(name) { path in
      (FileBytes.prefix(of: path, count: 4096) ?? []).contains(generator)
    }
  }
}
