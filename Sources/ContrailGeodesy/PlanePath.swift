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

  /// The edge from a point to the next.
  @inline(__always) func edge(_ index: Int) -> GridSegment { GridSegment(points[index], points[index + 1]) }

  /// Calls `body` with the indices of each two edges that share more than the corner between neighbours, until it answers true;
  /// whether it did. Edge *i* runs from point *i* to the next.
  ///
  /// The points must not repeat one another consecutively.
  func forEachContact(_ body: (Int, Int) -> Bool) -> Bool {
    let count = points.count - 1
    guard count > 1 else { return false }
    var segments: [GridSegment] = []
    segments.reserveCapacity(count)
    var (west, east) = (points[0].x, points[0].x)
    for index in 0..<count {
      segments.append(GridSegment(points[index], points[index + 1]))
      west = min(west, points[index].x)
      east = max(east, points[index].x)
    }
    let isWide = winding != 0 || east - west >= Self.turn
    let shift = winding != 0 ? winding : Self.turn
    if isWide {
      // What lies a turn apart in the plane is the same place: lay a second copy beside the first.
      for index in 0..<count {
        var segment = segments[index]
        segment.a.x += shift
        segment.b.x += shift
        segments.append(segment)
      }
    }
    let tree = SegmentTree(segments)
    return segments.withUnsafeBufferPointer { segments in
      tree.forEachPair { i, j in
        if i >= count { return false }
        let areNeighbours =
          j < count
          ? j == i + 1 || (isClosed && winding == 0 && i == 0 && j == count - 1)
          : winding != 0 && i == count - 1 && j == count
        if areNeighbours {
          let folds = j == i + 1 ? segments[i].foldsBack(into: segments[j]) : segments[j].foldsBack(into: segments[i])
          return folds && body(i, j % count)
        }
        if j >= count, j - count == i { return false }
        return segments[i].touches(segments[j]) && body(i, j % count)
      }
    }
  }
}
