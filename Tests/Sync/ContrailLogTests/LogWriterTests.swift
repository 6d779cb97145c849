import ContrailLog
import ContrailTestSupport
import Testing

@Suite struct LogWriterTests {
  let disk = MemoryDisk()
  let path = "/log.jsonl"

  private func writer(_ policy: LogWriter.SyncPolicy = .everyEvent) throws -> LogWriter {
    try LogWriter.create(path: path, at: 100, policy: policy, storage: disk)
  }

  @discardableResult
  private func append(_ writer: LogWriter, _ texts: String..., at: Int64 = 100) throws -> LogBatch {
    var batch = writer.batch()
    for text in texts { try batch.add("note", at: at, payload: Array(#""text":"\#(text)""#.utf8)) }
    try writer.append(batch)
    return batch
  }

  private func read() throws -> [String] {
    let reader = try LogReader(path: path, storage: disk)
    var found: [String] = []
    while let line = try reader.next() {
      // Without the hash of a mark, which other tests check.
      let payload = String(decoding: line.payload, as: UTF8.self).replacing(/,"chain":.*/, with: "")
      found.append("\(line.seq) \(line.kindName) \(payload)")
    }
    return found
  }

  @Test func aBatchGoesOutInOneWrite() throws {
    let writer = try writer()
    let before = disk.operationCount
    try append(writer, "a", "b", "c")
    #expect(disk.operationCount == before + 1)
    #expect(writer.last.seq == 3)
  }

  @Test func shortWritesAreFinished() throws {
    let writer = try writer()
    disk.isShort = true
    try append(writer, "a", "b")
    #expect(try read().count == 3)
  }

  @Test func anEmptyBatchLeavesNoTrace() throws {
    let writer = try writer()
    try append(writer, "a")
    try writer.sync(at: 100)
    try writer.append(writer.batch())
    #expect(try read().count == 2)
    try append(writer, "b")
    #expect(try read().suffix(2) == [#"2 log.synced "through":1"#, #"3 note "text":"b""#])
  }

  @Test func aMarkSaysWhatTheLastSyncCovered() throws {
    let writer = try writer(.interval(milliseconds: 10))
    try append(writer, "a")
    try append(writer, "b")
    try writer.sync(at: 105)
    try writer.sync(at: 106)
    try append(writer, "c")
    try append(writer, "d")
    #expect(
      try read().dropFirst() == [
        #"1 note "text":"a""#, #"2 note "text":"b""#, #"3 log.synced "through":2"#, #"4 note "text":"c""#,
        #"5 note "text":"d""#,
      ])
  }

  @Test func aSyncIsDueByThePolicy() throws {
    let writer = try writer(.interval(milliseconds: 1000))
    #expect(writer.syncDueAt == nil)
    try append(writer, "a", at: 500)
    #expect(writer.syncDueAt == 500)
    try writer.sync(at: 500)
    #expect(writer.syncDueAt == nil)
    try append(writer, "b", at: 700)
    #expect(writer.syncDueAt == 1500)
    #expect(!writer.isSyncDue(at: 1499))
    #expect(writer.isSyncDue(at: 1500))
    #expect(writer.hasUnsynced)
    #expect(writer.syncedSeq == 1)
  }

  @Test func syncingWhatIsSyncedCostsNothing() throws {
    let writer = try writer()
    let before = disk.syncCount
    try writer.sync(at: 1)
    try append(writer, "a")
    try writer.sync(at: 2)
    try writer.sync(at: 3)
    #expect(disk.syncCount == before + 1)
  }

  @Test func aFailedWriteLeavesNothingAndMayBeTriedAgain() throws {
    let writer = try writer()
    try append(writer, "a")
    let whole = disk.contents(path)
    for _ in 0..<5 {
      disk.faults = [disk.operationCount + 1: .refusal]
      #expect {
        try append(writer, "b", "c")
      } throws: {
        ($0 as? LogError)?.code == .writeFailed && ($0 as? LogError)?.isTransient == true
      }
      #expect(disk.contents(path) == whole)
      #expect(writer.last.seq == 1)
    }
    disk.faults = [:]
    try append(writer, "b")
    #expect(try read().map { $0.prefix(6) } == ["0 segm", "1 note", "2 note"])
  }

  @Test func whatCannotBeCutOffEndsTheSegment() throws {
    let writer = try writer()
    disk.faults = [disk.operationCount + 1: .refusal, disk.operationCount + 2: .refusal]
    #expect(throws: LogError.self) { try append(writer, "b") }
    #expect(writer.isEnded)
    #expect { try append(writer, "b") } throws: { ($0 as? LogError)?.code == .segmentEnded }
  }

  @Test func aFailedSyncIsNeverTriedAgain() throws {
    let writer = try writer()
    try append(writer, "a")
    try writer.sync(at: 1)
    try append(writer, "b")
    disk.faults = [disk.operationCount + 1: .refusal]
    let before = disk.syncCount
    #expect { try writer.sync(at: 2) } throws: { ($0 as? LogError)?.code == .syncFailed }
    #expect { try writer.sync(at: 3) } throws: { ($0 as? LogError)?.code == .segmentEnded }
    #expect { try append(writer, "c") } throws: { ($0 as? LogError)?.code == .segmentEnded }
    #expect(disk.syncCount == before + 1)
    #expect(writer.syncedSeq == 1)
    #expect(!writer.isSyncDue(at: .max))
  }

  @Test func aBatchThatIsNotInItsTurnIsRefused() throws {
    let writer = try writer()
    var stale = writer.batch()
    try stale.add("note", at: 1)
    try append(writer, "a")
    #expect { try writer.append(stale) } throws: { ($0 as? LogError)?.code == .invalidEntry }
    #expect(try read().count == 2)
  }

  @Test func aMalformedLineIsRefusedAndTheBatchIsAsBefore() throws {
    var batch = try writer().batch()
    for payload in ["\"a\":\n1", ",\"a\":1", "\n"] {
      #expect(throws: LogError.self) { try batch.add("note", at: 1, payload: Array(payload.utf8)) }
    }
    for kind in ["", "a b", "é", "a\"", "a\n"] {
      #expect(throws: LogError.self) { try batch.add(kind: kind, at: 1) }
    }
    #expect(batch.count == 0)
    #expect(batch.nextSeq == 1)
  }

  @Test func nothingIsOverwritten() throws {
    _ = try writer()
    #expect { try writer() } throws: { ($0 as? LogError)?.code == .alreadyExists }
  }

  @Test func aLogWithoutCRCsSaysSo() throws {
    let writer = try LogWriter.create(path: path, at: 0, policy: .everyEvent, hasCRC: false, storage: disk)
    try append(writer, "a")
    #expect(
      String(decoding: disk.contents(path), as: UTF8.self) == """
        {"seq":0,"at":0,"kind":"segment.opened","format":1,"first":0,"crc":false}
        {"seq":1,"at":100,"kind":"note","text":"a"}

        """)
    #expect(try read().count == 2)
    let (again, _) = try LogWriter.open(path: path, policy: .everyEvent, storage: disk)
    #expect(again.last == writer.last)
  }
}
