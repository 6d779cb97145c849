extension LocalLattice {
  /// The rotations by 60° counter-clockwise from a point near a pentagon to its cell, for origins on the pentagon.
  ///
  /// Indexed by the leading digit of the origin, then the direction or leading digit of the point.
  private static let turnsFromPentagon: [[Int]] = [
    [0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0],
    [0, 1, 0, 0, 0, 0, 0],
    [0, 1, 0, 0, 0, 1, 0],
    [0, 5, 0, 0, 0, 0, 0],
    [0, 5, 0, 5, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0],
  ]

  /// The rotations for points on a pentagon, indexed by the direction from it to the origin's base cell, then leading
  /// digit.
  private static let turnsOnPentagon: [[Int]] = [
    [0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0],
    [0, 1, 0, 0, 0, 0, 0],
    [0, 1, 0, 0, 0, 1, 0],
    [0, 5, 0, 0, 0, 0, 0],
    [0, 1, 0, 5, 1, 1, 0],
    [0, 0, 0, 0, 0, 0, 0],
  ]

  /// The rotations for the two pentagons whose neighbours all lie along their i axes.
  private static let turnsOnPolarPentagon: [[Int]] = [
    [0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0],
    [0, 1, 1, 1, 1, 1, 1],
    [0, 1, 0, 0, 0, 1, 0],
    [0, 1, 0, 0, 1, 1, 1],
    [0, 1, 0, 5, 1, 1, 0],
    [0, 1, 1, 0, 1, 1, 1],
  ]

  /// Returns the cell at a point in the lattice of an origin's base cell; nil if it can't be determined.
  ///
  /// This is the inverse of ``point(of:from:)``, within the limits of libh3's rules.
  static func cell(at point: (i: Int, j: Int), from origin: UInt64) -> UInt64? {
    let resolution = H3Index.resolution(origin)
    let home = H3Index.baseCell(origin)
    let isHomePentagon = BaseCellTables.isPentagon(home)
    let originLeading = Int(H3Index.leadingDigit(H3Index.digits(origin)))
    guard originLeading < 7, abs(point.i) < 1 << 25, abs(point.j) < 1 << 25 else { return nil }

    var (digits, i, j) = Lattice(face: 0, i: point.i, j: point.j).ascended(resolution: resolution)
    // Only the neighbours of the base cell are supported.
    guard max(i, j, 0) - min(i, j, 0) <= 1 else { return nil }
    var direction = Lattice.digit(i, j)
    var away = home
    if direction == 0 {
      if isHomePentagon {
        digits = H3Index.turned(digits, by: turnsFromPentagon[originLeading][Int(H3Index.leadingDigit(digits))])
      }
    } else {
      var turns = 0
      if isHomePentagon {
        if resolution > 0 { turns = turnsFromPentagon[originLeading][Int(direction)] }
        direction = H3Index.turned(direction, by: turns)
        // The missing direction.
        if direction == 1 { return nil }
      }
      away = Int(BaseCellTables.neighbor[7 * home + Int(direction)])
      let crossing = Int(BaseCellTables.neighborTurns[7 * home + Int(direction)])
      if BaseCellTables.isPentagon(away) {
        guard let back = Self.direction(from: away, to: home) else { return nil }
        digits = H3Index.turned(digits, by: crossing)
        let table = away == 4 || away == 117 ? turnsOnPolarPentagon : turnsOnPentagon
        digits = H3Index.turnedAboutPentagon(digits, by: table[back][Int(H3Index.leadingDigit(digits))])
      } else {
        digits = H3Index.turned(H3Index.turned(digits, by: turns), by: crossing)
      }
    }
    if BaseCellTables.isPentagon(away) && H3Index.leadingDigit(digits) == 1 { return nil }
    return H3Index.cell(resolution: resolution, baseCell: away, digits: digits)
  }
}
