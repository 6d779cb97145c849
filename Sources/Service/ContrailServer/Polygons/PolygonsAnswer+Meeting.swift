import ContrailGeodesy
import ContrailH3
import ContrailWire

extension PolygonsAnswer.Area {
  /// Returns whether the area intersects a ring: one contains a corner of the other, or edges cross.
  ///
  /// An area also counts if the ring is inside one of its holes, which is the conservative choice.
  func meets(_ ring: Ring) -> Bool {
    for polygon in polygons {
      if polygon.outer.contains(where: ring.contains) { return true }
      if ring.points.contains(where: { Dissolve.contains(polygon.outer, $0) }) { return true }
      for (a, b) in zip(ring.points, ring.points.dropFirst()) where Self.crosses(polygon.outer, a, b) { return true }
    }
    return false
  }

  /// Returns whether an edge of the outline crosses the shorter edge from `a` to `b`, on either side of the
  /// antimeridian.
  private static func crosses(_ outline: [FixedCoordinate], _ a: FixedCoordinate, _ b: FixedCoordinate) -> Bool {
    let (start, end) = (a.coordinate, b.coordinate)
    let run = (end.longitude - start.longitude).remainder(dividingBy: 360)
    return [-360.0, 0, 360].contains { shift in
      let p = SIMD2(start.longitude + shift, start.latitude)
      let q = SIMD2(p.x + run, end.latitude)
      return zip(outline, outline.dropFirst()).contains { edge in
        let r = SIMD2(edge.0.coordinate.longitude, edge.0.coordinate.latitude)
        let s = SIMD2(edge.1.coordinate.longitude, edge.1.coordinate.latitude)
        return side(p, q, r) * side(p, q, s) <= 0 && side(r, s, p) * side(r, s, q) <= 0
          && max(p.x, q.x) >= min(r.x, s.x) && max(r.x, s.x) >= min(p.x, q.x)
      }
    }
  }

  /// Returns a positive value if `c` is to the left of the line from `a` to `b`.
  private static func side(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>) -> Double {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }
}
