import ContrailCore
package import ContrailLog
import ContrailWire

/// Checks the integrity of a recording without replaying it: CRCs, `seq` numbers, the chain of segments, the contents
/// of each line, and marks.
package struct Verification: Sendable {
  /// The path as given.
  package let path: String
  /// The first fault. A truncated last line is also a fault.
  package private(set) var fault: UnreadableRecording?
  /// Other faults in later segments and blobs of a directory.
  package private(set) var laterFaults: [UnreadableRecording] = []
  /// The lines lost by failed syncs and replaced by snapshots.
  package private(set) var losses: [LogReader.Loss] = []
  /// The number of intact lines.
  package private(set) var lineCount = 0
  package private(set) var byteCount: Int64 = 0
  /// The last `seq` confirmed by a `log.synced` mark.
  package private(set) var syncedSeq: Int64?
  /// The number of `state.digested` marks. Replaying the recording verifies them.
  package private(set) var digestCount = 0

  /// The place of the last `log.synced` mark.
  private var lastMark: (file: String, line: Int)?
  private var seqs: ClosedRange<Int64>?
  /// The `seq` of the last input, with which decisions name their cause.
  private var lastInput: Int64?
  /// Whether the last line is a mark, as in a log that was closed.
  private var endsWithMark = false
  private var hasCRC = false

  /// Reads a recording up to the first fault or its end.
  package init(path: String) {
    self.path = path
    var reader: RecordingReader?
    do throws(UnreadableRecording) {
      let opened = try RecordingReader(path: path)
      reader = opened
      while let line = try opened.nextLine() {
        let entry = try opened.entry(line)
        try check(entry)
      }
      fault = opened.tornTail.map { UnreadableRecording(cutShort: $0) }
    } catch {
      fault = error
    }
    byteCount = reader?.byteCount ?? 0
    losses = reader?.losses ?? []
    if fault != nil { laterFaults = Self.faults(in: path).filter { $0.file != fault?.file } }
  }

  private static func faults(in path: String) -> [UnreadableRecording] {
    ((try? LogVerification(path: path))?.faults ?? []).map { UnreadableRecording($0) }
  }

  private mutating func check(_ entry: RecordingReader.Entry) throws(UnreadableRecording) {
    func refuse(_ code: String, _ reason: String) -> UnreadableRecording {
      UnreadableRecording(
        code: code, file: entry.file, line: entry.line, seq: entry.record.seq, reason: reason,
        advice: "Restore the recording from a copy. If nobody edited it, report a bug of the program that wrote it.")
    }
    let record = entry.record
    endsWithMark = false
    switch record.event {
    case .input: lastInput = record.seq
    case .decision(let decision):
      // Who renumbers the lines must change the causes as well, or the place shows.
      guard entry.hasCRC, let lastInput, decision.cause != lastInput else { break }
      throw refuse(
        "causeWrong",
        "it names seq \(decision.cause) as its cause, but the input before it has seq \(lastInput): lines were removed, added or "
          + "renumbered before this line")
    case .mark(.logSynced):
      let through = PayloadMembers.all(entry.source.payload).first { $0.name == "through" }.flatMap { Int64($0.value) }
      guard let through, (syncedSeq ?? 0)...max(syncedSeq ?? 0, record.seq - 1) ~= through else {
        let value = through.map(String.init) ?? "(missing)"
        let place = lastMark.map { "after line \($0.line) of \($0.file)" } ?? "from the first line"
        throw refuse(
          "markWrong",
          "its 'through' value is \(value), but the line before it has seq \(record.seq - 1): lines were removed, added or "
            + "renumbered \(place) up to this line")
      }
      endsWithMark = true
      syncedSeq = through
      lastMark = (entry.file, entry.line)
    case .mark(.stateDigested):
      endsWithMark = true
      digestCount += 1
    case .mark(.snapshotEnded): lastInput = nil
    default: break
    }
    hasCRC = entry.hasCRC
    lineCount += 1
    seqs = (seqs?.lowerBound ?? record.seq)...record.seq
  }

  /// The result as text, ending with a line feed.
  package var text: String {
    let lost = SetAside(losses: losses).text
    guard let fault else { return "\(path)  intact: \(contents)\n" + lost }
    var lines = [
      fault.headline(as: "damaged"), "  reason    \(fault.reason)", "  action    \(fault.advice)",
      "  intact    \(lineCount == 0 ? "nothing" : contents)",
    ]
    for fault in laterFaults { lines += [fault.headline(as: "damaged"), "  reason     \(fault.reason)"] }
    return lines.map { $0 + "\n" }.joined() + lost
  }

  /// The intact lines in a few words: their number, size, `seq` and marks.
  package var contents: String {
    var parts = [Words.count(lineCount, "line"), Words.bytes(byteCount)]
    if let seqs { parts.append("seq \(seqs.words)") }
    if lineCount > 0 { parts.append(hasCRC ? "all CRCs valid" : "no CRCs") }
    if let syncedSeq { parts.append("synced through \(syncedSeq)") }
    // A log that was closed ends with its mark. One whose process was killed doesn't, nor one whose last lines were removed.
    if fault == nil, !endsWithMark, lineCount > 0 {
      parts.append("not closed: the last line isn't a mark, so lines may be missing after it")
    }
    if digestCount > 0 { parts.append(Words.count(digestCount, "digest")) }
    return parts.joined(separator: ", ")
  }
}
