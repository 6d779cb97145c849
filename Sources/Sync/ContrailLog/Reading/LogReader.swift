import ContrailWire

/// Reads a log line by line and verifies each CRC, each `seq`, and the sequence of segments.
///
/// ```swift
/// let reader = try LogReader(path: "Recordings/atlantic-offline.jsonl")
/// while let line = try reader.next() {
///   if line.isKind("response.received") { fold(line.seq, line.at, line.payload) }
/// }
/// ```
///
/// It reads a file, a compressed `.xz` file (detected by its name or content) or a directory of both, in blocks. The memory use
/// is that of one block, or of one line if that is longer, whatever the size of the log. A reader has one owner and
/// only moves forward.
package final class LogReader {
  /// The options for reading.
  package struct Options: Sendable {
    /// The default limit of 64 MiB: eight times the largest body that is stored in a line.
    package static let defaultMaximumLineBytes = 64 << 20

    /// The maximum length of a line; a longer line is an error.
    package var maximumLineBytes = Options.defaultMaximumLineBytes
    /// The number of bytes to read at a time.
    package var blockBytes = 256 << 10
    /// The supported format.
    package var format = LogFormat.current
    /// Whether to decompress segments on another thread, some blocks ahead of the reader.
    ///
    /// This costs a thread and a megabyte of memory. It halves the time if folding takes as long as decompressing.
    package var unpacksAhead = false

    /// Creates the default options.
    package init() {}
  }

  /// Lines that are missing from a segment whose last sync failed, according to the next segment.
  ///
  /// The snapshot of the next segment replaces them.
  package struct Loss: Hashable, Sendable {
    /// The file that lacks the lines.
    package let file: String
    /// The number of the first unreadable line, if part of it exists.
    package let line: Int?
    /// The sequence numbers of the missing lines.
    package let seqs: ClosedRange<Int64>
  }

  /// The header of the current segment, or of the last one.
  package private(set) var header: LogSegmentHeader?
  /// The `seq` and CRC of the last line returned. The CRC is computed if the line has none.
  package var last: LogTail? { tail }
  /// The lines that were skipped because a sync failed and a snapshot replaces them.
  package private(set) var losses: [Loss] = []
  /// The number of bytes of all returned lines, including line feeds.
  package var byteCount: Int64 { given }

  // The fields that change with each line are private, because exclusive access to visible ones is checked at run time.
  private var tail: LogTail?
  private var given: Int64 = 0

  private let storage: any LogStorage
  private let options: Options
  /// Whether the log is a directory of segments.
  package let isDirectory: Bool
  /// The remaining segments.
  private var segments: ArraySlice<LogSegment>
  private var current: LogSegment?
  private var lastFile = ""
  private var buffer: LineBuffer?
  private var upcasters: [LogUpcaster] = []
  private var isFirstOfSegment = false
  /// The header's value, copied because it is needed for each line.
  private var hasCRC = false
  private var dueSeq: Int64 = 0
  private var failure: LogError?
  private var scratch = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// Opens a log for reading.
  ///
  /// - Parameters:
  ///   - path: A file, compressed or not, or a directory of segments.
  ///   - seq: In a directory, the reader starts with the segment that contains this line. Pass `.max` for the newest
  ///     segment.
  ///   - storage: The file system.
  ///   - options: The options for reading.
  /// - Throws: ``LogError/Code/unreadable``, or ``LogError/Code/notALog`` for a directory without segments.
  package convenience init(
    path: String, from seq: Int64 = 0, storage: any LogStorage = SystemStorage(), options: Options = Options()
  ) throws(LogError) {
    let (segments, isDirectory) = try LogSegment.all(ofLogAt: path, storage)
    let start = segments.lastIndex { ($0.firstSeq ?? 0) <= seq } ?? 0
    try self.init(segments: segments[start...], isDirectory: isDirectory, storage: storage, options: options)
  }

  init(
    segments: ArraySlice<LogSegment>, isDirectory: Bool, storage: any LogStorage, options: Options
  ) throws(LogError) {
    self.segments = segments
    self.isDirectory = isDirectory
    self.storage = storage
    self.options = options
    try openNext()
  }

  deinit { scratch.deallocate() }

  // MARK: Position

  /// The path of the file that contains the last line.
  package var file: String { current?.path ?? "" }
  /// The number of the last line in its file, starting at 1.
  package var line: Int { buffer?.lineNumber ?? 0 }
  /// The offset of the last line in its file, after decompression.
  package var offset: Int64 { buffer?.lineOffset ?? 0 }
  /// The offset of the next line.
  var nextOffset: Int64 { buffer?.nextOffset ?? 0 }
  /// Whether the last line ended with a line feed.
  var isTerminated: Bool { buffer?.isTerminated ?? true }

  // MARK: Lines

  /// Returns the next line, or nil at the end of the log.
  ///
  /// The line's buffers are valid until the next call. At least 64 bytes are readable past the end of its `bytes`, and
  /// past the payload of a canonical line.
  ///
  /// - Throws: The first error found. Later calls throw the same error.
  package func next() throws(LogError) -> LogLine? {
    if let failure { throw failure }
    do throws(LogError) {
      while let buffer {
        guard let bytes = try buffer.next() else {
          guard !isFirstOfSegment else { throw fault(.notALog, "the file is empty") }
          guard !segments.isEmpty else { return nil }
          try openNext()
          continue
        }
        return try checked(bytes)
      }
      return nil
    } catch {
      if try passOver(error) { return try next() }
      failure = error
      throw error
    }
  }

  /// Parses a line that was returned before. Neither its CRC nor its `seq` is checked again.
  ///
  /// - Parameter bytes: The bytes of the line, in the format of the current segment. At least 64 bytes must be readable
  ///   past their end. The result borrows them.
  /// - Throws: ``LogError/Code/damagedLine`` or ``LogError/Code/upcastFailed``.
  package func reread(_ bytes: UnsafeRawBufferPointer) throws(LogError) -> LogLine {
    let line = try parsed(bytes, crc: LogLine.carriedCRC(bytes), due: dueSeq)
    return upcasters.isEmpty ? line : try lifted(line)
  }

  /// Counts the lines after an error, and returns the segments after the affected one.
  ///
  /// - Complexity: O(*n*) in their bytes. The lines are counted once; a second call finds none.
  package func countUnread() -> (lineCount: Int, segments: [LogSegment]) {
    let following = Array(segments)
    segments = []
    var lineCount = buffer?.skipLines() ?? 0
    for segment in following {
      // The lines of a segment that can't be opened are not counted.
      lineCount += (try? segment.found(storage).lines(storage, options).skipLines()) ?? 0
    }
    return (lineCount, following)
  }

  #if !hasFeature(Embedded)
    /// Calls `body` with each remaining line.
    ///
    /// - Throws: The errors of reading and of `body`.
    package func forEach(_ body: (LogLine) throws -> Void) throws {
      while let line = try next() { try body(line) }
    }
  #endif
}

