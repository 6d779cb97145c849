/// Reads and changes the bits of an H3 index, without loops if possible.
///
/// A digit consists of three bits, i, j and k: the components of a step in that direction.
enum H3Index {
  static let maximumResolution = 15
  static let digitMask: UInt64 = (1 << 45) - 1
  /// The lowest bit of each of the fifteen digits.
  static let lowBits: UInt64 = 0o111_111_111_111_111

  @inline(__always)
  static func resolution(_ raw: UInt64) -> Int { Int(truncatingIfNeeded: (raw >> 52) & 15) }

  @inline(__always)
  static func baseCell(_ raw: UInt64) -> Int { Int(truncatingIfNeeded: (raw >> 45) & 127) }

  /// Returns the digit of a resolution, 1…15.
  @inline(__always)
  static func digit(_ raw: UInt64, _ resolution: Int) -> UInt64 {
    (raw &>> UInt64(truncatingIfNeeded: 45 &- 3 &* resolution)) & 7
  }

  /// Returns ones for the digits finer than the resolution.
  @inline(__always)
  static func tail(_ resolution: Int) -> UInt64 {
    (1 &<< UInt64(truncatingIfNeeded: 45 &- 3 &* resolution)) &- 1
  }

  /// Returns the index of a cell.
  @inline(__always)
  static func cell(resolution: Int, baseCell: Int, digits: UInt64) -> UInt64 {
    8 << 56 | UInt64(truncatingIfNeeded: resolution) << 52 | UInt64(truncatingIfNeeded: baseCell) << 45 | digits
      | tail(resolution)
  }

  /// Returns the index with another resolution and unchanged digits.
  @inline(__always)
  static func with(_ raw: UInt64, resolution: Int) -> UInt64 {
    raw & ~(15 << 52) | UInt64(truncatingIfNeeded: resolution) << 52
  }

  @inline(__always)
  static func isValid(_ raw: UInt64) -> Bool {
    let baseCell = baseCell(raw)
    guard raw >> 56 == 8, baseCell < BaseCellTables.count else { return false }
    let tail = tail(resolution(raw))
    // All bits below the used digits must be 1, and no used digit 7.
    let used = raw & digitMask & ~tail
    guard ~raw & tail | used & (used >> 1) & (used >> 2) & lowBits == 0 else { return false }
    guard BaseCellTables.isPentagon(baseCell), used != 0 else { return true }
    // A pentagon has no descendants whose first nonzero digit is 1.
    return (63 &- used.leadingZeroBitCount) % 3 != 0
  }

  /// Returns the first nonzero digit, if unused digits are 0; 0 if there is none.
  @inline(__always)
  static func leadingDigit(_ digits: UInt64) -> UInt64 {
    guard digits != 0 else { return 0 }
    // The position of the highest bit, rounded down to the lowest bit of its digit.
    let place = 63 &- digits.leadingZeroBitCount
    return (digits &>> UInt64(truncatingIfNeeded: place &- place % 3)) & 7
  }

  /// Returns the used digits, with all others 0.
  @inline(__always)
  static func digits(_ raw: UInt64) -> UInt64 { raw & digitMask & ~tail(resolution(raw)) }

  @inline(__always)
  static func isPentagon(_ raw: UInt64) -> Bool {
    BaseCellTables.isPentagon(baseCell(raw)) && digits(raw) == 0
  }

  /// Returns the digits rotated by 60° counter-clockwise, `turns` times (0…5). Digits 0 are unchanged.
  ///
  /// One rotation maps the bits (i, j, k) to (¬j, ¬k, ¬i): a rotation of the three bits and a negation, here in all
  /// digits at once.
  @inline(__always)
  static func turned(_ digits: UInt64, by turns: Int) -> UInt64 {
    let low = (digits | digits >> 1 | digits >> 2) & lowBits
    let nonZero = low &* 7
    var result = digits
    switch turns % 3 {
    case 1: result = (digits << 1) & (lowBits &* 6) | (digits >> 2) & lowBits
    case 2: result = (digits << 2) & (lowBits &* 4) | (digits >> 1) & (lowBits &* 3)
    default: break
    }
    return turns & 1 == 1 ? result ^ nonZero : result
  }

  /// Returns the digits rotated around a pentagon's centre, skipping the deleted subsequence, whose first digit is 1.
  @inline(__always)
  static func turnedAboutPentagon(_ digits: UInt64, by turns: Int) -> UInt64 {
    var result = digits
    var left = turns
    while left > 0 {
      result = turned(result, by: 1)
      if leadingDigit(result) == 1 { result = turned(result, by: 1) }
      left &-= 1
    }
    return result
  }
}
