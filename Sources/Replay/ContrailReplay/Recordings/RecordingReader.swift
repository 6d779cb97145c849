package import ContrailCore
package import ContrailLog

/// Reads the lines of a recording and the events they contain.
///
/// A recording is a `.jsonl` file, a compressed `.jsonl.xz` file, or a directory of such segments. The reader holds one
/// line in memory, whatever the length of the recording.
package final class RecordingReader {
  /// A line and its event.
  package struct Entry {
    /// The `seq`, the time and the event.
    package let record: Record
    /// The file that contains the line.
    package let file: String
    /// The one-based line number in the file.
    package let line: Int
    /// The line as written. It is valid until the next line is read.
    package let source: LogLine
    /// Whether the lines of the log have a CRC. A program then wrote them, and their encoding is canonical.
    package let hasCRC: Bool
    /// The result of reading the airport file again, if the line records that it was loaded.
    package let airports: AirportsFinding
  }

  /// A truncated last line, as a crash during a write leaves it.
  package struct TornTail: Hashable, Sendable {
    package let file: String
    /// The number of the truncated line.
    package let line: Int
    /// The `seq` of the last complete line.
    package let lastSeq: Int64
    /// The number of skipped bytes.
    package let byteCount: Int64
  }

  /// The path of the recording.
  package let path: String
  /// The skipped last line, if it is truncated.
  package var tornTail: TornTail? { tail }

  /// Private because it is read for every line: exclusive access to private storage is checked at compile time.
  private var tail: TornTail?
  private var failure: UnreadableRecording?
  private let reader: LogReader
  private let storage: any LogStorage
  private var isDirectory: Bool { reader.isDirectory }
  /// The blobs in the directory of the log, or beside a log in one file.
  private let blobs: BlobStore
  /// The time of the last line.
  private var lastAt = Int64.min
  /// The airport file that was downloaded last.
  private var airportsFile: Input.AirportsDownloaded?
  private let findings: AirportsFinding.Memory?

  /// Opens a recording.
  ///
  /// - Parameters:
  ///   - path: The path of the recording.
  ///   - storage: The file system.
  ///   - unpacksAhead: Whether compressed data is decompressed on another thread, a few blocks ahead.
  ///   - maximumLineBytes: The maximum length of a line. A longer line is an error.
  /// - Throws: ``UnreadableRecording`` if the path doesn't exist or isn't a log.
  package convenience init(
    path: String, storage: any LogStorage = SystemStorage(), unpacksAhead: Bool = false,
    maximumLineBytes: Int = LogReader.Options.defaultMaximumLineBytes
  ) throws(UnreadableRecording) {
    try self.init(
      path: path, blobsBeside: path, storage: storage, unpacksAhead: unpacksAhead, maximumLineBytes: maximumLineBytes)
  }

  /// Opens a recording whose blobs are in the folder beside another file.
  ///
  /// - Parameter findings: Known results of airport files; nil to read each file again.
  init(
    path: String, blobsBeside home: String, storage: any LogStorage, unpacksAhead: Bool,
    maximumLineBytes: Int = LogReader.Options.defaultMaximumLineBytes, findings: AirportsFinding.Memory? = nil
  ) throws(UnreadableRecording) {
    self.path = path
    self.findings = findings
    self.storage = storage
    do throws(LogError) {
      var options = LogReader.Options()
      options.unpacksAhead = unpacksAhead
      options.maximumLineBytes = maximumLineBytes
      reader = try LogReader(path: path, storage: storage, options: options)
    } catch {
      guard error.code == .notALog, (try? storage.kind(of: path)) == .directory else {
        throw UnreadableRecording(error)
      }
      throw UnreadableRecording(noRecordingIn: path)
    }
    blobs = BlobStore(ofLogIn: reader.isDirectory ? path : Path.directory(of: home), storage: storage)
  }

  /// The number of bytes in the lines read so far, with line feeds. Compressed data counts as decompressed.
  package var byteCount: Int64 { reader.byteCount }

  /// The lines that a failed sync lost and a snapshot replaces.
  package var losses: [LogReader.Loss] { reader.losses }

  /// The parts skipped so far.
  package var setAside: SetAside { SetAside(tornTail: tail, losses: reader.losses) }

  /// The file of the last line.
  var file: String { reader.file }
  var lineNumber: Int { reader.line }
  /// The offset of the last line in that file, after decompression.
  var lineOffset: Int64 { reader.offset }
  /// Whether the lines of that file have a CRC.
  var hasCRC: Bool { reader.header?.hasCRC ?? false }

  /// The `seq` of the last line, or `nil` before the first.
  package var lastSeq: Int64? { reader.last?.seq }

  /// Returns the next line as written, or `nil` at the end.
  ///
  /// A truncated line at the end of the recording is skipped and available as ``tornTail``. A truncated line in an
  /// earlier segment is an error.
  ///
  /// - Throws: ``UnreadableRecording`` for the first error. Later calls throw the same error.
  package func nextLine() throws(UnreadableRecording) -> LogLine? {
    if tail != nil { return nil }
    if let failure { throw failure }
    let next: LogLine?
    do throws(LogError) {
      next = try reader.next()
    } catch {
      let cut = torn(error)
      let unread = isDirectory ? reader.countUnread() : nil
      if let cut, unread?.segments.isEmpty ?? true {
        tail = cut
        return nil
      }
      var fault = cut.map { UnreadableRecording(cutShort: $0) } ?? UnreadableRecording(error)
      if let unread { fault = fault.followed(by: unread.lineCount, next: unread.segments.first?.path) }
      failure = fault
      throw fault
    }
    guard let next else { return nil }
    if let fault = fault(in: next) {
      failure = fault
      throw fault
    }
    lastAt = next.at
    return next
  }

  /// Returns the error of a line that no program writes: its time is before that of the previous line, or it opens a
  /// segment in the middle of a file.
  ///
  /// Segments that were joined to one file are valid if each begins with its header.
  private func fault(in line: LogLine) -> UnreadableRecording? {
    func refuse(_ code: String, _ reason: String) -> UnreadableRecording {
      UnreadableRecording(
        code: code, file: file, line: lineNumber, seq: line.seq, reason: reason,
        advice: "Correct the line if it was written by hand. Otherwise report a bug: the program that wrote it is at "
          + "fault, not the disk.")
    }
    if line.at < lastAt {
      return refuse("timeWentBack", "its time \(line.at) is before the time \(lastAt) of the previous line")
    }
    guard line.isKind(LogKind.segmentOpened), lineNumber > 1 else { return nil }
    return reader.headerFault(line).map { refuse("segmentMisplaced", $0) }
  }

  /// The largest valid `seq`.
  private static let lastPossibleSeq: Int64 = 1 << 62

  /// Returns whether the `seq` and the time of a line are in the valid range.
  func isPossible(_ line: LogLine) -> Bool {
    (0...State.maximumMS).contains(line.at) && line.seq <= Self.lastPossibleSeq
  }

  /// Decodes a line.
  ///
  /// - Throws: ``UnreadableRecording`` if the line contains no event, a blob is missing, or the `seq` or the time is
  ///   out of range. Callers can calculate with them without checking for overflow.
  package func entry(_ line: LogLine) throws(UnreadableRecording) -> Entry {
    let kind = Kind(line.kind)
    let event = try event(line, kind)
    let airports = kind?.isOfAirportsFile == true ? try airports(event, seq: line.seq) : .unchecked
    return Entry(
      record: Record(seq: line.seq, at: line.at, event: event), file: file, line: lineNumber, source: line,
      hasCRC: hasCRC, airports: airports)
  }

  /// Decodes a line that was read before, from a copy of its bytes, which need the padding of the reader's own lines.
  ///
  /// - Throws: ``UnreadableRecording`` if the bytes aren't those of the line.
  func entry(rereading bytes: UnsafeRawBufferPointer) throws(UnreadableRecording) -> Record {
    let line: LogLine
    do throws(LogError) {
      line = try reader.reread(bytes)
    } catch {
      throw UnreadableRecording(error)
    }
    return Record(seq: line.seq, at: line.at, event: try event(line, Kind(line.kind)))
  }

  /// Decodes the event of a line.
  func event(_ line: LogLine, _ kind: Kind?) throws(UnreadableRecording) -> Event {
    guard isPossible(line) else {
      throw UnreadableRecording(
        code: "outOfRange", file: file, line: lineNumber, seq: line.seq,
        reason: "the time \(line.at) ms or the seq \(line.seq) is out of range",
        advice: "Times range from 1970 to the year 10,000. Correct the line.")
    }
    var missing: UnreadableRecording?
    let event: Event
    do throws(EventError) {
      guard let kind else { throw EventError.unknownKind(line.kindName) }
      event = try Event(kind: kind, payload: line.payload) { name in
        do throws(UnreadableRecording) {
          return try self.blob(name, seq: line.seq)
        } catch {
          missing = error
          return nil
        }
      }
    } catch {
      throw UnreadableRecording(error, file: file, line: lineNumber, seq: line.seq)
    }
    if let missing { throw missing }
    return event
  }

  /// Reads the file again from which airports were loaded.
  ///
  /// - Throws: ``UnreadableRecording`` if the file is missing or its bytes don't match its name.
  func airports(_ event: Event, seq: Int64) throws(UnreadableRecording) -> AirportsFinding {
    switch event {
    case .input(.airportsDownloaded(let file)): airportsFile = file
    case .input(.airportsLoaded(let loaded)):
      guard let file = airportsFile, file.edition == loaded.edition else { break }
      let source = AirportsFinding.File(folder: blobs.directory, name: file.blob, edition: file.edition)
      if let known = findings?.finding(source) { return known }
      let finding = AirportsFinding(try blob(file.blob, seq: seq), of: file.edition)
      findings?.keep(source, finding)
      return finding
    default: break
    }
    return .unchecked
  }

  /// Returns the next line and its event, or `nil` at the end.
  package func next() throws(UnreadableRecording) -> Entry? {
    guard let line = try nextLine() else { return nil }
    return try entry(line)
  }

  // MARK: A cut line

  /// Only a line without a line feed at the end of an uncompressed file is truncated. Anything else is damage.
  private func torn(_ error: LogError) -> TornTail? {
    guard error.code == .damagedLine, error.file == reader.file, let last = reader.last, reader.line > 1 else {
      return nil
    }
    do throws(StorageError) {
      let file = try storage.open(reader.file, .read)
      let size = try file.size()
      guard size > reader.offset, try !hasLineFeed(file, from: reader.offset, to: size) else { return nil }
      return TornTail(file: reader.file, line: reader.line, lastSeq: last.seq, byteCount: size - reader.offset)
    } catch {
      return nil
    }
  }

  private func hasLineFeed(_ file: any LogFile, from start: Int64, to end: Int64) throws(StorageError) -> Bool {
    var block = [UInt8](repeating: 0, count: 64 << 10)
    var offset = start
    while offset < end {
      let count = try block.withUnsafeMutableBufferPointer { (buffer) throws(StorageError) in
        try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      }
      if count == 0 { break }
      if block[..<count].contains(UInt8(ascii: "\n")) { return true }
      offset += Int64(count)
    }
    return false
  }

  // MARK: Blobs

  private func blob(_ name: BlobName, seq: Int64) throws(UnreadableRecording) -> [UInt8] {
    func refuse(_ code: LogError.Code, _ reason: String) -> UnreadableRecording {
      UnreadableRecording(LogError(code, file: reader.file, line: reader.line, seq: seq, reason: reason))
    }
    guard let id = BlobStore.ID(name.sha256) else {
      throw refuse(.blobMissing, "the name of its blob isn't a SHA-256 hash")
    }
    do throws(LogError) {
      return try blobs.bytes(of: id, count: name.byteCount)
    } catch {
      throw refuse(error.code, "blob \(error.file): \(error.reason)")
    }
  }
}
