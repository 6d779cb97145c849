import CContrail
import ContrailAirportData
import ContrailGeodesy

/// A point on the unit sphere, as used by the spatial index.
struct SpherePoint {
  var x: Double
  var y: Double
  var z: Double

  init(_ coordinate: Coordinate) {
    let (latitude, longitude) = (coordinate.latitude * .pi / 180, coordinate.longitude * .pi / 180)
    x = contrail_cos(latitude) * contrail_cos(longitude)
    y = contrail_cos(latitude) * contrail_sin(longitude)
    z = contrail_sin(latitude)
  }

  /// Returns the chord between two points on the unit sphere that are `distanceNM` apart, plus a small margin.
  static func chord(_ distanceNM: Double) -> Double {
    let angle = min(max(distanceNM, 0) / Earth.meanRadiusNM, .pi)
    return 2 * contrail_sin(angle / 2) + 1e-9
  }
}
