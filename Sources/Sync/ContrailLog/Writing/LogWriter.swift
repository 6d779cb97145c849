/// Appends to one segment of a log, as its only writer.
///
/// ```swift
/// var batch = writer.batch()
/// let cause = try batch.add("history.changed", at: now, payload: Array(#""hours":4"#.utf8))
/// try batch.add("fetch.started", at: now, payload: Array(#""cause":\#(cause)"#.utf8))
/// try writer.append(batch)
/// if writer.isSyncDue(at: now) { try writer.sync(at: now) }
/// ```
///
/// After ``append(_:)`` returns, the lines survive a crash of the process. After ``sync(at:)`` returns, they survive a
/// power failure. A batch is one `write`; the remains of a failed write are truncated.
///
/// ### Marks
///
/// A `log.synced` line states that the log *up to the `seq` in its key `through`* was on stable storage before the line
/// itself was written. The first batch after a sync starts with one. An intact mark thus proves that the lines it
/// covers were complete, and damage there is corruption. Lines that no intact mark covers may be the remains of an
/// interrupted write; opening the log moves them aside. A mark never covers later lines, needs no sync of its own, and
/// its loss loses no other line.
///
/// Unless the log has no CRCs, a mark also states the hash of the lines before it; see ``LogHead``.
package final class LogWriter {
  /// The policy for syncs. The writer has no clock: it computes the time, and its owner calls ``sync(at:)``.
  package enum SyncPolicy: Hashable, Sendable {
    /// After each batch.
    case everyEvent
    /// At most this time after a batch, in milliseconds.
    case interval(milliseconds: Int64)
  }

  /// The reason why nothing can be appended.
  enum Ending {
    case syncFailed
    case writeFailed
    case rollFailed
    case sealed
    case olderFormat
  }

  /// The path of the segment.
  package let path: String
  /// The policy for syncs.
  package let policy: SyncPolicy
  /// The last line written.
  package private(set) var last: LogTail
  /// The `seq` of the last line that is certainly on stable storage.
  package private(set) var syncedSeq: Int64
  /// The number of bytes of the segment.
  package private(set) var byteCount: Int64
  /// The end of the log at the last sync, whose hash the next mark or header states; nil before the first sync of a new segment,
  /// and in a log without CRCs.
  package private(set) var syncedHead: LogHead?

  let hasCRC: Bool
  private let file: any LogFile
  private var lastSyncAt: Int64?
  private var markDue: Bool
  private var ending: Ending?
  /// The lines since the last mark or header.
  private var chain: LogChain

  init(
    file: any LogFile, path: String, byteCount: Int64, last: LogTail, chain: LogChain, isMarkDue: Bool, hasCRC: Bool,
    policy: SyncPolicy, ending: Ending? = nil
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
    self.chain = chain
    // Only a mark or a header states the hash of a head, and the next mark may come later.
    if isMarkDue { syncedHead = head }
  }

  /// The end of the log now; nil in a log without CRCs.
  private var head: LogHead? {
    if let syncedHead, syncedHead.seq == last.seq { return syncedHead }
    return hasCRC ? LogHead(seq: last.seq, chain: chain.value) : nil
  }

  // MARK: Appending

  /// Returns an empty batch for the next lines.
  ///
  /// After a sync, the batch starts with a `log.synced` mark. The first line gets the `seq` ``LogBatch/nextSeq``.
  package func batch() -> LogBatch {
    var batch = LogBatch(after: last, hasCRC: hasCRC, path: path)
    if markDue { batch.addSynced(mark, at: max(last.at, lastSyncAt ?? last.at)) }
    return batch
  }

  /// A mark for all lines.
  private var mark: SyncMark {
    var mark = SyncMark(through: syncedSeq)
    if let head {
      mark.chain = head.chain
      mark.sums = chain.sums
    }
    return mark
  }

  /// Appends a batch to the log, in one `write`. A batch without lines from the caller isn't written.
  ///
  /// - Throws: ``LogError/Code/writeFailed``: the batch is not in the log, and a retry is allowed.
  ///   ``LogError/Code/segmentEnded``: a new segment must be started. ``LogError/Code/invalidEntry``: another batch was
  ///   written after this one was created.
  package func append(_ batch: LogBatch) throws(LogError) {
    try requireOpen()
    guard batch.firstSeq == last.seq + 1 else {
      throw LogError(
        .invalidEntry, file: path, seq: batch.firstSeq,
        reason: "the batch is out of order; expected seq \(last.seq + 1)")
    }
    guard batch.count > 0 else { return }
    try write(batch)
  }

  /// Appends a mark with a signature of an earlier head.
  ///
  /// - Throws: As ``append(_:)-(LogBatch)``.
  package func append(_ signature: LogSignature, at now: Int64) throws(LogError) {
    try appendMark(at: now, signature: signature)
  }

  /// Appends a mark that states more than the sync.
  ///
  /// - Parameters:
  ///   - now: The time in milliseconds.
  ///   - kept: The first line of the segments that retention is about to keep.
  ///   - signature: A signature of an earlier head.
  func appendMark(at now: Int64, kept: Int64? = nil, signature: LogSignature? = nil) throws(LogError) {
    try requireOpen()
    var mark = mark
    mark.kept = kept
    mark.signature = signature.map { SyncMark.Signature(seq: $0.head.seq, key: $0.key, bytes: $0.bytes) }
    var batch = LogBatch(after: last, hasCRC: hasCRC, path: path)
    batch.addSynced(mark, at: max(last.at, now))
    try write(batch)
  }

  private func write(_ batch: LogBatch) throws(LogError) {
    do throws(StorageError) {
      try batch.bytes.withBytes { bytes throws(StorageError) in try file.writeAll(bytes, at: byteCount) }
    } catch {
      let refusal = LogError(.writeFailed, file: path, error, seq: batch.firstSeq)
      do throws(StorageError) {
        try file.truncate(to: byteCount)
      } catch {
        // The remains of the write can't be truncated, so nothing may follow them.
        ending = .writeFailed
      }
      throw refusal
    }
    byteCount += Int64(batch.bytes.count)
    last = batch.last
    if hasCRC { batch.extend(&chain) }
    if batch.hasSyncMark { markDue = false }
  }

  private func requireOpen() throws(LogError) {
    let reason =
      switch ending {
      case nil: ""
      case .syncFailed: "a sync failed after seq \(syncedSeq)"
      case .writeFailed: "the remains of a failed write can't be truncated"
      case .rollFailed: "the next segment may already exist"
      case .sealed: "it is compressed"
      case .olderFormat: "it has an older format"
      }
    guard ending == nil else { throw LogError(.segmentEnded, file: path, seq: last.seq, reason: reason) }
  }

  /// Whether nothing can be appended until a new segment is started.
  package var isEnded: Bool { ending != nil }

  // MARK: Syncing

  /// Whether any lines may not be on stable storage.
  package var hasUnsynced: Bool { last.seq > syncedSeq }

  /// The time of the next sync according to the policy, in milliseconds.
  ///
  /// Nil if there is nothing to sync.
  package var syncDueAt: Int64? {
    guard hasUnsynced, ending == nil else { return nil }
    switch policy {
    case .everyEvent: return last.at
    case .interval(let milliseconds): return lastSyncAt.map { $0 &+ milliseconds } ?? last.at
    }
  }

  /// Whether a sync is due according to the policy.
  package func isSyncDue(at now: Int64) -> Bool {
    if policy == .everyEvent { return hasUnsynced && ending == nil }
    return syncDueAt.map { $0 <= now } ?? false
  }

  /// Syncs all appended lines to stable storage.
  ///
  /// - Parameter now: The time in milliseconds, on the same clock as the lines' `at`.
  /// - Throws: ``LogError/Code/syncFailed``. A sync is not retried, because the system may have dropped the pages that
  ///   it couldn't write. The segment ends there; start a new one with a snapshot.
  package func sync(at now: Int64) throws(LogError) {
    try requireOpen()
    guard hasUnsynced else { return }
    do throws(StorageError) {
      try file.synchronize()
    } catch {
      ending = .syncFailed
      throw LogError(.syncFailed, file: path, error, seq: last.seq)
    }
    syncedSeq = last.seq
    syncedHead = head
    lastSyncAt = now
    markDue = true
  }

  // MARK: Ending

  /// Ends the segment, with a sync if possible, and returns its end for the next segment's header.
  ///
  /// - Throws: ``LogError/Code/writeFailed`` if the remains of a failed write can't be truncated.
  func finish(at now: Int64) throws(LogError) -> LogSegmentHeader.Previous {
    if ending == .writeFailed {
      do throws(StorageError) {
        try file.truncate(to: byteCount)
      } catch {
        throw LogError(.writeFailed, file: path, error, seq: last.seq)
      }
      ending = nil
    }
    if ending == nil {
      // A failed sync isn't an error here: `syncedSeq` states which lines are reliable.
      do throws(LogError) { try sync(at: now) } catch {}
    }
    return LogSegmentHeader.Previous(
      seq: last.seq, crc: hasCRC ? last.crc : nil, syncedSeq: syncedSeq, chain: head?.chain)
  }

  /// Prevents further appends, because the next segment may already exist.
  func endForRoll() { ending = ending ?? .rollFailed }
}
