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
    let head = SegmentHead(LogSegmentHeader(hasCRC: hasCRC, firstSeq: 0), at: now, path: path)
    return try head.begin(policy: policy, storage: storage)
  }
}

/// The lines that a segment begins with: `segment.opened`, then perhaps a snapshot and the mark that vouches for both.
///
/// The mark is true from the moment when the segment can be seen, for only then does it get its name, after a sync.
struct SegmentHead {
  private var batch: LogBatch
  private let path: String

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

  /// Makes the segment.
  func begin(policy: LogWriter.SyncPolicy, storage: any LogStorage) throws(LogError) -> LogWriter {
    let isTaken: Bool
    do throws(StorageFault) {
      isTaken = try storage.kind(of: path) != .nothing
    } catch {
      throw LogError(.unreadable, file: path, error)
    }
    guard !isTaken else {
      throw LogError(.alreadyExists, file: path, reason: "a new segment was to be made there")
    }
    do throws(StorageFault) {
      try storage.publish(path) { file throws(StorageFault) in
        try batch.bytes.withBytes { bytes throws(StorageFault) in try file.writeAll(bytes, at: 0) }
      }
      return LogWriter(
        file: try storage.open(path, .update), path: path, byteCount: Int64(batch.bytes.count), last: batch.last,
        syncedSeq: batch.last.seq, isMarkDue: false, hasCRC: batch.hasCRC, policy: policy)
    } catch {
      throw LogError(.writeFailed, file: path, error)
    }
  }
}
