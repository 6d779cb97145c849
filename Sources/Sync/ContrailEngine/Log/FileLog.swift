package import ContrailCore
package import ContrailLog

/// The log of a recording: one file, with its blobs in a folder `blobs` beside it.
package final class FileLog: EngineLog {
  private let writer: LogWriter
  private let blobs: BlobStore

  private init(writer: LogWriter, blobs: BlobStore) {
    self.writer = writer
    self.blobs = blobs
  }

  /// Creates a log. There must be no file at `path`.
  package static func create(
    path: String, at now: Int64, policy: LogWriter.SyncPolicy
  ) throws(EngineError) -> FileLog {
    do {
      let writer = try LogWriter.create(path: path, at: now, policy: policy)
      return FileLog(writer: writer, blobs: BlobStore(ofLogAt: path))
    } catch {
      throw EngineError(error)
    }
  }

  /// Opens an existing log and folds its lines.
  package static func open(
    path: String, policy: LogWriter.SyncPolicy
  ) throws(EngineError) -> (log: FileLog, state: State) {
    let blobs = BlobStore(ofLogAt: path)
    var fold = LogFold(blobs: blobs)
    do {
      let (writer, _) = try LogWriter.open(path: path, policy: policy) { fold.take($0, file: path) }
      return (FileLog(writer: writer, blobs: blobs), try fold.finish())
    } catch let error as LogError {
      throw EngineError(error)
    } catch let error as EngineError {
      throw error
    } catch {
      throw EngineError(code: .log, message: "\(error)")
    }
  }

  package func batch() -> LogBatch { writer.batch() }

  package func append(_ batch: LogBatch) throws(LogError) { try writer.append(batch) }

  package var tail: LogTail { writer.last }

  package func sync(at now: Int64) throws(LogError) { try writer.sync(at: now) }

  package var head: LogHead? { writer.syncedHead }

  package func append(_ signature: LogSignature, at now: Int64) throws(LogError) {
    try writer.append(signature, at: now)
  }

  package func putBlob(_ bytes: [UInt8]) throws(LogError) -> BlobName {
    BlobName(sha256: try blobs.put(bytes).digits, byteCount: bytes.count)
  }

  package func blob(_ name: BlobName) throws(LogError) -> [UInt8] {
    try blobs.bytes(of: try name.id(), count: name.byteCount)
  }

  /// Always false, because a recording is one file.
  package var needsRoll: Bool { false }

  package func roll(at now: Int64, snapshot: [Event]) throws(LogError) {
    throw LogError(.invalidEntry, file: writer.path, reason: "a log in one file has one segment")
  }
}
