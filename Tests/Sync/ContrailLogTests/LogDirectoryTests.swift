import ContrailLog
import ContrailTestSupport
import Foundation
import Testing

@Suite struct LogDirectoryTests {
  let disk = MemoryDisk()
  let path = "/log"

  private func open(
    _ visit: (LogLine) throws(LogError) -> Void = { _ in }
  ) throws(LogError) -> LogDirectory {
    try LogDirectory(path: path, at: 1000, policy: .everyEvent, storage: disk, visit: visit)
  }

  private func append(_ log: LogDirectory, _ text: String, at: Int64 = 1000) throws {
    var batch = log.writer.batch()
    try batch.add("note", at: at, payload: Array(#""text":"\#(text)""#.utf8))
    try log.writer.append(batch)
  }

  private func roll(_ log: LogDirectory, at: Int64 = 1000) throws {
    try log.roll(at: at) { batch throws(LogError) in
      try batch.add("snapshot.part", at: at, payload: Array("\"records\":[]".utf8))
      try batch.add("snapshot.ended", at: at)
    }
  }

  private func kinds(from seq: Int64 = 0) throws -> [String] {
    let reader = try LogReader(path: path, from: seq, storage: disk)
    var found: [String] = []
    while let line = try reader.next() { found.append("\(line.seq) \(line.kindName)") }
    return found
  }

  /// Three segments: 0–2, 3–8, 9–13.
  private func three() throws -> LogDirectory {
    let log = try open()
    try append(log, "a", at: 1001)
    try append(log, "b", at: 1002)
    try roll(log, at: 2000)
    try append(log, "c", at: 2001)
    try log.writer.sync(at: 2001)
    try roll(log, at: 3000)
    try append(log, "d", at: 3001)
    return log
  }

  @Test func segmentsFollowOnEachOther() throws {
    let log = try three()
    #expect(
      try log.segments().map(\.path) == [
        "/log/000000000000.jsonl", "/log/000000000003.jsonl", "/log/000000000008.jsonl",
      ])
    #expect(
      try kinds() == [
        "0 segment.opened", "1 note", "2 note",
        "3 segment.opened", "4 snapshot.part", "5 snapshot.ended", "6 log.synced", "7 note",
        "8 segment.opened", "9 snapshot.part", "10 snapshot.ended", "11 log.synced", "12 note",
      ])
    #expect(try kinds(from: 7).first == "3 segment.opened")
    #expect(try kinds(from: .max).first == "8 segment.opened")
    #expect(try LogVerification(path: path, storage: disk).isIntact)
  }

  @Test func openingVisitsTheNewestSegmentOnly() throws {
    do { _ = try three() }
    var seqs: [Int64] = []
    let log = try open { line throws(LogError) in seqs.append(line.seq) }
    #expect(seqs == [8, 9, 10, 11, 12])
    #expect(log.recovery == LogRecovery())
    try append(log, "e")
    #expect(try kinds().suffix(2) == ["13 log.synced", "14 note"])
  }

