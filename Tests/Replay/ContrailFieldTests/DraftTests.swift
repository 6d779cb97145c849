import ContrailCore
import ContrailLog
import ContrailTestSupport
import Foundation
import Testing

@testable import ContrailField

/// What a draft takes from a log that lost lines.
@Suite struct DraftTests {
  private static func lines(_ path: String) throws -> [LogEnvelope] {
    let reader = try LogReader(path: path)
    var lines: [LogEnvelope] = []
    while let line = try reader.next() { lines.append(line.envelope) }
    return lines
  }

  private static func write(_ lines: [LogEnvelope], to path: String) throws {
    var bytes: [UInt8] = []
    for line in lines { line.append(to: &bytes) }
    try TemporaryDirectory.put(bytes, path)
  }

  /// A log can begin between an input and its decisions.
  @Test func decisionsAfterASnapshotAreATurn() throws {
    let whole = try LogDraft(path: Logs.recording("atlantic"))
    let index = try #require(whole.turns.indices.first { $0 > 20 && whole.turns[$0].events.count > 1 })
    var cut = whole.starting(atTurn: index + 1)
    let decisions = Array(whole.turns[index].events.dropFirst())
    cut.turns.insert(.init(seq: whole.turns[index].seq, at: cut.startAt, events: decisions), at: 0)
    let (path, storage) = cut.inMemory
    let read = try LogDraft(path: path, storage: storage)
    #expect(read.turns.count == cut.turns.count && read.turns[0].input == nil && read.turns[1].input != nil)
    #expect(read.turns[0].events.count == decisions.count && read.lineCount == cut.lineCount + 1)
  }

  /// The lines before a loss belong to another state than the snapshot after it.
  @Test func aDraftBeginsAfterTheLastLoss() throws {
    var rig = Rig.flying()
    for _ in 0..<12 {
      _ = rig.pass(seconds: 60)
      _ = rig.answer()
    }
    let directory = try TemporaryDirectory()
    let log = directory.file("log")
    try rig.writeLog(toDirectory: log, inputsPerSegment: 10, marks: .init(syncsEvery: nil))
    let segments = try POSIXStorage().names(in: log).filter { $0.contains(".jsonl") }.sorted().map { "\(log)/\($0)" }
    let whole = try LogDraft(path: log)
    // The last lines of a segment never came to the disk, as the next one says.
    var first = try Self.lines(try #require(segments.first))
    let last = try #require(first.last).seq
    first.removeLast(2)
    try Self.write(first, to: segments[0])
    var second = try Self.lines(segments[1])
    let opening = String(decoding: second[0].payload, as: UTF8.self)
    let told = opening.replacingOccurrences(of: "\"previousSynced\":\(last)", with: "\"previousSynced\":0")
    #expect(told != opening)
    second[0].payload = Array(told.utf8)
    try Self.write(second, to: segments[1])

    let summary = FlightSummary(path: log)
    #expect(summary.coverage.faults.contains("lostLines") && summary.json().contains(#""lostLines":2"#))
    #expect(!FlightSummary(path: Logs.recording("atlantic")).coverage.faults.contains("lostLines"))
    let draft = try LogDraft(path: log)
    #expect(whole.turns.contains { $0.seq <= last })
    #expect(!draft.turns.isEmpty && draft.turns.allSatisfy { $0.seq > last })
    #expect(Logs.summary(of: draft).result == "same")
  }
}
