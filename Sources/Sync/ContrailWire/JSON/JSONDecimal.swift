/// The digits and the power of ten of a JSON number.
struct JSONDecimal {
  var isNegative = false
  /// The first 19 significant digits: as many as a 64-bit integer has.
  private var significand: UInt64 = 0
  private var places = 0
  /// Whether a dropped digit is not zero, so that `significand` is inexact.
  private var isInexact = false
  /// The first dropped digit.
  private var firstDropped: UInt8 = 0
  var exponent = 0

  mutating func append(_ digit: UInt8) {
    if places < 19 {
      significand = significand * 10 + UInt64(digit)
      if significand != 0 { places += 1 }
    } else {
      if places == 19 {
        firstDropped = digit
        places += 1
      }
      if digit != 0 { isInexact = true }
      exponent += 1
    }
  }

  mutating func appendFraction(_ digit: UInt8) {
    append(digit)
    exponent -= 1
  }

  /// Returns the value times 10^`digits`, rounded half away from zero.
  ///
  /// Returns nil if the result doesn't fit, or if it isn't an integer and `exactly` is true.
  func scaled(by digits: Int, exactly: Bool) -> Int64? {
    if exactly && isInexact { return nil }
    var magnitude = significand
    var power = exponent + digits
    if magnitude == 0 { return 0 }
    while power > 0 {
      let (product, over) = magnitude.multipliedReportingOverflow(by: 10)
      if over { return nil }
      magnitude = product
      power -= 1
    }
    if power < -20 { return exactly ? nil : 0 }
    var divisor: UInt64 = 1
    while power < 0 {
      let (product, over) = divisor.multipliedReportingOverflow(by: 10)
      if over { return exactly ? nil : 0 }
      divisor = product
      power += 1
    }
    let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: divisor)
    if exactly && remainder != 0 { return nil }
    // Dropped digits matter only if the last kept digit is the unit: with a divisor, they can't reach a half.
    let isUp = divisor == 1 ? firstDropped >= 5 : remainder >= divisor - remainder
    let rounded = isUp ? quotient &+ 1 : quotient
    if isNegative { return rounded <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- rounded) : nil }
    return Int64(exactly: rounded)
  }
}
