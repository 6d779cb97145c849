import ContrailWire

/// The hash of the lines of a log since the last mark or segment header, including that line.
///
/// Each `log.synced` mark states the hash of the lines before it, back to the mark before. As those lines begin with that mark, and
/// it states the hash of the lines before, a mark's hash covers all earlier lines.
struct LogChain: Sendable {
  private var hash = SHA256()
  /// The CRC of each line. They locate a change that the hash proves. Nil if there are too many.
  private(set) var sums: [UInt32]? = []
  /// The number of lines.
  private(set) var count = 0

  /// The maximum number of CRCs in a mark.
  static let maximumSums = 512

  /// Adds the bytes of a line, including its line feed.
  mutating func add(_ line: UnsafeRawBufferPointer, crc: UInt32) {
    hash.update(line)
    add(crc: crc)
  }

  /// Adds the bytes of several lines, and their CRCs.
  mutating func add(_ lines: UnsafeRawBufferPointer, crcs: ArraySlice<UInt32>) {
    hash.update(lines)
    for crc in crcs { add(crc: crc) }
  }

  private mutating func add(crc: UInt32) {
    count += 1
    if count > Self.maximumSums { sums = nil } else { sums?.append(crc) }
  }

  /// The hash, as 64 lowercase hexadecimal digits.
  var value: String {
    var hash = hash
    return hash.finishedHex()
  }
}
