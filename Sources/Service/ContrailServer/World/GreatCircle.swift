#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A great circle between two places with precomputed trigonometry, because a flight needs hundreds of its points.
struct GreatCircle: Sendable {
  /// The earth's mean radius (IUGG) in nautical miles.
  static let radiusNM = 6371.0088 / 1.852

  private let origin: SIMD3<Double>
  private let forward: SIMD3<Double>
  /// The length in nautical miles.
  let lengthNM: Double

  init(from a: Airport, to b: Airport) {
    let start = Self.direction(latitude: a.latitude, longitude: a.longitude)
    let end = Self.direction(latitude: b.latitude, longitude: b.longitude)
    let cosine = (start * end).sum()
    let across = end - start * cosine
    let sine = (across * across).sum().squareRoot()
    origin = start
    forward = sine > 0 ? across / sine : SIMD3(-start.y, start.x, 0)
    lengthNM = atan2(sine, cosine) * Self.radiusNM
  }

  /// Returns the direction from the earth's centre to the point at a distance from the origin.
  func direction(atNM distance: Double) -> SIMD3<Double> {
    let angle = distance / Self.radiusNM
    return origin * cos(angle) + forward * sin(angle)
  }

  /// Returns the course at a distance from the origin, in degrees from true north, 0 ..< 360.
  func courseDegrees(atNM distance: Double) -> Double {
    let angle = distance / Self.radiusNM
    let here = origin * cos(angle) + forward * sin(angle)
    let ahead = forward * cos(angle) - origin * sin(angle)
    // East and north at `here`, each times the cosine of the latitude.
    let east = here.x * ahead.y - here.y * ahead.x
    let north = ahead.z
    let degrees = atan2(east, north) * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }

  /// Returns the direction of a place given in degrees.
  static func direction(latitude: Double, longitude: Double) -> SIMD3<Double> {
    let (phi, lambda) = (latitude * .pi / 180, longitude * .pi / 180)
    return SIMD3(cos(phi) * cos(lambda), cos(phi) * sin(lambda), sin(phi))
  }

  /// Returns the latitude and longitude of a direction in degrees, with the longitude in −180 ..< 180.
  static func place(of direction: SIMD3<Double>) -> (latitude: Double, longitude: Double) {
    let flat = (direction.x * direction.x + direction.y * direction.y).squareRoot()
    let longitude = atan2(direction.y, direction.x) * 180 / .pi
    return (atan2(direction.z, flat) * 180 / .pi, longitude >= 180 ? -180 : longitude)
  }
}
