/// The outer boundary of a closed curve on the sphere.
///
/// The curve is projected stereographically from a point outside, which preserves orientation, and rounded to a fine
/// grid. It is then cut at all intersections, and traversed with the outside to the right. Holes are not visited.
struct Outline {
  private let centre: UnitVector
  private let right: UnitVector
  private let up: UnitVector
  /// The grid steps per unit of the projection.
  private let scale: Double
  private let corners: [GridPoint]

  /// Coordinates are less than 2²⁹, so that products of differences are exact in 64 bits.
  private static let extent = Double(1 << 29)
  private static let mostCuts = 4_000_000

  /// Creates the outline of a curve; nil if the curve intersects itself too often.
  ///
  /// - Parameters:
  ///   - curve: The closed curve, without repeating its first point.
  ///   - edges: For each edge, whether to use it; the others are known to be inside. Nil uses all edges.
  ///   - outside: A point that the curve doesn't enclose.
  ///   - distance: The angular distance of the curve from its line.
  init?(of curve: [UnitVector], edges: [Bool]?, seenFrom outside: UnitVector, distance: Double) {
    let centre = -outside
    let right = centre.anyPerpendicular
    let up = centre.cross(right)
    var flat: [(Double, Double)] = []
    flat.reserveCapacity(curve.count)
    var most = 1e-9
    for vector in curve {
      let factor = 1 / max(1 + vector.dot(centre), 1e-9)
      let (x, y) = (vector.dot(right) * factor, vector.dot(up) * factor)
      most = max(most, abs(x), abs(y))
      flat.append((x, y))
    }
    let scale = Self.extent / most
    let points = flat.map { GridPoint(x: Int64(($0.0 * scale).rounded()), y: Int64(($0.1 * scale).rounded())) }
    var pieces: [GridSegment] = []
    pieces.reserveCapacity(points.count)
    for index in points.indices where edges?[index] ?? true {
      let piece = GridSegment(points[index], points[index + 1 < points.count ? index + 1 : 0])
      if piece.a != piece.b { pieces.append(piece) }
    }
    (self.centre, self.right, self.up, self.scale) = (centre, right, up, scale)
    guard pieces.count > 2, let segments = Self.noded(pieces),
      let corners = Self.walk(segments, step: distance * scale / 2)
    else { return nil }
    self.corners = corners
  }

  /// Returns the boundary in 1e-7 degrees, closed and unwrapped, with points added near a pole.
  ///
  /// Returns nil if the rounded boundary intersects itself, or passes through a pole.
  func ring() -> PlanePath? {
    var points: [GridPoint] = []
    let vectors = corners.map(vector)
    for (index, vector) in vectors.enumerated() {
      if index > 0, !Self.append(from: vectors[index - 1], to: vector, depth: 0, &points) { return nil }
      let point = ConformalSphere.fixed(vector)
      if point != points.last { points.append(point) }
    }
    guard let last = vectors.last, let first = vectors.first, Self.append(from: last, to: first, depth: 0, &points)
    else {
      return nil
    }
    guard points.count > 2 else { return nil }
    if points[0] != points[points.count - 1] { points.append(points[0]) }
    PlanePath.unroll(&points)
    let ring = PlanePath(closed: points)
    return ring.meetsItself ? nil : ring
  }

  /// Whether a point is inside the boundary.
  func encloses(_ place: UnitVector) -> Bool {
    // The centre of projection has no image, and is outside.
    let height = 1 + place.dot(centre)
    guard height > 1e-6 else { return false }
    let factor = scale / height
    let (x, y) = (place.dot(right) * factor, place.dot(up) * factor)
    var isInside = false
    for index in corners.indices {
      let (a, b) = (corners[index], corners[index + 1 < corners.count ? index + 1 : 0])
      let (ay, by) = (Double(a.y), Double(b.y))
      guard (ay > y) != (by > y) else { continue }
      if x < Double(a.x) + (y - ay) / (by - ay) * Double(b.x - a.x) { isInside.toggle() }
    }
    return isInside
  }

  /// Appends points in between until each step is less than 10° of longitude; returns false if that is impossible, at a
  /// pole.
  private static func append(from a: UnitVector, to b: UnitVector, depth: Int, _ points: inout [GridPoint]) -> Bool {
    let turn = a.x * b.y - a.y * b.x
    let along = a.x * b.x + a.y * b.y
    // tan² 10° = 0.0311.
    if along > 0, turn * turn < 0.031 * along * along { return true }
    guard depth < 24, let middle = (a + b).normalised else { return false }
    guard append(from: a, to: middle, depth: depth + 1, &points) else { return false }
    points.append(ConformalSphere.fixed(middle))
    return append(from: middle, to: b, depth: depth + 1, &points)
  }

