public import ContrailCore
public import ContrailLog

/// Reads a recording: a log's lines, each with the event that it says.
///
/// A recording is a `.jsonl` file, a sealed `.jsonl.xz`, or a directory of such segments. Memory is that of one line, whatever the
/// recording's length.
public final class RecordingReader {
  /// A line and the event that it says.
  public struct Entry {
    /// `seq`, `at` and the event.
    public let record: Record
    /// The file that the line stands in.
    public let file: String
    /// The number of the line in its file, the first being 1.
    public let line: Int
    /// The line as it stands; it holds good until the next one is read.
    public let source: LogLine
    /// Whether the log's lines carry their crc, so that a program wrote them and their spelling is canonical.
    public let isSealedByCRC: Bool
    /// What the file gives from which the line says that airports were loaded.
    public let airports: AirportsFinding
  }

  /// What follows the last whole line: a line that was cut short, as a crash in the middle of a write leaves it.
  public struct TornTail: Hashable, Sendable {
    public let file: String
    /// The number of the line that was cut.
    public let line: Int
    /// The `seq` of the last whole line.
    public let lastSeq: Int64
    /// How many bytes were set aside.
    public let byteCount: Int64
  }

  /// The path that was opened.
  public let path: String
  /// What was set aside at the end, if a line was cut there.
  public var tornTail: TornTail? { tail }

  /// Private, for it is asked for at each line: access to what others may see is checked as the program runs.
  private var tail: TornTail?
  private var failure: UnreadableRecording?
  private let reader: LogReader
  private let storage: any LogStorage
  private let isDirectory: Bool
  /// In the log's directory, or beside a log that is one file.
  private let blobs: BlobStore
  /// The file of airports that came last.
  private var airportsFile: Input.AirportsDownloaded?

  /// Opens a recording.
  ///
  /// - Parameter unpacksAhead: Whether what is sealed is unpacked on another thread, some blocks ahead.
  /// - Throws: ``UnreadableRecording``, where nothing is there or it is no log.
  public convenience init(
    path: String, storage: any LogStorage = POSIXStorage(), unpacksAhead: Bool = false
  ) throws(UnreadableRecording) {
    try self.init(path: path, blobsBeside: path, storage: storage, unpacksAhead: unpacksAhead)
  }

  /// Opens a recording whose blobs are in the folder beside another file.
  init(
    path: String, blobsBeside home: String, storage: any LogStorage, unpacksAhead: Bool
  ) throws(UnreadableRecording) {
    self.path = path
    isDirectory = (try? storage.kind(of: path)) == .directory
    self.storage = storage
    do throws(LogError) {
      var options = LogReader.Options()
      options.unpacksAhead = unpacksAhead
      reader = try LogReader(path: path, storage: storage, options: options)
    } catch {
      guard isDirectory, error.code == .notALog else { throw UnreadableRecording(error) }
      throw UnreadableRecording(noRecordingIn: path)
    }
    let folder = isDirectory ? path : Path.directory(of: home)
    blobs = BlobStore(directory: Path.join(folder, "blobs"), storage: storage)
  }

  /// Bytes of lines read so far, line feeds included; of a sealed recording, unpacked.
  public var byteCount: Int64 { reader.byteCount }

  /// What a failed sync lost, and a snapshot stands in for.
  public var losses: [LogReader.Loss] { reader.losses }

  /// What was left out so far.
  public var setAside: SetAside { SetAside(tornTail: tail, losses: reader.losses) }

  /// The file that the last line stands in, and its number there.
  var file: String { reader.file }
  var lineNumber: Int { reader.line }
  /// Whether that file's lines carry their crc.
  var isSealedByCRC: Bool { reader.header?.hasCRC ?? false }

  /// The `seq` of the last line read, or nil before the first.
  public var lastSeq: Int64? { reader.last?.seq }

