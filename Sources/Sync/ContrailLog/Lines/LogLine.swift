import ContrailWire

/// A line of a log, as a view into bytes owned by someone else.
///
///     {"seq":9,"at":1732704917000,"kind":"response.received","request":4,"status":200,"crc":"3b232dc5"}
///
/// A line is a JSON object: `seq` (from 0, without gaps), `at` (in milliseconds), `kind`, and the payload's keys. If
/// the first line of the segment has a CRC, each line ends with the fixed 18 bytes `,"crc":"xxxxxxxx"}`: the CRC-32C of
/// all bytes before them, in lowercase hexadecimal. This form, without whitespace, is the *canonical* one.
/// ``init(canonical:)`` reads it in one pass without allocating. A line in any other form is read by
/// ``LogEnvelope/init(json:)``.
///
/// - Important: The buffers are borrowed. They are valid as long as the bytes that the line was created from. A line
///   from a ``LogReader`` is valid until the next call of the reader.
package struct LogLine {
  /// The sequence number: 0 for the first line of the log, increasing by 1 with each line.
  package let seq: Int64
  /// The time in milliseconds of the engine's clock.
  package let at: Int64
  /// The kind of the line, for example `response.received`: ASCII letters, digits, `.`, `_` and `-`.
  package let kind: UnsafeRawBufferPointer
  /// The payload's keys and values without braces, for example `"request":4,"status":200`; empty if there are none.
  package let payload: UnsafeRawBufferPointer
  /// The CRC-32C at the end of the line, which isn't verified; nil if there is none.
  package let crc: UInt32?
  /// The bytes of the whole line, without its line feed.
  package let bytes: UnsafeRawBufferPointer
  /// Whether the envelope is in canonical form. The payload may be in any form.
  package let isCanonical: Bool

  init(
    seq: Int64, at: Int64, kind: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer, crc: UInt32?,
    bytes: UnsafeRawBufferPointer, isCanonical: Bool
  ) {
    self.seq = seq
    self.at = at
    self.kind = kind
    self.payload = payload
    self.crc = crc
    self.bytes = bytes
    self.isCanonical = isCanonical
  }

  /// Whether the line has the given kind.
  @inlinable
  package func isKind(_ name: StaticString) -> Bool {
    kind.count == name.utf8CodeUnitCount
      && kind.elementsEqual(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  /// The kind as a string.
  package var kindName: String { String(decoding: kind, as: UTF8.self) }

  /// A copy of the line that owns its bytes.
  package var envelope: LogEnvelope {
    LogEnvelope(seq: seq, at: at, kind: kindName, payload: Array(payload))
  }
}

// MARK: - Ranges of numbers

extension LogLine {
  /// The limit of 18 digits ensures that no sum of two numbers overflows.
  private static var greatestNumber: Int64 { 999_999_999_999_999_999 }
  /// The valid range of `seq`.
  static var seqs: ClosedRange<Int64> { 0...greatestNumber }
  /// The valid range of `at`.
  static var times: ClosedRange<Int64> { -greatestNumber...greatestNumber }
}

// MARK: - CRC

extension LogLine {
  /// The number of bytes of `,"crc":"xxxxxxxx"}`.
  static let crcCount = 18

  /// Returns the CRC in the last 18 bytes of `line`; nil if the line doesn't end with exactly that form.
  static func carriedCRC(_ line: UnsafeRawBufferPointer) -> UInt32? {
    guard let digits = crcDigits(line) else { return nil }
    var value: UInt32 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      guard let digit = Hex.lowercaseDigit(UInt8(truncatingIfNeeded: digits >> shift)) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// Computes the CRC of all bytes of `line` except the last 18.
  static func computedCRC(_ line: UnsafeRawBufferPointer) -> UInt32 {
    CRC32C.checksum(UnsafeRawBufferPointer(rebasing: line.dropLast(crcCount)))
  }

  /// Returns the CRC of `line` if it is correct, without decoding the digits.
  ///
  /// The result is that of ``carriedCRC(_:)`` if it equals ``computedCRC(_:)``, otherwise nil.
  static func rightCRC(_ line: UnsafeRawBufferPointer) -> UInt32? {
    guard let digits = crcDigits(line) else { return nil }
    let computed = computedCRC(line)
    return Hex.word(computed) == digits ? computed : nil
  }

  /// Returns the eight bytes of the CRC's digits, the first lowest; nil if the surrounding bytes don't match.
  private static func crcDigits(_ line: UnsafeRawBufferPointer) -> UInt64? {
    guard line.count >= crcCount else { return nil }
    let start = line.count - crcCount
    guard
      line.word(at: start) == UInt64(ascii: ",\"crc\":\""),
      line[line.count - 2] == UInt8(ascii: "\""), line[line.count - 1] == UInt8(ascii: "}")
    else { return nil }
    return line.word(at: start + 8)
  }
}
