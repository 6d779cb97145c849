import ContrailTestSupport
import Foundation
import Testing

/// `replay inevitable` of a log that another engine wrote.
@Suite struct InevitableTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    let recording = PackageFolder.recordings + "/atlantic.jsonl"
    var text = try String(contentsOfFile: recording, encoding: .utf8).replacing(#/,"crc":"[0-9a-f]{8}"}/#, with: "}")
    let first = try #require(text.firstIndex(of: "\n"))
    text.replaceSubrange(text.index(before: first)..<first, with: ",\"crc\":false}")
    // In this log, the first delta is a full fetch, as if another engine had written it.
    let delta = try #require(text.range(of: "\"mode\":\"delta\""))
    text.replaceSubrange(delta, with: "\"mode\":\"full\"")
    try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file("other.jsonl")))
  }

  private func inevitable(_ arguments: String...) throws -> BuiltProgram.Run {
    try BuiltProgram("replay").run(["inevitable", "other.jsonl"] + arguments, in: directory.path)
  }

  /// Every future has a delta, so the first line would be named as the cause.
  @Test func aDecisionThatTheFlightMakesAllTheTimeHasNoCause() throws {
    let run = try inevitable("--divergence")
    #expect(run.status == 2, "\(run.output)")
    #expect(run.error.contains("at seq 8, today's engine makes a decision that this flight makes"), "\(run.error)")
  }

  @Test func aFindingIsOfALogThatTodaysEngineRepeats() throws {
    let run = try inevitable("--finding", "1")
    #expect(run.status == 2, "\(run.output)")
    #expect(run.error.contains("from seq 8 on, today's engine decides otherwise"), "\(run.error)")
  }
}
