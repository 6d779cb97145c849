import CContrail

/// The only access to the mathematical functions of the platform. The fold uses none of them.
package enum Libm {
  @inline(__always) package static func sin(_ x: Double) -> Double { contrail_sin(x) }
  @inline(__always) package static func cos(_ x: Double) -> Double { contrail_cos(x) }
  @inline(__always) package static func tan(_ x: Double) -> Double { contrail_tan(x) }
  @inline(__always) package static func asin(_ x: Double) -> Double { contrail_asin(x) }
  @inline(__always) package static func acos(_ x: Double) -> Double { contrail_acos(x) }
  @inline(__always) package static func atan2(_ y: Double, _ x: Double) -> Double { contrail_atan2(y, x) }
  @inline(__always) package static func atan(_ x: Double) -> Double { contrail_atan(x) }
  @inline(__always) package static func atanh(_ x: Double) -> Double { contrail_atanh(x) }
  @inline(__always) package static func hypot(_ x: Double, _ y: Double) -> Double { contrail_hypot(x, y) }
  @inline(__always) package static func cbrt(_ x: Double) -> Double { contrail_cbrt(x) }
  package static func power(_ base: Double, _ exponent: Double) -> Double { contrail_pow(base, exponent) }
  package static func exponential(_ x: Double) -> Double { contrail_exp(x) }
  package static func logarithm(_ x: Double) -> Double { contrail_log(x) }

  /// Returns the sine and cosine of an angle in degrees.
  package static func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
    let angle = degrees.remainder(dividingBy: 360) * .pi / 180
    return (sin(angle), cos(angle))
  }
}
