import CContrail

/// The mathematical functions of the platform.
enum Libm {
  static func tangent(radians: Double) -> Double { contrail_tan(radians) }
  static func power(_ base: Double, _ exponent: Double) -> Double { contrail_pow(base, exponent) }
  static func exponential(_ x: Double) -> Double { contrail_exp(x) }
  static func logarithm(_ x: Double) -> Double { contrail_log(x) }
}
