/// A point of the plane in integer units.
///
/// Predicates are exact as long as the differences between their points are less than 2³² and 2³⁰·⁸ (360° and 180° in
/// 1e-7 degrees are), because each product then fits into 64 bits.
struct GridPoint: Hashable {
  var x: Int64
  var y: Int64

  @inline(__always) init(x: Int64, y: Int64) {
    self.x = x
    self.y = y
  }

  /// Returns 1 if `c` is to the left of the line from `a` to `b`, −1 if to the right, 0 if on the line.
  @inline(__always) static func orientation(_ a: GridPoint, _ b: GridPoint, _ c: GridPoint) -> Int {
    let left = (b.x &- a.x) &* (c.y &- a.y)
    let right = (b.y &- a.y) &* (c.x &- a.x)
    return left > right ? 1 : left < right ? -1 : 0
  }
}

/// A line segment between two points of the grid.
struct GridSegment {
  var a: GridPoint
  var b: GridPoint

  @inline(__always) init(_ a: GridPoint, _ b: GridPoint) {
    self.a = a
    self.b = b
  }

  @inline(__always) var box: GridBox {
    GridBox(minX: min(a.x, b.x), minY: min(a.y, b.y), maxX: max(a.x, b.x), maxY: max(a.y, b.y))
  }

  /// Whether a point known to be on the line is between the ends, inclusive.
  @inline(__always) func spans(_ p: GridPoint) -> Bool {
    p.x >= min(a.x, b.x) && p.x <= max(a.x, b.x) && p.y >= min(a.y, b.y) && p.y <= max(a.y, b.y)
  }

  /// Whether two segments intersect, including their ends.
  func touches(_ other: GridSegment) -> Bool {
    let o1 = GridPoint.orientation(a, b, other.a)
    let o2 = GridPoint.orientation(a, b, other.b)
    if o1 == o2, o1 != 0 { return false }
    let o3 = GridPoint.orientation(other.a, other.b, a)
    let o4 = GridPoint.orientation(other.a, other.b, b)
    if o3 == o4, o3 != 0 { return false }
    if o1 != o2, o3 != o4, o1 != 0, o2 != 0, o3 != 0, o4 != 0 { return true }
    return (o1 == 0 && spans(other.a)) || (o2 == 0 && spans(other.b)) || (o3 == 0 && other.spans(a))
      || (o4 == 0 && other.spans(b))
  }

  /// Returns the grid point nearest to the crossing of two segments, excluding their ends; nil if they don't cross.
  func crossing(_ other: GridSegment) -> GridPoint? {
    let (o1, o2) = (GridPoint.orientation(a, b, other.a), GridPoint.orientation(a, b, other.b))
    let (o3, o4) = (GridPoint.orientation(other.a, other.b, a), GridPoint.orientation(other.a, other.b, b))
    return o1 * o2 < 0 && o3 * o4 < 0 ? nearCrossing(other) : nil
  }

  /// Returns the distance of a point on the segment from `a`, as the sum of the distances along both axes.
  @inline(__always) func far(_ p: GridPoint) -> Int64 { abs(p.x &- a.x) &+ abs(p.y &- a.y) }

  /// Returns the grid point nearest to the crossing of two segments that are known to cross, within the boxes of both.
  func nearCrossing(_ other: GridSegment) -> GridPoint {
    let (sx, sy) = (Double(b.x - a.x), Double(b.y - a.y))
    let (tx, ty) = (Double(other.b.x - other.a.x), Double(other.b.y - other.a.y))
    let (wx, wy) = (Double(other.a.x - a.x), Double(other.a.y - a.y))
    let share = (wx * ty - wy * tx) / (sx * ty - sy * tx)
    guard share > 0, share < 1 else { return share >= 1 ? b : a }
    let x = Int64((share * sx).rounded()) + a.x
    let y = Int64((share * sy).rounded()) + a.y
    let box = other.box
    return GridPoint(x: min(max(x, box.minX), box.maxX), y: min(max(y, box.minY), box.maxY))
  }

  /// Whether two segments with `b` == `next.a` share more than this point, so that the second folds back onto the
  /// first.
  @inline(__always) func foldsBack(into next: GridSegment) -> Bool {
    guard GridPoint.orientation(a, b, next.b) == 0 else { return false }
    let (ax, ay) = (a.x &- b.x, a.y &- b.y)
    let (bx, by) = (next.b.x &- b.x, next.b.y &- b.y)
    // On one line, comparing the signs of one coordinate is sufficient.
    if ax != 0 || bx != 0 { return (ax > 0) == (bx > 0) && ax != 0 && bx != 0 }
    return (ay > 0) == (by > 0) && ay != 0 && by != 0
  }
}

/// A closed axis-aligned rectangle of the grid.
struct GridBox {
  var minX: Int64
  var minY: Int64
  var maxX: Int64
  var maxY: Int64

  @inline(__always) func meets(_ other: GridBox) -> Bool {
    minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
  }

  @inline(__always) mutating func formUnion(_ other: GridBox) {
    minX = min(minX, other.minX)
    minY = min(minY, other.minY)
    maxX = max(maxX, other.maxX)
    maxY = max(maxY, other.maxY)
  }
}
