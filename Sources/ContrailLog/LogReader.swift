/// Reads a log line by line and checks all that can be checked on the way: each crc, `seq` without gaps, and that each
/// segment follows on the one before.
///
/// ```swift
/// let reader = try LogReader(path: "Recordings/atlantic-offline.jsonl")
/// while let line = try reader.next() {
///   if line.isKind("response.received") { fold(line.seq, line.at, line.payload) }
/// }
/// ```
///
/// It reads a file, a sealed `.xz` file (told by its content) or a directory of both, in blocks: memory is that of one
/// block, or of one line if that is longer, whatever the size of the log. A reader belongs to one owner and goes
/// forward only.
public final class LogReader {
  /// How to read.
  public struct Options: Sendable {
    /// 64 MiB: eight times the largest body that stands in a line.
    public static let defaultMaximumLineBytes = 64 << 20

    /// The longest line that is read; a longer one is an error.
    public var maximumLineBytes = Options.defaultMaximumLineBytes
    /// How much is read at a time.
    public var blockBytes = 256 << 10
    /// The format that is understood.
    public var format = LogFormat.current
    /// Whether sealed segments are unpacked on another thread, some blocks ahead of the reader. It costs a thread and a
    /// megabyte, and halves the time where folding takes as long as unpacking.
    public var unpacksAhead = false

    /// The defaults.
    public init() {}
  }

  /// Lines that are missing from a segment whose last sync had failed, as the segment after it says. Its snapshot
  /// stands in for them.
  public struct Loss: Hashable, Sendable {
    /// The file that they are missing from.
    public let file: String
    /// The first line that can't be read, if there is anything of it.
    public let line: Int?
    /// The lines that are missing.
    public let seqs: ClosedRange<Int64>
  }

  /// The segment that is read, or was read last.
  public private(set) var header: LogSegmentHeader?
  /// The `seq` and crc of the last line given, if there was one; the crc is computed if the line doesn't carry one.
  public var last: LogTail? { tail }
  /// What was passed over because a sync had failed and a snapshot vouches for it.
  public private(set) var losses: [Loss] = []
  /// How many bytes of lines have been given, line feeds included.
  public var byteCount: Int64 { given }

  // What changes with each line is private: access to what others may see is checked as the program runs.
  private var tail: LogTail?
  private var given: Int64 = 0

