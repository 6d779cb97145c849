/// The answers to a held request that goes on (`Prefer: wait=50, stream`), as they come:
///
///     0xC5, 1                  a byte that begins no other answer, and the version
///     number, bytes            for each answer, the number of its bytes, and a compact form or a ``CompactBundle``
///
/// After each answer the server holds the same request again, with the token and the traffic of that answer. An answer therefore costs
/// no request.
package struct CompactStream: Sendable {
  /// The first byte.
  package static let mark: UInt8 = 0xC5
  private static let version: UInt8 = 1
  /// The first bytes of the stream.
  package static let head: [UInt8] = [mark, version]
  /// The time in seconds that a server holds a request longer after its first answer, because a client whose answers follow each other
  /// closely begins to wait a little later.
  package static let slackSeconds: Int64 = 3

  /// An answer of a stream.
  package struct Part: Hashable, Sendable {
    package var body: [UInt8]
    /// The bytes of the stream that it took.
    package var streamBytes: Int
  }

  private var bytes: [UInt8] = []
  private var isBegun = false
  private let limit: Int

  /// Creates a reader.
  ///
  /// - Parameter limit: The maximum size of an answer in bytes.
  package init(limit: Int) { self.limit = limit }

  /// Returns an answer as a part of the stream.
  package static func part(_ body: [UInt8]) -> [UInt8] {
    var compact = CompactWriter()
    compact.block(body)
    return compact.bytes
  }

  /// Adds received bytes.
  package mutating func append(_ block: [UInt8]) { bytes += block }

  /// Removes and returns the next answer; nil if more bytes are needed.
  ///
  /// - Throws: ``CompactError`` if the bytes aren't a stream, or an answer exceeds the limit.
  package mutating func next() throws(CompactError) -> Part? {
    var streamBytes = 0
    if !isBegun {
      guard bytes.count >= Self.head.count else { return nil }
      guard bytes.starts(with: Self.head) else {
        throw CompactError(offset: 0, reason: "there is no stream of answers in a known version")
      }
      streamBytes = Self.head.count
    }
    var (length, shift) = (0, 0)
    var end = streamBytes
    while true {
      guard end < bytes.count else { return nil }
      length |= Int(bytes[end] & 0x7F) << shift
      end += 1
      if bytes[end - 1] < 0x80 { break }
      shift += 7
      guard shift <= 28 else { throw CompactError(offset: end, reason: "an answer is too large") }
    }
    guard length <= limit else {
      throw CompactError(offset: end, reason: "an answer has \(length) bytes; the limit is \(limit)")
    }
    guard bytes.count - end >= length else { return nil }
    let part = Part(body: Array(bytes[end..<end + length]), streamBytes: end + length)
    bytes.removeFirst(end + length)
    isBegun = true
    return part
  }
}
