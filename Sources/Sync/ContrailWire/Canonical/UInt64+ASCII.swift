// Eight bytes of text as one integer, with the first byte lowest, to compare words and decode digits eight bytes at a
// time.

extension UInt64 {
  /// Creates the word of a literal of eight ASCII characters. Constant at compile time.
  @inline(__always)
  init(ascii text: StaticString) {
    self = UnsafeRawPointer(text.utf8Start).word(at: 0)
  }

  /// The first seven bytes.
  @inline(__always) var firstSeven: UInt64 { self & 0x00FF_FFFF_FFFF_FFFF }

  /// Returns 1 if `self` is greater than `limit`, otherwise 0. Both must be below 2⁶³.
  @inline(__always)
  func isAbove(_ limit: UInt64) -> UInt64 { (limit &- self) >> 63 }

  /// The value of the decimal digit in each byte, if the byte is a digit.
  @inline(__always) var digitValues: UInt64 { self ^ 0x3030_3030_3030_3030 }

  /// The top bit of each byte of ``digitValues`` that isn't a digit.
  @inline(__always) var nonDigits: UInt64 {
    // Values of ten or more carry into the top bit, and no further.
    ((self & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7676_7676_7676 | self) & 0x8080_8080_8080_8080
  }

  /// The top bit of each byte that ends the plain part of a JSON string: a quote, a backslash, a control character, or a
  /// byte above ASCII. Only the lowest one is certain.
  @inline(__always) var nonPlainText: UInt64 { escapedText | self & 0x8080_8080_8080_8080 }

  /// The top bit of each byte that must be escaped in a JSON string: a quote, a backslash or a control character. Only
  /// the lowest one is certain, and bytes above ASCII may be among them.
  @inline(__always) var escapedText: UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = self ^ 0x2222_2222_2222_2222
    let backslashes = self ^ 0x5C5C_5C5C_5C5C_5C5C
    // A byte below the subtrahend borrows from its top bit, and perhaps from the bytes above it.
    let found = (quotes &- ones) | (backslashes &- ones) | (self &- ones &* 0x20)
    return found & 0x8080_8080_8080_8080
  }

  /// The top bit of each byte that is a space or a control character. Only the lowest one is certain.
  @inline(__always) var spaces: UInt64 {
    (self &- 0x2121_2121_2121_2121) & ~self & 0x8080_8080_8080_8080
  }

  /// The number that the eight digits of ``digitValues`` represent, combined in pairs, then fours, then eight.
  @inline(__always) var eightDigits: UInt64 {
    let pairs = self &* 10 &+ self >> 8
    let even = (pairs & 0x0000_00FF_0000_00FF) &* (100 + 1_000_000 << 32)
    let odd = (pairs >> 16 & 0x0000_00FF_0000_00FF) &* (1 + 10_000 << 32)
    return (even &+ odd) >> 32
  }

  /// The value of eight lowercase hexadecimal digits, and a fault that is 0 if all bytes are such digits.
  @inline(__always) var eightHexDigits: (value: UInt64, fault: UInt64) {
    let nibbles = (self & 0x0F0F_0F0F_0F0F_0F0F) &+ (self >> 6 & 0x0101_0101_0101_0101) &* 9
    // Encode the nibbles again and compare with the input.
    let letters = (nibbles &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    let written = nibbles &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
    var value = nibbles.byteSwapped
    value = (value | value >> 4) & 0x00FF_00FF_00FF_00FF
    value = (value | value >> 8) & 0x0000_FFFF_0000_FFFF
    value = (value | value >> 16) & 0x0000_0000_FFFF_FFFF
    return (value, written ^ self | nibbles & 0xF0F0_F0F0_F0F0_F0F0)
  }
}

extension UnsafeRawPointer {
  /// Returns the eight bytes at an offset, the first lowest. The caller must ensure that they are readable.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
