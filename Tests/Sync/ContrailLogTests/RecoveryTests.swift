import ContrailLog
import ContrailTestSupport
import Testing

@Suite struct RecoveryTests {
  let path = "/log.jsonl"

  /// A small log with marks in it, and where its last mark is.
  private func small() throws -> (bytes: [UInt8], lines: [ArraySlice<UInt8>], markLine: Int) {
    let disk = MemoryDisk()
    let writer = try LogWriter.create(path: path, at: 1000, policy: .everyEvent, storage: disk)
    for index in 0..<4 {
      var batch = writer.batch()
      try batch.add("history.changed", at: 1001, payload: Array(#""hours":\#(index)"#.utf8))
      try batch.add("fetch.started", at: 1001, payload: Array(#""cause":\#(batch.nextSeq - 1)"#.utf8))
      try writer.append(batch)
      if index < 2 { try writer.sync(at: 1002) }
    }
    let bytes = disk.contents(path)
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let mark = try #require(lines.lastIndex { String(decoding: $0, as: UTF8.self).contains("log.synced") })
    return (bytes, lines, mark + 1)
  }

  private func open(
    _ disk: MemoryDisk
  ) throws(LogError) -> (writer: LogWriter, recovery: LogRecovery, seqs: [Int64]) {
    var seqs: [Int64] = []
    let (writer, recovery) = try LogWriter.open(path: path, policy: .everyEvent, storage: disk) {
      line throws(LogError) in seqs.append(line.seq)
    }
    return (writer, recovery, seqs)
  }

  @Test func tornAtEveryByteLeavesAValidPrefix() throws {
    let (whole, lines, _) = try small()
    for count in (lines[0].count + 1)..<whole.count {
      let disk = MemoryDisk()
      disk.put(Array(whole[..<count]), path)
      let (writer, recovery, seqs) = try open(disk)
      let kept = whole[..<count].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      #expect(disk.contents(path) == Array(whole[..<kept]))
      #expect(seqs == Array(0..<Int64(seqs.count)))
      if kept == count {
        #expect(recovery.torn == nil)
      } else {
        let torn = try #require(recovery.torn)
        #expect(torn.path == "\(path).torn")
        #expect(disk.contents(torn.path) == Array(whole[kept..<count]))
        #expect((torn.line, torn.seq) == (seqs.count + 1, Int64(seqs.count)))
        #expect((torn.byteCount, torn.lineCount) == (Int64(count - kept), 1))
      }
      var batch = writer.batch()
      try batch.add("note", at: 2000)
      try writer.append(batch)
      #expect(try LogVerification(path: path, storage: disk).faults.isEmpty)
    }
  }

  @Test func tornInTheFirstLineIsCorruption() throws {
    let (whole, lines, _) = try small()
    for count in 0...lines[0].count {
      let disk = MemoryDisk()
      disk.put(Array(whole[..<count]), path)
      #expect { try open(disk) } throws: { ($0 as? LogError)?.line == 1 }
      #expect(disk.contents(path) == Array(whole[..<count]))
    }
  }

  @Test func aFlippedByteIsCorruptionBeforeTheLastMarkAndTornAfterIt() throws {
    let (whole, lines, markLine) = try small()
    var line = 1
    for index in whole.indices {
      for flip in [UInt8(0x01), 0x20, whole[index] ^ UInt8(ascii: "\n")] where flip != 0 {
        let disk = MemoryDisk()
        var bytes = whole
        bytes[index] ^= flip
        disk.put(bytes, path)
        #expect(try LogVerification(path: path, storage: disk).faults.map(\.line) == [line])
        do throws(LogError) {
          let torn = try open(disk).recovery.torn
          // The last mark itself is vouched for by none.
          #expect(line >= markLine, "byte \(index)")
          #expect(torn?.line == line)
          #expect(disk.contents(path) + disk.contents("\(path).torn") == bytes)
        } catch {
          #expect(line < markLine || line == 1, "byte \(index): \(error)")
          #expect(error.line == line)
          #expect(disk.contents(path) == bytes)
        }
      }
      if whole[index] == UInt8(ascii: "\n") { line += 1 }
    }
    #expect(line == lines.count + 1)
  }

  @Test func whatIsTornIsNeverOverwritten() throws {
    let disk = MemoryDisk()
    disk.put(try small().bytes, path)
    for number in 1...3 {
      disk.put(disk.contents(path) + Array("torn \(number)".utf8), path)
      let torn = try #require(try open(disk).recovery.torn)
      #expect(torn.path == (number == 1 ? "\(path).torn" : "\(path).torn.\(number)"))
    }
    #expect(disk.contents("\(path).torn") == Array("torn 1".utf8))
    #expect(disk.contents("\(path).torn.2") == Array("torn 2".utf8))
  }

  @Test func recoveryKilledAnywhereEndsTheSame() throws {
    let whole = try small().bytes
    let torn = Array("{\"seq\":77,\"at\"\n\nx".utf8)
    for powerFails in [false, true] {
      for step in 1...20 {
        let disk = MemoryDisk(seed: UInt64(step))
        disk.put(whole + torn, path)
        disk.faults = [step: .death]
        _ = try? open(disk)
        if powerFails { disk.losePower() } else { disk.restart() }
        let (_, recovery, seqs) = try open(disk)
        #expect(seqs.last == 10)
        #expect(disk.contents(path) == whole)
        #expect(disk.contents("\(path).torn") == torn)
        if !powerFails {
          // Of a cut that a power loss hit, some may be left, and be other bytes.
          #expect(disk.names.keys.filter { $0.contains("torn.2") }.isEmpty)
          if let found = recovery.torn { #expect(found.byteCount == Int64(torn.count)) }
        }
        #expect(try open(disk).recovery.torn == nil)
      }
    }
  }

  @Test func anEmptyTailOfZeroesIsTorn() throws {
    let disk = MemoryDisk()
    let whole = try small().bytes
    disk.put(whole + [UInt8](repeating: 0, count: 300_000), path)
    var options = LogReader.Options()
    options.maximumLineBytes = 100_000
    let (_, recovery) = try LogWriter.open(path: path, policy: .everyEvent, storage: disk, options: options)
    #expect(recovery.torn?.byteCount == 300_000)
    #expect(disk.contents(path) == whole)
  }

  @Test(arguments: [("x", 1), ("x\n", 1), ("x\ny", 2), ("\n\n", 2), ("x\n\ny\n", 3)])
  func theLinesOfATornEndAreCounted(torn: String, count: Int) throws {
    let disk = MemoryDisk()
    disk.put(try small().bytes + Array(torn.utf8), path)
    #expect(try open(disk).recovery.torn?.lineCount == count)
  }

  /// It takes several blocks, and differs from an earlier one only in its last byte.
  @Test func aLongTornEndIsMovedWhole() throws {
    var random = SplitMix64(seed: 4)
    let whole = try small().bytes
    let torn = random.bytes(600_000) + [1]
    let lineFeeds = torn.count { $0 == UInt8(ascii: "\n") }
    let disk = MemoryDisk()
    disk.put(Array(torn.dropLast()) + [2], "\(path).torn")
    // The second time, the process ended between copying and truncating.
    for _ in 0..<2 {
      disk.put(whole + torn, path)
      let found = try #require(try open(disk).recovery.torn)
      #expect(found.path == "\(path).torn.2" && found.lineCount == lineFeeds + 1)
      #expect(disk.contents(found.path) == torn)
      #expect(disk.contents(path) == whole)
    }
  }

  @Test func whatThrowsWhileVisitingChangesNothing() throws {
    let disk = MemoryDisk()
    let bytes = try small().bytes + Array("torn".utf8)
    disk.put(bytes, path)
    let refusal = LogError(.invalidEntry, file: "elsewhere", reason: "no")
    #expect(throws: refusal) {
      _ = try LogWriter.open(path: path, policy: .everyEvent, storage: disk) { _ throws(LogError) in throw refusal }
    }
    #expect(disk.contents(path) == bytes)
  }

  @Test func noBytesMakeReadingOrOpeningTrap() throws {
    var random = SplitMix64(seed: 9)
    let whole = try small().bytes
    let byHand = Array(
      """
      {"seq":0,"at":0,"kind":"segment.opened","format":1,"first":0,"previousSeq":7,"previousCrc":"00000000","crc":false}
      {"seq":1,"at":5,"kind":"history.changed","hours":4}
      {"seq":2,"at":6,"kind":"log.synced","through":1}

      """.utf8)
    let letters = Array("0123456789-+eE.\"{}[]:,\\u \n\r\u{0}\u{7f}".utf8) + [0x80, 0xC3, 0xFF]
    for _ in 0..<4000 {
      var bytes = Bool.random(using: &random) ? whole : byHand
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        let letter = letters.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = letter
        case 1:
          bytes.insert(contentsOf: repeatElement(letter, count: Int.random(in: 1...30, using: &random)), at: index)
        case 2: bytes.removeSubrange(index..<min(bytes.count, index + 20))
        default: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        if bytes.isEmpty { bytes = [letter] }
      }
      let disk = MemoryDisk()
      disk.put(bytes, path)
      let faults = try? LogVerification(path: path, storage: disk).faults
      let opened = try? open(disk)
      if let opened {
        // What could be opened reads without a fault from then on.
        #expect(opened.recovery.torn != nil || faults == [] || opened.recovery.torn?.byteCount == 0)
        #expect(try LogVerification(path: path, storage: disk).faults == [])
      } else {
        #expect(disk.contents(path) == bytes)
      }
    }
  }
}
