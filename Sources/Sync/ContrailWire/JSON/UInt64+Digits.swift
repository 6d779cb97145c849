extension UInt64 {
  /// The eight decimal digits of a number below 10⁸ as ASCII characters, the first one lowest.
  ///
  /// Halves the number three times: into parts of four, two and one digit, all parts at once. The factors are the
  /// smallest approximations of 1/100 and 1/10 that are exact for all parts.
  @inline(__always) var asEightDigits: UInt64 { digitParts | 0x3030_3030_3030_3030 }

  /// The eight decimal digits of a number below 10⁸, one in each byte, the first one lowest.
  @inline(__always) var digitParts: UInt64 {
    let (top, bottom) = quotientAndRemainder(dividingBy: 10_000)
    let fours = top | bottom << 32
    let hundreds = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
    let pairs = hundreds | (fours &- hundreds &* 100) << 16
    let tens = (pairs &* 103) >> 10 & 0x000F_000F_000F_000F
    return tens | (pairs &- tens &* 10) << 8
  }
}

extension UnsafeMutableRawPointer {
  /// Writes a number below 10⁸ without leading zeros, and returns the count of its digits. Eight bytes must be writable.
  @inline(__always)
  func writeDigits(of number: UInt64) -> Int {
    let digits = number.digitParts
    // The last digit is written even if it is zero.
    let zeros = Swift.min(digits.trailingZeroBitCount / 8, 7)
    let text = (digits | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: 8 &* zeros)
    storeBytes(of: text.littleEndian, as: UInt64.self)
    return 8 &- zeros
  }
}
