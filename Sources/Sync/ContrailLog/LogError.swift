import ContrailWire

/// An error of the log: its code, location, reason, and advice.
///
/// ```
/// flight.jsonl:143: damagedLine at seq 142: its crc is 1f00ba42, but that of its bytes is 9c01d3aa.
/// ```
///
/// The texts never contain any of a line's payload, so that errors can be shown and reported.
package struct LogError: Error, Hashable, Sendable {
  /// The kind of error. The names are stable; scripts and tests may rely on them.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// The system failed to open, list or read a file.
    case unreadable
    /// The file doesn't start with a `segment.opened` line.
    case notALog
    /// The format of the segment is newer than the reader supports.
    case newerFormat
    /// The format of the segment is older, and no upcaster supports it.
    case olderFormat
    /// An upcaster failed to convert a line.
    case upcastFailed
    /// The bytes of a line changed: its CRC is missing or differs, it isn't JSON, or it has no line feed.
    case damagedLine
    /// The lines end with CR LF, as after a transfer as text.
    case changedLineEnds
    /// A line is longer than the reader's limit.
    case lineTooLong
    /// The `seq` of a line doesn't follow the line before.
    case sequenceBroken
    /// A segment doesn't continue the segment before it.
    case chainBroken
    /// The `.xz` file of a compressed segment is damaged, truncated, or doesn't contain a log.
    case damagedArchive
    /// The system failed to write. Earlier lines are unaffected.
    case writeFailed
    /// The system failed to sync. Lines after the last sync may not be on disk, and the segment ends there.
    case syncFailed
    /// A sync or a write failed earlier, so nothing more can be appended to this segment.
    case segmentEnded
    /// A line to be written is invalid: its kind, its payload, or its position in the sequence.
    case invalidEntry
    /// The directory is already open for writing, in this process or another.
    case locked
    /// A file that was to be created already exists.
    case alreadyExists
    /// A requested blob doesn't exist.
    case blobMissing
    /// The bytes of a blob don't match its size or hash.
    case blobDamaged
  }

  /// The kind of error.
  package let code: Code
  /// The path of the affected file or directory.
  package let file: String
  /// The number of the affected line, starting at 1.
  package let line: Int?
  /// The `seq` of the affected line: its own if reliable, otherwise the expected one.
  package let seq: Int64?
  /// The reason, as a clause without a full stop.
  package let reason: String
  /// The system's error number, if a system call failed.
  package let errorNumber: Int32?

  /// Creates an error.
  package init(
    _ code: Code, file: String, line: Int? = nil, seq: Int64? = nil, reason: String, errorNumber: Int32? = nil
  ) {
    self.code = code
    self.file = file
    self.line = line
    self.seq = seq
    self.reason = reason
    self.errorNumber = errorNumber
  }

  /// Creates the error of a line whose CRC doesn't match its bytes.
  static func crc(carried: UInt32, computed: UInt32, file: String, line: Int, seq: Int64?) -> LogError {
    LogError(
      .damagedLine, file: file, line: line, seq: seq,
      reason: "its crc is \(Hex.string(carried)), but that of its bytes is \(Hex.string(computed))")
  }

  /// The reason of ``Code/changedLineEnds``.
  static let changedLineEnds = "its lines end with CR LF instead of LF, as after a transfer as text"

  /// Returns the same error for a line.
  func at(line: Int) -> LogError {
    LogError(code, file: file, line: line, seq: seq, reason: reason, errorNumber: errorNumber)
  }

  /// Whether the same call may succeed later without other changes, for example after disk space was freed.
  package var isTransient: Bool {
    switch code {
    case .unreadable, .writeFailed, .locked: true
    default: false
    }
  }

  /// A suggestion to resolve the error, as a sentence.
  package var advice: String {
    switch code {
    case .unreadable: "Check that the path exists and that this process may read it."
    case .notALog: "Pass the path of a Contrail log, or add a segment.opened line at the start."
    case .newerFormat: "Read it with the version that wrote it, or a newer one."
    case .olderFormat: "Read it with a version that supports this format."
    case .upcastFailed: "Read it with the version that wrote it, and report the line."
    case .damagedLine, .sequenceBroken, .chainBroken, .damagedArchive:
      "Restore the file from a copy; the lines before the damage can still be read."
    case .changedLineEnds:
      "Transfer the file again as binary data, or restore its lines: tr -d '\\r' < FILE > COPY."
    case .lineTooLong: "If the line is valid, increase the reader's limit."
    case .writeFailed: "Check the directory and the free disk space, then retry; nothing was written."
    case .syncFailed: "Start a new segment with a snapshot; the lines after the last sync may be lost."
    case .segmentEnded: "Start a new segment with a snapshot."
    case .invalidEntry: "Correct the calling code; nothing was written."
    case .locked: "Close the log there, or use another directory."
    case .alreadyExists: "Choose another name, or remove the file if it isn't needed."
    case .blobMissing, .blobDamaged: "Restore the blob from a copy, or fetch its contents again."
    }
  }
}

extension LogError: CustomStringConvertible {
  package var description: String {
    var text = file
    if let line { text += ":\(line)" }
    text += ": \(code.rawValue)"
    if let seq { text += " at seq \(seq)" }
    return "\(text): \(reason). \(advice)"
  }
}
