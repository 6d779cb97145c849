/// What went wrong with a log: which kind of fault, where, why, and what to do.
///
/// ```
/// flight.jsonl:143: damagedLine at seq 142: crc is 1f00ba42, the bytes before it give 9c01d3aa.
/// ```
///
/// Texts never hold anything of a line's payload, so that an error can be shown and sent on.
public struct LogError: Error, Hashable, Sendable {
  /// The kind of fault. The names are stable: scripts and tests may rely on them.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The system refused to open, list or read.
    case unreadable
    /// The file doesn't begin with a `segment.opened` line.
    case notALog
    /// The segment was written in a format newer than this reader's.
    case newerFormat
    /// The segment was written in an older format and no upcaster lifts it.
    case olderFormat
    /// An upcaster could not lift a line.
    case upcastFailed
    /// A line's bytes aren't what was written: its crc is missing or differs, it isn't JSON, or it isn't ended.
    case damagedLine
    /// A line is longer than the reader takes.
    case lineTooLong
    /// A line's `seq` isn't the one after the line before.
    case sequenceBroken
    /// A segment doesn't follow on the segment before it.
    case chainBroken
    /// A sealed segment's `.xz` is damaged, truncated, or holds what isn't a log.
    case damagedArchive
    /// The system refused a write; what was written before stands.
    case writeFailed
    /// The system refused to sync; what came after the last sync may not be on disk, and the segment ends there.
    case syncFailed
    /// A sync or a write failed before, so nothing more can be appended to this segment.
    case segmentEnded
    /// A line to be written is malformed: its kind, its payload, or its place in the sequence.
    case invalidEntry
    /// Another process, or another part of this one, has the directory open for writing.
    case locked
    /// A file that was to be created is there already.
    case alreadyExists
    /// A blob that was asked for isn't there.
    case blobMissing
    /// A blob's bytes don't have the size or the hash that they are named by.
    case blobDamaged
  }

  /// The kind of fault.
  public let code: Code
  /// The path of the file, or of the directory, that is at fault.
  public let file: String
  /// The line at fault, the first being 1.
  public let line: Int?
  /// The `seq` of the line at fault: its own if that can be believed, else the one that was due.
  public let seq: Int64?
  /// Why, in a clause without a full stop.
  public let reason: String
  /// The system's error number, where the system is at fault.
  public let errorNumber: Int32?

  /// Makes an error.
  public init(
    _ code: Code, file: String, line: Int? = nil, seq: Int64? = nil, reason: String, errorNumber: Int32? = nil
  ) {
    self.code = code
    self.file = file
    self.line = line
    self.seq = seq
    self.reason = reason
    self.errorNumber = errorNumber
  }

  /// The error of a line whose crc isn't that of its bytes.
  static func crc(carried: UInt32, computed: UInt32, file: String, line: Int, seq: Int64?) -> LogError {
    LogError(
      .damagedLine, file: file, line: line, seq: seq,
      reason: "its crc is \(Hex.text(carried)), the bytes before it give \(Hex.text(computed))")
  }

  /// The same error at a line.
  func at(line: Int) -> LogError {
    LogError(code, file: file, line: line, seq: seq, reason: reason, errorNumber: errorNumber)
  }

  /// Whether the same call may succeed later with nothing else changed but, say, room on the disk.
  public var isTransient: Bool {
    switch code {
    case .unreadable, .writeFailed, .locked: true
    default: false
    }
  }

  /// What to do about it, in a sentence.
  public var advice: String {
    switch code {
    case .unreadable: "Check that the path exists and that this process may read it."
    case .notALog: "Give the path of a Contrail log, or put a segment.opened line first."
    case .newerFormat: "Read it with the version that wrote it, or a newer one."
    case .olderFormat: "Read it with a version that still lifts this format."
    case .upcastFailed: "Read it with the version that wrote it and report the line."
    case .damagedLine, .sequenceBroken, .chainBroken, .damagedArchive:
      "Restore the file from a copy; what stands before the fault can still be read."
    case .lineTooLong: "Raise the reader's limit if the line is meant."
    case .writeFailed: "Check the directory and the space on the disk, then try again; nothing of this write was kept."
    case .syncFailed: "Start a new segment with a snapshot; don't rely on what came after the last sync."
    case .segmentEnded: "Start a new segment with a snapshot."
    case .invalidEntry: "Mend the caller: nothing was written."
    case .locked: "Close the other one, or use another directory."
    case .alreadyExists: "Choose another name, or remove the file if it isn't needed."
    case .blobMissing, .blobDamaged: "Restore the blob from a copy, or fetch what it held again."
    }
  }
}

extension LogError: CustomStringConvertible {
  public var description: String {
    var text = file
    if let line { text += ":\(line)" }
    text += ": \(code.rawValue)"
    if let seq { text += " at seq \(seq)" }
    return "\(text): \(reason). \(advice)"
  }
}
