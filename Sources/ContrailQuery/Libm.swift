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
  /// Returns the sine and cosine of an angle in degrees.
  static func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
    let angle = degrees.remainder(dividingBy: 360) * .pi / 180
    return (sin(angle), cos(angle))
  }
}
