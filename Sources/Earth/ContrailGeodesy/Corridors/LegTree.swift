/// Finds a leg whose reach covers a piece of the offset curve, so that the piece isn't part of the outline.
///
/// The tree consists of balls around runs of consecutive legs, around pairs of runs, and so on.
struct LegTree {
  private struct Ball {
    var center: UnitVector
    var radius: Double
  }

  private struct Leg {
    var start: UnitVector
    var end: UnitVector
    var left: UnitVector
    var sinReach: Double
    var cosReach: Double

    func reaches(_ p: UnitVector) -> Bool {
      if p.dot(start) > cosReach || p.dot(end) > cosReach { return true }
      return abs(p.dot(left)) < sinReach && p.dot(left.cross(start)) > 0 && p.dot(end.cross(left)) > 0
    }
  }

  private var legs: [Leg] = []
  private var balls: [Ball] = []
  private var levels: [Int] = []
  /// The maximum reach of a leg, as a chord.
  private let reach: Double

  /// Creates the tree of a line.
  ///
  /// - Parameters:
  ///   - line: At least two points, without consecutive equal ones.
  ///   - halfWidthMeters: The half width of the corridor.
  init(_ line: [UnitVector], halfWidthMeters: Double) {
    let reference = halfWidthMeters / Earth.meanRadiusMeters
    // Chords of arcs are 0.05 % inside, and the local radius at a leg differs slightly from that halfway to the edge.
    let share = 1 - 0.000_6 - 0.004 * reference
    reach = 2 * Libm.sin(reference * 1.01 / 2) + 1e-9
    legs.reserveCapacity(line.count)
    balls.reserveCapacity(2 * line.count)
    for index in line.indices.dropFirst() {
      let (start, end) = (line[index - 1], line[index])
      let left = start.cross(end)
      let angle = halfWidthMeters / ConformalSphere.radiusMeters(z: (start.z + end.z) / 2) * share
      legs.append(
        Leg(
          start: start, end: end, left: left * (1 / left.length), sinReach: Libm.sin(angle), cosReach: Libm.cos(angle)))
      balls.append(Ball(center: (start + end) * 0.5, radius: (end - start).length * 0.51))
    }
    levels.append(0)
    var first = 0
    while balls.count - first > 1 {
      let next = balls.count
      levels.append(next)
      for index in stride(from: first, to: next, by: 2) {
        var ball = balls[index]
        if index + 1 < next {
          let other = balls[index + 1]
          let middle = (ball.center + other.center) * 0.5
          let apart = (ball.center - other.center).length / 2
          ball = Ball(center: middle, radius: apart + max(ball.radius, other.radius))
        }
        balls.append(ball)
      }
      first = next
    }
  }

  /// Returns whether each edge of a closed curve, given without repeating its first point, may be on the outline.
  func outerEdges(of curve: [UnitVector]) -> [Bool] {
    guard !legs.isEmpty else { return [Bool](repeating: true, count: curve.count) }
    return legs.withUnsafeBufferPointer { legs in
      balls.withUnsafeBufferPointer { balls in
        levels.withUnsafeBufferPointer { levels in
          let search = Search(legs: legs, balls: balls, levels: levels, reach: reach)
          var hint = 0
          return curve.indices.map { index in
            let (a, b) = (curve[index], curve[index + 1 < curve.count ? index + 1 : 0])
            // The leg that covered the last edge often covers this one.
            if legs[hint].reaches(a), legs[hint].reaches(b) { return false }
            guard let leg = search.leg(reaching: a, b, levels.count - 1, 0) else { return true }
            hint = leg
            return false
          }
        }
      }
    }
  }

  private struct Search {
    let legs: UnsafeBufferPointer<Leg>
    let balls: UnsafeBufferPointer<Ball>
    let levels: UnsafeBufferPointer<Int>
    let reach: Double

    private func squaredDistance(_ level: Int, _ node: Int, _ p: UnitVector) -> Double {
      let step = balls[levels[level] + node].center - p
      return step.dot(step)
    }

    func leg(reaching a: UnitVector, _ b: UnitVector, _ level: Int, _ node: Int) -> Int? {
      let far = reach + balls[levels[level] + node].radius
      guard squaredDistance(level, node, a) < far * far else { return nil }
      if level == 0 { return legs[node].reaches(a) && legs[node].reaches(b) ? node : nil }
      let left = 2 * node
      let width = levels[level] - levels[level - 1]
      guard left + 1 < width else { return leg(reaching: a, b, level - 1, left) }
      // Search the nearer half first.
      let isLeftNearer = squaredDistance(level - 1, left, a) <= squaredDistance(level - 1, left + 1, a)
      return leg(reaching: a, b, level - 1, isLeftNearer ? left : left + 1)
        ?? leg(reaching: a, b, level - 1, isLeftNearer ? left + 1 : left)
    }
  }
}
