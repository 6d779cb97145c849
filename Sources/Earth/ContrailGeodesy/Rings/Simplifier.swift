/// Removes points of a line or ring, the least significant first, without introducing self-intersections.
///
/// The order is that of Douglas and Peucker 1973 (doi:10.3138/FM57-6770-U75U-7727): a run of points is split at the one
/// farthest from its chord, until none is farther than the tolerance or the maximum number of points is reached.
/// Distances are on the ground, in a plane with the scale at the tested point. Where kept edges then intersect, the
/// runs below them are split further.
struct Simplifier {
  private let xs: [Double]
  private let ys: [Double]
  /// The cosine of each point's latitude.
  private let scales: [Double]
  private let path: PlanePath
  /// The index in `path` of the first point.
  private let start: Int
  /// The number of points, including the repeated first one of a ring.
  private let count: Int

  /// Nautical miles per unit of 1e-7 degrees of latitude.
  private static let unitNM = Earth.meanRadiusNM * Earth.radian / 1e7

  /// Creates a simplifier.
  ///
  /// - Parameter path: A path with at least two points; a ring with at least four.
  init(_ path: PlanePath) {
    self.path = path
    count = path.points.count
    let corners = path.isClosed ? count - 1 : count
    let start = path.isClosed ? Self.farthest(from: Self.farthest(from: 0, in: path), in: path) : 0
    self.start = start
    var (xs, ys, scales): ([Double], [Double], [Double]) = ([], [], [])
    xs.reserveCapacity(count)
    ys.reserveCapacity(count)
    scales.reserveCapacity(count)
    for offset in 0..<count {
      let index = start + offset
      let point = path.points[index < corners || !path.isClosed ? index : index - corners]
      xs.append(Double(point.x + (path.isClosed && index >= corners ? path.winding : 0)))
      ys.append(Double(point.y))
      // The edge of the map at a pole is one place on the ground, but its corners bound the area on either side.
      let isPole = point.y.magnitude == 90 * UInt64(FixedCoordinate.degree)
      scales.append(isPole ? 1 : Libm.cos(Double(point.y) * (Earth.radian / 1e7)))
    }
    self.xs = xs
    self.ys = ys
    self.scales = scales
  }

  /// Returns the ascending indices of the kept points, without a ring's repeated last one, and the resulting tolerance.
  ///
  /// - Parameters:
  ///   - toleranceNM: The maximum distance of a removed point from the remaining line; nil for the smallest one that
  ///     leaves `most` points.
  ///   - most: The maximum number of points without a tolerance, including the repeated first one of a ring.
  func kept(toleranceNM: Double?, most: Int) -> (indices: [Int], toleranceNM: Double) {
    if let toleranceNM {
      let units = max(0, toleranceNM) / Self.unitNM
      var (isKept, _) = split(squaredTolerance: units * units, most: .max)
      _ = repair(&isKept)
      return (indices(isKept), toleranceNM)
    }
    if count <= most { return (Array(path.points.indices.dropLast(path.isClosed ? 1 : 0)), 0) }
    var target = most
    while true {
      var (isKept, farthest) = split(squaredTolerance: -1, most: target)
      let isMended = repair(&isKept)
      let excess = isKept.reduce(0) { $0 + ($1 ? 1 : 0) } - most
      if excess <= 0 || target <= 8 || !isMended { return (indices(isKept), farthest.squareRoot() * Self.unitNM) }
      target = max(8, target - excess)
    }
  }

  private func indices(_ isKept: [Bool]) -> [Int] {
    let corners = path.isClosed ? count - 1 : count
    var result: [Int] = []
    for index in 0..<corners {
      let offset = index - start
      if isKept[offset < 0 ? offset + corners : offset] { result.append(index) }
    }
    return result
  }

  // MARK: Splitting

  private struct Run {
    var squaredDistance: Double
    var low: Int
    var middle: Int
    var high: Int
  }

  /// Selects the kept points by distance alone, and returns the squared maximum distance of the others.
  private func split(squaredTolerance: Double, most: Int) -> (isKept: [Bool], farthest: Double) {
    var isKept = [Bool](repeating: false, count: count)
    var heap = RunHeap()
    var left = most - 2
    isKept[0] = true
    isKept[count - 1] = true
    func add(_ low: Int, _ high: Int) {
      guard high - low > 1 else { return }
      let run = run(low, high)
      if run.squaredDistance > squaredTolerance { heap.push(run) }
    }
    func keep(_ run: Run) {
      isKept[run.middle] = true
      left -= 1
      add(run.low, run.middle)
      add(run.middle, run.high)
    }
    if path.isClosed {
      // A ring keeps at least three corners.
      let first = run(0, count - 1)
      isKept[first.middle] = true
      let sides = [(0, first.middle), (first.middle, count - 1)].filter { $0.1 - $0.0 > 1 }.map { run($0.0, $0.1) }
      left -= 1
      if let third = sides.max(by: { $0.squaredDistance < $1.squaredDistance }) {
        for side in sides where side.middle != third.middle {
          if side.squaredDistance > squaredTolerance { heap.push(side) }
        }
        keep(third)
      }
    } else {
      add(0, count - 1)
    }
    while left > 0, let run = heap.pop() { keep(run) }
    return (isKept, heap.pop()?.squaredDistance ?? 0)
  }

