/// The kinds of line that the log itself writes and reads, and what a kind may be made of.
public enum LogKind {
  /// The first line of each segment: the format, whether lines carry a crc, and how the segment before it ended.
  public static let segmentOpened: StaticString = "segment.opened"
  /// A part of the state at the start of a segment; the payload is the caller's.
  public static let snapshotPart: StaticString = "snapshot.part"
  /// The end of the state at the start of a segment.
  public static let snapshotEnded: StaticString = "snapshot.ended"
  /// A mark that says up to which `seq` (its key `through`) the log was on stable storage before the mark was written.
  public static let logSynced: StaticString = "log.synced"

  /// Whether a kind may hold `byte`: ASCII letters, digits, `.`, `_` and `-`.
  static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
