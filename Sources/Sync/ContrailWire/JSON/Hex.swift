/// Hexadecimal text of 64-bit integers, as used for H3 indexes and checksums.
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
