package import ContrailCore
package import ContrailLog

/// Where the engine writes: a directory of segments, or one file.
package protocol EngineLog: AnyObject {
  /// A new batch for the lines that come next.
  func batch() -> LogBatch
  /// Writes a batch, in one write.
  func append(_ batch: LogBatch) throws(LogError)
  /// The last line that was written.
  var tail: LogTail { get }
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

/// What the driver asks of a log. Times are the log's, in milliseconds.
package enum LogCommand: Sendable {
  /// Keep the blobs, then write the lines in one write.
  case append([Event], blobs: [[UInt8]], at: Int64)
  /// Put what was written on stable storage.
  case sync(at: Int64)
  /// Begin a new segment with a snapshot.
  case roll([Event], at: Int64)
}

/// Where a log stands after a command.
package struct LogStatus: Sendable, Hashable {
  /// The last line.
  package var tail: LogTail
  /// The `seq` that the next line gets. A mark of the log's own may stand between.
  package var nextSeq: Int64
  /// Whether a new segment is to begin before anything else is written.
  package var needsRoll: Bool

  package init(tail: LogTail, nextSeq: Int64, needsRoll: Bool) {
    self.tail = tail
    self.nextSeq = nextSeq
    self.needsRoll = needsRoll
  }
}

extension EngineLog {
  /// Where the log stands.
  package var status: LogStatus { LogStatus(tail: tail, nextSeq: batch().nextSeq, needsRoll: needsRoll) }

  /// Carries out a command of the driver.
  ///
  /// - Throws: ``EngineError``; the log is as before then, but that a blob may be kept that no line names.
  package func perform(_ command: LogCommand) throws(EngineError) -> LogStatus {
    do throws(LogError) {
      switch command {
      case .append(let events, let blobs, let at):
        for bytes in blobs { _ = try putBlob(bytes) }
        var batch = batch()
        for event in events { try batch.add(kind: event.kind.rawValue, at: at, payload: event.payload) }
        try append(batch)
      case .sync(let at): try sync(at: at)
      case .roll(let snapshot, let at): try roll(at: at, snapshot: snapshot)
      }
      return status
    } catch {
      throw EngineError(error)
    }
  }
}

extension EngineLog {
  /// Carries out a command and returns what the driver is told about it.
  package func result(of command: LogCommand) -> DriverEvent {
    do throws(EngineError) { return .logged(try perform(command)) } catch { return .logRefused(error, status) }
  }
}

extension BlobName {
  /// The name of bytes.
  package init(of bytes: [UInt8]) {
    self.init(sha256: BlobStore.ID(of: bytes).digits, byteCount: bytes.count)
  }

  /// The name as the store of blobs has it.
  ///
  /// - Throws: `LogError` with `blobMissing` for a name that no blob can have.
  package func id() throws(LogError) -> BlobStore.ID {
    guard let id = BlobStore.ID(sha256) else {
      throw LogError(.blobMissing, file: sha256, reason: "the name is no SHA-256")
    }
    return id
  }
}