  @Test func theSecondOpenerIsToldWhoIsFirst() throws {
    let first = try open()
    #expect {
      _ = try open()
    } throws: {
      ($0 as? LogError)?.code == .locked && ($0 as? LogError)?.reason.contains("process 7") == true
    }
    withExtendedLifetime(first) {}
  }

  @Test func sealedSegmentsReadTheSame() throws {
    let log = try three()
    let before = try kinds()
    for segment in try log.sealable() {
      let sealed = try segment.sealed(storage: disk)
      #expect(sealed.isSealed)
    }
    #expect(
      try log.segments().map(\.path) == [
        "/log/000000000000.jsonl.xz", "/log/000000000003.jsonl.xz", "/log/000000000008.jsonl",
      ])
    #expect(try kinds() == before)
    #expect(try log.sealable().isEmpty)
    try append(log, "e")
    #expect(try LogVerification(path: path, storage: disk).isIntact)
  }

  @Test func aReaderFindsASegmentThatIsSealedBehindItsBack() throws {
    let log = try three()
    let reader = try LogReader(path: path, storage: disk)
    for segment in try log.sealable() { _ = try segment.sealed(storage: disk) }
    var count = 0
    while try reader.next() != nil { count += 1 }
    #expect(count == 13)
  }

  @Test func damageInASealedSegmentIsNamed() throws {
    let log = try three()
    for segment in try log.sealable() { _ = try segment.sealed(storage: disk) }
    let file = "/log/000000000003.jsonl.xz"
    let whole = disk.contents(file)
    for index in whole.indices {
      var bytes = whole
      bytes[index] ^= 0x40
      disk.put(bytes, file)
      let faults = try LogVerification(path: path, storage: disk).faults
      #expect(faults.first?.file == file, "byte \(index)")
      #expect(faults.first?.line != nil)
    }
  }

  @Test func whereASegmentStandsTwiceThePlainOneCounts() throws {
    var log: LogDirectory? = try three()
    let before = try kinds()
    let segment = try #require(try log?.sealable().first)
    let plain = disk.contents(segment.path)
    _ = try segment.sealed(storage: disk)
    disk.put(plain, segment.path)
    #expect(try kinds() == before)
    log = nil
    #expect(try open().recovery.removedFiles == ["\(segment.path).xz"])
    #expect(try kinds() == before)
    withExtendedLifetime(log) {}
  }

  @Test func aMissingSegmentBreaksTheChain() throws {
    _ = try three()
    try disk.remove("/log/000000000003.jsonl")
    let faults = try LogVerification(path: path, storage: disk).faults
    #expect(faults.map(\.code) == [.chainBroken])
    #expect(faults.first?.file == "/log/000000000008.jsonl")
  }

  @Test func anExchangedSegmentBreaksTheChain() throws {
    _ = try three()
    let other = MemoryDisk()
    let writer = try LogWriter.create(path: "/a", at: 1000, policy: .everyEvent, storage: other)
    for text in ["x", "y"] {
      var batch = writer.batch()
      try batch.add("note", at: 1000, payload: Array(#""text":"\#(text)""#.utf8))
      try writer.append(batch)
    }
    disk.put(other.contents("/a"), "/log/000000000000.jsonl")
    #expect(try LogVerification(path: path, storage: disk).faults.map(\.code) == [.chainBroken])
    disk.put(other.contents("/a"), "/log/000000000003.jsonl")
    #expect(try LogVerification(path: path, storage: disk).faults.first?.code == .chainBroken)
  }

  @Test func damageInAnOlderSegmentIsCorruptionAndDoesNotHideTheNext() throws {
    _ = try three()
    for file in ["/log/000000000000.jsonl", "/log/000000000008.jsonl"] {
      var bytes = disk.contents(file)
      bytes[bytes.count - 30] ^= 1
      disk.put(bytes, file)
    }
    let faults = try LogVerification(path: path, storage: disk).faults
    #expect(faults.map(\.line) == [3, 5])
    #expect(faults.map(\.code) == [.damagedLine, .damagedLine])
    #expect(throws: LogError.self) { try kinds() }
  }

  @Test func afterAFailedSyncANewSegmentGoesOn() throws {
    let log = try open()
    try append(log, "a")
    try log.writer.sync(at: 1000)
    try append(log, "b")
    try append(log, "c")
    disk.faults = [disk.operationCount + 1: .refusal]
    #expect { try log.writer.sync(at: 1000) } throws: { ($0 as? LogError)?.code == .syncFailed }
    try roll(log)
    try append(log, "d")
    #expect(try LogVerification(path: path, storage: disk).isIntact)

    // What was never synced is lost after all: 2 mark, 3 b, 4 c.
    let first = "/log/000000000000.jsonl"
    let whole = disk.contents(first)
    let lineEnds = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    for count in lineEnds[1]..<whole.count {
      disk.put(Array(whole[..<count]), first)
      let verification = try LogVerification(path: path, storage: disk)
      #expect(verification.faults.isEmpty, "\(count)")
      #expect(verification.losses.map(\.seqs.upperBound) == [4])
      #expect(try kinds().last == "9 note")
    }
    // But not what was.
    for count in lineEnds[0]..<lineEnds[1] {
      disk.put(Array(whole[..<count]), first)
      #expect(!(try LogVerification(path: path, storage: disk).faults.isEmpty), "\(count)")
    }
  }

  @Test func aRollThatFailsCanBeTriedAgain() throws {
    for step in 1...6 {
      let disk = MemoryDisk()
      let log = try LogDirectory(path: path, at: 0, policy: .everyEvent, storage: disk)
      try append(log, "a")
      disk.faults = [disk.operationCount + step: .refusal]
      var failed = false
      do { try roll(log) } catch { failed = true }
      if failed, !log.writer.isEnded { try append(log, "b") }
      if failed { try roll(log) }
      try append(log, "c")
      let verification = try LogVerification(path: path, storage: disk)
      #expect(verification.isIntact, "\(step): \(verification)")
    }
  }

  @Test func onlyTheOldestGoAndOnlyByTheRule() throws {
    let log = try three()
    #expect(try log.retain(LogRetention(), at: 99_999).segments.isEmpty)
    #expect(try log.retain(LogRetention(maximumSegments: 3), at: 9999).segments.isEmpty)
    #expect(try log.retain(LogRetention(maximumAgeMilliseconds: 8000), at: 10_000).segments.isEmpty)
    let byAge = try log.retain(LogRetention(maximumAgeMilliseconds: 7999), at: 10_000)
    #expect(byAge.segments.map(\.firstSeq) == [0])
    #expect(byAge.byteCount > 0)
    #expect(try kinds().first == "3 segment.opened")
    #expect(try log.retain(LogRetention(maximumBytes: 0), at: 10_000).segments.isEmpty)
    let all = try log.retain(LogRetention(maximumBytes: 0, minimumSegments: 0), at: 10_000)
    #expect(all.segments.map(\.firstSeq) == [3])
    #expect(try kinds().first == "8 segment.opened")
    #expect(try LogVerification(path: path, storage: disk).isIntact)
  }

  @Test func blobsGoOnlyWhenNoSegmentKeptNamesThem() throws {
    let log = try open()
    let bodies = ["old", "shared", "new", "fresh", "orphan"].map { Array("body \($0)".utf8) }
    let ids = try bodies.map { try log.putBlob($0) }
    try append(log, ids[0].digits)
    try append(log, ids[1].digits)
    try roll(log)
    try append(log, "not a name: \(ids[4].digits)")
    try append(log, ids[1].digits)
    try append(log, ids[2].digits)
    for segment in try log.sealable() { _ = try segment.sealed(storage: disk) }
    #expect(try log.retain(LogRetention(maximumSegments: 1, minimumSegments: 1), at: 0).blobs.isEmpty)

    // Opened again, nothing is fresh any more.
    disk.restart()
    let again = try open()
    #expect(try again.retain(LogRetention(), at: 0).blobs == [ids[0], ids[3], ids[4]])
    #expect(try again.blob(ids[1]) == bodies[1])
    #expect { try again.blob(ids[0]) } throws: { ($0 as? LogError)?.code == .blobMissing }
  }

  /// The bytes of all files.
  private var byteCount: Int64 { disk.names.keys.reduce(0) { $0 + Int64(disk.contents($1).count) } }

  @Test func segmentsWithTheirBlobsMayTakeAsMuchAsTheLimit() throws {
    let log = try three()
    try append(log, log.putBlob([UInt8](repeating: 7, count: 1000)).digits, at: 3002)
    #expect(try log.retain(LogRetention(maximumBytes: byteCount), at: 9999).segments.isEmpty)
    #expect(try log.retain(LogRetention(maximumBytes: byteCount - 1), at: 9999).segments.map(\.firstSeq) == [0])
  }

  @Test func theBytesFreedAreThoseOfTheFilesRemoved() throws {
    let log = try three()
    _ = try log.putBlob(Array("named by no line".utf8))
    #expect(try log.retain(LogRetention(), at: 9999).byteCount == 0, "a line that names the blob may follow")
    disk.restart()
    let again = try open()
    let before = byteCount
    let written = again.writer.byteCount
    let outcome = try again.retain(LogRetention(maximumSegments: 2), at: 9999)
    #expect(outcome.segments.count == 1 && outcome.blobs.count == 1)
    // A mark states that segments are removed.
    #expect(outcome.byteCount == before - byteCount + again.writer.byteCount - written)
  }

  @Test func anOlderFormatIsNotAppendedToButGoneOnFrom() throws {
    disk.put(
      Array(
        """
        {"seq":0,"at":0,"kind":"segment.opened","format":0,"crc":false,"first":0}
        {"seq":1,"at":5,"kind":"report"}

        """.utf8), "/log/000000000000.jsonl")
    var options = LogReader.Options()
    options.format = LogFormat(
      version: 1, upcasters: [LogUpcaster(name: "as it was", from: 0) { _ throws(LogEnvelopeError) in }])
    let log = try LogDirectory(path: path, at: 9, policy: .everyEvent, storage: disk, options: options)
    #expect(log.writer.isEnded)
    #expect { try append(log, "a") } throws: { ($0 as? LogError)?.code == .segmentEnded }
    try roll(log)
    try append(log, "a")
    #expect(try LogVerification(path: path, storage: disk, options: options).isIntact)
  }
}

@Suite struct LogDirectoryOnDiskTests {
  @Test func theSecondOpenerIsToldPathAndProcess() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a/b/log")
    var first: LogDirectory? = try LogDirectory(path: path, at: 0, policy: .everyEvent)
    let error = #expect(throws: LogError.self) { try LogDirectory(path: path, at: 0, policy: .everyEvent) }
    #expect(error?.code == .locked)
    #expect(error?.file == path)
    #expect(
      error?.reason
        == "the log is already open for writing, held by process \(ProcessInfo.processInfo.processIdentifier)")
    withExtendedLifetime(first) {}
    first = nil
    _ = try LogDirectory(path: path, at: 0, policy: .everyEvent)
  }

  #if os(Linux)
    /// As in a child process between its fork and its program. Found by 10,000 kills.
    @Test func aClosedLogIsFreeAlthoughAnotherHasItsDescriptor() throws {
      let directory = try TemporaryDirectory()
      let path = directory.file("log")
      var first: LogDirectory? = try LogDirectory(path: path, at: 0, policy: .everyEvent)
      let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
      let copies = numbers.filter { number in
        let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
        return file?.hasPrefix(path + "/") == true
      }.map { dup($0) }
      defer { copies.forEach { close($0) } }
      #expect(!copies.isEmpty)
      withExtendedLifetime(first) {}
      first = nil
      _ = try LogDirectory(path: path, at: 0, policy: .everyEvent)
    }
  #endif

  @Test func allStepsWorkOnTheRealFileSystem() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("log")
    var seqs: [Int64] = []
    for _ in 0..<3 {
      let log = try LogDirectory(path: path, at: 0, policy: .everyEvent) { line throws(LogError) in
        seqs.append(line.seq)
      }
      let id = try log.putBlob([UInt8](repeating: 7, count: 1000))
      var batch = log.writer.batch()
      try batch.add("note", at: 0, payload: Array("\"blob\":\"\(id)\"".utf8))
      try log.writer.append(batch)
      try log.roll(at: 0) { batch throws(LogError) in try batch.add("snapshot.ended", at: 0) }
      for segment in try log.sealable() { _ = try segment.sealed() }
    }
    #expect(try LogVerification(path: path).isIntact)
    #expect(try LogVerification(path: path).segmentCount == 4)
    try put(contents("\(path)/000000000000.jsonl.xz").dropLast(), "\(path)/000000000000.jsonl.xz")
    #expect(try LogVerification(path: path).faults.first?.code == .damagedArchive)
  }

  @Test func unpackingAheadReadsTheSame() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("log")
    var random = SplitMix64(seed: 8)
    let log = try LogDirectory(path: path, at: 0, policy: .interval(milliseconds: 1000))
    for _ in 0..<3 {
      for _ in 0..<40 {
        var batch = log.writer.batch()
        let text = String(random.next(), radix: 36)
        let filler = String(repeating: text, count: Int.random(in: 0...5000, using: &random))
        try batch.add("note", at: 0, payload: Array("\"text\":\"\(filler)\"".utf8))
        try log.writer.append(batch)
      }
      try log.roll(at: 0) { batch throws(LogError) in try batch.add("snapshot.ended", at: 0) }
    }
    for segment in try log.sealable() { _ = try segment.sealed(preset: 0) }
    var options = LogReader.Options()
    let expected = try envelopes(path, options: options)
    options.unpacksAhead = true
    #expect(try envelopes(path, options: options) == expected)

    // Left in the middle, the other thread ends too.
    for count in [0, 1, 20] {
      let reader = try LogReader(path: path, options: options)
      for _ in 0..<count { _ = try reader.next() }
    }
    // And its faults are the same.
    let sealed = "\(path)/000000000000.jsonl.xz"
    try put(contents(sealed).dropLast(40), sealed)
    #expect(readError(path, options: options)?.code == .damagedArchive)
    #expect(readError(path, options: options) == readError(path))
  }
}
