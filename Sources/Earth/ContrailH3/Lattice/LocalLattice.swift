/// The lattice of a base cell, unfolded over its neighbours, in which distances are computed.
///
/// The rules for pentagons, and the cases without a result, are those of libh3's `localij.c`.
enum LocalLattice {
  /// The rotations by 60° clockwise around a pentagon, by the leading digits of the origin and the other cell or its
  /// direction.
  ///
  /// The value 9 stands for a deleted digit.
  private static let pentagonTurns: [[UInt8]] = [
    [0, 9, 0, 0, 0, 0, 0],
    [9, 9, 9, 9, 9, 9, 9],
    [0, 9, 0, 0, 0, 1, 0],
    [0, 9, 0, 0, 1, 1, 0],
    [0, 9, 0, 5, 0, 0, 0],
    [0, 9, 5, 5, 0, 0, 0],
    [0, 9, 0, 0, 0, 0, 0],
  ]

  /// Whether a pentagon can't be unfolded between two leading digits.
  private static func isTorn(_ a: Int, _ b: Int) -> Bool {
    switch (a, b) {
    case (2, 4), (2, 5), (3, 4), (3, 6), (4, 2), (4, 3), (5, 2), (5, 6), (6, 3), (6, 5): true
    default: false
    }
  }

  private static func turnedClockwise(_ point: (i: Int, j: Int), by turns: Int) -> (i: Int, j: Int) {
    var (i, j) = point
    for _ in 0..<turns { (i, j) = (j, j - i) }
    return (i, j)
  }

  /// Returns the direction from a base cell to a neighbour, 1…6; nil if it isn't a neighbour.
  static func direction(from baseCell: Int, to other: Int) -> Int? {
    (1...6).first { Int(BaseCellTables.neighbor[7 * baseCell + $0]) == other }
  }

  /// Returns the position of a cell in the lattice of another cell's base cell; nil if it can't be determined.
  ///
  /// Both cells must have the same resolution.
  static func point(of raw: UInt64, from origin: UInt64) -> (i: Int, j: Int)? {
    let resolution = H3Index.resolution(origin)
    let (home, away) = (H3Index.baseCell(origin), H3Index.baseCell(raw))
    let isHomePentagon = BaseCellTables.isPentagon(home)
    let isAwayPentagon = BaseCellTables.isPentagon(away)
    var digits = H3Index.digits(raw)
    let originLeading = Int(H3Index.leadingDigit(H3Index.digits(origin)))

    guard home != away else {
      let point = descended(digits, resolution: resolution)
      guard isHomePentagon else { return point }
      let leading = Int(H3Index.leadingDigit(digits))
      guard originLeading < 7, leading < 7, !isTorn(originLeading, leading) else { return nil }
      let turns = pentagonTurns[originLeading][leading]
      return turns > 5 ? nil : turnedClockwise(point, by: Int(turns))
    }

    guard let there = direction(from: home, to: away), var back = direction(from: away, to: home) else { return nil }
    let crossing = Int(BaseCellTables.neighborTurns[7 * home + there])
    for _ in 0..<crossing {
      digits = H3Index.turned(digits, by: 5)
      back = Int(H3Index.turned(UInt64(back), by: 5))
      if isAwayPentagon {
        // Clockwise around a pentagon, skip the deleted subsequence.
        if H3Index.leadingDigit(digits) == 1 { digits = H3Index.turned(digits, by: 5) }
        if back == 1 { back = Int(H3Index.turned(1, by: 5)) }
      }
    }

    var pointTurns = 0
    var offsetTurns = 0
    if isHomePentagon {
      guard originLeading < 7, !isTorn(originLeading, there) else { return nil }
      pointTurns = Int(pentagonTurns[originLeading][there])
      offsetTurns = pointTurns
    } else if isAwayPentagon {
      let leading = Int(H3Index.leadingDigit(digits))
      guard leading < 7, !isTorn(leading, back) else { return nil }
      pointTurns = Int(pentagonTurns[back][leading])
    }
    guard pointTurns < 6 else { return nil }

    let point = turnedClockwise(descended(digits, resolution: resolution), by: pointTurns)
    var offset = Lattice(face: 0, i: 0, j: 0)
    offset.step(UInt64(there))
    for level in stride(from: resolution, to: 0, by: -1) {
      // The order of the rotations doesn't affect the sum.
      if level & 1 == 1 { offset.refineToClassIII() } else { offset.refineToClassII() }
    }
    let turned = turnedClockwise((offset.i, offset.j), by: offsetTurns)
    return (point.i + turned.i, point.j + turned.j)
  }

  /// Returns the lattice point of digits, relative to their base cell.
  private static func descended(_ digits: UInt64, resolution: Int) -> (i: Int, j: Int) {
    var point = Lattice(face: 0, i: 0, j: 0)
    for level in stride(from: 1, through: resolution, by: 1) {
      if level & 1 == 1 { point.refineToClassIII() } else { point.refineToClassII() }
      point.step((digits >> UInt64(45 - 3 * level)) & 7)
    }
    return (point.i, point.j)
  }
}
