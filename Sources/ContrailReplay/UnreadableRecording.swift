public import ContrailCore
public import ContrailLog

/// Why a recording can't be read: where, why, and what to do.
///
/// Every way in which a file can fail to be a recording ends here: what the log's reader refuses (a damaged line, a gap, a newer
/// format), and lines whose content is no event. The text holds nothing of a line's payload but names of members.
public struct UnreadableRecording: Error, Hashable, Sendable {
  /// A stable name of the fault: a `LogError.Code`, an `EventFault.code`, or one of this type's own.
  public let code: String
  /// The path of the file that is at fault.
  public let file: String
  /// The line at fault, the first being 1; nil where the whole file is.
  public let line: Int?
  /// The `seq` of the line at fault: its own if that can be believed, else the one that was due.
  public let seq: Int64?
  /// How many lines of a directory of segments follow the fault and weren't read; nil for a recording that is one file.
  public let laterLines: Int?
  /// Why, in a clause without a full stop.
  public let reason: String
  /// What to do about it, in a sentence.
  public let advice: String

  public init(
    code: String, file: String, line: Int?, seq: Int64?, laterLines: Int? = nil, reason: String, advice: String
  ) {
    self.code = code
    self.file = file
    self.line = line
    self.seq = seq
    self.laterLines = laterLines
    self.reason = reason
    self.advice = advice
  }

  /// What the reader of the log said.
  public init(_ error: LogError) {
    self.init(
      code: error.code.rawValue, file: error.file, line: error.line, seq: error.seq, reason: error.reason,
      advice: error.advice)
  }

  /// A line that was cut short.
  init(cutShort tail: RecordingReader.TornTail) {
    self.init(
      code: "cutShort", file: tail.file, line: tail.line, seq: tail.lastSeq + 1,
      reason: "the last line was cut short: \(Words.count(tail.byteCount, "byte")) without a line feed",
      advice: "What stands before it is whole: replay sets the rest aside, and so does opening the log for writing.")
  }

  /// A directory without a recording.
  init(noRecordingIn path: String) {
    self.init(
      code: LogError.Code.notALog.rawValue, file: path, line: nil, seq: nil,
      reason:
        "the directory holds no recording: no .jsonl file, no .jsonl.xz file, and no directory of segments such as "
        + "000000000000.jsonl",
      advice: "Give the path of a recording, or of a directory that holds some.")
  }

  /// The same fault in a directory of segments, with how much follows it there.
  ///
  /// - Parameter segment: The next segment, if there is one.
  func followed(by lineCount: Int, next segment: String?) -> UnreadableRecording {
    let unread = "\(reason); \(Words.count(lineCount, "later line")) not read"
    return UnreadableRecording(
      code: code, file: file, line: line, seq: seq, laterLines: lineCount,
      reason: segment.map { "\(unread), \(Path.name(of: $0)) and what follows it among them" } ?? unread,
      advice: segment.map {
        "Restore the file from a copy. Later segments can be read alone: give the path of one, such as \($0)."
      }
        ?? advice)
  }

  /// A line whose content is no event.
  public init(_ fault: EventFault, file: String, line: Int, seq: Int64) {
    let advice: String =
      switch fault {
      case .unknownKind: "Read it with the version that wrote it, or a newer one."
      case .malformed, .missing: "Mend the line if it was written by hand; otherwise restore the file from a copy."
      }
    self.init(code: fault.code, file: file, line: line, seq: seq, reason: fault.description, advice: advice)
  }
}

extension UnreadableRecording: CustomStringConvertible {
  public var description: String {
    var text = file
    if let line { text += ":\(line)" }
    text += "  \(code)"
    if let seq { text += " at seq \(seq)" }
    return "\(text): \(reason). \(advice)"
  }
}