  private func vector(_ corner: GridPoint) -> UnitVector {
    let (x, y) = (Double(corner.x) / scale, Double(corner.y) / scale)
    let square = x * x + y * y
    let factor = 1 / (1 + square)
    return right * (2 * x * factor) + up * (2 * y * factor) + centre * ((1 - square) * factor)
  }

  /// Returns a point farther from the line than `distance`, with a margin for the projection; nil if none is found.
  ///
  /// It is opposite to the centre of the line or, if that is too close, the farthest of some candidates.
  static func place(clearOf line: [UnitVector], by distance: Double) -> UnitVector? {
    func nearness(_ place: UnitVector) -> Double { line.reduce(-1.0) { max($0, $1.dot(place)) } }
    var middle = UnitVector(x: 0, y: 0, z: 0)
    for vector in line { middle = middle + vector }
    if let outside = (-middle).normalised, nearness(outside) < Libm.cos(min(distance + 0.5, .pi)) { return outside }
    var best: (place: UnitVector, nearness: Double)?
    for x in -2...2 {
      for y in -2...2 {
        for z in -2...2 {
          // Slightly off the axes, because routes are often on them.
          let aim = UnitVector(x: Double(x) + 0.013, y: Double(y) - 0.007, z: Double(z) + 0.011)
          guard let place = aim.normalised else { continue }
          let nearness = nearness(place)
          if best.map({ nearness < $0.nearness }) ?? true { best = (place, nearness) }
        }
      }
    }
    guard let best, best.nearness < Libm.cos(min(distance * 1.01 + 0.02, .pi)) else { return nil }
    return best.place
  }

  // MARK: Cutting

  /// Returns the segments of the curve, cut at all intersections, so that they share only ends; nil if there are too
  /// many.
  private static func noded(_ pieces: [GridSegment]) -> [GridSegment]? {
    var segments = pieces
    // A cut is up to half a step off its line, and may cause a new intersection. This ends after a few rounds.
    for _ in 0..<24 {
      var cuts: [(segment: Int, point: GridPoint)] = []
      let tree = SegmentTree(segments)
      let isTooMuch = tree.forEachPair { i, j in
        let (s, t) = (segments[i], segments[j])
        appendCuts(s, t, i, j, &cuts)
        return cuts.count > mostCuts
      }
      if isTooMuch { return nil }
      if cuts.isEmpty { return segments }
      cuts.sort { a, b in
        if a.segment != b.segment { return a.segment < b.segment }
        let start = segments[a.segment].a
        return squaredDistance(start, a.point) < squaredDistance(start, b.point)
      }
      var next: [GridSegment] = []
      next.reserveCapacity(segments.count + cuts.count)
      var done = 0
      for (index, segment) in segments.enumerated() {
        var start = segment.a
        while done < cuts.count, cuts[done].segment == index {
          if cuts[done].point != start { next.append(GridSegment(start, cuts[done].point)) }
          start = cuts[done].point
          done += 1
        }
        if start != segment.b { next.append(GridSegment(start, segment.b)) }
      }
      segments = next
    }
    return nil
  }

  private static func squaredDistance(_ a: GridPoint, _ b: GridPoint) -> Int64 {
    let (x, y) = (a.x &- b.x, a.y &- b.y)
    return x &* x &+ y &* y
  }

  @inline(__always)
  private static func appendCuts(
    _ s: GridSegment, _ t: GridSegment, _ i: Int, _ j: Int, _ cuts: inout [(segment: Int, point: GridPoint)]
  ) {
    let o1 = GridPoint.orientation(s.a, s.b, t.a)
    let o2 = GridPoint.orientation(s.a, s.b, t.b)
    if o1 == o2, o1 != 0 { return }
    let o3 = GridPoint.orientation(t.a, t.b, s.a)
    let o4 = GridPoint.orientation(t.a, t.b, s.b)
    if o3 == o4, o3 != 0 { return }
    if o1 != 0, o2 != 0, o3 != 0, o4 != 0 {
      let point = s.nearCrossing(t)
      if point != s.a, point != s.b { cuts.append((i, point)) }
      if point != t.a, point != t.b { cuts.append((j, point)) }
      return
    }
    if o1 == 0, t.a != s.a, t.a != s.b, s.spans(t.a) { cuts.append((i, t.a)) }
    if o2 == 0, t.b != s.a, t.b != s.b, s.spans(t.b) { cuts.append((i, t.b)) }
    if o3 == 0, s.a != t.a, s.a != t.b, t.spans(s.a) { cuts.append((j, s.a)) }
    if o4 == 0, s.b != t.a, s.b != t.b, t.spans(s.b) { cuts.append((j, s.b)) }
  }

  // MARK: Traversal

