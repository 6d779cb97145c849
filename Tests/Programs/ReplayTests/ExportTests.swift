import ContrailTestSupport
import Foundation
import Testing

/// The files that `replay export` writes. `Scripts/export-check` reads them by the definitions of others.
@Suite struct ExportTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try Rig.flying().writeLog(to: directory.file("first.jsonl"))
  }

  private func export(_ arguments: String...) throws -> BuiltProgram.Run {
    try BuiltProgram("replay").run(["export"] + arguments, in: directory.path)
  }

  @Test(arguments: [
    ("perfetto", "first.perfetto-trace"), ("geojson", "first.geojson"), ("otlp", "first.otlp.jsonl"),
    ("csv", "first-csv/requests.csv"),
  ])
  func anEarlierExportIsReplacedAndNoOtherFile(format: String, file: String) throws {
    let outcome = try export("first.jsonl", "--to", format)
    #expect(outcome.status == 0 && outcome.error == "", "\(outcome.error)")
    #expect(outcome.output.contains("\(file): "))
    let written = try TemporaryDirectory.contents(directory.file(file))
    #expect(!written.isEmpty)
    #expect(try export("first.jsonl", "--to", format).status == 0)
    #expect(try TemporaryDirectory.contents(directory.file(file)) == written)

    try TemporaryDirectory.put("mine".utf8, directory.file(file))
    let refused = try export("first.jsonl", "--to", format)
    #expect(refused.status == 2 && refused.error.contains("isn't"), "\(refused.error)")
    #expect(try TemporaryDirectory.contents(directory.file(file)) == Array("mine".utf8))
  }

  @Test func aDamagedRecordingLeavesNothing() throws {
    var bytes = try TemporaryDirectory.contents(directory.file("first.jsonl"))
    bytes[bytes.count / 2] ^= 1
    try TemporaryDirectory.put(bytes, directory.file("damaged.jsonl"))
    for format in ["perfetto", "geojson", "otlp", "csv"] {
      #expect(try export("damaged.jsonl", "--to", format, "--out", "new").status == 2)
      #expect(!FileManager.default.fileExists(atPath: directory.file("new")), "\(format)")
    }
  }

  @Test func aTimeBelongsToAMap() throws {
    #expect(try export("first.jsonl", "--to", "csv", "--at", "t+1m").status == 64)
    let parquet = try export("first.jsonl", "--to", "parquet")
    #expect(parquet.status == 64 && parquet.error.contains("duckdb -c \"COPY (FROM 'tables/reports.csv') TO"))
    #expect(try export("first.jsonl", "--to", "xml").error.contains("perfetto, geojson, csv, otlp"))
    #expect(try export("first.jsonl").status == 64)
    #expect(try export("none.jsonl", "--to", "geojson").status == 2)
  }
}
