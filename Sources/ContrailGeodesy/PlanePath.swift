/// A line or ring unrolled into the plane of longitude and latitude, in 1e-7 degrees, edges straight as RFC 7946 draws them.
struct PlanePath {
  /// One point for each point given; for a ring the last is the first again, moved by `winding`.
  var points: [GridPoint]
  var isClosed: Bool
  /// How far the ring's end lies from its start in longitude: 0, or a whole number of turns when it goes round the earth.
  var winding: Int64

  static let turn: Int64 = 360 * FixedCoordinate.degree

  /// Reads points as ``Ring`` does; nil where one is not finite or out of range.
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

  /// A closed ring whose longitudes run on without a jump.
  init(closed points: [GridPoint]) {
    self.points = points
    isClosed = true
    winding = points.isEmpty ? 0 : points[points.count - 1].x - points[0].x
  }

  /// Moves longitudes by whole turns so that each step goes the short way.
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

  /// Which pole a ring of some of the points, if it goes round the earth, is read to hold: the nearer one.
  func holdsNorth(_ indices: some Sequence<Int>) -> Bool {
    indices.reduce(Int64(0)) { $0 + points[$1].y } >= 0
  }

  /// The edge from a point to the next.
  @inline(__always) func edge(_ index: Int) -> GridSegment { GridSegment(points[index], points[index + 1]) }

  /// Whether edges share more than the corner between neighbours.
  ///
  /// The points must not repeat one another consecutively.
  var meetsItself: Bool { ContactFinder(self).forEach { _, _ in true } }
}
