public import ContrailCore
public import ContrailLog
import ContrailWire

/// An intended change of the engine, taken over into a recording: decisions and digests are those of the engine of today, inputs
/// stay as they are.
///
/// Replay compares along the recorded timeline; this follows the new one: what the engine decides now is folded in, and later
/// decisions follow from it. That is sound as long as the inputs would have been the same. So it is refused where
///
/// - a decision changes under a rule that wasn't named;
/// - an answer in the recording was given to another question than its request would ask now (a full answer can't be read as a
///   delta, nor one area's as another's). Failures and refusals that say nothing of the data fit any question of the scope;
/// - a request would go out, or go on, that the recording holds no answer to;
/// - the recording isn't one plain file, was cut short, or has a snapshot after the first change.
///
/// In all these cases only the server knows what would have come: record again. Timers that the engine would set otherwise are not
/// moved either; a tick that comes early or late is an input like any other.
///
/// Lines get other numbers where decisions come or go: `seq`, causes and sync marks are adjusted.
public struct Acceptance: Sendable {
  /// A decision that changes.
  public struct Change: Sendable {
    /// The line in the recording as it was, the first being 1: the decision itself, or the input after which one is new.
    public var line: Int
    /// The `seq` of that line.
    public var seq: Int64
    public var recorded: Decision?
    public var now: Decision?
  }

  public let path: String
  /// The decisions that change, in the order in which they come.
  public let changes: [Change]
  /// How many digests of the state change.
  public let digestCount: Int
  /// How many decisions stay as they are and are written otherwise, as when a member is new in their lines.
  public let respelledCount: Int
  /// The digest at the end, before and after.
  public let digests: (before: UInt64, after: UInt64)
  /// The recording as it is to be.
  public let bytes: [UInt8]

  /// Works out what would change; nothing is written.
  ///
  /// - Parameters:
  ///   - path: A plain `.jsonl` file.
  ///   - rules: The rules whose change is meant. A change counts as one of a rule where it was decided by it or is now.
  ///   - isStateMeant: Whether digests or the spelling of decisions may change although no decision does.
  /// - Complexity: O(*n*) in the recording's bytes, which are kept in memory.
  public init(
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

  /// The file beside the recording that keeps the reasons.
  public var reasonsPath: String {
    (path.hasSuffix(".jsonl") ? String(path.dropLast(".jsonl".count)) : path) + ".accepted.md"
  }

  /// Puts the new recording in the place of the old one, and the reason beside it.
  ///
  /// The recording is replayed before it takes the old one's place, which it then does at once or not at all.
  ///
  /// - Parameter reason: Why the change is meant, for those who read the recording later.
  public func write(because reason: String) throws(AcceptanceRefusal) {
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
    do throws(LogError) {
      try StagedOutput.write(try reasons(adding: reason), to: reasonsPath, replacing: .anyFile)
      try recording.publish()
    } catch {
      throw .notWritten(error)
    }
  }

  /// What the file of reasons is to hold.
  private func reasons(adding reason: String) throws(LogError) -> [UInt8] {
    let storage = POSIXStorage()
    var reasons: [UInt8] = []
    do throws(StorageFault) {
      if try storage.kind(of: reasonsPath) == .file { reasons = try storage.contents(of: reasonsPath) }
    } catch {
      throw LogError(
        .unreadable, file: reasonsPath, reason: "\(error.operation) failed: \(error.message)",
        errorNumber: error.errorNumber)
    }
    if reasons.isEmpty { reasons = Array("# Changes accepted into \(Path.name(of: path))\n".utf8) }
    return reasons + Array(("\n" + note(because: reason)).utf8)
  }

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
    if respelledCount > 0 { lines.append("\(Words.count(respelledCount, "decision")) spelt otherwise") }
    lines.append(
      "\(Words.count(digestCount, "digest")) rewritten; at the end \(Words.digest(digests.before)) → "
        + "\(Words.digest(digests.after))")
    return lines
  }

  /// What changes, as text, its last line ended.
  public var text: String {
    ([("\(path): \(Words.count(changes.count, "decision")) accepted")] + changeLines.map { "  " + $0 })
      .map { $0 + "\n" }.joined()
  }
}
