package import ContrailCore
package import ContrailLog

/// An error that describes why a recording can't be read, where, and what to do.
///
/// It covers all errors of the log reader (a damaged line, a gap, a newer format) and lines that contain no valid
/// event. The text contains member names of a line's payload, but no values.
package struct UnreadableRecording: Error, Hashable, Sendable {
  /// A stable code: a `LogError.Code`, an `EventError.code`, or a code of this type.
  package let code: String
  /// The path of the faulty file.
  package let file: String
  /// The one-based line number, or `nil` if the whole file is faulty.
  package let line: Int?
  /// The `seq` of the faulty line: its own if it is plausible, otherwise the expected one.
  package let seq: Int64?
  /// The number of unread lines after the fault in a directory of segments, or `nil` for a recording in one file.
  package let laterLines: Int?
  /// The reason, as a clause without a full stop.
  package let reason: String
  /// The suggested action, as a sentence.
  package let advice: String

  package init(
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

  /// Creates an error from an error of the log reader.
  package init(_ error: LogError) {
    self.init(
      code: error.code.rawValue, file: error.file, line: error.line, seq: error.seq, reason: error.reason,
      advice: error.advice)
  }

  /// Creates an error for a truncated line.
  init(cutShort tail: RecordingReader.TornTail) {
    self.init(
      code: "cutShort", file: tail.file, line: tail.line, seq: tail.lastSeq + 1,
      reason: "the last line is truncated: \(Words.count(tail.byteCount, "byte")) without a line feed",
      advice:
        "The lines before it are intact. Replaying the recording skips the rest; opening the log for writing sets it aside."
    )
  }

  /// Creates an error for a directory without a recording.
  init(noRecordingIn path: String) {
    self.init(
      code: LogError.Code.notALog.rawValue, file: path, line: nil, seq: nil,
      reason:
        "the directory contains no recording: no .jsonl file, no .jsonl.xz file, and no directory of segments such as "
        + "000000000000.jsonl",
      advice: "Give the path of a recording or of a directory of recordings.")
  }

  /// Returns the same error with the number of unread lines in a directory of segments.
  ///
  /// - Parameters:
  ///   - lineCount: The number of unread lines.
  ///   - segment: The next segment, if there is one.
  func followed(by lineCount: Int, next segment: String?) -> UnreadableRecording {
    let unread = "\(reason); \(Words.count(lineCount, "later line")) not read"
    return UnreadableRecording(
      code: code, file: file, line: line, seq: seq, laterLines: lineCount,
      reason: segment.map { "\(unread), including \(Path.name(of: $0)) and the segments after it" } ?? unread,
      advice: segment.map {
        "Restore the file from a backup. Later segments can be read separately: give the path of one, such as \($0)."
      }
        ?? advice)
  }

  /// Creates an error for a line without a valid event.
  package init(_ fault: EventError, file: String, line: Int, seq: Int64) {
    let advice: String =
      switch fault {
      case .unknownKind(let kind) where LogKind.isOfService(kind):
        "It is the log of a service. Read it with: contrail log."
      case .unknownKind: "Read it with the version that wrote it, or a newer one."
      case .malformed, .missing: "Correct the line if it was written by hand. Otherwise restore the file from a backup."
      }
    self.init(code: fault.code, file: file, line: line, seq: seq, reason: fault.description, advice: advice)
  }
}

extension UnreadableRecording: CustomStringConvertible {
  package var description: String {
    var text = file
    if let line { text += ":\(line)" }
    text += "  \(code)"
    if let seq { text += " at seq \(seq)" }
    return "\(text): \(reason). \(advice)"
  }
}