  /// The next line as it stands, or nil at the end.
  ///
  /// A line that was cut short at the recording's end is set aside, and the recording ends before it; see ``tornTail``. Where
  /// segments follow, it is a fault as any other.
  ///
  /// - Throws: The first ``UnreadableRecording`` that there is; the same one from then on.
  public func nextLine() throws(UnreadableRecording) -> LogLine? {
    if tail != nil { return nil }
    if let failure { throw failure }
    do throws(LogError) {
      return try reader.next()
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
  }

  /// The last `seq` that a line may have.
  private static let lastPossibleSeq: Int64 = 1 << 62

  /// Whether a line's number and time are such as a log can have.
  func isPossible(_ line: LogLine) -> Bool {
    (0...State.maximumMS).contains(line.at) && line.seq <= Self.lastPossibleSeq
  }

  /// The event that a line says.
  ///
  /// - Throws: ``UnreadableRecording`` where it says none, where a blob is missing, or where its number or time is beyond what
  ///   can be: those who reckon with them need not look for overflow.
  public func entry(_ line: LogLine) throws(UnreadableRecording) -> Entry {
    let kind = Kind(line.kind)
    let event = try event(line, kind)
    let airports = kind?.isOfAirportsFile == true ? try airports(event, seq: line.seq) : .unchecked
    return Entry(
      record: Record(seq: line.seq, at: line.at, event: event), file: file, line: lineNumber, source: line,
      isSealedByCRC: isSealedByCRC, airports: airports)
  }

  /// The event that a line of a kind says.
  func event(_ line: LogLine, _ kind: Kind?) throws(UnreadableRecording) -> Event {
    guard isPossible(line) else {
      throw UnreadableRecording(
        code: "outOfRange", file: file, line: lineNumber, seq: line.seq,
        reason: "its time is \(line.at) ms, its seq \(line.seq)",
        advice: "Times go from 1970 to the year 10,000. Mend the line.")
    }
    var missing: UnreadableRecording?
    let event: Event
    do throws(EventFault) {
      guard let kind else { throw EventFault.unknownKind(line.kindName) }
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

  /// Reads the file anew from which airports were loaded.
  ///
  /// - Throws: ``UnreadableRecording`` where it is missing, or its bytes aren't those that its name says.
  func airports(_ event: Event, seq: Int64) throws(UnreadableRecording) -> AirportsFinding {
    switch event {
    case .input(.airportsDownloaded(let file)): airportsFile = file
    case .input(.airportsLoaded(let loaded)):
      guard let file = airportsFile, file.edition == loaded.edition else { break }
      return AirportsFinding(try blob(file.blob, seq: seq), of: file.edition)
    default: break
    }
    return .unchecked
  }

  /// The next line and its event, or nil at the end.
  public func next() throws(UnreadableRecording) -> Entry? {
    guard let line = try nextLine() else { return nil }
    return try entry(line)
  }

  // MARK: A cut line

  /// Only a line without its line feed at the very end of a plain file was cut; anything else is damage.
  private func torn(_ error: LogError) -> TornTail? {
    guard error.code == .damagedLine, error.file == reader.file, let last = reader.last, reader.line > 1 else {
      return nil
    }
    do throws(StorageFault) {
      let file = try storage.open(reader.file, .read)
      let size = try file.size()
      guard size > reader.offset, try !hasLineFeed(file, from: reader.offset, to: size) else { return nil }
      return TornTail(file: reader.file, line: reader.line, lastSeq: last.seq, byteCount: size - reader.offset)
    } catch {
      return nil
    }
  }

  private func hasLineFeed(_ file: any LogFile, from start: Int64, to end: Int64) throws(StorageFault) -> Bool {
    var block = [UInt8](repeating: 0, count: 64 << 10)
    var offset = start
    while offset < end {
      let count = try block.withUnsafeMutableBufferPointer { (buffer) throws(StorageFault) in
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
    guard let id = BlobStore.ID(name.sha256) else { throw refuse(.blobMissing, "its blob's name is no SHA-256") }
    do throws(LogError) {
      return try blobs.bytes(of: id, count: name.byteCount)
    } catch {
      throw refuse(error.code, "blob \(error.file): \(error.reason)")
    }
  }
}
