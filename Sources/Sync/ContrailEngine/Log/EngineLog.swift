package import ContrailCore
package import ContrailLog
import ContrailWire

/// A log that the engine writes: a directory of segments, or one file.
package protocol EngineLog: AnyObject {
  /// Returns a new batch for the next lines.
  func batch() -> LogBatch
  /// Writes a batch, in one write.
  func append(_ batch: LogBatch) throws(LogError)
  /// The last written line.
  var tail: LogTail { get }
  /// Writes all appended lines to stable storage.
  func sync(at now: Int64) throws(LogError)
  /// The end of the log at the last sync, to be signed; nil before the first sync of a segment, and in a log without CRCs.
  var head: LogHead? { get }
  /// Appends a mark with a signature of an earlier head.
  func append(_ signature: LogSignature, at now: Int64) throws(LogError)
  /// Stores bytes as a blob, named by their hash, on stable storage.
  func putBlob(_ bytes: [UInt8]) throws(LogError) -> BlobName
  /// Returns the bytes of a blob, after checking their hash.
  func blob(_ name: BlobName) throws(LogError) -> [UInt8]
  /// Whether a new segment must begin before the next write.
  var needsRoll: Bool { get }
  /// Begins a new segment with a snapshot.
  func roll(at now: Int64, snapshot: [Event]) throws(LogError)
}

/// A command on a log. Times are the log's, in milliseconds.
package enum LogCommand: Sendable {
  /// Store the blobs, then append the lines in one write.
  case append([Event], blobs: [[UInt8]], at: Int64)
  /// Write all appended lines to stable storage.
  case sync(at: Int64)
  /// Begin a new segment with a snapshot.
  case roll([Event], at: Int64)
  /// Append a signature.
  case sign(LogSignature, at: Int64)
}

/// The status of a log after a command.
package struct LogStatus: Sendable, Hashable {
  /// The last line.
  package var tail: LogTail
  /// The `seq` of the next line. The log may insert marks before it.
  package var nextSeq: Int64
  /// Whether a new segment must begin before the next write.
  package var needsRoll: Bool
  /// The end of the log at the last sync; nil in a log without CRCs.
  package var head: LogHead?

  package init(tail: LogTail, nextSeq: Int64, needsRoll: Bool, head: LogHead? = nil) {
    self.tail = tail
    self.nextSeq = nextSeq
    self.needsRoll = needsRoll
    self.head = head
  }
}

extension EngineLog {
  /// The status of the log.
  package var status: LogStatus {
    LogStatus(tail: tail, nextSeq: batch().nextSeq, needsRoll: needsRoll, head: head)
  }

  /// Performs a command of the driver.
  ///
  /// - Throws: ``EngineError``. The log is then unchanged, except for blobs that no line refers to.
  package func perform(_ command: LogCommand) throws(EngineError) -> LogStatus {
    do throws(LogError) {
      switch command {
      case .append(let events, let blobs, let at):
        for bytes in blobs { _ = try putBlob(bytes) }
        var batch = batch()
        for event in events { try batch.add(event, at: at) }
        try append(batch)
      case .sync(let at): try sync(at: at)
      case .roll(let snapshot, let at): try roll(at: at, snapshot: snapshot)
      case .sign(let signature, let at): try append(signature, at: at)
      }
      return status
    } catch {
      throw EngineError(error)
    }
  }
}

extension LogBatch {
  /// Adds the line of an event.
  mutating func add(_ event: Event, at time: Int64) throws(LogError) {
    var json = JSONWriter()
    event.writePayload(to: &json)
    try json.withBytes { (payload) throws(LogError) in
      _ = try add(kind: event.kind.rawValue, at: time, payload: payload)
    }
  }
}

extension EngineLog {
  /// Performs a command and returns its result for the driver.
  package func result(of command: LogCommand) -> DriverEvent {
    do throws(EngineError) { return .logged(try perform(command)) } catch { return .logRefused(error, status) }
  }
}

extension BlobName {
  /// Creates the name of bytes.
  package init(of bytes: [UInt8]) {
    self.init(sha256: BlobStore.ID(of: bytes).digits, byteCount: bytes.count)
  }

  /// Returns the name as an identifier of the blob store.
  ///
  /// - Throws: `LogError` with `blobMissing` if the name is invalid.
  package func id() throws(LogError) -> BlobStore.ID {
    guard let id = BlobStore.ID(sha256) else {
      throw LogError(.blobMissing, file: sha256, reason: "the name isn't a SHA-256")
    }
    return id
  }
}