/// The last line of a log, or of the part that was read.
package struct LogTail: Hashable, Sendable {
  /// The `seq` of the last line.
  package var seq: Int64
  /// The CRC-32C of the last line, whether or not the line contains it.
  package var crc: UInt32
  /// The time of the last line, in milliseconds.
  package var at: Int64

  /// Creates a value from its parts.
  package init(seq: Int64, crc: UInt32, at: Int64) {
    self.seq = seq
    self.crc = crc
    self.at = at
  }
}

// MARK: - Checking

extension LogReader {
  private func fault(_ code: LogError.Code, seq: Int64? = nil, _ reason: String) -> LogError {
    LogError(code, file: file, line: max(line, 1), seq: seq, reason: reason)
  }

  private func checked(_ bytes: UnsafeRawBufferPointer) throws(LogError) -> LogLine {
    if isFirstOfSegment {
      let line = try checkedFirst(bytes)
      isFirstOfSegment = false
      return accept(line)
    }
    let due = dueSeq
    var crc: UInt32?
    if hasCRC {
      crc = LogLine.rightCRC(bytes)
      guard crc != nil else { throw crcFault(bytes, due: due) }
      guard isTerminated else { throw fault(.damagedLine, seq: due, "it doesn't end with a line feed") }
    } else {
      guard LogLine.isOneLineValue(trimmed(bytes)) else {
        throw fault(.damagedLine, seq: due, "it isn't valid JSON")
      }
      crc = LogLine.carriedCRC(bytes)
    }
    let line = try parsed(bytes, crc: crc, due: due)
    guard line.seq == due else {
      throw fault(.sequenceBroken, seq: line.seq, "expected seq \(due)")
    }
    return accept(upcasters.isEmpty ? line : try lifted(line))
  }

