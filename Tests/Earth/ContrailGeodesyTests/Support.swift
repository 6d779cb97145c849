import ContrailGeodesy
import ContrailTestSupport

/// Coordinates as GeoJSON has them: longitude, latitude.
func line(_ pairs: [(Double, Double)]) -> [Coordinate] {
  pairs.map { Coordinate(latitude: $0.1, longitude: $0.0) }
}

/// A route that wanders from a place: legs of up to `legNM`, turns of up to `turn` degrees to either side.
func wanderingRoute(
  _ random: inout SplitMix64, from start: Coordinate, points: Int, legNM: Double, turn: Double
) -> [Coordinate] {
  var route = [start]
  var azimuth = random.double(0...360)
  for _ in 1..<max(points, 1) {
    azimuth += random.double(-turn...turn)
    route.append(route[route.count - 1].destination(azimuth: azimuth, distanceNM: random.double(0.05...1) * legNM))
  }
  return route
}

/// The exact distance in metres from a point to a route on WGS 84, found the slow way: along the nearest legs by golden section.
func exactDistance(from point: Coordinate, to route: [Coordinate]) -> Double {
  guard route.count > 1 else { return route[0].geodesicDistanceMeters(to: point) }
  let legs = route.indices.dropLast().sorted {
    point.distanceNM(toLegFrom: route[$0], to: route[$0 + 1])
      < point.distanceNM(toLegFrom: route[$1], to: route[$1 + 1])
  }
  var least = Double.infinity
  for leg in legs.prefix(3) {
    guard let line = GeodesicLine(from: route[leg], to: route[leg + 1]) else { continue }
    let length = route[leg].geodesicDistanceMeters(to: route[leg + 1])
    func distance(_ along: Double) -> Double {
      point.geodesicDistanceMeters(to: line.position(atMeters: along).coordinate)
    }
    var (low, high) = (0.0, length)
    let ratio = 0.618_033_988_749_895
    var (a, b) = (high - ratio * (high - low), low + ratio * (high - low))
    var (atA, atB) = (distance(a), distance(b))
    while high - low > max(length * 1e-4, 0.5) {
      if atA < atB {
        (high, b, atB) = (b, a, atA)
        a = high - ratio * (high - low)
        atA = distance(a)
      } else {
        (low, a, atA) = (a, b, atB)
        b = low + ratio * (high - low)
        atB = distance(b)
      }
    }
    least = min(least, atA, atB, distance(0), distance(length))
  }
  return least
}
