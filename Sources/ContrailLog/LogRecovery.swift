/// What opening a log for writing found and put in order.
public struct LogRecovery: Hashable, Sendable {
  /// The end of a segment that a crash had cut short, moved out of the way.
  public struct TornTail: Hashable, Sendable {
    /// The segment.
    public var file: String
    /// Where the bytes are now.
    public var path: String
    /// The first line that was set aside, the file's first being 1.
    public var line: Int
    /// The `seq` that was due there; the next line appended gets it.
    public var seq: Int64
    /// How many bytes were set aside.
    public var byteCount: Int64
    /// How many lines they hold, one that isn't ended included.
    public var lineCount: Int
    /// What was wrong with the first of them.
    public var reason: String
  }

  /// What was set aside, if anything.
  public var torn: TornTail?
  /// Files that an interrupted step had left and that were removed: none of them was ever part of the log.
  public var removedFiles: [String] = []

  /// Nothing to report.
  public init() {}
}

/// Brings a segment that is to be appended to into order after a crash.
///
/// The rule: what is bad is *corruption*, and an error, if an intact `log.synced` after it says that the log was on
/// stable storage up to there or further; else it is what is left of writes that were cut short, and is set aside
/// whole, with all that follows. The first line is never torn: a segment gets its name only once that line is synced.
///
/// Each step can be cut short and done again: the tail is copied, synced and given its name before it is cut off.
struct SegmentRecovery {
  let path: String
  let storage: any LogStorage
  let options: LogReader.Options

  /// The segment in order.
  struct Outcome {
    var header: LogSegmentHeader
    var last: LogTail
    var byteCount: Int64
    var torn: LogRecovery.TornTail?
  }

  /// Reads the segment, gives each good line to `visit`, and sets aside what is torn.
  func run(visit: (LogLine) throws(LogError) -> Void) throws(LogError) -> Outcome {
    let segment = LogSegment(path: path, firstSeq: LogFileName.segment(Path.name(of: path))?.first)
    let reader = try LogReader(segments: [segment], isDirectory: false, storage: storage, options: options)
    var end: Int64 = 0
    var last: LogTail?
    var fault: LogError?
    while true {
      let line: LogLine?
      do throws(LogError) {
        line = try Self.next(reader)
      } catch {
        fault = error
        break
      }
      guard let line else { break }
      try visit(line)
      end = reader.nextOffset
      last = reader.last
    }
    guard let header = reader.header, let last else {
      throw fault ?? LogError(.notALog, file: path, line: 1, reason: "it is empty")
    }
    var outcome = Outcome(header: header, last: last, byteCount: end)
    if let fault {
      guard fault.isOfBytes, !segment.isSealed else { throw fault }
      if try isCovered(seq: last.seq + 1, from: end) { throw fault }
      outcome.torn = try setAside(from: end, line: reader.line, seq: last.seq + 1, reason: fault.reason)
    }
    return outcome
  }

  /// The next line, which must be ended, be there crcs or not: something is going to be written behind it.
  private static func next(_ reader: LogReader) throws(LogError) -> LogLine? {
    guard let line = try reader.next() else { return nil }
    guard reader.isTerminated else {
      throw LogError(
        .damagedLine, file: reader.file, line: reader.line, seq: line.seq, reason: "it isn't ended by a line feed")
    }
    return line
  }

  /// Whether an intact mark behind `offset` says that the line `seq` was on stable storage.
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

  /// What an intact mark in which a line ends says to be synced.
  ///
  /// Where a line feed was lost, a mark stands at the end of a longer line, so each place is tried where it could
  /// begin.
  static func syncedThrough(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    let longestMark = 160
    for start in max(0, bytes.count - longestMark)..<bytes.count where bytes[start] == UInt8(ascii: "{") {
      if let through = through(mark: UnsafeRawBufferPointer(rebasing: bytes[start...])) { return through }
    }
    return nil
  }

  private static func through(mark bytes: UnsafeRawBufferPointer) -> Int64? {
    guard let line = LogLine(canonical: bytes), line.isKind(LogKind.logSynced) else { return nil }
    if let crc = line.crc, crc != LogLine.computedCRC(bytes) { return nil }
    var scanner = JSONScanner(line.payload)
    while let (key, value) = try? scanner.member() {
      if key == "through" { return JSONScanner.integer(value) }
    }
    return nil
  }

  private func input(at offset: Int64) throws(LogError) -> FileInput {
    do throws(StorageFault) {
      return FileInput(try storage.open(path, .read), path: path, offset: offset)
    } catch {
      throw LogError(.unreadable, file: path, error)
    }
  }
}

// MARK: - Setting aside

extension SegmentRecovery {
  private func setAside(
    from offset: Int64, line: Int, seq: Int64, reason: String
  ) throws(LogError) -> LogRecovery.TornTail {
    do throws(StorageFault) {
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

  /// Copies the tail to the first name that is free, unless one that is taken begins with just this tail: then a crash
  /// came between the copy and the cut, or amid the cut.
  private func copyTail(of file: any LogFile, from offset: Int64, size: Int64) throws(StorageFault) -> String {
    var number = 1
    var target = path + LogFileName.tornSuffix
    while try storage.kind(of: target) != .nothing {
      let earlier = try storage.open(target, .read)
      if try earlier.size() >= size - offset, try isTail(of: file, from: offset, heldBy: earlier) {
        // Its name may not have come to stable storage yet, and the tail is about to be cut off.
        try storage.synchronize(directory: Path.directory(of: target))
        return target
      }
      number += 1
      target = "\(path)\(LogFileName.tornSuffix).\(number)"
    }
    try storage.publish(target) { copy throws(StorageFault) in
      var done: Int64 = 0
      try forEachBlock(of: file, from: offset) { block throws(StorageFault) in
        try copy.writeAll(block, at: done)
        done += Int64(block.count)
        return true
      }
    }
    return target
  }

  private func isTail(
    of file: any LogFile, from offset: Int64, heldBy other: any LogFile
  ) throws(StorageFault) -> Bool {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockBytes, alignment: 64)
    defer { block.deallocate() }
    var done: Int64 = 0
    var isEqual = true
    try forEachBlock(of: file, from: offset) { bytes throws(StorageFault) in
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

  private func lineCount(of file: any LogFile, from offset: Int64) throws(StorageFault) -> Int {
    var count = 0
    var isOpen = false
    try forEachBlock(of: file, from: offset) { bytes throws(StorageFault) in
      count += bytes.count { $0 == UInt8(ascii: "\n") }
      isOpen = bytes.last != UInt8(ascii: "\n")
      return true
    }
    return count + (isOpen ? 1 : 0)
  }

  private static var blockBytes: Int { 256 << 10 }

  /// Gives a file's bytes from `offset` on to `body`, until it answers false.
  private func forEachBlock(
    of file: any LogFile, from offset: Int64,
    _ body: (UnsafeRawBufferPointer) throws(StorageFault) -> Bool
  ) throws(StorageFault) {
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
