import ContrailWire

/// The repairs made while opening a log for writing.
package struct LogRecovery: Hashable, Sendable {
  /// The end of a segment after an interrupted write, moved to another file.
  package struct TornTail: Hashable, Sendable {
    /// The path of the segment.
    package var file: String
    /// The path of the file that now contains the bytes.
    package var path: String
    /// The number of the first line that was moved, starting at 1.
    package var line: Int
    /// The `seq` expected for that line. The next appended line gets it.
    package var seq: Int64
    /// The number of bytes moved.
    package var byteCount: Int64
    /// The number of lines moved, including an unterminated one.
    package var lineCount: Int
    /// The fault of the first of these lines.
    package var reason: String
  }

  /// The moved end of the segment; nil if there was none.
  package var torn: TornTail?
  /// The removed files of interrupted steps. None of them was part of the log.
  package var removedFiles: [String] = []

  /// Creates an empty report.
  package init() {}
}

/// The repaired segment.
struct RecoveredLog {
  var header: LogSegmentHeader
  var last: LogTail
  var byteCount: Int64
  /// The lines since the last mark or header.
  var chain: LogChain
  var torn: LogRecovery.TornTail?
}

/// Repairs a segment after a crash, before lines are appended.
///
/// Damage is *corruption*, and an error, if a later intact `log.synced` states that the log was on stable storage up to
/// there or further. Otherwise it is the remains of an interrupted write and is moved aside, with all that follows. The
/// first line is never torn, because a segment gets its name only after that line is synced.
///
/// Each step can be interrupted and repeated: the tail is copied, synced and named before it is truncated.
struct SegmentRecovery {
  let path: String
  let storage: any LogStorage
  let options: LogReader.Options

  /// Reads the segment, calls `visit` with each valid line, and moves a torn end aside.
  func run(visit: (LogLine) throws(LogError) -> Void) throws(LogError) -> RecoveredLog {
    let segment = LogSegment(path: path, firstSeq: LogFileName.segment(Path.name(of: path))?.first)
    let reader = try LogReader(segments: [segment], isDirectory: false, storage: storage, options: options)
    var end: Int64 = 0
    var last: LogTail?
    var fault: LogError?
    /// The offset of the last mark or header, and the CRCs of the lines from it on.
    var chainStart: Int64 = 0
    var sums: [UInt32] = []
    while true {
      let line: LogLine?
      do throws(LogError) {
        line = try Self.next(reader)
      } catch {
        fault = error
        break
      }
      guard let line else { break }
      if line.isKind(LogKind.logSynced) || line.isKind(LogKind.segmentOpened) {
        chainStart = reader.offset
        sums.removeAll(keepingCapacity: true)
      }
      try visit(line)
      end = reader.nextOffset
      last = reader.last
      if let last, sums.count <= LogChain.maximumSums { sums.append(last.crc) }
    }
    guard let header = reader.header, let last else {
      throw fault ?? LogError(.notALog, file: path, line: 1, reason: "the file is empty")
    }
    var outcome = RecoveredLog(
      header: header, last: last, byteCount: end,
      chain: header.hasCRC ? try chain(of: segment, from: chainStart, to: end, sums) : LogChain())
    if let fault {
      guard fault.isOfBytes, !segment.isSealed else { throw fault }
      if try isCovered(seq: last.seq + 1, from: end) { throw fault }
      outcome.torn = try setAside(from: end, line: reader.line, seq: last.seq + 1, reason: fault.reason)
    }
    return outcome
  }

  /// Returns the chain of the lines at the end of a segment. They are read again, because most lines aren't among them.
  private func chain(
    of segment: LogSegment, from start: Int64, to end: Int64, _ sums: [UInt32]
  ) throws(LogError) -> LogChain {
    let plain = try input(at: segment.isSealed ? 0 : start)
    let input: any LineInput = segment.isSealed ? PackedInput(plain, path: path) : plain
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockBytes, alignment: 64)
    defer { block.deallocate() }
    var chain = LogChain()
    var offset = segment.isSealed ? 0 : start
    while offset < end, case let count = try input.read(into: block), count > 0 {
      let bytes = UnsafeRawBufferPointer(rebasing: block[..<Int(min(Int64(count), end - offset))])
      if offset + Int64(bytes.count) > start {
        chain.add(UnsafeRawBufferPointer(rebasing: bytes[Int(max(0, start - offset))...]), crcs: [])
      }
      offset += Int64(count)
    }
    chain.add(UnsafeRawBufferPointer(start: nil, count: 0), crcs: sums[...])
    return chain
  }

  /// Reads the next line, which must end with a line feed even without CRCs, because another line will follow it.
  private static func next(_ reader: LogReader) throws(LogError) -> LogLine? {
    guard let line = try reader.next() else { return nil }
    guard reader.isTerminated else {
      throw LogError(
        .damagedLine, file: reader.file, line: reader.line, seq: line.seq, reason: "it doesn't end with a line feed")
    }
    return line
  }

  /// Whether an intact mark after `offset` states that the line `seq` was on stable storage.
  private func isCovered(seq: Int64, from offset: Int64) throws(LogError) -> Bool {
    let lines = LineBuffer(try input(at: offset), file: path, options: options)
    while true {
      do throws(LogError) {
        guard let bytes = try lines.next() else { return false }
        if let through = Self.syncedThrough(bytes), through >= seq { return true }
      } catch {
        guard error.code == .lineTooLong else { throw error }
        try lines.skipLine()
      }
    }
  }

  /// Returns the synced `seq` of an intact mark at the end of a line; nil if there is none.
  ///
  /// If a line feed was lost, the mark is at the end of a longer line, so every possible start is tried.
  static func syncedThrough(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    let longestMark = 512 + 8 * LogChain.maximumSums + 2 * LogSignature.maximumBytes
    for start in max(0, bytes.count - longestMark)..<bytes.count where bytes[start] == UInt8(ascii: "{") {
      if let through = through(mark: UnsafeRawBufferPointer(rebasing: bytes[start...])) { return through }
    }
    return nil
  }

  private static func through(mark bytes: UnsafeRawBufferPointer) -> Int64? {
    guard let line = LogLine(canonical: bytes), line.isKind(LogKind.logSynced) else { return nil }
    if let crc = line.crc, crc != LogLine.computedCRC(bytes) { return nil }
    var json = JSONReader(line.payload, maximumDepth: LogLine.maximumDepth)
    var through: Int64??
    // Also of a payload with a fault after it.
    try? json.lineMembers(isBraced: false) { key, value in
      if through == nil, key.string == "through" { through = .some(JSONReader.integer(value, in: .min ... .max)) }
    }
    return through ?? nil
  }

  private func input(at offset: Int64) throws(LogError) -> FileInput {
    do throws(StorageError) {
      return FileInput(try storage.open(path, .read), path: path, offset: offset)
    } catch {
      throw LogError(.unreadable, file: path, error)
    }
  }
}

