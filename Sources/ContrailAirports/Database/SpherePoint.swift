import ContrailAirportData
import ContrailGeodesy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A point on the unit sphere, as used by the spatial index.
struct SpherePoint {
  var x: Double
  var y: Double
  var z: Double

  init(_ coordinate: Coordinate) {
    let (latitude, longitude) = (coordinate.latitude * .pi / 180, coordinate.longitude * .pi / 180)
    x = cos(latitude) * cos(longitude)
    y = cos(latitude) * sin(longitude)
    z = sin(latitude)
  }

  /// Returns the chord between two points on the unit sphere that are `distanceNM` apart, plus a small margin.
  static func chord(_ distanceNM: Double) -> Double {
    let angle = min(max(distanceNM, 0) / Earth.meanRadiusNM, .pi)
    return 2 * sin(angle / 2) + 1e-9
  }
}
