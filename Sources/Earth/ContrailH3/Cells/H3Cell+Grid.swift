extension H3Cell {
  /// The cells that share an edge with the cell: six, or five for a pentagon.
  public var neighbors: [H3Cell] {
    var cells: [H3Cell] = []
    cells.reserveCapacity(6)
    for direction in UInt64(isPentagon ? 2 : 1)...6 {
      var step = GridStep()
      if let raw = step.neighbor(of: rawValue, towards: direction) { cells.append(H3Cell(trusted: raw)) }
    }
    return cells
  }

  /// Whether the cells share an edge. False for the cell itself, and for a cell of another resolution.
  ///
  /// - Complexity: O(resolution), without allocation.
  public func isNeighbor(of other: H3Cell) -> Bool {
    guard self != other, resolution == other.resolution else { return false }
    for direction in UInt64(1)...6 {
      var step = GridStep()
      if step.neighbor(of: rawValue, towards: direction) == other.rawValue { return true }
    }
    return false
  }

  /// Returns the cells at most `k` steps away, ordered by distance, starting with the cell itself.
  ///
  /// - Throws: ``H3Error/negativeDistance(_:)``, or ``H3Error/tooManyCells(limit:)`` beyond about 6,600 steps.
  /// - Complexity: O(*k*²); near a pentagon O(*k*² log *k*).
  public func gridDisk(_ k: Int) throws(H3Error) -> [H3Cell] {
    let size = try Self.diskSize(k)
    let cells = spiral(k, size: size)
    if cells.count == size { return cells }
    return rings(upTo: k).flatMap { $0 }
  }

  /// Returns the cells at most `k` steps away by distance: element *d* contains those *d* steps away.
  ///
  /// - Throws: The same errors as ``gridDisk(_:)``.
  /// - Complexity: O(*k*²); near a pentagon O(*k*² log *k*).
  public func gridDiskRings(_ k: Int) throws(H3Error) -> [[H3Cell]] {
    let size = try Self.diskSize(k)
    let cells = spiral(k, size: size)
    guard cells.count == size else { return rings(upTo: k) }
    return (0...k).map { d in d == 0 ? [self] : Array(cells[(3 * d * (d - 1) + 1)..<(3 * d * (d + 1) + 1)]) }
  }

  /// Returns the cells exactly `k` steps away.
  ///
  /// - Throws: ``H3Error/negativeDistance(_:)``, or ``H3Error/tooManyCells(limit:)`` beyond about 6,600 steps.
  /// - Complexity: O(*k*); near a pentagon O(*k*² log *k*).
  public func gridRing(_ k: Int) throws(H3Error) -> [H3Cell] {
    _ = try Self.diskSize(k)
    if k == 0 { return [self] }
    return plainRing(k) ?? rings(upTo: k)[k]
  }

  private static func diskSize(_ k: Int) throws(H3Error) -> Int {
    guard k >= 0 else { throw H3Error.negativeDistance(k) }
    guard k <= 6_600 else { throw H3Error.tooManyCells(limit: maximumCount) }
    return 3 * k * (k + 1) + 1
  }

  /// Walks the disk ring by ring. The result is incomplete if the walk reaches a pentagon.
  @inline(__always)
  private func spiral(_ k: Int, size: Int) -> [H3Cell] {
    Array(unsafeUninitializedCapacity: size) { buffer, count in
      buffer[0] = self
      count = 1
      guard !isPentagon else { return }
      var raw = rawValue
      var step = GridStep()
      var ring = 1
      while ring <= k {
        guard let start = step.neighbor(of: raw, towards: GridStep.outwards), !H3Index.isPentagon(start) else {
          return
        }
        raw = start
        for direction in 0..<6 {
          let towards = GridStep.round[direction]
          var left = ring
          while left > 0 {
            guard let next = step.neighbor(of: raw, towards: towards), !H3Index.isPentagon(next) else { return }
            raw = next
            buffer[count] = H3Cell(trusted: raw)
            count &+= 1
            left &-= 1
          }
        }
        ring &+= 1
      }
    }
  }

  /// Walks one ring; nil if there is a pentagon on it or inside it.
  private func plainRing(_ k: Int) -> [H3Cell]? {
    guard !isPentagon else { return nil }
    var cells: [H3Cell] = []
    cells.reserveCapacity(6 * k)
    var raw = rawValue
    var step = GridStep()
    for _ in 0..<k {
      guard let next = step.neighbor(of: raw, towards: GridStep.outwards), !H3Index.isPentagon(next) else {
        return nil
      }
      raw = next
    }
    let start = raw
    for direction in GridStep.round {
      for _ in 0..<k {
        cells.append(H3Cell(trusted: raw))
        guard let next = step.neighbor(of: raw, towards: direction), !H3Index.isPentagon(next) else { return nil }
        raw = next
      }
    }
    // Around a pentagon, the walk doesn't close.
    return raw == start ? cells : nil
  }

  /// Returns the cells by distance, computed from ring to ring. This works everywhere.
  private func rings(upTo k: Int) -> [[H3Cell]] {
    var rings: [[H3Cell]] = [[self]]
    for distance in stride(from: 1, through: k, by: 1) {
      // A neighbour is in the previous, the same or the next ring.
      let known = Set(rings[distance - 1]).union(distance >= 2 ? rings[distance - 2] : [])
      var next: Set<H3Cell> = []
      for cell in rings[distance - 1] {
        for neighbor in cell.neighbors where !known.contains(neighbor) { next.insert(neighbor) }
      }
      rings.append(next.sorted())
    }
    return rings
  }

  /// Returns the minimum number of steps to another cell of the same resolution.
  ///
  /// - Throws: ``H3Error/resolutionMismatch(_:_:)``; ``H3Error/unreachable(_:_:)`` in the cases in which libh3 fails as
  ///   well: if the base cells of the cells aren't neighbours, and beyond some pentagons.
  /// - Complexity: O(resolution).
  public func gridDistance(to other: H3Cell) throws(H3Error) -> Int {
    guard resolution == other.resolution else { throw H3Error.resolutionMismatch(resolution, other.resolution) }
    guard let here = LocalLattice.point(of: rawValue, from: rawValue),
      let there = LocalLattice.point(of: other.rawValue, from: rawValue)
    else { throw H3Error.unreachable(self, other) }
    let (i, j) = (there.i - here.i, there.j - here.j)
    return max(i, j, 0) - min(i, j, 0)
  }

  /// Returns a shortest path of cells to another cell of the same resolution, including both ends.
  ///
  /// - Throws: The errors of ``gridDistance(to:)``; ``H3Error/unreachable(_:_:)`` also if the path would cross the gap
  ///   at a pentagon.
  /// - Complexity: O(resolution) per cell.
  public func gridPath(to other: H3Cell) throws(H3Error) -> [H3Cell] {
    let distance = try gridDistance(to: other)
    if let path = line(to: other, distance: distance) { return path }
    // From the other end, the lattice unfolds differently.
    guard let path = other.line(to: self, distance: distance) else { throw H3Error.unreachable(self, other) }
    return path.reversed()
  }

  /// Returns the line through the lattice unfolded around this cell.
  private func line(to other: H3Cell, distance: Int) -> [H3Cell]? {
    guard let here = LocalLattice.point(of: rawValue, from: rawValue),
      let there = LocalLattice.point(of: other.rawValue, from: rawValue)
    else { return nil }
    // Cube coordinates, whose sum is 0: (−i, j, i − j).
    let start = (-here.i, here.j, here.i - here.j)
    let share = 1 / Double(max(distance, 1))
    let step = (
      Double(here.i - there.i) * share, Double(there.j - here.j) * share,
      Double(there.i - there.j - start.2) * share
    )
    var cells: [H3Cell] = []
    cells.reserveCapacity(distance + 1)
    for place in 0...distance {
      let t = Double(place)
      let (x, y, z) = (Double(start.0) + step.0 * t, Double(start.1) + step.1 * t, Double(start.2) + step.2 * t)
      var rounded = (x.rounded(), y.rounded(), z.rounded())
      // Rounding may change the sum: recompute the coordinate with the largest rounding error.
      let off = ((rounded.0 - x).magnitude, (rounded.1 - y).magnitude, (rounded.2 - z).magnitude)
      if off.0 > off.1 && off.0 > off.2 {
        rounded.0 = -rounded.1 - rounded.2
      } else if off.1 > off.2 {
        rounded.1 = -rounded.0 - rounded.2
      }
      let point = (i: -Int(rounded.0), j: Int(rounded.1))
      guard let raw = LocalLattice.cell(at: point, from: rawValue) else { return nil }
      cells.append(H3Cell(trusted: raw))
    }
    return cells
  }
}
