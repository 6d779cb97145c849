/// An error of compression or decompression.
package enum CompressionError: Error, Hashable, Sendable {
  /// The compressed data is damaged at or before this offset: a check fails or a field is invalid.
  case damaged(offset: Int64)
  /// The compressed data ends at this offset, before it is complete.
  case truncated(offset: Int64)
  /// The output exceeds the given limit.
  case oversized(limitBytes: Int64)
  /// Decompression requires more memory than the given limit.
  case memoryLimited(neededBytes: UInt64, limitBytes: UInt64)
  /// The compressed data is complete, but other data follows at this offset.
  case trailingGarbage(offset: Int64)
  /// The data is neither `.xz` nor legacy `.lzma`.
  case notCompressed
  /// The data uses an unsupported filter, check or format.
  case unsupported
  /// The system is out of memory.
  case outOfMemory

  /// A stable code for scripts and tests.
  package var code: String {
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

extension CompressionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .damaged(let offset): "the compressed data is damaged at or before byte \(offset)"
    case .truncated(let offset): "the compressed data is truncated at byte \(offset)"
    case .oversized(let limit): "the decompressed data exceeds \(limit) bytes"
    case .memoryLimited(let needed, let limit):
      "decompression needs \(needed) bytes of memory, but only \(limit) are allowed"
    case .trailingGarbage(let offset): "the compressed data ends at byte \(offset), but other data follows"
    case .notCompressed: "the data is neither .xz nor .lzma"
    case .unsupported: "the data uses an unsupported format, filter or check"
    case .outOfMemory: "the system is out of memory"
    }
  }
}
