/// A hierarchy of boxes around runs of consecutive segments, around pairs of runs, and so on.
///
/// The order along a line is also a spatial order, so no sorting is required.
struct SegmentTree {
  let segments: [GridSegment]
  private var boxes: [GridBox] = []
  /// The index of each level's first box. Level 0 contains the leaves, the last level only the root.
  private var levels: [Int] = []
  private static let leafSize = 6

  /// Creates the tree of segments.
  ///
  /// - Complexity: O(*n*).
  init(_ segments: [GridSegment]) {
    self.segments = segments
    guard !segments.isEmpty else { return }
    boxes.reserveCapacity(segments.count / 2 + 4)
    levels.append(0)
    var start = 0
    while start < segments.count {
      var box = segments[start].box
      let end = min(start + Self.leafSize, segments.count)
      for index in (start + 1)..<max(end, start + 1) { box.formUnion(segments[index].box) }
      boxes.append(box)
      start = end
    }
    var first = 0
    while boxes.count - first > 1 {
      let next = boxes.count
      levels.append(next)
      var index = first
      while index < next {
        var box = boxes[index]
        if index + 1 < next { box.formUnion(boxes[index + 1]) }
        boxes.append(box)
        index += 2
      }
      first = next
    }
  }

  /// Calls `body` with each pair of segments whose boxes meet, the lower index first.
  ///
  /// Stops when `body` returns true, and returns whether it did.
  func forEachPair(_ body: (Int, Int) -> Bool) -> Bool {
    withWalker { $0.joinSelf($0.levels.count - 1, 0, body) }
  }

  /// Calls `body` with each segment whose box meets another box, in order.
  ///
  /// Stops when `body` returns true, and returns whether it did.
  ///
  /// - Complexity: O(log *n* + *k*) for *k* such segments.
  func forEach(meeting box: GridBox, _ body: (Int) -> Bool) -> Bool {
    withWalker { $0.search($0.levels.count - 1, 0, box, body) }
  }

  /// Calls `body` with each pair of a segment of this tree and one of another tree whose boxes meet.
  ///
  /// Stops when `body` returns true, and returns whether it did.
  func forEachPair(with other: SegmentTree, _ body: (Int, Int) -> Bool) -> Bool {
    for index in segments.indices where other.forEach(meeting: segments[index].box, { body(index, $0) }) { return true }
    return false
  }

  private func withWalker(_ body: (Walker) -> Bool) -> Bool {
    guard !segments.isEmpty else { return false }
    return segments.withUnsafeBufferPointer { segments in
      boxes.withUnsafeBufferPointer { boxes in
        levels.withUnsafeBufferPointer { levels in
          body(Walker(segments: segments, boxes: boxes, levels: levels))
        }
      }
    }
  }

  /// Unmanaged access to the tree's storage, to avoid reference counting during the traversal.
  private struct Walker {
    let segments: UnsafeBufferPointer<GridSegment>
    let boxes: UnsafeBufferPointer<GridBox>
    let levels: UnsafeBufferPointer<Int>

    private func width(of level: Int) -> Int {
      (level + 1 < levels.count ? levels[level + 1] : boxes.count) - levels[level]
    }

    private func leaf(_ node: Int) -> Range<Int> {
      let start = node * SegmentTree.leafSize
      return start..<min(start + SegmentTree.leafSize, segments.count)
    }

    func search(_ level: Int, _ node: Int, _ box: GridBox, _ body: (Int) -> Bool) -> Bool {
      guard boxes[levels[level] + node].meets(box) else { return false }
      if level == 0 {
        for index in leaf(node) where segments[index].box.meets(box) {
          if body(index) { return true }
        }
        return false
      }
      if search(level - 1, 2 * node, box, body) { return true }
      return 2 * node + 1 < width(of: level - 1) && search(level - 1, 2 * node + 1, box, body)
    }

    func joinSelf(_ level: Int, _ node: Int, _ body: (Int, Int) -> Bool) -> Bool {
      if level == 0 {
        let leaf = leaf(node)
        for i in leaf {
          let box = segments[i].box
          for j in (i + 1)..<max(leaf.upperBound, i + 1) where box.meets(segments[j].box) {
            if body(i, j) { return true }
          }
        }
        return false
      }
      let left = 2 * node
      if joinSelf(level - 1, left, body) { return true }
      guard left + 1 < width(of: level - 1) else { return false }
      return joinSelf(level - 1, left + 1, body) || join(level - 1, left, left + 1, body)
    }

    private func join(_ level: Int, _ a: Int, _ b: Int, _ body: (Int, Int) -> Bool) -> Bool {
      let boxB = boxes[levels[level] + b]
      guard boxes[levels[level] + a].meets(boxB) else { return false }
      if level == 0 {
        let leafB = leaf(b)
        for i in leaf(a) {
          let box = segments[i].box
          guard box.meets(boxB) else { continue }
          for j in leafB where box.meets(segments[j].box) {
            if body(i, j) { return true }
          }
        }
        return false
      }
      let width = width(of: level - 1)
      for i in (2 * a)..<min(2 * a + 2, width) {
        for j in (2 * b)..<min(2 * b + 2, width) {
          if join(level - 1, i, j, body) { return true }
        }
      }
      return false
    }
  }
}
