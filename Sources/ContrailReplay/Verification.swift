import ContrailCore
public import ContrailLog
import ContrailWire

/// Whether a recording is whole: each crc, each `seq`, the chain of segments, the content of each line, the marks. It isn't replayed.
public struct Verification: Sendable {
  /// The path as it was given.
  public let path: String
  /// The first fault; a line that was cut short at the end is one too.
  public private(set) var fault: UnreadableRecording?
  /// In a directory, what else is damaged in later segments and in blobs.
  public private(set) var laterFaults: [UnreadableRecording] = []
  /// What a failed sync lost, and a snapshot stands in for.
  public private(set) var losses: [LogReader.Loss] = []
  /// How many lines are whole.
  public private(set) var lineCount = 0
  public private(set) var byteCount: Int64 = 0
  /// The last `seq` that a `log.synced` mark vouches for.
  public private(set) var syncedSeq: Int64?
  /// `state.digested` marks. They are compared when the recording is replayed.
  public private(set) var digestCount = 0

  private var seqs: ClosedRange<Int64>?
  private var hasCRC = false
  private var lastAt: Int64 = .min

  /// Reads a recording from its first line to the first fault, or to its end.
  public init(path: String) {
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
        advice: "Report it: the program that wrote the line is at fault, not the disk.")
    }
    let record = entry.record
    guard record.at >= lastAt else {
      throw refuse("timeWentBack", "its time is \(record.at), that of the line before is \(lastAt)")
    }
    lastAt = record.at
    switch record.event {
    case .mark(.logSynced):
      let through = PayloadMembers.all(entry.source.payload).first { $0.name == "through" }.flatMap { Int64($0.value) }
      guard let through, (syncedSeq ?? 0)...max(syncedSeq ?? 0, record.seq - 1) ~= through else {
        throw refuse("markWrong", "it says that all was synced through \(through.map(String.init) ?? "nothing")")
      }
      syncedSeq = through
    case .mark(.stateDigested): digestCount += 1
    default: break
    }
    hasCRC = entry.isSealedByCRC
    lineCount += 1
    seqs = (seqs?.lowerBound ?? record.seq)...record.seq
  }

  /// The outcome as text, its last line ended.
  public var text: String {
    let lost = SetAside(losses: losses).text
    guard let fault else { return "\(path)  whole: \(contents)\n" + lost }
    var lines = [
      fault.headline(as: "damaged"), "  why       \(fault.reason)", "  do        \(fault.advice)",
      "  whole     \(lineCount == 0 ? "nothing" : contents)",
    ]
    for fault in laterFaults { lines += [fault.headline(as: "damaged"), "  why       \(fault.reason)"] }
    return lines.map { $0 + "\n" }.joined() + lost
  }

  private var contents: String {
    var parts = [Words.count(lineCount, "line"), Words.bytes(byteCount)]
    if let seqs { parts.append("seq \(seqs.words)") }
    if lineCount > 0 { parts.append(hasCRC ? "each crc right" : "no crc to check") }
    if let syncedSeq { parts.append("synced through \(syncedSeq)") }
    if digestCount > 0 { parts.append(Words.count(digestCount, "digest")) }
    return parts.joined(separator: ", ")
  }
}
