/// The names of the files in a log's directory.
enum LogFileName {
  static let plainSuffix = ".jsonl"
  static let sealedSuffix = ".jsonl.xz"
  static let packedSuffix = ".xz"
  static let tornSuffix = ".torn"
  static let temporarySuffix = ".tmp"
  static let lock = "lock"
  static let blobs = "blobs"
  /// Enough for a thousand lines per second over thirty years. Longer numbers still work, but don't sort as text.
  private static let digitCount = 12

  /// Returns the name of the segment whose first line is `seq`.
  static func plain(first seq: Int64) -> String {
    let digits = String(seq)
    return String(repeating: "0", count: max(0, digitCount - digits.utf8.count)) + digits + plainSuffix
  }

  /// Parses the name of a segment: its first `seq`, and whether it is compressed; nil for any other name.
  static func segment(_ name: String) -> (first: Int64, isSealed: Bool)? {
    for (suffix, isSealed) in [(sealedSuffix, true), (plainSuffix, false)] where name.hasSuffix(suffix) {
      let digits = name.dropLast(suffix.utf8.count)
      guard digits.utf8.count >= digitCount, let first = Int64(digits), plain(first: first) == digits + plainSuffix
      else { return nil }
      return (first, isSealed)
    }
    return nil
  }
}
