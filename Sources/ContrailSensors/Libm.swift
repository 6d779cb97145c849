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

/// The only access to the platform's mathematical functions.
enum Libm {
  static func tangent(radians: Double) -> Double { tan(radians) }
  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
  static func exponential(_ x: Double) -> Double { exp(x) }
  static func logarithm(_ x: Double) -> Double { log(x) }
}
