import CContrail

/// The only access to the platform's mathematical functions.
enum Libm {
  /// Returns the sine and cosine of an angle in degrees.
  static func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
    let angle = degrees.remainder(dividingBy: 360) * .pi / 180
    return (contrail_sin(angle), contrail_cos(angle))
  }
}
