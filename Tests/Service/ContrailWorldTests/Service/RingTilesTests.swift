import ContrailGeodesy
import ContrailTestSupport
import Testing

@testable import ContrailWorld

@Suite struct RingTilesTests {
  private static let degree: Int64 = 10_000_000

  /// A corridor, or any polygon, of which some cross the antimeridian, and some are around a pole.
  private static func ring(_ random: inout SplitMix64) throws -> Ring {
    let start = Coordinate(
      latitude: .random(in: -80...80, using: &random), longitude: .random(in: -180...180, using: &random))
    switch UInt.random(in: 0..<4, using: &random) {
    case 0:
      let end = Coordinate(
        latitude: .random(in: -80...80, using: &random), longitude: .random(in: -180...180, using: &random))
      return try Ring([start, end].buffer(widthNM: 100))
    case 1:
      // Its edges are on the sides of tiles.
      let (latitude, longitude) = (start.latitude.rounded(), start.longitude.rounded())
      let corners = [(0.0, 0.0), (0, 7), (5, 7), (5, 3), (3, 3), (3, 0), (0, 0)]
      return try Ring(
        corners.map { Coordinate(latitude: min(latitude + $0, 90), longitude: min(max(longitude + $1, -360), 360)) })
    case 2:
      let latitude = Double.random(in: 60...80, using: &random)
      let corners = stride(from: -180.0, to: 180, by: 60).map { Coordinate(latitude: latitude, longitude: $0) }
      return try Ring(corners + [corners[0]])
    default:
      var corners = (0..<Int.random(in: 3...40, using: &random)).map { _ in
        Coordinate(
          latitude: min(max(start.latitude + .random(in: -30...30, using: &random), -90), 90),
          longitude: start.longitude + .random(in: -40...40, using: &random))
      }
      corners.append(corners[0])
      return try Ring(corners)
    }
  }

  /// A point anywhere, on the corner of a tile, or beside a corner of the ring.
  private static func point(_ ring: Ring, _ random: inout SplitMix64) -> FixedCoordinate {
    var point = FixedCoordinate(
      latitudeE7: .random(in: -90 * degree...90 * degree, using: &random),
      longitudeE7: .random(in: -180 * degree...180 * degree, using: &random))
    if Bool.random(using: &random), let corner = ring.points.randomElement(using: &random) {
      let reach: Int64 = Bool.random(using: &random) ? 1 : 3 * degree
      point.latitudeE7 = corner.latitudeE7 + .random(in: -reach...reach, using: &random)
      point.longitudeE7 = corner.longitudeE7 + .random(in: -reach...reach, using: &random)
    }
    if UInt.random(in: 0..<4, using: &random) == 0 {
      point.latitudeE7 -= point.latitudeE7 % degree
      point.longitudeE7 -= point.longitudeE7 % degree
    }
    point.latitudeE7 = min(max(point.latitudeE7, -90 * degree), 90 * degree)
    return point
  }

  @Test(arguments: 0..<40) func tilesSayWhatTheRingSays(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<5 {
      let ring = try Self.ring(&random)
      let tiles = RingTiles(ring)
      let (inside, crossed) = (Set(tiles.inside), Set(tiles.crossed))
      #expect(inside.count == tiles.inside.count && crossed.count == tiles.crossed.count)
      #expect(inside.isDisjoint(with: crossed))
      var insideCount = 0
      for _ in 0..<4000 {
        let point = Self.point(ring, &random)
        let isInside = ring.contains(point)
        insideCount += isInside ? 1 : 0
        let tile = RingTiles.tile(of: point)
        #expect(crossed.contains(tile) || inside.contains(tile) == isInside, "\(point) in \(ring.points)")
      }
      #expect(insideCount > 0 && insideCount < 4000)
    }
  }
}
