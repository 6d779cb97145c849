/// What values can be true. Others are noted, and count as missing.
enum Ranges {
  /// Feet: from below the shore of the Dead Sea to above the highest airport.
  static let elevationFeet = -1_500.0...20_000.0
  /// Feet. The longest landing grounds are on dry lakes.
  static let lengthFeet = 1.0...60_000.0
  /// Feet. Water is wide.
  static let widthFeet = 1.0...60_000.0
  /// Feet. None is a distance too: such an end isn't for that use.
  static let declaredFeet = 0.0...60_000.0
  static let headingDegrees = 0.0...380.0
  static let variationDegrees = -180.0...180.0
  static let gradientPercent = -25.0...25.0
}

/// Feet in metres; nil stays nil.
func meters(feet: Double?) -> Double? { feet.map { $0 * 0.3048 } }

/// A heading as a value of up to 360 degrees; some sources go a little beyond.
func heading(_ degrees: Double?) -> Double? { degrees.map { $0 > 360 ? $0 - 360 : $0 } }
