package import ContrailCore
package import ContrailLog
import ContrailWire

/// An intended change of the engine, applied to a recording.
///
/// Decisions and digests become those of the current engine. Inputs stay as recorded.
///
/// ``Replayer`` follows the recorded decisions. An acceptance follows the new ones: each new decision is applied, and
/// later decisions follow from it. This is valid only while the inputs would have been the same. The change is refused
/// if
/// - a decision changes under a rule that isn't among the accepted rules;
/// - a recorded response belongs to a request that would now be different. A full response can't be read as a delta,
///   nor a response for one area as one for another. Failures and refusals without data fit any request of the scope;
/// - a request would be sent, or continue, that has no response in the recording;
/// - the recording isn't one uncompressed file, is truncated, or contains a snapshot after the first change.
///
/// In these cases only the server knows the missing response, so the flight must be recorded again. Timers that the
/// engine would set to another time aren't moved. An early or late tick is an input like any other.
///
/// Added or removed decisions shift the later lines: `seq`, causes and sync marks are renumbered.
package struct Acceptance: Sendable {
  /// A decision that changes.
  package struct Change: Sendable {
    /// The one-based line in the original recording: the decision itself, or the input before an added decision.
    package var line: Int
    /// The `seq` of that line.
    package var seq: Int64
    package var recorded: Decision?
    package var now: Decision?
  }

  package let path: String
  /// The changed decisions, in order.
  package let changes: [Change]
  /// The number of state digests that change.
  package let digestCount: Int
  /// The number of decisions that are equal but encoded differently, for example with an added member.
  package let respelledCount: Int
  /// The digest at the end of the recording, before and after the change.
  package let digests: (before: UInt64, after: UInt64)
  /// The contents of the new recording.
  package let bytes: [UInt8]

  /// Computes the changes without writing them.
  ///
  /// - Parameters:
  ///   - path: The path of an uncompressed `.jsonl` file.
  ///   - rules: The rules whose changes are accepted. A change belongs to the rules of both its recorded and its new
  ///     decision.
  ///   - isStateMeant: Whether to accept changes of digests or of the encoding if no decision changes.
  /// - Throws: ``AcceptanceRefusal`` if the recording can't be read, nothing changes, or the change is refused.
  /// - Complexity: O(*n*) in the size of the recording, which is held in memory.
  package init(
    path: String, rules: [Rule], isStateMeant: Bool = false, storage: any LogStorage = POSIXStorage()
  ) throws(AcceptanceRefusal) {
    self.path = path
    let isDirectory = (try? storage.kind(of: path)) == .directory
    if isDirectory || path.hasSuffix(".xz") { throw .notOneFile(path: path) }
    var rewriter = Rewriter(path: path, rules: rules)
    let reader = try Self.refusing { () throws(UnreadableRecording) in
      try RecordingReader(path: path, storage: storage)
    }
    while let entry = try Self.refusing({ () throws(UnreadableRecording) in try reader.next() }) {
      try rewriter.take(entry)
    }
    if let tail = reader.tornTail { throw .cutShort(path: path, line: tail.line) }
    try rewriter.finish()
    changes = rewriter.changes
    digestCount = rewriter.digestCount
    bytes = rewriter.bytes
    digests = (rewriter.recorded.digest.combined, rewriter.now.digest.combined)
    respelledCount = rewriter.respelledCount
    guard changes.isEmpty else { return }
    if digestCount + respelledCount == 0 { throw .nothingToAccept(path: path) }
    if !isStateMeant { throw .onlyState(path: path, digests: digestCount, respelled: respelledCount) }
  }

  private static func refusing<T>(
    _ read: () throws(UnreadableRecording) -> T
  ) throws(AcceptanceRefusal) -> T {
    do throws(UnreadableRecording) {
      return try read()
    } catch {
      throw .unreadable(error)
    }
  }

  /// Replaces the recording and appends the reason to the file at ``reasonsPath``.
  ///
  /// The new recording is replayed first. It then replaces the old one completely or not at all. The reason waits in a
  /// file of its own, whose name contains the hash of the new recording. If the process is killed, the next
  /// ``completeReasons(of:)`` therefore knows whether the reason belongs to the recording.
  ///
  /// - Parameter reason: The reason for the change, for later readers of the recording.
  /// - Throws: ``AcceptanceRefusal`` if the new recording doesn't replay the same or can't be written.
  package func write(because reason: String) throws(AcceptanceRefusal) {
    try Self.completeReasons(of: path)
    let recording: StagedOutput
    do throws(LogError) {
      recording = try StagedOutput(path, replacing: .log)
      try recording.write(bytes)
    } catch {
      throw .notWritten(error)
    }
    switch RecordingResult(replaying: recording.path, blobsBeside: path).outcome {
    case .same: break
    case .diverged(let divergence, _): throw .notStable(divergence)
    case .unreadable(let fault): throw .unreadable(fault)
    }
    let waiting = WaitingReasons(of: path)
    do throws(LogError) {
      try waiting.add(Array(note(because: reason).utf8), for: BlobStore.ID(of: bytes))
      try recording.publish()
    } catch {
      waiting.discard()
      throw .notWritten(error)
    }
    try Self.completeReasons(of: path)
  }

  /// Completes the work of a process that was killed: a reason whose change is in the recording is appended to the file
  /// of reasons; any other is removed.
  ///
  /// - Parameter path: The path of the recording.
  /// - Returns: The path of the file of reasons, if a reason was appended.
  /// - Throws: ``AcceptanceRefusal/notWritten(_:)``.
  @discardableResult
  package static func completeReasons(of path: String) throws(AcceptanceRefusal) -> String? {
    let waiting = WaitingReasons(of: path)
    do throws(LogError) {
      return try waiting.complete() ? waiting.reasonsPath : nil
    } catch {
      throw .notWritten(error)
    }
  }

  /// The path of the file that contains the reasons, beside the recording.
  package var reasonsPath: String { WaitingReasons(of: path).reasonsPath }

  private func note(because reason: String) -> String {
    var lines = ["- \(reason.split(whereSeparator: \.isNewline).joined(separator: " "))", "", "  ```"]
    lines += changeLines.map { "  \($0)" } + ["  ```"]
    return lines.map { $0 + "\n" }.joined()
  }

  private var changeLines: [String] {
    var lines = changes.map { change in
      let (recorded, now) =
        if let recorded = change.recorded, let now = change.now { Decision.words(recorded: recorded, now: now) } else {
          (change.recorded?.words ?? "nothing", change.now?.words ?? "nothing")
        }
      return
        "seq \(change.seq) \((change.recorded ?? change.now)?.scope.name ?? ""): \(recorded.squeezed) → \(now.squeezed)"
    }
    if respelledCount > 0 { lines.append("\(Words.count(respelledCount, "decision")) encoded differently") }
    lines.append(
      "\(Words.count(digestCount, "digest")) rewritten; at the end \(Words.digest(digests.before)) → "
        + "\(Words.digest(digests.after))")
    return lines
  }

  /// The changes as text, ending with a line feed.
  package var text: String {
    ([("\(path): \(Words.count(changes.count, "decision")) accepted")] + changeLines.map { "  " + $0 })
      .map { $0 + "\n" }.joined()
  }
}