  /// Returns the point of a run that is farthest from its chord, the first of equals; the middle one if all are on the
  /// chord.
  private func run(_ low: Int, _ high: Int) -> Run {
    xs.withUnsafeBufferPointer { xs in
      ys.withUnsafeBufferPointer { ys in
        scales.withUnsafeBufferPointer { scales in
          var best = Run(squaredDistance: -1, low: low, middle: low + 1, high: high)
          let (ax, ay) = (xs[low], ys[low])
          let (dx, dy) = (xs[high] - ax, ys[high] - ay)
          for index in (low + 1)..<high {
            let scale = scales[index]
            let (wx, wy) = ((xs[index] - ax) * scale, ys[index] - ay)
            let ux = dx * scale
            let dot = ux * wx + dy * wy
            let length = ux * ux + dy * dy
            var distance: Double
            if dot <= 0 {
              distance = wx * wx + wy * wy
            } else if dot >= length {
              let (vx, vy) = (wx - ux, wy - dy)
              distance = vx * vx + vy * vy
            } else {
              let cross = ux * wy - dy * wx
              distance = cross * cross / length
            }
            if distance > best.squaredDistance {
              best.squaredDistance = distance
              best.middle = index
            }
          }
          // If all points are on the chord, splitting in half is best.
          if best.squaredDistance == 0 { best.middle = low + (high - low) / 2 }
          return best
        }
      }
    }
  }

  /// A binary heap of runs with the largest distance on top.
  private struct RunHeap {
    private var runs: [Run] = []

    mutating func push(_ run: Run) {
      var index = runs.count
      runs.append(run)
      while index > 0 {
        let parent = (index - 1) / 2
        guard runs[parent].squaredDistance < runs[index].squaredDistance else { return }
        runs.swapAt(parent, index)
        index = parent
      }
    }

    mutating func pop() -> Run? {
      guard let top = runs.first, let last = runs.popLast() else { return nil }
      guard !runs.isEmpty else { return top }
      runs[0] = last
      var index = 0
      while true {
        var greatest = index
        for child in [2 * index + 1, 2 * index + 2] where child < runs.count {
          if runs[child].squaredDistance > runs[greatest].squaredDistance { greatest = child }
        }
        if greatest == index { return top }
        runs.swapAt(index, greatest)
        index = greatest
      }
    }
  }

  // MARK: Repairing

  /// Restores points until kept edges don't intersect and each spans less than 180°.
  ///
  /// Returns false if this is impossible, because the given points cross each other.
  private func repair(_ isKept: inout [Bool]) -> Bool {
    var rounds = 0
    while true {
      var offsets: [Int] = []
      var points: [GridPoint] = []
      for offset in 0..<count where isKept[offset] {
        let point = GridPoint(x: Int64(xs[offset]), y: Int64(ys[offset]))
        if points.last == point { continue }
        offsets.append(offset)
        points.append(point)
      }
      var chain = PlanePath(closed: points)
      chain.isClosed = path.isClosed
      chain.winding = path.winding
      var crowded: Set<Int> = []
      var isMended = false
      for edge in points.indices.dropLast() where abs(points[edge + 1].x - points[edge].x) >= PlanePath.turn / 2 {
        crowded.insert(edge)
        guard offsets[edge + 1] - offsets[edge] > 1 else { continue }
        // Even a straight edge must be divided near its middle.
        let middle = Double(points[edge].x + points[edge + 1].x) / 2
        let best = (offsets[edge] + 1..<offsets[edge + 1]).min { abs(xs[$0] - middle) < abs(xs[$1] - middle) }
        if let best { isKept[best] = true }
        isMended = true
      }
      var contacts = 0
      let isHopeless = ContactFinder(chain).forEach { i, j in
        crowded.insert(i)
        crowded.insert(j)
        contacts += 1
        return contacts > 10_000
      }
      if crowded.isEmpty { return true }
      for edge in crowded where offsets[edge + 1] - offsets[edge] > 1 {
        isKept[run(offsets[edge], offsets[edge + 1]).middle] = true
        isMended = true
      }
      rounds += 1
      if isHopeless || !isMended || rounds > 64 { return false }
    }
  }

  /// Returns the corner farthest from another, approximately on the ground.
  private static func farthest(from origin: Int, in path: PlanePath) -> Int {
    let from = path.points[origin]
    let scale = Libm.cos(Double(from.y) * (Earth.radian / 1e7))
    var (best, most) = (origin, -1.0)
    for index in path.points.indices.dropLast() {
      let dx = Double(path.points[index].x - from.x) * scale
      let dy = Double(path.points[index].y - from.y)
      let distance = dx * dx + dy * dy
      if distance > most { (best, most) = (index, distance) }
    }
    return best
  }
}
