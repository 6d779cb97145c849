/// The valid ranges of values. Other values are recorded and treated as missing.
enum Ranges {
  /// In feet: from below the shore of the Dead Sea to above the highest airport.
  static let elevationFeet = -1_500.0...20_000.0
  /// In feet. The longest landing areas are on dry lakes.
  static let lengthFeet = 1.0...60_000.0
  /// In feet. Landing areas on water can be wide.
  static let widthFeet = 1.0...60_000.0
  /// In feet. Zero is valid: the runway end isn't available for that use.
  static let declaredFeet = 0.0...60_000.0
  static let headingDegrees = 0.0...380.0
  static let variationDegrees = -180.0...180.0
  static let gradientPercent = -25.0...25.0
}

/// Converts feet to metres.
func meters(feet: Double?) -> Double? { feet.map { $0 * 0.3048 } }

/// Normalises a heading to at most 360 degrees. Some sources contain slightly larger values.
func heading(_ degrees: Double?) -> Double? { degrees.map { $0 > 360 ? $0 - 360 : $0 } }
