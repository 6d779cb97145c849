/// The bits of an H3 index, read and changed without loops where bits allow it.
///
/// Digits are three bits, i, j and k: what a step in that direction adds to a lattice point.
enum H3Index {
  static let maximumResolution = 15
  static let digitMask: UInt64 = (1 << 45) - 1
  /// The lowest bit of each of fifteen digits.
  static let lowBits: UInt64 = 0o111_111_111_111_111

  @inline(__always)
  static func resolution(_ raw: UInt64) -> Int { Int(truncatingIfNeeded: (raw >> 52) & 15) }

  @inline(__always)
  static func baseCell(_ raw: UInt64) -> Int { Int(truncatingIfNeeded: (raw >> 45) & 127) }

  /// The digit of a resolution, 1…15.
  @inline(__always)
  static func digit(_ raw: UInt64, _ resolution: Int) -> UInt64 {
    (raw &>> UInt64(truncatingIfNeeded: 45 &- 3 &* resolution)) & 7
  }

  /// Ones where the digits finer than the resolution stand.
  @inline(__always)
  static func tail(_ resolution: Int) -> UInt64 {
    (1 &<< UInt64(truncatingIfNeeded: 45 &- 3 &* resolution)) &- 1
  }

  /// A cell of the resolution, its digits all 0.
  @inline(__always)
  static func cell(resolution: Int, baseCell: Int, digits: UInt64) -> UInt64 {
    8 << 56 | UInt64(truncatingIfNeeded: resolution) << 52 | UInt64(truncatingIfNeeded: baseCell) << 45 | digits
      | tail(resolution)
  }

  /// The index with its resolution changed, the digits left alone.
  @inline(__always)
  static func with(_ raw: UInt64, resolution: Int) -> UInt64 {
    raw & ~(15 << 52) | UInt64(truncatingIfNeeded: resolution) << 52
  }

  static func isValid(_ raw: UInt64) -> Bool {
    guard raw >> 56 == 8 else { return false }
    let baseCell = baseCell(raw)
    guard baseCell < BaseCellTables.count else { return false }
    let tail = tail(resolution(raw))
    guard raw & tail == tail else { return false }
    let used = raw & digitMask & ~tail
    guard used & (used >> 1) & (used >> 2) & lowBits == 0 else { return false }
    guard BaseCellTables.isPentagon(baseCell), used != 0 else { return true }
    // A pentagon's sequence that begins with 1 is missing: the first digit that is not 0 never has its lowest bit
    // alone.
    return (63 &- used.leadingZeroBitCount) % 3 != 0
  }

  /// The first digit that is not 0, of digits whose unused ones are 0; 0 if there is none.
  @inline(__always)
  static func leadingDigit(_ digits: UInt64) -> UInt64 {
    guard digits != 0 else { return 0 }
    // The place of the highest bit, rounded down to a digit's lowest.
    let place = 63 &- digits.leadingZeroBitCount
    return (digits &>> UInt64(truncatingIfNeeded: place &- place % 3)) & 7
  }

  /// The digits in use, the others 0.
  @inline(__always)
  static func digits(_ raw: UInt64) -> UInt64 { raw & digitMask & ~tail(resolution(raw)) }

  @inline(__always)
  static func isPentagon(_ raw: UInt64) -> Bool {
    BaseCellTables.isPentagon(baseCell(raw)) && digits(raw) == 0
  }

  /// All digits turned by 60° counter-clockwise, `turns` times (0…5); digits 0 stay.
  ///
  /// One turn takes the bits (i, j, k) to (¬j, ¬k, ¬i): a rotation of three bits and a negation, here in all digits at
  /// once.
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

  /// The same about a pentagon's centre: the missing sequence, digit 1 first, is skipped.
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
