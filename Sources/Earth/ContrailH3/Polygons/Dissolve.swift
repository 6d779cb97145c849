package import ContrailGeodesy

/// A polygon in the plane with a closed counter-clockwise outer ring and closed clockwise holes.
package struct PlanePolygon: Hashable, Sendable {
  package var outer: [FixedCoordinate]
  package var holes: [[FixedCoordinate]]

  package init(outer: [FixedCoordinate], holes: [[FixedCoordinate]] = []) {
    self.outer = outer
    self.holes = holes
  }
}

/// Merges outlines that share whole edges.
package enum Dissolve {
  private struct Edge: Hashable {
    let from: FixedCoordinate
    let to: FixedCoordinate
  }

  /// Returns the union of the parts as polygons in a fixed order.
  ///
  /// - Parameter parts: Closed counter-clockwise rings without overlap. Common edges have equal ends.
  /// - Complexity: O(*n* log *n*) in the edges, plus O(holes × polygons).
  package static func polygons(of parts: [[FixedCoordinate]]) -> [PlanePolygon] {
    let edges = parts.flatMap { ring in zip(ring, ring.dropFirst()).map { Edge(from: $0, to: $1) } }
    let all = Set(edges)
    // An edge between two parts is inside the union.
    var next: [FixedCoordinate: [FixedCoordinate]] = [:]
    let outline = edges.filter { !all.contains(Edge(from: $0.to, to: $0.from)) }
      .sorted { Self.precedes(($0.from, $0.to), ($1.from, $1.to)) }
    for edge in outline { next[edge.from, default: []].append(edge.to) }

    var outers: [[FixedCoordinate]] = []
    var holes: [[FixedCoordinate]] = []
    for edge in outline {
      guard var ring = next[edge.from]?.popLast().map({ [edge.from, $0] }) else { continue }
      while ring[ring.count - 1] != ring[0], let point = next[ring[ring.count - 1]]?.popLast() { ring.append(point) }
      guard ring.count >= 4, ring[ring.count - 1] == ring[0] else { continue }
      if signedArea(ring) > 0 { outers.append(ring) } else { holes.append(ring) }
    }
    var polygons = outers.map { PlanePolygon(outer: $0, holes: []) }
    for hole in holes {
      // A hole in nested polygons belongs to the smallest one.
      let owner = polygons.indices.filter { contains(polygons[$0].outer, hole[0]) }
        .min { signedArea(polygons[$0].outer) < signedArea(polygons[$1].outer) }
      if let owner { polygons[owner].holes.append(hole) }
    }
    return polygons
  }

  /// Compares by latitude, then longitude.
  private static func precedes(
    _ a: (FixedCoordinate, FixedCoordinate), _ b: (FixedCoordinate, FixedCoordinate)
  ) -> Bool {
    (a.0.latitudeE7, a.0.longitudeE7, a.1.latitudeE7, a.1.longitudeE7)
      < (b.0.latitudeE7, b.0.longitudeE7, b.1.latitudeE7, b.1.longitudeE7)
  }

  /// Returns the area in square degrees, positive for a counter-clockwise ring.
  package static func signedArea(_ ring: [FixedCoordinate]) -> Double {
    guard let origin = ring.first?.coordinate else { return 0 }
    return zip(ring, ring.dropFirst()).reduce(0) { sum, edge in
      let (a, b) = (edge.0.coordinate, edge.1.coordinate)
      return sum + (a.longitude - origin.longitude) * (b.latitude - origin.latitude) / 2
        - (b.longitude - origin.longitude) * (a.latitude - origin.latitude) / 2
    }
  }

  /// Returns whether a point is in a closed ring of the plane, by the even-odd rule.
  package static func contains(_ ring: [FixedCoordinate], _ point: FixedCoordinate) -> Bool {
    let at = point.coordinate
    return zip(ring, ring.dropFirst()).reduce(false) { isInside, edge in
      let (a, b) = (edge.0.coordinate, edge.1.coordinate)
      guard (a.latitude > at.latitude) != (b.latitude > at.latitude) else { return isInside }
      let part = (at.latitude - a.latitude) / (b.latitude - a.latitude)
      return at.longitude < a.longitude + part * (b.longitude - a.longitude) ? !isInside : isInside
    }
  }
}
