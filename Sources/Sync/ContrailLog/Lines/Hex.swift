/// Lowercase hexadecimal digits.
enum Hex {
  private static let digits: StaticString = "0123456789abcdef"

  /// Returns the digit of the lowest four bits of `value`.
  static func digit(_ value: UInt8) -> UInt8 { digits.utf8Start[Int(value & 0xF)] }

  /// Returns the value of a lowercase digit; nil for any other byte.
  static func value(lowercase digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Returns eight digits as a word whose lowest byte is the first, most significant digit.
  static func word(_ value: UInt32) -> UInt64 {
    var word = UInt64(value)
    word = (word | word << 16) & 0x0000_FFFF_0000_FFFF
    word = (word | word << 8) & 0x00FF_00FF_00FF_00FF
    word = (word | word << 4) & 0x0F0F_0F0F_0F0F_0F0F
    // One in each byte of ten or more, for the step from "9" to "a".
    let letters = (word &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return (word &+ 0x3030_3030_3030_3030 &+ letters &* 0x27).byteSwapped
  }

  /// Appends eight digits, most significant first.
  static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: word(value).littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Returns two digits for each byte.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digit(byte >> 4))
      text.append(digit(byte))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns eight digits, most significant first.
  static func text(_ value: UInt32) -> String {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
