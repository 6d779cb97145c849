/// A log in a directory of segments, open for writing by one owner.
///
///     000000000000.jsonl.xz   sealed
///     000000004711.jsonl      to be sealed
///     000000009001.jsonl      written
///     blobs/<sha256>          bodies that don't fit into a line
///     lock                    held while the log is open; names the process
///
/// Each segment begins with `segment.opened` and, save the first, a snapshot, so that it replays alone. The log goes
/// through them all, as if it were one.
///
/// ```swift
/// let log = try LogDirectory(path: directory, at: now, policy: .interval(milliseconds: 1000)) { line in fold(line) }
/// var batch = log.writer.batch()
/// …
/// try log.writer.append(batch)
/// if log.writer.byteCount > 8 << 20 || log.writer.isEnded {
///   try log.roll(at: now) { batch throws(LogError) in … }
///   for segment in log.sealable { _ = try segment.sealed() }
/// }
/// ```
public final class LogDirectory {
  /// The directory.
  public let path: String
  /// What opening found and put in order.
  public private(set) var recovery = LogRecovery()
  /// Appends to the newest segment; another one after each ``roll(at:snapshot:)``.
  public private(set) var writer: LogWriter
  /// Not public, for a blob that is put past ``putBlob(_:)`` could be taken for one that no line names.
  let blobs: BlobStore

  let storage: any LogStorage
  let options: LogReader.Options
  private let policy: LogWriter.SyncPolicy
  private let lock: any LogLock
  /// Blobs that were put since the log was opened: a line that names one may yet be written.
  private(set) var freshBlobs: Set<BlobStore.ID> = []
  /// What blobs a segment names that nothing is appended to any more.
  var blobsNamed: [Int64: Set<BlobStore.ID>] = [:]

  /// Opens the log in a directory, which is made if it isn't there, and puts it in order.
  ///
  /// - Parameters:
  ///   - now: The time of the first line of a new log, in milliseconds.
  ///   - visit: Is given each line of the newest segment that stands, the first being `segment.opened`: that and what
  ///     follows is all that is needed to know the state.
  /// - Throws: ``LogError``: ``LogError/Code/locked`` if it is open for writing already; ``LogError/Code/damagedLine`` and
  ///   others for damage that no crash explains.
  public init(
    path: String, at now: Int64, policy: LogWriter.SyncPolicy, storage: any LogStorage = POSIXStorage(),
    options: LogReader.Options = LogReader.Options(), visit: (LogLine) throws(LogError) -> Void = { _ in }
  ) throws(LogError) {
    self.path = path
    self.policy = policy
    self.storage = storage
    self.options = options
    blobs = BlobStore(directory: Path.join(path, LogFileName.blobs), storage: storage)
    lock = try Self.lock(path, storage)

    let newest: LogSegment?
    var removed: [String] = []
    do throws(StorageFault) {
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

  private static func lock(_ path: String, _ storage: some LogStorage) throws(LogError) -> any LogLock {
    do throws(StorageFault) {
      try storage.makeDirectory(path)
      return try storage.lock(Path.join(path, LogFileName.lock))
    } catch {
      guard error.isHeldElsewhere else { throw LogError(.writeFailed, file: path, error) }
      throw LogError(
        .locked, file: path, reason: "the log is open for writing, \(error.message)", errorNumber: error.errorNumber)
    }
  }

  /// Where a segment stands there both plain and sealed, sealing was interrupted before the plain one was removed: that
  /// one counts, and the other goes.
  private static func removeUnfinishedSeals(_ path: String, _ storage: some LogStorage) throws(StorageFault) -> [String]
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

  /// The segments there are, oldest first; the last is the one that is written.
  ///
  /// - Throws: ``LogError/Code/unreadable``.
  public func segments() throws(LogError) -> [LogSegment] {
    do throws(StorageFault) {
      return try LogSegment.all(in: path, storage)
    } catch {
      throw LogError(.unreadable, file: path, error)
    }
  }

  /// The segments that nothing is appended to any more and that aren't sealed yet.
  ///
  /// - Throws: ``LogError/Code/unreadable``.
  public func sealable() throws(LogError) -> [LogSegment] {
    try segments().filter { !$0.isSealed && $0.path != writer.path }
  }

  /// Ends the segment that is written and begins a new one with a snapshot.
  ///
  /// The new segment appears with its snapshot whole and synced, or not at all. This is also the way on after a sync has
  /// failed: the new segment says from where on the old one can't be relied upon, and its snapshot stands in for that.
  ///
  /// - Parameters:
  ///   - now: The time, in milliseconds.
  ///   - snapshot: Adds the lines of the snapshot, `snapshot.part` and `snapshot.ended`, from which the state can be told
  ///     without any line before.
  /// - Throws: ``LogError/Code/writeFailed``. The old segment goes on unless ``LogWriter/isEnded``; trying again is
  ///   allowed either way.
  public func roll(
    at now: Int64, snapshot: (inout LogBatch) throws(LogError) -> Void
  ) throws(LogError) {
    let previous = try writer.finish(at: now)
    let header = LogSegmentHeader(hasCRC: true, firstSeq: previous.seq + 1, previous: previous)
    let path = Path.join(path, LogFileName.plain(first: header.firstSeq))
    var head = SegmentHead(header, at: max(now, writer.last.at), path: path)
    try head.add(snapshot: snapshot)
    do throws(StorageFault) {
      try head.prepare(storage)
    } catch {
      throw LogError(.writeFailed, file: path, error)
    }
    do throws(StorageFault) {
      writer = try head.begin(policy: policy, storage: storage)
    } catch {
      writer.endForRoll()
      throw LogError(.writeFailed, file: path, error)
    }
  }

  // MARK: Blobs

  /// Keeps a body that doesn't fit into a line; on stable storage when this returns, so that a line may name it.
  ///
  /// - Throws: ``LogError/Code/writeFailed``.
  public func putBlob(_ bytes: [UInt8]) throws(LogError) -> BlobStore.ID {
    let id = try blobs.put(bytes)
    freshBlobs.insert(id)
    return id
  }

  /// The bytes of a blob, whose hash has been checked.
  ///
  /// - Parameter count: How many bytes it must have, if the line that names it says so.
  /// - Throws: ``LogError/Code/blobMissing``, ``LogError/Code/blobDamaged``, ``LogError/Code/unreadable``.
  public func blob(_ id: BlobStore.ID, count: Int? = nil) throws(LogError) -> [UInt8] {
    try blobs.bytes(of: id, count: count)
  }
}
