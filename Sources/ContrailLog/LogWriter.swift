/// Appends to one segment of a log: the only writer that it has.
///
/// ```swift
/// var batch = writer.batch()
/// let cause = try batch.add("history.changed", at: now, payload: Array(#""hours":4"#.utf8))
/// try batch.add("fetch.started", at: now, payload: Array(#""cause":\#(cause)"#.utf8))
/// try writer.append(batch)
/// if writer.isSyncDue(at: now) { try writer.sync(at: now) }
/// ```
///
/// When ``append(_:)`` returns, the lines survive a crash of the process; when ``sync(at:)`` returns, they survive a loss
/// of power. A batch goes out in one `write`, and what a failed one left is cut off again.
///
/// ### Marks
///
/// A `log.synced` line says that the log *up to the `seq` in its key `through`* was on stable storage before the mark
/// itself was written: the first batch after a sync begins with one. So an intact mark proves that what it covers was
/// whole once, and damage there is corruption. What no intact mark covers may be the remains of a write that a crash cut
/// short; opening the log sets that aside. A mark never speaks of lines after it, needs no sync of its own, and losing
/// one loses no line.
public final class LogWriter {
  /// When the log is to be synced. The writer has no clock: it says when, its owner calls.
  public enum SyncPolicy: Hashable, Sendable {
    /// After each batch.
    case everyEvent
    /// At most this long after a batch, in milliseconds.
    case interval(milliseconds: Int64)
  }

  /// Why nothing can be appended any more.
  enum Ending {
    case syncFailed
    case writeFailed
    case rollFailed
    case sealed
    case olderFormat
  }

  /// The path of the segment.
  public let path: String
  /// When to sync.
  public let policy: SyncPolicy
  /// The last line written.
  public private(set) var last: LogTail
  /// The last line that is on stable storage for certain.
  public private(set) var syncedSeq: Int64
  /// How many bytes the segment has.
  public private(set) var byteCount: Int64

  let hasCRC: Bool
  private let file: any LogFile
  private var lastSyncAt: Int64?
  private var markDue: Bool
  private var ending: Ending?

  init(
    file: any LogFile, path: String, byteCount: Int64, last: LogTail, isMarkDue: Bool, hasCRC: Bool, policy: SyncPolicy,
    ending: Ending? = nil
  ) {
    self.file = file
    self.path = path
    self.byteCount = byteCount
    self.last = last
    self.syncedSeq = last.seq
    self.markDue = isMarkDue
    self.hasCRC = hasCRC
    self.policy = policy
    self.ending = ending
  }

  // MARK: Appending

  /// A new, empty batch for the lines that come next.
  ///
  /// It begins with a `log.synced` mark if there was a sync since the last batch; see ``LogBatch/nextSeq`` for the `seq`
  /// that the first line gets.
  public func batch() -> LogBatch {
    var batch = LogBatch(after: last, hasCRC: hasCRC, path: path)
    if markDue { batch.addSynced(through: syncedSeq, at: max(last.at, lastSyncAt ?? last.at)) }
    return batch
  }

  /// Writes a batch at the end of the log, in one `write`. One without lines of the caller's isn't written.
  ///
  /// - Throws: ``LogError/Code/writeFailed``: nothing of the batch is in the log, and another try is allowed.
  ///   ``LogError/Code/segmentEnded``: a new segment must begin. ``LogError/Code/invalidEntry``: the batch was begun
  ///   before another one was written.
  public func append(_ batch: LogBatch) throws(LogError) {
    try requireOpen()
    guard batch.firstSeq == last.seq + 1 else {
      throw LogError(
        .invalidEntry, file: path, seq: batch.firstSeq, reason: "the batch isn't in its turn: \(last.seq + 1) is due")
    }
    guard batch.count > 0 else { return }
    do throws(StorageFault) {
      try batch.bytes.withBytes { bytes throws(StorageFault) in try file.writeAll(bytes, at: byteCount) }
    } catch {
      let refusal = LogError(.writeFailed, file: path, error, seq: batch.firstSeq)
      do throws(StorageFault) {
        try file.truncate(to: byteCount)
      } catch {
        // What the write left can't be cut off, so nothing may follow it.
        ending = .writeFailed
      }
      throw refusal
    }
    byteCount += Int64(batch.bytes.count)
    last = batch.last
    if batch.hasSyncMark { markDue = false }
  }

  private func requireOpen() throws(LogError) {
    let reason =
      switch ending {
      case nil: ""
      case .syncFailed: "a sync failed after seq \(syncedSeq)"
      case .writeFailed: "what a failed write left can't be cut off"
      case .rollFailed: "the segment after it may have begun"
      case .sealed: "it is sealed"
      case .olderFormat: "it is in an older format"
      }
    guard ending == nil else { throw LogError(.segmentEnded, file: path, seq: last.seq, reason: reason) }
  }

  /// Whether nothing can be appended until a new segment begins.
  public var isEnded: Bool { ending != nil }

  // MARK: Syncing

  /// Whether there is anything that isn't known to be on stable storage.
  public var hasUnsynced: Bool { last.seq > syncedSeq }

  /// When the log is to be synced by its policy, in milliseconds; nil while there is nothing to sync.
  public var syncDueAt: Int64? {
    guard hasUnsynced, ending == nil else { return nil }
    switch policy {
    case .everyEvent: return last.at
    case .interval(let milliseconds): return lastSyncAt.map { $0 &+ milliseconds } ?? last.at
    }
  }

  /// Whether the log is to be synced by its policy.
  public func isSyncDue(at now: Int64) -> Bool {
    if policy == .everyEvent { return hasUnsynced && ending == nil }
    return syncDueAt.map { $0 <= now } ?? false
  }

  /// Returns once all that was appended is on stable storage.
  ///
  /// - Parameter now: The time, in milliseconds, on the clock that the lines' `at` is told by.
  /// - Throws: ``LogError/Code/syncFailed``, once: it is never tried again, for the system may have dropped the pages that
  ///   it couldn't write and then find nothing left to do. The segment ends there; begin a new one with a snapshot.
  public func sync(at now: Int64) throws(LogError) {
    try requireOpen()
    guard hasUnsynced else { return }
    do throws(StorageFault) {
      try file.synchronize()
    } catch {
      ending = .syncFailed
      throw LogError(.syncFailed, file: path, error, seq: last.seq)
    }
    syncedSeq = last.seq
    lastSyncAt = now
    markDue = true
  }

  // MARK: Ending

  /// Ends the segment, synced if that can be, and says how it ended, for the one that follows it.
  ///
  /// - Throws: ``LogError/Code/writeFailed`` if what a failed write left can't be cut off.
  func finish(at now: Int64) throws(LogError) -> LogSegmentHeader.Previous {
    if ending == .writeFailed {
      do throws(StorageFault) {
        try file.truncate(to: byteCount)
      } catch {
        throw LogError(.writeFailed, file: path, error, seq: last.seq)
      }
      ending = nil
    }
    if ending == nil {
      // That a sync fails isn't an error here: what it leaves open is what `syncedSeq` says.
      do throws(LogError) { try sync(at: now) } catch {}
    }
    return LogSegmentHeader.Previous(seq: last.seq, crc: hasCRC ? last.crc : nil, syncedSeq: syncedSeq)
  }

  /// Lets nothing be appended any more, because the next segment may be there already.
  func endForRoll() { ending = ending ?? .rollFailed }
}
