extension LogWriter {
  /// Creates a new log in a single file.
  ///
  /// The file appears with its first line complete and synced, or not at all.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which must not exist.
  ///   - now: The time of the first line, in milliseconds.
  ///   - policy: The policy for syncs.
  ///   - hasCRC: Whether each line has a CRC.
  ///   - storage: The file system.
  /// - Throws: ``LogError/Code/alreadyExists``, ``LogError/Code/writeFailed``.
  package static func create(
    path: String, at now: Int64, policy: SyncPolicy, hasCRC: Bool = true, storage: any LogStorage = SystemStorage()
  ) throws(LogError) -> LogWriter {
    let isTaken: Bool
    do throws(StorageError) {
      isTaken = try storage.kind(of: path) != .nothing
    } catch {
      throw LogError(.unreadable, file: path, error)
    }
    guard !isTaken else { throw LogError(.alreadyExists, file: path, reason: "a new log can't be created there") }

    let head = SegmentHead(LogSegmentHeader(hasCRC: hasCRC, firstSeq: 0), at: now, path: path)
    do throws(StorageError) {
      try head.prepare(storage)
      return try head.begin(policy: policy, storage: storage)
    } catch {
      throw LogError(.writeFailed, file: path, error)
    }
  }

  /// Opens a log in a single file for appending, after repairing it; see ``LogRecovery``.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - policy: The policy for syncs.
  ///   - storage: The file system.
  ///   - options: The options for reading.
  ///   - visit: Called with each valid line, so that the log is read only once.
  /// - Throws: ``LogError``, such as ``LogError/Code/damagedLine`` for damage that a crash can't explain.
  package static func open(
    path: String, policy: SyncPolicy, storage: any LogStorage = SystemStorage(),
    options: LogReader.Options = LogReader.Options(), visit: (LogLine) throws(LogError) -> Void = { _ in }
  ) throws(LogError) -> (writer: LogWriter, recovery: LogRecovery) {
    let recovery = SegmentRecovery(path: path, storage: storage, options: options)
    let outcome = try recovery.run(visit: visit)
    let isSealed = path.hasSuffix(LogFileName.packedSuffix)
    let ending: Ending? = isSealed ? .sealed : outcome.header.format < options.format.version ? .olderFormat : nil
    do throws(StorageError) {
      let file = try storage.open(path, ending == nil ? .update : .read)
      // The lines and the name from a killed process may be only in the system's cache.
      if ending == nil { try file.synchronize() }
      try storage.synchronize(directory: Path.directory(of: path))
      let writer = LogWriter(
        file: file, path: path, byteCount: outcome.byteCount, last: outcome.last, chain: outcome.chain,
        isMarkDue: ending == nil, hasCRC: outcome.header.hasCRC, policy: policy, ending: ending)
      var report = LogRecovery()
      report.torn = outcome.torn
      return (writer, report)
    } catch {
      throw LogError(.syncFailed, file: path, error)
    }
  }
}

/// The first lines of a segment: `segment.opened`, and optionally a snapshot and a sync mark for both.
///
/// The mark is valid as soon as the segment is visible, because the segment gets its name only after a sync.
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
    guard batch.count > 0 else { return }
    var mark = SyncMark(through: batch.last.seq)
    if batch.hasCRC {
      mark.chain = chain.value
      mark.sums = chain.sums
    }
    batch.addSynced(mark, at: batch.last.at)
  }

  private var chain: LogChain {
    var chain = LogChain()
    batch.extend(&chain)
    return chain
  }

  /// Writes the lines under a temporary name and syncs them. A failure has no effect.
  func prepare(_ storage: any LogStorage) throws(StorageError) {
    try storage.prepare(path) { file throws(StorageError) in
      try batch.bytes.withBytes { bytes throws(StorageError) in try file.writeAll(bytes, at: 0) }
    }
  }

  /// Renames the segment to its final name. After a failure, it may have either name.
  func begin(policy: LogWriter.SyncPolicy, storage: any LogStorage) throws(StorageError) -> LogWriter {
    try storage.commit(path)
    return LogWriter(
      file: try storage.open(path, .update), path: path, byteCount: Int64(batch.bytes.count), last: batch.last,
      chain: chain, isMarkDue: false, hasCRC: batch.hasCRC, policy: policy)
  }
}
