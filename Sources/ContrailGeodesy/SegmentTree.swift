/// Boxes round runs of consecutive segments, runs of runs, and so on: the order along a line is already an order in space, so nothing
/// needs sorting.
struct SegmentTree {
  let segments: [GridSegment]
  private var boxes: [GridBox] = []
  /// Where each level's boxes begin; level 0 are the leaves, the last level is the root alone.
  private var levels: [Int] = []
  private static let leafSize = 6

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

  /// Calls `body` with each pair of segments (the lower index first) whose boxes meet, until it answers true; whether it did.
  func forEachPair(_ body: (Int, Int) -> Bool) -> Bool {
    guard !segments.isEmpty else { return false }
    return segments.withUnsafeBufferPointer { segments in
      boxes.withUnsafeBufferPointer { boxes in
        joinSelf(levels.count - 1, 0, segments, boxes, body)
      }
    }
  }

  /// Calls `body` with each segment whose box meets another box, in their order, until it answers true; whether it did.
  func forEach(meeting box: GridBox, _ body: (Int) -> Bool) -> Bool {
    guard !segments.isEmpty else { return false }
    return segments.withUnsafeBufferPointer { segments in
      boxes.withUnsafeBufferPointer { boxes in
        search(levels.count - 1, 0, box, segments, boxes, body)
      }
    }
  }

  private func width(of level: Int) -> Int {
    (level + 1 < levels.count ? levels[level + 1] : boxes.count) - levels[level]
  }

  private func search(
    _ level: Int, _ node: Int, _ box: GridBox, _ segments: UnsafeBufferPointer<GridSegment>,
    _ boxes: UnsafeBufferPointer<GridBox>, _ body: (Int) -> Bool
  ) -> Bool {
    guard boxes[levels[level] + node].meets(box) else { return false }
    if level == 0 {
      let start = node * Self.leafSize
      for index in start..<min(start + Self.leafSize, segments.count) where segments[index].box.meets(box) {
        if body(index) { return true }
      }
      return false
    }
    if search(level - 1, 2 * node, box, segments, boxes, body) { return true }
    return 2 * node + 1 < width(of: level - 1) && search(level - 1, 2 * node + 1, box, segments, boxes, body)
  }

  private func joinSelf(
    _ level: Int, _ node: Int, _ segments: UnsafeBufferPointer<GridSegment>, _ boxes: UnsafeBufferPointer<GridBox>,
    _ body: (Int, Int) -> Bool
  ) -> Bool {
    if level == 0 {
      let start = node * Self.leafSize
      let end = min(start + Self.leafSize, segments.count)
      for i in start..<end {
        let box = segments[i].box
        for j in (i + 1)..<max(end, i + 1) where box.meets(segments[j].box) {
          if body(i, j) { return true }
        }
      }
      return false
    }
    let left = 2 * node
    if joinSelf(level - 1, left, segments, boxes, body) { return true }
    guard left + 1 < width(of: level - 1) else { return false }
    return joinSelf(level - 1, left + 1, segments, boxes, body)
      || join(level - 1, left, left + 1, segments, boxes, body)
  }

  private func join(
    _ level: Int, _ a: Int, _ b: Int, _ segments: UnsafeBufferPointer<GridSegment>,
    _ boxes: UnsafeBufferPointer<GridBox>, _ body: (Int, Int) -> Bool
  ) -> Bool {
    let (boxA, boxB) = (boxes[levels[level] + a], boxes[levels[level] + b])
    guard boxA.meets(boxB) else { return false }
    if level == 0 {
      let (startA, startB) = (a * Self.leafSize, b * Self.leafSize)
      let endB = min(startB + Self.leafSize, segments.count)
      for i in startA..<min(startA + Self.leafSize, segments.count) {
        let box = segments[i].box
        guard box.meets(boxB) else { continue }
        for j in startB..<endB where box.meets(segments[j].box) {
          if body(i, j) { return true }
        }
      }
      return false
    }
    let width = width(of: level - 1)
    for i in (2 * a)..<min(2 * a + 2, width) {
      for j in (2 * b)..<min(2 * b + 2, width) {
        if join(level - 1, i, j, segments, boxes, body) { return true }
      }
    }
    return false
  }
}