// MARK: - Moving the torn end

extension SegmentRecovery {
  private func setAside(
    from offset: Int64, line: Int, seq: Int64, reason: String
  ) throws(LogError) -> LogRecovery.TornTail {
    do throws(StorageError) {
      let file = try storage.open(path, .update)
      let size = try file.size()
      let lineCount = try lineCount(of: file, from: offset)
      let target = try copyTail(of: file, from: offset, size: size)
      try file.truncate(to: offset)
      try file.synchronize()
      return LogRecovery.TornTail(
        file: path, path: target, line: line, seq: seq, byteCount: size - offset,
        lineCount: lineCount, reason: reason)
    } catch {
      throw LogError(.writeFailed, file: path, error, seq: seq)
    }
  }

  /// Copies the tail to the first unused name and returns its path.
  ///
  /// If an existing file starts with this tail, an earlier repair was interrupted between or during copying and
  /// truncating, and that file is used.
  private func copyTail(of file: any LogFile, from offset: Int64, size: Int64) throws(StorageError) -> String {
    var number = 1
    var target = path + LogFileName.tornSuffix
    while try storage.kind(of: target) != .nothing {
      let earlier = try storage.open(target, .read)
      if try earlier.size() >= size - offset, try isTail(of: file, from: offset, heldBy: earlier) {
        // The name may not be on stable storage yet, and the tail is about to be truncated.
        try storage.synchronize(directory: Path.directory(of: target))
        return target
      }
      number += 1
      target = "\(path)\(LogFileName.tornSuffix).\(number)"
    }
    try storage.publish(target) { copy throws(StorageError) in
      var done: Int64 = 0
      try forEachBlock(of: file, from: offset) { block throws(StorageError) in
        try copy.writeAll(block, at: done)
        done += Int64(block.count)
        return true
      }
    }
    return target
  }

  private func isTail(
    of file: any LogFile, from offset: Int64, heldBy other: any LogFile
  ) throws(StorageError) -> Bool {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockBytes, alignment: 64)
    defer { block.deallocate() }
    var done: Int64 = 0
    var isEqual = true
    try forEachBlock(of: file, from: offset) { bytes throws(StorageError) in
      var held = 0
      while held < bytes.count {
        let room = UnsafeMutableRawBufferPointer(rebasing: block[held..<bytes.count])
        let count = try other.read(into: room, at: done + Int64(held))
        if count == 0 { break }
        held += count
      }
      isEqual = bytes.isEqual(to: UnsafeRawBufferPointer(rebasing: block[..<held]))
      done += Int64(held)
      return isEqual
    }
    return isEqual
  }

  private func lineCount(of file: any LogFile, from offset: Int64) throws(StorageError) -> Int {
    var count = 0
    var isOpen = false
    try forEachBlock(of: file, from: offset) { bytes throws(StorageError) in
      count += bytes.count { $0 == UInt8(ascii: "\n") }
      isOpen = bytes.last != UInt8(ascii: "\n")
      return true
    }
    return count + (isOpen ? 1 : 0)
  }

  private static var blockBytes: Int { 256 << 10 }

  /// Calls `body` with a file's bytes from `offset` on, until it returns false.
  private func forEachBlock(
    of file: any LogFile, from offset: Int64,
    _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Bool
  ) throws(StorageError) {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockBytes, alignment: 64)
    defer { block.deallocate() }
    var offset = offset
    while true {
      let count = try file.read(into: block, at: offset)
      if count == 0 { return }
      offset += Int64(count)
      if try !body(UnsafeRawBufferPointer(rebasing: block[..<count])) { return }
    }
  }
}
