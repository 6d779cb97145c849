import ContrailGeodesy

/// Tests whether areas of turbulence intersect a ring, in the plane of longitude and latitude.
struct AreaMeeting {
  private typealias Point = PlaneSegment.Point

  private let ring: Ring
  /// The unwrapped ring, closed along the pole if it contains one.
  private let outline: [SIMD2<Double>]

  init(_ ring: Ring) {
    self.ring = ring
    outline = ring.coordinates.unwrapped().map { SIMD2($0.longitude, $0.latitude) }
  }

  /// Whether an area intersects the ring.
  ///
  /// - Complexity: O(*n* · *m*) for *n* corners of the area and *m* of the ring.
  func meets(_ area: TurbulenceArea) -> Bool {
    area.polygons.contains { polygon in
      guard let outer = polygon.first else { return false }
      if outer.contains(where: ring.contains) { return true }
      let rings = polygon.map { $0.map { Point($0.longitude, $0.latitude) } }
      return [-720.0, -360, 0, 360, 720].contains { shift in
        let moved = outline.map { Point($0.x + shift, $0.y) }
        if rings.contains(where: { Self.overlap(moved, $0) && Self.crosses(moved, $0) }) { return true }
        guard let first = moved.first else { return false }
        // No edges cross: the ring is inside the area if one of its points is, and inside a hole if that is.
        return TurbulenceArea.polygon(polygon, containsLatitude: first.y, longitude: first.x)
      }
    }
  }

  private static func overlap(_ a: [Point], _ b: [Point]) -> Bool {
    func box(_ points: [Point]) -> (low: Point, high: Point) {
      let start = points.first ?? .zero
      return points.reduce((start, start)) { (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1)) }
    }
    let (first, second) = (box(a), box(b))
    return !any(first.low .> second.high) && !any(second.low .> first.high)
  }

  private static func crosses(_ a: [Point], _ b: [Point]) -> Bool {
    zip(a, a.dropFirst()).contains { start, end in
      let edge = PlaneSegment(start: start, end: end)
      return zip(b, b.dropFirst()).contains { edge.meets(PlaneSegment(start: $0, end: $1)) }
    }
  }
}
