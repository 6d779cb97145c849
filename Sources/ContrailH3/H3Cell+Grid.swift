extension H3Cell {
  /// The cells that share an edge with the cell: six, a pentagon five.
  public var neighbours: [H3Cell] {
    var cells: [H3Cell] = []
    cells.reserveCapacity(6)
    for direction in UInt64(isPentagon ? 2 : 1)...6 {
      var step = GridStep()
      if let raw = step.neighbour(of: rawValue, towards: direction) { cells.append(H3Cell(trusted: raw)) }
    }
    return cells
  }

  /// Whether the cells share an edge; a cell is no neighbour of itself, nor of one of another resolution.
  ///
  /// - Complexity: O(resolution), without allocation.
  public func isNeighbour(of other: H3Cell) -> Bool {
    guard self != other, resolution == other.resolution else { return false }
    for direction in UInt64(1)...6 {
      var step = GridStep()
      if step.neighbour(of: rawValue, towards: direction) == other.rawValue { return true }
    }
    return false
  }

  /// The cells at most `k` steps away, the cell itself first, nearer ones before those further off.
  ///
  /// - Throws: ``H3Error/negativeDistance(_:)``; ``H3Error/tooManyCells(limit:)`` beyond some 6,600 steps.
  /// - Complexity: O(*k*²); near a pentagon O(*k*² log *k*).
  public func gridDisk(_ k: Int) throws(H3Error) -> [H3Cell] {
    let size = try Self.diskSize(k)
    let cells = spiral(k, size: size)
    if cells.count == size { return cells }
    return rings(upTo: k).flatMap { $0 }
  }

  /// The cells at most `k` steps away by distance: element *d* holds those *d* steps away.
  ///
  /// - Throws, complexity: as ``gridDisk(_:)``.
  public func gridDiskRings(_ k: Int) throws(H3Error) -> [[H3Cell]] {
    let size = try Self.diskSize(k)
    let cells = spiral(k, size: size)
    guard cells.count == size else { return rings(upTo: k) }
    return (0...k).map { d in d == 0 ? [self] : Array(cells[(3 * d * (d - 1) + 1)..<(3 * d * (d + 1) + 1)]) }
  }

  /// The cells exactly `k` steps away.
  ///
  /// - Throws: ``H3Error/negativeDistance(_:)``; ``H3Error/tooManyCells(limit:)`` beyond some 6,600 steps.
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

  /// The disk walked ring by ring; cut short where a pentagon comes up.
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
        guard let start = step.neighbour(of: raw, towards: GridStep.outwards), !H3Index.isPentagon(start) else {
          return
        }
        raw = start
        for direction in 0..<6 {
          let towards = GridStep.round[direction]
          var left = ring
          while left > 0 {
            guard let next = step.neighbour(of: raw, towards: towards), !H3Index.isPentagon(next) else { return }
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

  /// One ring, walked; nil where a pentagon lies on it or in it.
  private func plainRing(_ k: Int) -> [H3Cell]? {
    guard !isPentagon else { return nil }
    var cells: [H3Cell] = []
    cells.reserveCapacity(6 * k)
    var raw = rawValue
    var step = GridStep()
    for _ in 0..<k {
      guard let next = step.neighbour(of: raw, towards: GridStep.outwards), !H3Index.isPentagon(next) else {
        return nil
      }
      raw = next
    }
    let start = raw
    for direction in GridStep.round {
      for _ in 0..<k {
        cells.append(H3Cell(trusted: raw))
        guard let next = step.neighbour(of: raw, towards: direction), !H3Index.isPentagon(next) else { return nil }
        raw = next
      }
    }
    // Round a pentagon the walk doesn't close.
    return raw == start ? cells : nil
  }

  /// The cells by distance, found from ring to ring: right everywhere.
  private func rings(upTo k: Int) -> [[H3Cell]] {
    var rings: [[H3Cell]] = [[self]]
    for distance in stride(from: 1, through: k, by: 1) {
      // A neighbour lies in the ring before, in the same or in the next.
      let known = Set(rings[distance - 1]).union(distance >= 2 ? rings[distance - 2] : [])
      var next: Set<H3Cell> = []
      for cell in rings[distance - 1] {
        for neighbour in cell.neighbours where !known.contains(neighbour) { next.insert(neighbour) }
      }
      rings.append(next.sorted())
    }
    return rings
  }

  /// The fewest steps from the cell to another of its resolution.
  ///
  /// - Throws: ``H3Error/resolutionMismatch(_:_:)``; ``H3Error/unreachable(_:_:)`` where libh3 has no answer either:
  ///   when the cells' base cells are not neighbours, and behind some pentagons.
  /// - Complexity: O(resolution).
  public func gridDistance(to other: H3Cell) throws(H3Error) -> Int {
    guard resolution == other.resolution else { throw H3Error.resolutionMismatch(resolution, other.resolution) }
    guard let here = LocalLattice.point(of: rawValue, from: rawValue),
      let there = LocalLattice.point(of: other.rawValue, from: rawValue)
    else { throw H3Error.unreachable(self, other) }
    let (i, j) = (there.i - here.i, there.j - here.j)
    return max(i, j, 0) - min(i, j, 0)
  }
}
