/// The answers to several requests in one exchange: `Content-Type: application/vnd.contrail`.
///
///     0xC2, 1                  a byte that begins neither JSON nor gzip nor a single answer, and the version
///     number                   the number of answers
///     number, number, bytes    for each, the status, the number of bytes, and the compact form; no bytes unless the status is 200
package enum CompactBundle {
  /// The first byte.
  package static let mark: UInt8 = 0xC2
  private static let version: UInt8 = 1

  /// An answer.
  package struct Part: Hashable, Sendable {
    /// The HTTP status that the answer would have alone.
    package var status: Int
    package var body: [UInt8]

    package init(status: Int, body: [UInt8] = []) {
      self.status = status
      self.body = body
    }
  }

  /// Returns the bytes of the answers.
  package static func bytes(_ parts: [Part]) -> [UInt8] {
    var compact = CompactWriter()
    compact.byte(mark)
    compact.byte(version)
    compact.number(parts.count)
    for part in parts {
      compact.number(part.status)
      compact.block(part.body)
    }
    return compact.bytes
  }

  /// Returns the number of bytes beside the compact forms, if all have the status 200.
  package static func overheadBytes(of counts: [Int]) -> Int {
    var compact = CompactWriter()
    compact.byte(mark)
    compact.byte(version)
    compact.number(counts.count)
    for count in counts {
      compact.number(200)
      compact.number(count)
    }
    return compact.bytes.count
  }

  /// Reads the answers.
  ///
  /// - Throws: ``CompactError`` with the first invalid byte. Nothing is allocated that the bytes can't contain.
  package static func parts(_ bytes: UnsafeRawBufferPointer) throws(CompactError) -> [Part] {
    var compact = CompactReader(bytes)
    guard try compact.byte() == mark else { throw CompactError(offset: 0, reason: "there is no bundle of answers") }
    let version = try compact.byte()
    guard version == Self.version else {
      throw CompactError(offset: 1, reason: "version \(version) is unknown; the newest known is \(Self.version)")
    }
    var parts: [Part] = []
    for _ in 0..<(try compact.count(leastBytes: 2, "answers")) {
      let status = Int(try compact.number(upTo: 599, "status"))
      guard status >= 200 else { throw compact.fault("'status' is \(status), which is outside 200…599") }
      parts.append(Part(status: status, body: try compact.block()))
    }
    guard compact.isAtEnd else { throw compact.fault("the answers go on after their end") }
    return parts
  }
}
