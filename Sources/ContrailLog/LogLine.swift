/// One line of a log, as a view into bytes that somebody else owns.
///
///     {"seq":9,"at":1732704917000,"kind":"response.received","request":4,"status":200,"crc":"3b232dc5"}
///
/// A line is one JSON object: `seq` (from 0, no gaps), `at` (ms), `kind`, the payload's keys, and, in a log that says
/// so, the fixed 18 bytes `,"crc":"xxxxxxxx"}`, the CRC-32C in lowercase hex of all bytes before them. That spelling,
/// without blanks, is the *canonical* one, which ``init(canonical:)`` reads in one pass without allocating. A line that
/// says the same in any other spelling is read by ``LogEnvelope/init(json:)``.
///
/// - Important: The buffers are borrowed. They hold good as long as the bytes that the line was made from, for a line
///   from a ``LogReader`` until the reader is asked for the next.
public struct LogLine {
  /// The place in the log: 0 for the first line ever written, one more for each that follows.
  public let seq: Int64
  /// When, in milliseconds of the engine's clock.
  public let at: Int64
  /// What kind of line it is, for example `response.received`: ASCII letters, digits, `.`, `_` and `-`.
  public let kind: UnsafeRawBufferPointer
  /// The payload's keys and values without braces, for example `"request":4,"status":200`; empty if there are none.
  public let payload: UnsafeRawBufferPointer
  /// The CRC-32C that the line carries, if it ends in one. Whether it is right is another question.
  public let crc: UInt32?
  /// The whole line as it stands in the log, without its line feed.
  public let bytes: UnsafeRawBufferPointer
  /// Whether the line is spelt canonically as far as its envelope goes; says nothing about the payload.
  public let isCanonical: Bool

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

  /// Whether the line is of the kind named, compared byte by byte.
  @inlinable
  public func isKind(_ name: StaticString) -> Bool {
    kind.count == name.utf8CodeUnitCount
      && kind.elementsEqual(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  /// The kind as a string.
  public var kindName: String { String(decoding: kind, as: UTF8.self) }

  /// A copy that owns its bytes.
  public var envelope: LogEnvelope {
    LogEnvelope(seq: seq, at: at, kind: kindName, payload: Array(payload))
  }
}

// MARK: - What the numbers may be

extension LogLine {
  /// At most 18 digits, so that no sum of two overflows.
  private static var greatestNumber: Int64 { 999_999_999_999_999_999 }
  /// What `seq` may be.
  static var seqs: ClosedRange<Int64> { 0...greatestNumber }
  /// What `at` may be.
  static var times: ClosedRange<Int64> { -greatestNumber...greatestNumber }
}

// MARK: - The crc at the end

extension LogLine {
  /// How many bytes `,"crc":"xxxxxxxx"}` has.
  static let crcCount = 18

  /// The check that `line` carries in its last 18 bytes, or nil if it doesn't end in exactly that form.
  static func carriedCRC(_ line: UnsafeRawBufferPointer) -> UInt32? {
    guard let digits = crcDigits(line) else { return nil }
    var value: UInt32 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      guard let digit = Hex.value(lowercase: UInt8(truncatingIfNeeded: digits >> shift)) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// The check that `line` should carry: that of all its bytes but the last 18.
  static func computedCRC(_ line: UnsafeRawBufferPointer) -> UInt32 {
    CRC32C.checksum(UnsafeRawBufferPointer(rebasing: line.dropLast(crcCount)))
  }

  /// The check that `line` carries, if that is the right one: what ``carriedCRC(_:)`` and ``computedCRC(_:)`` say when
  /// they agree, without reading the digits.
  static func rightCRC(_ line: UnsafeRawBufferPointer) -> UInt32? {
    guard let digits = crcDigits(line) else { return nil }
    let computed = computedCRC(line)
    return Hex.word(computed) == digits ? computed : nil
  }

  /// The eight bytes where the digits stand, the first lowest, if what is around them is as it must be.
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
