public import ContrailCore
public import ContrailLog

/// Where the engine writes: a directory of segments, or one file.
public protocol EngineLog: AnyObject {
  /// A new batch for the lines that come next.
  func batch() -> LogBatch
  /// Writes a batch, in one write.
  func append(_ batch: LogBatch) throws(LogError)
  /// The last line that was written.
  var tail: LogTail { get }
  /// Whether the log is to be synced by its policy.
  func isSyncDue(at now: Int64) -> Bool
  /// Returns once all that was appended is on stable storage.
  func sync(at now: Int64) throws(LogError)
  /// Keeps bytes under the name of their hash; on stable storage when it returns.
  func putBlob(_ bytes: [UInt8]) throws(LogError) -> BlobName
  /// The bytes that were kept under a name, checked.
  func blob(_ name: BlobName) throws(LogError) -> [UInt8]
  /// Whether a new segment is to begin before anything else is written.
  var needsRoll: Bool { get }
  /// Begins a new segment with a snapshot.
  func roll(at now: Int64, snapshot: [Event]) throws(LogError)
}

extension EngineLog {
  /// A log that keeps no blobs has none.
  public func blob(_ name: BlobName) throws(LogError) -> [UInt8] {
    throw LogError(.blobMissing, file: name.sha256, reason: "this log keeps no blobs")
  }
}

extension BlobName {
  /// The name as the store of blobs has it.
  ///
  /// - Throws: `LogError` with `blobMissing` for a name that no blob can have.
  func id() throws(LogError) -> BlobStore.ID {
    guard let id = BlobStore.ID(sha256) else {
      throw LogError(.blobMissing, file: sha256, reason: "the name is no SHA-256")
    }
    return id
  }
}
