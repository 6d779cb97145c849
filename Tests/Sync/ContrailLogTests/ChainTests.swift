import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailLog

@Suite struct ChainTests {
  private let disk = MemoryDisk()
  private let path = "/log"

  private func lines(_ path: String) -> [[UInt8]] {
    disk.contents(path).split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
  }

  private func note(_ writer: LogWriter, _ text: String) throws {
    var batch = writer.batch()
    try batch.add("note", at: 7, payload: Array(#""text":"\#(text)""#.utf8))
    try writer.append(batch)
  }

  private func mark(_ line: [UInt8]) throws -> SyncMark? {
    try line.dropLast().withUnsafeBytes { bytes in
      let line = try #require(LogLine(canonical: bytes))
      return SyncMark(payload: line.payload)
    }
  }

  /// Anybody can compute the hash with the tools of a system.
  @Test func aMarkStatesTheHashOfTheLinesSinceTheMarkBefore() throws {
    let writer = try LogWriter.create(path: path, at: 5, policy: .everyEvent, storage: disk)
    try note(writer, "a")
    try writer.sync(at: 8)
    let head = writer.syncedHead
    try note(writer, "b")
    try note(writer, "c")
    try writer.sync(at: 9)
    try note(writer, "d")
    let lines = lines(path)
    #expect(lines.count == 7)
    let hash = { (range: Range<Int>) in Array(lines[range].joined()).withUnsafeBytes { SHA256.hex($0) } }
    #expect(head == LogHead(seq: 1, chain: hash(0..<2)))
    #expect(try mark(lines[2])?.chain == hash(0..<2))
    #expect(try mark(lines[5])?.chain == hash(2..<5))
    #expect(try mark(lines[5])?.sums == lines[2..<5].map { line in line.dropLast().withUnsafeBytes { LogLine.computedCRC($0) } })
    #expect(try mark(lines[5])?.through == 4)
  }

  @Test func aReopenedLogContinuesTheChain() throws {
    for count in 0..<4 {
      let disk = MemoryDisk()
      let writer = try LogWriter.create(path: path, at: 5, policy: .everyEvent, storage: disk)
      for index in 0..<count {
        var batch = writer.batch()
        try batch.add("note", at: 7, payload: Array(#""text":"\#(index)""#.utf8))
        try writer.append(batch)
        if index == 1 { try writer.sync(at: 8) }
      }
      let (again, _) = try LogWriter.open(path: path, policy: .everyEvent, storage: disk)
      var batch = again.batch()
      try batch.add("note", at: 9)
      try again.append(batch)
      let found = try ChainVerification(path: path, storage: disk)
      #expect(found.fault == nil)
      #expect(found.chained?.upperBound == again.last.seq - 2)
    }
  }

  @Test func aMarkIsReadAsItIsWritten() throws {
    var mark = SyncMark(through: 7)
    mark.chain = String(repeating: "0f", count: 32)
    mark.sums = [1, 0xFFFF_FFFF]
    mark.kept = 3
    mark.signature = SyncMark.Signature(seq: 6, key: "0123456789abcdef", bytes: [0, 255])
    #expect(mark.payload.withUnsafeBytes { SyncMark(payload: $0) } == mark)
    for text in [
      #""chain":"00""#, #""through":1,"chain":"\#(String(repeating: "0F", count: 32))""#, #""through":1,"sums":"123""#,
      #""through":1,"signed":1"#, #""through":1,"signed":1,"key":"x","signature":"00""#, #""through":"1""#,
    ] {
      #expect(Array(text.utf8).withUnsafeBytes { SyncMark(payload: $0) } == nil, "\(text)")
    }
  }

  /// A mark with the CRCs of very many lines would be long, and only locates a change.
  @Test func aMarkAfterVeryManyLinesHasOnlyTheHash() throws {
    let writer = try LogWriter.create(path: path, at: 5, policy: .everyEvent, storage: disk)
    var batch = writer.batch()
    for _ in 0..<600 { try batch.add("note", at: 7) }
    try writer.append(batch)
    try writer.sync(at: 8)
    try note(writer, "end")
    #expect(try mark(lines(path)[601])?.sums == nil)
    #expect(try ChainVerification(path: path, storage: disk).chained == 0...600)
    let (again, _) = try LogWriter.open(path: path, policy: .everyEvent, storage: disk)
    #expect(again.last.seq == 602)
  }

  @Test func aLogWithoutCRCsHasNoHashes() throws {
    let writer = try LogWriter.create(path: path, at: 5, policy: .everyEvent, hasCRC: false, storage: disk)
    try note(writer, "a")
    try writer.sync(at: 8)
    try note(writer, "b")
    #expect(writer.syncedHead == nil)
    let found = try ChainVerification(path: path, storage: disk)
    #expect(found.chained == nil && found.fault == nil && found.lineCount == 4)
  }

  /// Logs from before there were hashes replay, and get hashes from the next sync on.
  @Test func aLogWithoutHashesGetsThemFromThenOn() throws {
    let old = """
      {"seq":0,"at":5,"kind":"segment.opened","format":1,"first":0
      {"seq":1,"at":5,"kind":"note","text":"a"
      {"seq":2,"at":6,"kind":"log.synced","through":1
      {"seq":3,"at":6,"kind":"note","text":"b"
      """
    let bytes = old.split(separator: "\n").flatMap { line in
      let crc = Hex.string(CRC32C.checksum(Array(line.utf8)))
      return Array("\(line),\"crc\":\"\(crc)\"}\n".utf8)
    }
    disk.put(bytes, path)
    #expect(try ChainVerification(path: path, storage: disk).chained == nil)
    let (writer, _) = try LogWriter.open(path: path, policy: .everyEvent, storage: disk)
    try note(writer, "c")
    let found = try ChainVerification(path: path, storage: disk)
    #expect(found.chained == 2...3 && found.fault == nil)
  }

  @Test func retentionLeavesAHashAndSaysThatItRemovedLines() throws {
    var log = try ChainLog(seed: 4)
    for seed in UInt64(2)..<20 where try log.verification().seqs?.lowerBound == 0 { log = try ChainLog(seed: 4 * seed) }
    let found = try log.verification()
    #expect(found.fault == nil)
    #expect(found.seqs?.lowerBound ?? 0 > 0)
    #expect(found.removed?.seq == found.seqs.map { $0.lowerBound - 1 })
    #expect(found.kept?.seq == found.seqs?.lowerBound)
  }

  /// A segment alone is a part of a log, and its own marks and signatures prove it.
  @Test func aSegmentIsProvenWithoutTheRest() throws {
    var parts = 0
    var signed = 0
    for seed in UInt64(1)..<20 {
      let log = try ChainLog(seed: seed)
      for segment in try LogSegment.all(ofLogAt: ChainLog.path, log.disk).segments {
        let part = try ChainVerification(path: segment.path, storage: log.disk, check: log.signer.check)
        #expect(part.fault == nil, "seed \(seed), \(segment.path)")
        parts += 1
        if part.signedThrough != nil { signed += 1 }
      }
    }
    #expect(parts > 40 && signed > 20)
  }

  @Test func aReceiptShowsThatTheEndWasCut() throws {
    let log = try ChainLog(seed: 7)
    let receipt = try #require(try log.verification().head)
    #expect(LogHead(receipt.text) == receipt)
    #expect(try log.verification(receipt: receipt).fault == nil)
    let newest = try #require(log.disk.names.keys.filter { $0.hasSuffix(".jsonl") }.max())
    log.disk.put(Array(log.disk.contents(newest).prefix { $0 != UInt8(ascii: "\n") }) + [10], newest)
    let fault = try #require(try log.verification(receipt: receipt).fault)
    let last = try #require(try log.verification().seqs?.upperBound)
    #expect(fault.code == .endRemoved && fault.seqs == last + 1...receipt.seq)
    let other = LogHead(seq: receipt.seq, chain: String(repeating: "0", count: 64))
    #expect(try ChainLog(seed: 7).verification(receipt: other).fault?.code == .receiptWrong)
  }
}
