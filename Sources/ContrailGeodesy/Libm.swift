#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(WASILibc)
  import WASILibc
#endif

/// The only access to the platform's mathematical functions. Everything else in this module uses only the standard
/// library.
enum Libm {
  @inline(__always) static func sin(_ x: Double) -> Double { _sin(x) }
  @inline(__always) static func cos(_ x: Double) -> Double { _cos(x) }
  @inline(__always) static func tan(_ x: Double) -> Double { _tan(x) }
  @inline(__always) static func asin(_ x: Double) -> Double { _asin(x) }
  @inline(__always) static func acos(_ x: Double) -> Double { _acos(x) }
  @inline(__always) static func atan2(_ y: Double, _ x: Double) -> Double { _atan2(y, x) }
  @inline(__always) static func atan(_ x: Double) -> Double { _atan(x) }
  @inline(__always) static func atanh(_ x: Double) -> Double { _atanh(x) }
  @inline(__always) static func hypot(_ x: Double, _ y: Double) -> Double { _hypot(x, y) }
  @inline(__always) static func cbrt(_ x: Double) -> Double { _cbrt(x) }
}

// Inside `Libm`, the unqualified names would refer to its own members.
@inline(__always) private func _sin(_ x: Double) -> Double { sin(x) }
@inline(__always) private func _cos(_ x: Double) -> Double { cos(x) }
@inline(__always) private func _tan(_ x: Double) -> Double { tan(x) }
@inline(__always) private func _asin(_ x: Double) -> Double { asin(x) }
@inline(__always) private func _acos(_ x: Double) -> Double { acos(x) }
@inline(__always) private func _atan2(_ y: Double, _ x: Double) -> Double { atan2(y, x) }
@inline(__always) private func _atan(_ x: Double) -> Double { atan(x) }
@inline(__always) private func _atanh(_ x: Double) -> Double { atanh(x) }
@inline(__always) private func _hypot(_ x: Double, _ y: Double) -> Double { hypot(x, y) }
@inline(__always) private func _cbrt(_ x: Double) -> Double { cbrt(x) }
