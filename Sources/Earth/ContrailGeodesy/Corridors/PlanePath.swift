/// A line or ring unwrapped into the plane of longitude and latitude, in 1e-7 degrees, with straight edges as in RFC
/// 7946.
struct PlanePath {
  /// One point for each given point. The last point of a ring is the first one, shifted by `winding`.
  var points: [GridPoint]
  var isClosed: Bool
  /// The difference in longitude between the end and the start of a ring: 0, or a multiple of 360° if it winds around
  /// the earth.
  var winding: Int64

  static let turn: Int64 = 360 * FixedCoordinate.degree

  /// Creates a path from points, read as in ``Ring``; nil if one is not finite or out of range.
  init?(_ coordinates: [Coordinate]) {
    guard let first = coordinates.first, let last = coordinates.last else { return nil }
    points = []
    points.reserveCapacity(coordinates.count)
    var isWrapped = true
    for coordinate in coordinates {
      guard coordinate.isValid, let point = FixedCoordinate(coordinate) else { return nil }
      if abs(point.longitudeE7) > 180 * FixedCoordinate.degree { isWrapped = false }
      points.append(GridPoint(x: point.longitudeE7, y: point.latitudeE7))
    }
    isClosed = coordinates.count > 1 && first == last
    if isWrapped { Self.unroll(&points) }
    winding = isClosed ? points[points.count - 1].x - points[0].x : 0
  }

  /// Creates a closed ring from points with unwrapped longitudes.
  init(closed points: [GridPoint]) {
    self.points = points
    isClosed = true
    winding = points.isEmpty ? 0 : points[points.count - 1].x - points[0].x
  }

  /// Shifts longitudes by multiples of 360° so that each step takes the shorter way.
  static func unroll(_ points: inout [GridPoint]) {
    var offset: Int64 = 0
    for index in points.indices.dropFirst() {
      let step = points[index].x &+ offset &- points[index - 1].x
      if step >= turn / 2 {
        offset -= turn
      } else if step < -turn / 2 {
        offset += turn
      }
      points[index].x += offset
    }
  }

  /// Whether a ring of some of the points, if it winds around the earth, contains the north pole: the nearer pole is
  /// inside.
  func holdsNorth(_ indices: some Sequence<Int>) -> Bool {
    indices.reduce(Int64(0)) { $0 + points[$1].y } >= 0
  }

  /// Returns the edge from a point to the next.
  @inline(__always) func edge(_ index: Int) -> GridSegment { GridSegment(points[index], points[index + 1]) }

  /// Whether edges share more than the common corner of neighbours.
  ///
  /// The path must not have consecutive equal points.
  var meetsItself: Bool { ContactFinder(self).forEach { _, _ in true } }
}
