/// The kinds of lines that the log itself writes and reads.
package enum LogKind {
  /// The first line of each segment.
  ///
  /// It contains the format, whether lines have a CRC, and the end of the previous segment.
  package static let segmentOpened: StaticString = "segment.opened"
  /// A part of the state at the start of a segment. The payload belongs to the caller.
  package static let snapshotPart: StaticString = "snapshot.part"
  /// The end of the snapshot at the start of a segment.
  package static let snapshotEnded: StaticString = "snapshot.ended"
  /// A mark stating that the log was on stable storage up to its `through`.
  ///
  /// This refers to the time before the mark was written.
  package static let logSynced: StaticString = "log.synced"

  /// Whether a line of this kind is one of a service's log, which `replay` can't read.
  package static func isOfService(_ kind: String) -> Bool {
    ["service.", "feed.", "area.", "reports."].contains { kind.hasPrefix($0) }
  }

  /// Whether a kind may contain `byte`: ASCII letters, digits, `.`, `_` and `-`.
  @inline(__always)
  static func isAllowed(_ byte: UInt8) -> Bool {
    // One bit for each ASCII character from 0 to 63, and from 64 to 127.
    let low: UInt64 = 0x03FF_6000_0000_0000
    let high: UInt64 = 0x07FF_FFFE_87FF_FFFE
    return byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
  }
}
