/// Lowercase hexadecimal digits.
enum Hex {
  private static let digits: StaticString = "0123456789abcdef"

  /// The digit of the lowest four bits of `value`.
  static func digit(_ value: UInt8) -> UInt8 { digits.utf8Start[Int(value & 0xF)] }

  /// What the digit stands for, or nil if it isn't one; capitals aren't.
  static func value(lowercase digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Eight digits, the highest first.
  static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    for shift in stride(from: UInt32(28), through: 0, by: -4) {
      bytes.append(digit(UInt8(truncatingIfNeeded: value >> shift)))
    }
  }

  /// Two digits for each byte.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digit(byte >> 4))
      text.append(digit(byte))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Eight digits, the highest first.
  static func text(_ value: UInt32) -> String {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
