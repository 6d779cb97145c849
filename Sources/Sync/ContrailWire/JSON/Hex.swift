/// Hexadecimal text of integers and bytes, as used for H3 indexes, checksums and hashes.
package enum Hex {
  /// Returns the value of a hexadecimal digit in either case; nil for any other byte.
  @inline(__always)
  package static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- UInt8(ascii: "a") &+ 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- UInt8(ascii: "A") &+ 10
    default: nil
    }
  }

  /// Returns the value of a lowercase digit; nil for any other byte.
  package static func lowercaseDigit(_ byte: UInt8) -> UInt8? {
    (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte) ? nil : digit(byte)
  }

  /// Returns the value of 1 to 16 hexadecimal digits; nil for any other text.
  package static func value(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
    guard (1...16).contains(bytes.count) else { return nil }
    var value: UInt64 = 0
    for byte in bytes {
      guard let digit = digit(byte) else { return nil }
      value = value << 4 | UInt64(digit)
    }
    return value
  }

  /// Returns the value as sixteen lowercase digits.
  package static func string(_ value: UInt64) -> String {
    var bytes: [UInt8] = []
    append(value, digits: 16, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the value as eight lowercase digits.
  package static func string(_ value: UInt32) -> String {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns eight lowercase digits as a word whose lowest byte is the first, most significant digit.
  @inlinable package static func word(_ value: UInt32) -> UInt64 {
    var word = UInt64(value)
    word = (word | word << 16) & 0x0000_FFFF_0000_FFFF
    word = (word | word << 8) & 0x00FF_00FF_00FF_00FF
    word = (word | word << 4) & 0x0F0F_0F0F_0F0F_0F0F
    // One in each byte of ten or more, for the step from "9" to "a".
    let letters = (word &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return (word &+ 0x3030_3030_3030_3030 &+ letters &* 0x27).byteSwapped
  }

  /// Appends eight lowercase digits.
  package static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: word(value).littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Writes the low `digits` hexadecimal digits, lowercase.
  static func write(_ value: UInt64, digits: Int, at place: UnsafeMutablePointer<UInt8>) {
    for index in 0..<digits {
      let digit = UInt8(truncatingIfNeeded: value >> UInt64(4 * (digits - 1 - index))) & 0xF
      place[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
  }

  /// Appends the low `digits` hexadecimal digits, lowercase.
  package static func append(_ value: UInt64, digits: Int, to bytes: inout [UInt8]) {
    for place in (0..<digits).reversed() {
      let digit = UInt8(truncatingIfNeeded: value >> UInt64(place * 4)) & 0xF
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
