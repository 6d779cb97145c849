extension LogWriter {
  /// Begins a new log in one file.
  ///
  /// The file appears under its name with its first line whole and synced, or not at all.
  ///
  /// - Parameters:
  ///   - path: Where; nothing must be there yet.
  ///   - now: The time of the first line, in milliseconds.
  ///   - hasCRC: Whether each line carries its crc.
  /// - Throws: ``LogError/Code/alreadyExists``, ``LogError/Code/writeFailed``.
  public static func create(
    path: String, at now: Int64, policy: SyncPolicy, hasCRC: Bool = true, storage: any LogStorage = POSIXStorage()
  ) throws(LogError) -> LogWriter {
    let isTaken: Bool
    do throws(StorageFault) {
      isTaken = try storage.kind(of: path) != .nothing
    } catch {
      throw LogError(.unreadable, file: path, error)
    }
    guard !isTaken else { throw LogError(.alreadyExists, file: path, reason: "a new log was to begin there") }

    let head = SegmentHead(LogSegmentHeader(hasCRC: hasCRC, firstSeq: 0), at: now, path: path)
    do throws(StorageFault) {
      try head.prepare(storage)
      return try head.begin(policy: policy, storage: storage)
    } catch {
      throw LogError(.writeFailed, file: path, error)
    }
  }

  /// Opens a log in one file to append to it, and puts it in order first: what a crash has cut short is set aside and
  /// reported, see ``LogRecovery``.
  ///
  /// - Parameter visit: Is given each line that stands, so that the log is read only once.
  /// - Throws: ``LogError``: among others ``LogError/Code/damagedLine`` for damage that no crash explains.
  public static func open(
    path: String, policy: SyncPolicy, storage: any LogStorage = POSIXStorage(),
    options: LogReader.Options = LogReader.Options(), visit: (LogLine) throws(LogError) -> Void = { _ in }
  ) throws(LogError) -> (writer: LogWriter, recovery: LogRecovery) {
    let recovery = SegmentRecovery(path: path, storage: storage, options: options)
    let outcome = try recovery.run(visit: visit)
    let isSealed = path.hasSuffix(LogFileName.packedSuffix)
    let ending: Ending? = isSealed ? .sealed : outcome.header.format < options.format.version ? .olderFormat : nil
    do throws(StorageFault) {
      let file = try storage.open(path, ending == nil ? .update : .read)
      // What a killed process wrote, and the name it gave, may be in the system's cache only.
      if ending == nil { try file.synchronize() }
      try storage.synchronize(directory: Path.directory(of: path))
      let writer = LogWriter(
        file: file, path: path, byteCount: outcome.byteCount, last: outcome.last, isMarkDue: ending == nil,
        hasCRC: outcome.header.hasCRC, policy: policy, ending: ending)
      var report = LogRecovery()
      report.torn = outcome.torn
      return (writer, report)
    } catch {
      throw LogError(.syncFailed, file: path, error)
    }
  }
}

/// The lines that a segment begins with: `segment.opened`, then perhaps a snapshot and the mark that vouches for both.
///
/// The mark is true from the moment when the segment can be seen, for only then does it get its name, after a sync.
struct SegmentHead {
  private var batch: LogBatch
  let path: String

  init(_ header: LogSegmentHeader, at now: Int64, path: String) {
    self.path = path
    batch = LogBatch(
      after: LogTail(seq: header.firstSeq - 1, crc: 0, at: now), hasCRC: header.hasCRC, path: path)
    batch.addMark(LogKind.segmentOpened, at: now, payload: header.payload)
  }

  /// Lets the caller add the lines of the snapshot.
  mutating func add(snapshot: (inout LogBatch) throws(LogError) -> Void) throws(LogError) {
    try snapshot(&batch)
    if batch.count > 0 { batch.addSynced(through: batch.last.seq, at: batch.last.at) }
  }

  /// Writes the lines under a temporary name and syncs them. When this fails, nothing has happened.
  func prepare(_ storage: some LogStorage) throws(StorageFault) {
    try storage.prepare(path) { file throws(StorageFault) in
      try batch.bytes.withBytes { bytes throws(StorageFault) in try file.writeAll(bytes, at: 0) }
    }
  }

  /// Gives the segment its name. When this fails, it may have it or not.
  func begin(policy: LogWriter.SyncPolicy, storage: some LogStorage) throws(StorageFault) -> LogWriter {
    try storage.commit(path)
    return LogWriter(
      file: try storage.open(path, .update), path: path, byteCount: Int64(batch.bytes.count), last: batch.last,
      isMarkDue: false, hasCRC: batch.hasCRC, policy: policy)
  }
}
