/// Why data could not be compressed or unpacked.
public enum XZError: Error, Hashable, Sendable {
  /// The bytes from this offset of the compressed data on aren't what was written: a check differs or a field is
  /// impossible.
  case damaged(offset: Int64)
  /// The compressed data end, at this offset, before they are complete.
  case truncated(offset: Int64)
  /// The data would unpack to more bytes than the limit given.
  case oversized(limitBytes: Int64)
  /// Unpacking needs more memory than the limit given.
  case memoryLimited(neededBytes: UInt64, limitBytes: UInt64)
  /// The compressed data are complete, and what follows at this offset isn't compressed data.
  case trailingGarbage(offset: Int64)
  /// The data are neither `.xz` nor legacy `.lzma`.
  case notCompressed
  /// The data use a filter, a check or a format that can't be handled here.
  case unsupported
  /// The system has no memory left.
  case outOfMemory

  /// A stable name for scripts and tests.
  public var code: String {
    switch self {
    case .damaged: "damaged"
    case .truncated: "truncated"
    case .oversized: "oversized"
    case .memoryLimited: "memoryLimited"
    case .trailingGarbage: "trailingGarbage"
    case .notCompressed: "notCompressed"
    case .unsupported: "unsupported"
    case .outOfMemory: "outOfMemory"
    }
  }
}

extension XZError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .damaged(let offset): "the compressed data are damaged at or before byte \(offset)"
    case .truncated(let offset): "the compressed data are cut off at byte \(offset)"
    case .oversized(let limit): "the data unpack to more than \(limit) bytes"
    case .memoryLimited(let needed, let limit): "unpacking needs \(needed) bytes of memory, of \(limit) allowed"
    case .trailingGarbage(let offset): "the compressed data end at byte \(offset), and something else follows"
    case .notCompressed: "the data are neither .xz nor .lzma"
    case .unsupported: "the data use a format, filter or check that isn't supported here"
    case .outOfMemory: "there is no memory left"
    }
  }
}
