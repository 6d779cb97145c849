/// A log in a directory of segments, open for writing by one owner.
///
///     000000000000.jsonl.xz   compressed
///     000000004711.jsonl      to be compressed
///     000000009001.jsonl      written
///     blobs/<sha256>          bodies that don't fit into a line
///     lock                    held while the log is open; contains the process ID
///
/// Each segment starts with `segment.opened` and, except for the first, a snapshot, so that it replays independently.
/// The sequence of lines continues through all segments.
///
/// ```swift
/// let log = try LogDirectory(path: directory, at: now, policy: .interval(milliseconds: 1000)) { line in fold(line) }
/// var batch = log.writer.batch()
/// …
/// try log.writer.append(batch)
/// if log.writer.byteCount > 8 << 20 || log.writer.isEnded {
///   try log.roll(at: now) { batch throws(LogError) in … }
///   for segment in try log.sealable() { _ = try segment.sealed() }
/// }
/// ```
package final class LogDirectory {
  /// The path of the directory.
  package let path: String
  /// The repairs made while opening.
  package private(set) var recovery = LogRecovery()
  /// The writer of the newest segment. Each ``roll(at:snapshot:)`` replaces it.
  package private(set) var writer: LogWriter
  /// Not public: retention could remove a blob that is put without ``putBlob(_:)`` as unreferenced.
  let blobs: BlobStore

  let storage: any LogStorage
  let options: LogReader.Options
  private let policy: LogWriter.SyncPolicy
  private let lock: any LogLock
  /// The size of the newest segment when it began, with its snapshot; 0 if an earlier process began it.
  private var snapshotBytes: Int64 = 0
  /// The blobs put since the log was opened. A line that refers to them may not be written yet.
  private(set) var freshBlobs: Set<BlobStore.ID> = []
  /// The blobs that each finished segment refers to, by the segment's first `seq`.
  var blobsNamed: [Int64: Set<BlobStore.ID>] = [:]

  /// Opens the log in a directory and repairs it. Creates the directory if needed.
  ///
  /// - Parameters:
  ///   - path: The path of the directory.
  ///   - now: The time of the first line of a new log, in milliseconds.
  ///   - policy: The policy for syncs.
  ///   - storage: The file system.
  ///   - options: The options for reading.
  ///   - visit: Called with each valid line of the newest segment, starting with `segment.opened`. These lines are
  ///     sufficient to restore the state.
  /// - Throws: ``LogError``: ``LogError/Code/locked`` if the log is already open for writing;
  ///   ``LogError/Code/damagedLine`` and others for damage that a crash can't explain.
  package init(
    path: String, at now: Int64, policy: LogWriter.SyncPolicy, storage: any LogStorage = SystemStorage(),
    options: LogReader.Options = LogReader.Options(), visit: (LogLine) throws(LogError) -> Void = { _ in }
  ) throws(LogError) {
    self.path = path
    self.policy = policy
    self.storage = storage
    self.options = options
    blobs = BlobStore(ofLogIn: path, storage: storage)
    lock = try Self.lock(path, storage)

    let newest: LogSegment?
    var removed: [String] = []
    do throws(StorageError) {
      removed = try storage.removeTemporaryFiles(in: path)
      removed += try blobs.removeTemporaryFiles()
      removed += try Self.removeUnfinishedSeals(path, storage)
      newest = try LogSegment.all(in: path, storage).last
    } catch {
      throw LogError(.unreadable, file: path, error)
    }
    if let newest {
      (writer, recovery) = try LogWriter.open(
        path: newest.path, policy: policy, storage: storage, options: options, visit: visit)
    } else {
      writer = try LogWriter.create(
        path: Path.join(path, LogFileName.plain(first: 0)), at: now, policy: policy, storage: storage)
      let reader = try LogReader(path: path, storage: storage, options: options)
      while let line = try reader.next() { try visit(line) }
    }
    recovery.removedFiles = removed
  }

  private static func lock(_ path: String, _ storage: any LogStorage) throws(LogError) -> any LogLock {
    do throws(StorageError) {
      try storage.makeDirectory(path)
      return try storage.lock(Path.join(path, LogFileName.lock))
    } catch {
      guard error.isHeldElsewhere else { throw LogError(.writeFailed, file: path, error) }
      throw LogError(
        .locked, file: path, reason: "the log is already open for writing, \(error.message)",
        errorNumber: error.errorNumber)
    }
  }

  /// Removes the compressed file of each segment that also exists uncompressed, because its compression was
  /// interrupted.
  private static func removeUnfinishedSeals(_ path: String, _ storage: any LogStorage) throws(StorageError) -> [String]
  {
    let names = Set(try storage.names(in: path))
    var removed: [String] = []
    for name in names where LogFileName.segment(name)?.isSealed == false {
      let sealed = name + LogFileName.packedSuffix
      guard names.contains(sealed) else { continue }
      try storage.remove(Path.join(path, sealed))
      removed.append(Path.join(path, sealed))
    }
    if !removed.isEmpty { try storage.synchronize(directory: path) }
    return removed
  }

  // MARK: Segments

  /// Returns the existing segments, oldest first. The last one is being written.
  ///
  /// - Throws: ``LogError/Code/unreadable``.
  package func segments() throws(LogError) -> [LogSegment] {
    do throws(StorageError) {
      return try LogSegment.all(in: path, storage)
    } catch {
      throw LogError(.unreadable, file: path, error)
    }
  }

  /// Returns the finished segments that are not yet compressed.
  ///
  /// - Throws: ``LogError/Code/unreadable``.
  package func sealable() throws(LogError) -> [LogSegment] {
    try segments().filter { !$0.isSealed && $0.path != writer.path }
  }

  /// Ends the current segment and starts a new one with a snapshot.
  ///
  /// The new segment appears complete and synced, or not at all. After a failed sync, this is the way to continue: the
  /// new segment states up to which line the old one is reliable, and its snapshot replaces the rest.
  ///
  /// - Parameters:
  ///   - now: The time, in milliseconds.
  ///   - snapshot: Adds the lines of the snapshot, `snapshot.part` and `snapshot.ended`, which must restore the state
  ///     without earlier lines.
  /// - Throws: ``LogError/Code/writeFailed``. The old segment continues, unless ``LogWriter/isEnded``. A retry is
  ///   allowed in both cases.
  package func roll(
    at now: Int64, snapshot: (inout LogBatch) throws(LogError) -> Void
  ) throws(LogError) {
    let previous = try writer.finish(at: now)
    let header = LogSegmentHeader(hasCRC: true, firstSeq: previous.seq + 1, previous: previous)
    let path = Path.join(path, LogFileName.plain(first: header.firstSeq))
    var head = SegmentHead(header, at: max(now, writer.last.at), path: path)
    try head.add(snapshot: snapshot)
    do throws(StorageError) {
      try head.prepare(storage)
    } catch {
      throw LogError(.writeFailed, file: path, error)
    }
    do throws(StorageError) {
      writer = try head.begin(policy: policy, storage: storage)
    } catch {
      writer.endForRoll()
      throw LogError(.writeFailed, file: path, error)
    }
    snapshotBytes = writer.byteCount
  }

  /// Whether a new segment should begin before the next line: this one is as large as segments may be, and its own lines are as many
  /// bytes as its snapshot, since otherwise each line would begin another one if the snapshot alone is larger; or it can't go on.
  package func isFull(segmentBytes: Int64) -> Bool {
    writer.byteCount > max(segmentBytes, 2 * snapshotBytes) || writer.isEnded
  }

  // MARK: Blobs

  /// Stores a body that doesn't fit into a line. It is on stable storage when this method returns.
  ///
  /// - Throws: ``LogError/Code/writeFailed``.
  package func putBlob(_ bytes: [UInt8]) throws(LogError) -> BlobStore.ID {
    let id = try blobs.put(bytes)
    freshBlobs.insert(id)
    return id
  }

  /// Returns the bytes of a blob after checking their hash.
  ///
  /// - Parameters:
  ///   - id: The ID of the blob.
  ///   - count: The expected number of bytes, if the referring line states it.
  /// - Throws: ``LogError/Code/blobMissing``, ``LogError/Code/blobDamaged``, ``LogError/Code/unreadable``.
  package func blob(_ id: BlobStore.ID, count: Int? = nil) throws(LogError) -> [UInt8] {
    try blobs.bytes(of: id, count: count)
  }
}