  private let storage: any LogStorage
  private let options: Options
  private let isDirectory: Bool
  /// Where a log that isn't in a directory begins, or what to read of a directory.
  private var segments: ArraySlice<LogSegment>
  private var current: LogSegment?
  private var lastFile = ""
  private var buffer: LineBuffer?
  private var upcasters: [LogUpcaster] = []
  private var isFirstOfSegment = false
  /// As the header says; apart from it because each line asks.
  private var hasCRC = false
  private var dueSeq: Int64 = 0
  private var failure: LogError?
  private var scratch = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// Opens a log for reading.
  ///
  /// - Parameters:
  ///   - path: A file, sealed or not, or a directory of segments.
  ///   - seq: In a directory, reading begins with the segment that holds this line: each replays alone. `.max` stands
  ///     for the newest.
  /// - Throws: ``LogError/Code/unreadable``, or ``LogError/Code/notALog`` for a directory without segments.
  public convenience init(
    path: String, from seq: Int64 = 0, storage: any LogStorage = POSIXStorage(), options: Options = Options()
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

  // MARK: Where

  /// The path of the file that the last line came from.
  public var file: String { current?.path ?? "" }
  /// The number of the last line in its file, the first being 1.
  public var line: Int { buffer?.lineNumber ?? 0 }
  /// Where the last line begins in its file (in what is unpacked, if it is sealed).
  public var offset: Int64 { buffer?.lineOffset ?? 0 }
  /// Where the line after the last one begins.
  var nextOffset: Int64 { buffer?.nextOffset ?? 0 }
  /// Whether the last line was ended by a line feed.
  var isTerminated: Bool { buffer?.isTerminated ?? true }

  // MARK: Lines

  /// The next line, or nil at the end of the log.
  ///
  /// The line's buffers hold good until the next call, and at least 64 bytes may be read past the end of its `bytes`
  /// (and of the payload of a canonical line) without leaving memory that is the reader's.
  ///
  /// - Throws: The first fault that there is; the same one from then on.
  public func next() throws(LogError) -> LogLine? {
    if let failure { throw failure }
    do throws(LogError) {
      while let buffer {
        guard let bytes = try buffer.next() else {
          guard !isFirstOfSegment else { throw fault(.notALog, "it is empty") }
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

  /// The lines behind a fault, which aren't read, and the segments after the one that is at fault.
  ///
  /// - Complexity: O(*n*) in their bytes. They are counted once; the next call finds none.
  package func countUnread() -> (lineCount: Int, segments: [LogSegment]) {
    let following = Array(segments)
    segments = []
    var lineCount = buffer?.skipLines() ?? 0
    for segment in following {
      // Of a segment that can't be opened no line is counted.
      lineCount += (try? segment.found(storage).lines(storage, options).skipLines()) ?? 0
    }
    return (lineCount, following)
  }

  /// Gives each line that is left to `body`.
  ///
  /// - Throws: What reading or `body` throws.
  public func forEach(_ body: (LogLine) throws -> Void) throws {
    while let line = try next() { try body(line) }
  }
}

/// The end of a log, or of what was read of it.
public struct LogTail: Hashable, Sendable {
  /// The last line.
  public var seq: Int64
  /// The CRC-32C of the last line, as it is carried or would be.
  public var crc: UInt32
  /// The time of the last line, in milliseconds.
  public var at: Int64

  /// Makes a value of its parts.
  public init(seq: Int64, crc: UInt32, at: Int64) {
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
      guard isTerminated else { throw fault(.damagedLine, seq: due, "it isn't ended by a line feed") }
    } else {
      guard JSONScanner.isOneLineValue(trimmed(bytes)) else {
        throw fault(.damagedLine, seq: due, "it isn't valid JSON")
      }
      crc = LogLine.carriedCRC(bytes)
    }
    let line = try parsed(bytes, crc: crc, due: due)
    guard line.seq == due else {
      throw fault(.sequenceBroken, seq: line.seq, "seq \(due) was due")
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

  /// What is wrong with a line that doesn't carry its crc.
  private func crcFault(_ bytes: UnsafeRawBufferPointer, due: Int64) -> LogError {
    guard let carried = LogLine.carriedCRC(bytes) else {
      return fault(.damagedLine, seq: due, "it doesn't end in its crc")
    }
    return .crc(carried: carried, computed: LogLine.computedCRC(bytes), file: file, line: line, seq: due)
  }

  /// A line in any spelling; one that isn't canonical is copied, for its parts may be spelt with escapes.
  private func parsed(_ bytes: UnsafeRawBufferPointer, crc: UInt32?, due: Int64) throws(LogError) -> LogLine {
    if let line = LogLine(canonical: bytes, crc: crc) { return line }
    do {
      return kept(try LogEnvelope(json: bytes), of: bytes)
    } catch {
      throw fault(.damagedLine, seq: due, error.description)
    }
  }

  /// The line that an envelope says, its parts kept until the next one is.
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
        throw fault(.upcastFailed, seq: line.seq, "\(upcaster.name): \(error.reason)")
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
  /// The crc that the line would carry if it were spelt canonically.
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

  /// Checks the first line of a segment and takes from it how to read the others.
  private func checkedFirst(_ bytes: UnsafeRawBufferPointer) throws(LogError) -> LogLine {
    let header = try LogSegmentHeader(firstLine: bytes, file: file, format: options.format)
    guard isTerminated || !header.hasCRC else {
      throw fault(.damagedLine, seq: header.firstSeq, "it isn't ended by a line feed")
    }
    let line = try parsed(bytes, crc: LogLine.carriedCRC(bytes), due: header.firstSeq)
    if let firstSeq = current?.firstSeq, firstSeq != header.firstSeq {
      throw fault(.chainBroken, seq: line.seq, "its name says that it begins at seq \(firstSeq)")
    }
    if isDirectory, let last { try checkChain(header, after: last) }
    guard let path = options.format.path(from: header.format) else {
      throw fault(
        .olderFormat, seq: line.seq,
        "it is in format \(header.format), which nothing lifts to format \(options.format.version)")
    }
    upcasters = path
    self.header = header
    hasCRC = header.hasCRC
    return line
  }

  private func checkChain(_ header: LogSegmentHeader, after last: LogTail) throws(LogError) {
    guard let previous = header.previous else {
      throw fault(.chainBroken, seq: header.firstSeq, "it doesn't say which segment it follows")
    }
    guard previous.seq == header.firstSeq - 1 else {
      throw fault(.chainBroken, seq: header.firstSeq, "it follows seq \(previous.seq)")
    }
    if last.seq == previous.seq {
      guard previous.crc == nil || previous.crc == last.crc else {
        throw fault(
          .chainBroken, seq: header.firstSeq,
          "the segment before ends in crc \(Hex.text(last.crc)), it should in \(Hex.text(previous.crc ?? 0))")
      }
      return
    }
    if losses.last?.seqs.upperBound == previous.seq { return }
    guard last.seq < previous.seq, last.seq >= previous.syncedSeq else {
      throw fault(
        .chainBroken, seq: header.firstSeq, "the segment before ends at seq \(last.seq), it should at \(previous.seq)")
    }
    // The segment ends early, and where it ends was never synced.
    losses.append(Loss(file: lastFile, line: nil, seqs: last.seq + 1...previous.seq))
  }

  /// After a fault: goes on with the next segment if that says that what is at fault was never synced.
  private func passOver(_ error: LogError) throws(LogError) -> Bool {
    guard error.isOfBytes, isDirectory, !isFirstOfSegment, let last, let previous = followingPrevious() else {
      return false
    }
    guard last.seq >= previous.syncedSeq, last.seq < previous.seq else { return false }
    losses.append(Loss(file: file, line: error.line, seqs: last.seq + 1...previous.seq))
    try openNext()
    return true
  }

  /// What the next segment says about this one, if there is one that can be read.
  private func followingPrevious() -> LogSegmentHeader.Previous? {
    guard let following = segments.first else { return nil }
    do throws(LogError) {
      let lines = try following.found(storage).lines(storage, options)
      defer { withExtendedLifetime(lines) {} }
      guard let bytes = try lines.next() else { return nil }
      return try LogSegmentHeader(firstLine: bytes, file: following.path, format: options.format).previous
    } catch {
      // What is wrong there will be told in its turn; here the fault before it counts.
      return nil
    }
  }
}

extension LogError {
  /// Whether the bytes are at fault, and not the system or the reader's limits.
  var isOfBytes: Bool {
    switch code {
    case .damagedLine, .sequenceBroken, .lineTooLong, .damagedArchive: true
    default: false
    }
  }
}