  private func accept(_ line: LogLine) -> LogLine {
    let crc =
      line.crc ?? (line.isCanonical ? CRC32C.checksum(.init(rebasing: line.bytes.dropLast(1))) : LogLine.crcOfAny(line))
    tail = LogTail(seq: line.seq, crc: crc, at: line.at)
    dueSeq = line.seq + 1
    given += Int64(line.bytes.count) + (isTerminated ? 1 : 0)
    return line
  }

  /// Returns the error of a line without a correct CRC.
  private func crcFault(_ bytes: UnsafeRawBufferPointer, due: Int64) -> LogError {
    guard let carried = LogLine.carriedCRC(bytes) else {
      if bytes.last == UInt8(ascii: "\r") { return fault(.changedLineEnds, seq: due, LogError.changedLineEnds) }
      return fault(.damagedLine, seq: due, "it doesn't end with a crc")
    }
    return .crc(carried: carried, computed: LogLine.computedCRC(bytes), file: file, line: line, seq: due)
  }

  /// Parses a line in any form. A line that isn't canonical is copied, because it may contain escapes.
  private func parsed(_ bytes: UnsafeRawBufferPointer, crc: UInt32?, due: Int64) throws(LogError) -> LogLine {
    if let line = LogLine(canonical: bytes, crc: crc) { return line }
    do {
      return kept(try LogEnvelope(json: bytes), of: bytes)
    } catch {
      throw fault(.damagedLine, seq: due, error.description)
    }
  }

  /// Returns the envelope as a line whose parts are valid until the next one.
  private func kept(_ envelope: LogEnvelope, of bytes: UnsafeRawBufferPointer) -> LogLine {
    let kind = Array(envelope.kind.utf8)
    let needed = kind.count + envelope.payload.count + LineBuffer.padding
    if scratch.count < needed {
      scratch.deallocate()
      scratch = .allocate(byteCount: needed, alignment: 64)
    }
    scratch.copyBytes(from: kind + envelope.payload)
    let held = UnsafeRawBufferPointer(scratch)
    return LogLine(
      seq: envelope.seq, at: envelope.at, kind: UnsafeRawBufferPointer(rebasing: held[..<kind.count]),
      payload: UnsafeRawBufferPointer(rebasing: held[kind.count..<kind.count + envelope.payload.count]),
      crc: LogLine.carriedCRC(bytes), bytes: bytes, isCanonical: false)
  }

  private func lifted(_ line: LogLine) throws(LogError) -> LogLine {
    var envelope = line.envelope
    for upcaster in upcasters {
      do {
        try upcaster.lift(&envelope)
      } catch {
        throw fault(.upcastFailed, seq: line.seq, "\(upcaster.name): \(error.description)")
      }
      envelope.seq = line.seq
      envelope.at = line.at
    }
    return kept(envelope, of: line.bytes)
  }

  private func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    bytes.last == UInt8(ascii: "\r") ? UnsafeRawBufferPointer(rebasing: bytes.dropLast()) : bytes
  }
}

extension LogLine {
  /// Computes the CRC that the line would have in canonical form.
  fileprivate static func crcOfAny(_ line: LogLine) -> UInt32 {
    var bytes: [UInt8] = []
    return append(seq: line.seq, at: line.at, kind: line.kind, payload: line.payload, hasCRC: false, to: &bytes)
  }
}

// MARK: - Segments

extension LogReader {
  private func openNext() throws(LogError) {
    guard let next = segments.popFirst() else { return }
    let segment = try next.found(storage)
    lastFile = file
    current = segment
    isFirstOfSegment = true
    buffer = nil
    buffer = try segment.lines(storage, options)
  }

