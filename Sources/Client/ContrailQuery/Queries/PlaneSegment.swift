/// A straight line between two points of a plane.
struct PlaneSegment {
  typealias Point = SIMD2<Double>

  var start: Point
  var end: Point

  /// Returns a positive value if a point is to the left, a negative one if it is to the right, and 0 if it is on the line.
  func side(of point: Point) -> Double {
    (end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x)
  }

  /// Whether two lines have a point in common.
  func meets(_ other: PlaneSegment) -> Bool {
    !any(pointwiseMin(start, end) .> pointwiseMax(other.start, other.end))
      && !any(pointwiseMin(other.start, other.end) .> pointwiseMax(start, end))
      && side(of: other.start) * side(of: other.end) <= 0 && other.side(of: start) * other.side(of: end) <= 0
  }
}
