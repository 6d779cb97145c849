extension Ring {
  /// Whether two areas intersect, including their edges.
  ///
  /// - Complexity: O((*n* + *m*) log *m*) for typical rings.
  public func intersects(_ other: Ring) -> Bool {
    let turn = PlanePath.turn
    let (mine, theirs) = (segments, SegmentTree(other.segments))
    // Both rings are within −180…900°, so these shifts cover all relative positions.
    for turns in -3...3 {
      let shift = Int64(turns) * turn
      guard westE7 + shift <= other.eastE7, other.westE7 <= eastE7 + shift else { continue }
      for segment in mine {
        let moved = GridSegment(
          GridPoint(x: segment.a.x + shift, y: segment.a.y), GridPoint(x: segment.b.x + shift, y: segment.b.y))
        if theirs.forEach(meeting: moved.box, { theirs.segments[$0].touches(moved) }) { return true }
      }
    }
    // No edges intersect: one area is inside the other, or they are disjoint.
    return contains(other.points[0]) || other.contains(points[0])
  }

  private var segments: [GridSegment] {
    var result: [GridSegment] = []
    result.reserveCapacity(plane.count)
    for index in plane.indices.dropFirst() {
      let a = GridPoint(x: plane[index - 1].longitudeE7, y: plane[index - 1].latitudeE7)
      let b = GridPoint(x: plane[index].longitudeE7, y: plane[index].latitudeE7)
      if abs(b.x - a.x) > PlanePath.turn / 2 {
        // An edge along the pole is divided, to keep the predicates exact.
        let middle = GridPoint(x: (a.x + b.x) / 2, y: a.y)
        result += [GridSegment(a, middle), GridSegment(middle, b)]
      } else {
        result.append(GridSegment(a, b))
      }
    }
    return result
  }
}