  /// Checks the first line of a segment, and applies its header.
  private func checkedFirst(_ bytes: UnsafeRawBufferPointer) throws(LogError) -> LogLine {
    let header = try LogSegmentHeader(firstLine: bytes, file: file, format: options.format)
    guard isTerminated || !header.hasCRC else {
      throw fault(.damagedLine, seq: header.firstSeq, "it doesn't end with a line feed")
    }
    let line = try parsed(bytes, crc: LogLine.carriedCRC(bytes), due: header.firstSeq)
    if let firstSeq = current?.firstSeq, firstSeq != header.firstSeq {
      throw fault(.chainBroken, seq: line.seq, "its file name states that it starts at seq \(firstSeq)")
    }
    if isDirectory, let last { try checkChain(header, after: last) }
    guard let path = options.format.path(from: header.format) else {
      throw fault(
        .olderFormat, seq: line.seq,
        "it has format \(header.format), which can't be converted to format \(options.format.version)")
    }
    upcasters = path
    self.header = header
    hasCRC = header.hasCRC
    return line
  }

  /// Returns why a `segment.opened` line in the middle of a file isn't the header of a segment that continues this one;
  /// nil if it is.
  package func headerFault(_ line: LogLine) -> String? {
    let header: LogSegmentHeader
    do throws(LogEnvelopeError) {
      header = try LogSegmentHeader(payload: line.payload, hasCRC: line.crc != nil)
    } catch {
      return "it opens a segment in the middle of a file: \(error.description)"
    }
    if header.firstSeq != line.seq {
      return "it opens a segment in the middle of a file, and its 'first' is \(header.firstSeq), not its seq"
    }
    guard header.format == self.header?.format else {
      return "it opens a segment of format \(header.format) in the middle of a file"
    }
    return nil
  }

  private func checkChain(_ header: LogSegmentHeader, after last: LogTail) throws(LogError) {
    guard let previous = header.previous else {
      throw fault(.chainBroken, seq: header.firstSeq, "it doesn't state which segment it follows")
    }
    guard previous.seq == header.firstSeq - 1 else {
      throw fault(.chainBroken, seq: header.firstSeq, "it follows seq \(previous.seq)")
    }
    if last.seq == previous.seq {
      guard previous.crc == nil || previous.crc == last.crc else {
        throw fault(
          .chainBroken, seq: header.firstSeq,
          "the previous segment ends with crc \(Hex.string(last.crc)), expected \(Hex.string(previous.crc ?? 0))")
      }
      return
    }
    if losses.last?.seqs.upperBound == previous.seq { return }
    guard last.seq < previous.seq, last.seq >= previous.syncedSeq else {
      throw fault(
        .chainBroken, seq: header.firstSeq, "the previous segment ends at seq \(last.seq), expected \(previous.seq)")
    }
    // The previous segment ends early, within the lines that were never synced.
    losses.append(Loss(file: lastFile, line: nil, seqs: last.seq + 1...previous.seq))
  }

  /// Continues with the next segment if that states that the damaged lines were never synced; returns whether it does.
  private func passOver(_ error: LogError) throws(LogError) -> Bool {
    guard error.isOfBytes, isDirectory, !isFirstOfSegment, let last, let previous = followingPrevious() else {
      return false
    }
    guard last.seq >= previous.syncedSeq, last.seq < previous.seq else { return false }
    losses.append(Loss(file: file, line: error.line, seqs: last.seq + 1...previous.seq))
    try openNext()
    return true
  }

  /// Returns the next segment's information about this one; nil if there is none or it can't be read.
  private func followingPrevious() -> LogSegmentHeader.Previous? {
    guard let following = segments.first else { return nil }
    do throws(LogError) {
      let lines = try following.found(storage).lines(storage, options)
      defer { withExtendedLifetime(lines) {} }
      guard let bytes = try lines.next() else { return nil }
      return try LogSegmentHeader(firstLine: bytes, file: following.path, format: options.format).previous
    } catch {
      // An error there is reported when that segment is read; the earlier error takes precedence.
      return nil
    }
  }
}

extension LogError {
  /// Whether the error is about the bytes, not the system or the reader's limits.
  var isOfBytes: Bool {
    switch code {
    case .damagedLine, .changedLineEnds, .sequenceBroken, .lineTooLong, .damagedArchive: true
    default: false
    }
  }
}