  /// Returns the corners of a traversal of all segments with the outside to the right.
  ///
  /// - Parameters:
  ///   - segments: The segments.
  ///   - step: The distance of the curve from its line in grid steps, or less.
  private static func walk(_ segments: [GridSegment], step: Double) -> [GridPoint]? {
    var numbers: [GridPoint: Int] = [:]
    numbers.reserveCapacity(segments.count)
    var points: [GridPoint] = []
    func number(_ point: GridPoint) -> Int {
      if let number = numbers[point] { return number }
      numbers[point] = points.count
      points.append(point)
      return points.count - 1
    }
    var ends: [(Int, Int)] = []
    ends.reserveCapacity(segments.count)
    for segment in segments { ends.append((number(segment.a), number(segment.b))) }
    var first = [Int](repeating: 0, count: points.count + 1)
    for (a, b) in ends {
      first[a] += 1
      first[b] += 1
    }
    var sum = 0
    for index in first.indices {
      let count = first[index]
      first[index] = sum
      sum += count
    }
    var fill = first
    var neighbours = [Int](repeating: 0, count: 2 * ends.count)
    for (a, b) in ends {
      neighbours[fill[a]] = b
      fill[a] += 1
      neighbours[fill[b]] = a
      fill[b] += 1
    }

    /// Returns the first neighbour of `corner` counter-clockwise from `back`; `back` itself is last.
    func next(_ corner: Int, from back: GridPoint) -> Int? {
      var best: Int?
      let origin = points[corner]
      for slot in first[corner]..<first[corner + 1] {
        let candidate = neighbours[slot]
        guard let current = best else {
          best = candidate
          continue
        }
        if candidate != current, isEarlier(points[candidate], points[current], about: origin, from: back) {
          best = candidate
        }
      }
      return best
    }

    guard let start = points.indices.min(by: { (points[$0].y, points[$0].x) < (points[$1].y, points[$1].x) }),
      let second = next(start, from: GridPoint(x: points[start].x, y: points[start].y - 1))
    else { return nil }
    var loop = LoopCutter(mostArea: step * step / 100)
    loop.append(start, points)
    var (previous, current) = (start, second)
    for _ in 0...(2 * ends.count) {
      guard let following = next(current, from: points[previous]) else { return nil }
      if current == start, following == second {
        return loop.isClean ? loop.corners.map { points[$0] } : nil
      }
      loop.append(current, points)
      (previous, current) = (current, following)
    }
    return nil
  }

  /// Whether `a` precedes `b` counter-clockwise around `origin`, starting after `back`.
  private static func isEarlier(_ a: GridPoint, _ b: GridPoint, about origin: GridPoint, from back: GridPoint) -> Bool {
    let (halfA, halfB) = (half(a, origin, back), half(b, origin, back))
    if halfA != halfB { return halfA < halfB }
    return GridPoint.orientation(origin, a, b) > 0
  }

  /// Returns 0 left of the line to `back` (the counter-clockwise side), 1 straight on, 2 to the right, 3 for `back`
  /// itself.
  private static func half(_ p: GridPoint, _ origin: GridPoint, _ back: GridPoint) -> Int {
    switch GridPoint.orientation(origin, back, p) {
    case 1: return 0
    case -1: return 2
    default:
      let (px, py) = (p.x - origin.x, p.y - origin.y)
      let (bx, by) = (back.x - origin.x, back.y - origin.y)
      return px * bx >= 0 && py * by >= 0 ? 3 : 1
    }
  }

  /// Removes closed loops from a traversal: spikes, and small areas that are attached by one corner.
  private struct LoopCutter {
    private(set) var corners: [Int] = []
    private var place: [Int: Int] = [:]
    /// Whether only negligible areas were removed.
    private(set) var isClean = true
    /// The maximum negligible area, in squared grid steps. Parts of the corridor are much larger; smaller areas are
    /// artifacts of chords that approximate arcs.
    private let mostArea: Double

    init(mostArea: Double) { self.mostArea = mostArea }

    mutating func append(_ corner: Int, _ points: [GridPoint]) {
      guard let start = place[corner] else {
        place[corner] = corners.count
        corners.append(corner)
        return
      }
      let loop = corners[start...]
      let origin = points[corner]
      var twice = 0.0
      for index in loop.indices.dropFirst() {
        let (a, b) = (points[corners[index - 1]], points[corners[index]])
        twice +=
          Double(a.x - origin.x) * Double(b.y - origin.y) - Double(b.x - origin.x) * Double(a.y - origin.y)
      }
      if abs(twice) / 2 > mostArea { isClean = false }
      for index in loop.indices.dropFirst() { place[corners[index]] = nil }
      corners.removeSubrange((start + 1)...)
    }
  }
}
