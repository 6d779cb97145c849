import CContrail

/// The mathematical functions of the platform. Everything else in this module uses only the standard library.
enum Libm {
  @inline(__always) static func sin(_ x: Double) -> Double { contrail_sin(x) }
  @inline(__always) static func cos(_ x: Double) -> Double { contrail_cos(x) }
  @inline(__always) static func tan(_ x: Double) -> Double { contrail_tan(x) }
  @inline(__always) static func asin(_ x: Double) -> Double { contrail_asin(x) }
  @inline(__always) static func acos(_ x: Double) -> Double { contrail_acos(x) }
  @inline(__always) static func atan2(_ y: Double, _ x: Double) -> Double { contrail_atan2(y, x) }
  @inline(__always) static func atan(_ x: Double) -> Double { contrail_atan(x) }
  @inline(__always) static func atanh(_ x: Double) -> Double { contrail_atanh(x) }
  @inline(__always) static func hypot(_ x: Double, _ y: Double) -> Double { contrail_hypot(x, y) }
  @inline(__always) static func cbrt(_ x: Double) -> Double { contrail_cbrt(x) }
}
