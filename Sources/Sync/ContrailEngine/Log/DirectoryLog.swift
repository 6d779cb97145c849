package import ContrailCore
package import ContrailLog

/// The log of an application: a directory of segments, each of which can be replayed alone.
package final class DirectoryLog: EngineLog {
  private let directory: LogDirectory
  private let segmentBytes: Int64
  private let keptBytes: Int64
  private let sealsSegments: Bool
  private let storage: any LogStorage
  /// The CRCs of lines that were read when the log was opened.
  private let sums: LineSums

  private init(
    _ directory: LogDirectory, _ sums: LineSums, segmentBytes: Int64, keptBytes: Int64, sealsSegments: Bool,
    storage: any LogStorage
  ) {
    self.directory = directory
    self.sums = sums
    self.segmentBytes = segmentBytes
    self.keptBytes = keptBytes
    self.sealsSegments = sealsSegments
    self.storage = storage
  }

  /// Opens the log, recovers it after a crash, and folds its newest segment.
  ///
  /// - Parameters:
  ///   - path: The directory.
  ///   - now: The current time, in milliseconds since 1970.
  ///   - segmentBytes: The approximate maximum size of a segment.
  ///   - keptBytes: The maximum total size. Beyond it, the oldest segments are deleted.
  ///   - sealsSegments: Whether finished segments are compressed. A browser has no codec for it.
  ///   - storage: The file system.
  /// - Throws: ``EngineError``, also if another process has opened the log.
  package static func open(
    path: String, at now: Int64, segmentBytes: Int64 = 8 << 20, keptBytes: Int64 = 256 << 20,
    sealsSegments: Bool = true, storage: any LogStorage = SystemStorage()
  ) throws(EngineError) -> (log: DirectoryLog, state: State, recovery: LogRecovery) {
    var fold = LogFold(blobs: BlobStore(ofLogIn: path, storage: storage))
    var sums = LineSums()
    let directory: LogDirectory
    do throws(LogError) {
      directory = try LogDirectory(path: path, at: now, policy: .interval(milliseconds: 1000), storage: storage) {
        line in
        fold.take(line, file: path)
        sums.add(line)
      }
    } catch {
      throw EngineError(error, isOpening: true)
    }
    let log = DirectoryLog(
      directory, sums, segmentBytes: segmentBytes, keptBytes: keptBytes, sealsSegments: sealsSegments, storage: storage)
    return (log, try fold.finish(), directory.recovery)
  }

  package func batch() -> LogBatch { directory.writer.batch() }

  package func append(_ batch: LogBatch) throws(LogError) { try directory.writer.append(batch) }

  /// Returns the segments, oldest first.
  package func segments() throws(LogError) -> [LogSegment] { try directory.segments() }

  package var tail: LogTail { directory.writer.last }

  /// Returns the CRC of a line, by its `seq`; nil if the log no longer contains it, or it can't be read. Any thread may call it.
  ///
  /// - Complexity: O(1) for one of the last lines that were read when the log was opened, O(*n*) in the segment otherwise.
  package var crc: @Sendable (_ seq: Int64) -> UInt32? {
    { [sums, path = directory.path, storage] seq in
      sums[seq] ?? (try? Self.crc(at: seq, inLogAt: path, storage: storage))
    }
  }

  private static func crc(at seq: Int64, inLogAt path: String, storage: any LogStorage) throws(LogError) -> UInt32? {
    let reader = try LogReader(path: path, from: seq, storage: storage)
    while try reader.next() != nil, let last = reader.last, last.seq <= seq {
      if last.seq == seq { return last.crc }
    }
    return nil
  }

  package func sync(at now: Int64) throws(LogError) { try directory.writer.sync(at: now) }

  package var head: LogHead? { directory.writer.syncedHead }

  package func append(_ signature: LogSignature, at now: Int64) throws(LogError) {
    try directory.writer.append(signature, at: now)
  }

  package func putBlob(_ bytes: [UInt8]) throws(LogError) -> BlobName {
    BlobName(sha256: try directory.putBlob(bytes).digits, byteCount: bytes.count)
  }

  package func blob(_ name: BlobName) throws(LogError) -> [UInt8] {
    try directory.blob(try name.id(), count: name.byteCount)
  }

  package var needsRoll: Bool { directory.isFull(segmentBytes: segmentBytes) }

  package func roll(at now: Int64, snapshot: [Event]) throws(LogError) {
    try begin(at: now, snapshot)
    // These steps only save disk space. If they fail, they are repeated with the next segment.
    do throws(LogError) {
      if sealsSegments {
        for segment in try directory.sealable() { _ = try segment.sealed(storage: storage) }
      }
      _ = try directory.retain(LogRetention(maximumBytes: keptBytes), at: now)
    } catch {}
    // The sync of the mark about retention failed, so that nothing can be appended to the new segment.
    if directory.writer.isEnded { try begin(at: now, snapshot) }
  }

  private func begin(at now: Int64, _ snapshot: [Event]) throws(LogError) {
    try directory.roll(at: now) { (batch) throws(LogError) in
      for event in snapshot { try batch.add(event, at: now) }
    }
  }
}
