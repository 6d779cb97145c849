// Eight bytes of text as one number, the first byte lowest: so that words are compared, and digits read, eight at a time.

extension UInt64 {
  /// The eight ASCII characters of a literal; a constant once it is compiled.
  @inline(__always)
  init(ascii text: StaticString) {
    self = UnsafeRawPointer(text.utf8Start).word(at: 0)
  }

  /// The first seven bytes.
  @inline(__always) var firstSeven: UInt64 { self & 0x00FF_FFFF_FFFF_FFFF }

  /// One where `self` is more than `limit`, else 0. Both are below 2⁶³.
  @inline(__always)
  func isAbove(_ limit: UInt64) -> UInt64 { (limit &- self) >> 63 }

  /// In each byte the value of the decimal digit that stands there, if one does.
  @inline(__always) var digitValues: UInt64 { self ^ 0x3030_3030_3030_3030 }

  /// Of ``digitValues``: the top bit of each byte where no digit stands.
  @inline(__always) var nonDigits: UInt64 {
    // Ten or more carries into the top bit, and nothing carries beyond it.
    ((self & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7676_7676_7676 | self) & 0x8080_8080_8080_8080
  }

  /// Of ``digitValues``: the number that eight digits say (pairs, then fours, then all eight).
  @inline(__always) var eightDigits: UInt64 {
    let pairs = self &* 10 &+ self >> 8
    let even = (pairs & 0x0000_00FF_0000_00FF) &* (100 + 1_000_000 << 32)
    let odd = (pairs >> 16 & 0x0000_00FF_0000_00FF) &* (1 + 10_000 << 32)
    return (even &+ odd) >> 32
  }

  /// The number that eight lowercase hexadecimal digits say, and 0 where each byte is one, else something else.
  @inline(__always) var eightHexDigits: (value: UInt64, fault: UInt64) {
    let nibbles = (self & 0x0F0F_0F0F_0F0F_0F0F) &+ (self >> 6 & 0x0101_0101_0101_0101) &* 9
    // Written again, they must be what was read.
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
  /// The eight bytes at an offset, the first lowest. The caller has checked that they are there.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
