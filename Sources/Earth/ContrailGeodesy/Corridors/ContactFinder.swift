/// Finds the places where a line or ring meets itself.
struct ContactFinder {
  private let path: PlanePath
  private let count: Int
  private let tree: SegmentTree

  /// Creates a finder.
  ///
  /// - Parameter path: A path without consecutive equal points.
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
    // Points a turn apart in the plane are the same place, so add a shifted copy. A ring of exactly one turn meets
    // itself only where its west and east sides do, and its area is between them.
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

  /// Calls `body` with each pair of edges that share more than a common corner, the lower index first.
  ///
  /// Stops when `body` returns true, and returns whether it did. Edge *i* connects point *i* and the next one.
  func forEach(_ body: (Int, Int) -> Bool) -> Bool {
    let judge = judge
    return tree.segments.withUnsafeBufferPointer { segments in
      tree.forEachPair { i, j in judge.isContact(i, j, segments) && judge.report(i, j, body) }
    }
  }

  /// Does the same as ``forEach(_:)`` for a single edge.
  func forEach(of edge: Int, _ body: (Int, Int) -> Bool) -> Bool {
    let judge = judge
    return tree.segments.withUnsafeBufferPointer { segments in
      // An edge may precede one of the copies and follow another.
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
