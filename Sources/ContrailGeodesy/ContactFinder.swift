/// Where a line or ring meets itself.
struct ContactFinder {
  private let path: PlanePath
  private let count: Int
  private let tree: SegmentTree

  /// - Parameter path: its points do not repeat one another consecutively.
  init(_ path: PlanePath) {
    self.path = path
    count = max(path.points.count - 1, 0)
    var segments: [GridSegment] = []
    segments.reserveCapacity(count)
    var (west, east) = (Int64.max, Int64.min)
    for index in 0..<count {
      segments.append(path.edge(index))
      west = min(west, path.points[index].x)
      east = max(east, path.points[index].x)
    }
    // What lies a turn apart in the plane is the same place: lay a second copy beside the first. A ring of exactly one turn meets
    // itself only where its west and east sides do, and its area lies between them.
    let width = count > 0 ? east - west : 0
    if path.winding != 0 || width > PlanePath.turn || (width == PlanePath.turn && !path.isClosed) {
      let shift = path.winding != 0 ? path.winding : PlanePath.turn
      for index in 0..<count {
        var segment = segments[index]
        segment.a.x += shift
        segment.b.x += shift
        segments.append(segment)
      }
    }
    tree = SegmentTree(segments)
  }

  /// Calls `body` with the indices of each two edges that share more than the corner between neighbours, the lower first, until it
  /// answers true; whether it did. Edge *i* runs from point *i* to the next.
  func forEach(_ body: (Int, Int) -> Bool) -> Bool {
    let judge = judge
    return tree.segments.withUnsafeBufferPointer { segments in
      tree.forEachPair { i, j in judge.isContact(i, j, segments) && judge.report(i, j, body) }
    }
  }

  /// The same for one edge only.
  func forEach(of edge: Int, _ body: (Int, Int) -> Bool) -> Bool {
    let judge = judge
    return tree.segments.withUnsafeBufferPointer { segments in
      // Of the copies beside each other, an edge may be the first with one and the second with another.
      for place in stride(from: edge, to: segments.count, by: count) {
        let isFound = tree.forEach(meeting: segments[place].box) { other in
          let (i, j) = (min(place, other), max(place, other))
          return i != j && judge.isContact(i, j, segments) && judge.report(i, j, body)
        }
        if isFound { return true }
      }
      return false
    }
  }

  private var judge: Judge {
    Judge(count: count, isRing: path.isClosed && path.winding == 0, winds: path.isClosed && path.winding != 0)
  }

  private struct Judge {
    let count: Int
    let isRing: Bool
    let winds: Bool

    @inline(__always) func isContact(_ i: Int, _ j: Int, _ segments: UnsafeBufferPointer<GridSegment>) -> Bool {
      if i >= count { return false }
      let isSeam = isRing && i == 0 && j == count - 1
      if isSeam || (j == i + 1 && (j < count || winds)) {
        // Two edges of a ring are neighbours at both ends.
        return (j == i + 1 && segments[i].foldsBack(into: segments[j]))
          || (isSeam && segments[j].foldsBack(into: segments[i]))
      }
      return j - i != count && segments[i].touches(segments[j])
    }

    @inline(__always) func report(_ i: Int, _ j: Int, _ body: (Int, Int) -> Bool) -> Bool {
      j < count ? body(i, j) : body(min(i, j - count), max(i, j - count))
    }
  }
}
