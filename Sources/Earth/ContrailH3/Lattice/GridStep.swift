/// A walk over the grid by directions, which rotate when the walk enters the lattice of another base cell.
struct GridStep {
  /// The number of rotations by 60° counter-clockwise from the initial direction to the current lattice.
  private(set) var turns = 0

  init() {}

  /// The six directions along a ring, counter-clockwise from j, after a step along ``outwards`` to the ring.
  static let round: [UInt64] = [2, 3, 1, 5, 4, 6]
  /// The direction from the end of one ring to the next.
  static let outwards: UInt64 = 4

  /// The moves from the child with a given digit in a given direction, at 8 · digit + direction.
  ///
  /// Each entry contains the new digit and, above it in 3 bits, the move of the parent, 0 if there is none. The first
  /// half is for class III children, the second for class II. H3's `algos.c` contains the same values; they follow from
  /// the lattice.
  private static let moves: [UInt8] = [
    0, 1, 2, 3, 4, 5, 6, 0,
    1, 12, 3, 14, 5, 42, 0, 0,
    2, 3, 17, 28, 6, 0, 21, 0,
    3, 14, 28, 29, 0, 1, 2, 0,
    4, 5, 6, 0, 34, 35, 49, 0,
    5, 42, 0, 1, 35, 46, 4, 0,
    6, 0, 21, 2, 49, 4, 51, 0,
    0, 0, 0, 0, 0, 0, 0, 0,

    0, 1, 2, 3, 4, 5, 6, 0,
    1, 10, 3, 28, 5, 14, 0, 0,
    2, 3, 20, 21, 6, 0, 49, 0,
    3, 28, 21, 30, 0, 1, 2, 0,
    4, 5, 6, 0, 33, 42, 35, 0,
    5, 14, 0, 1, 42, 43, 4, 0,
    6, 0, 49, 2, 35, 4, 53, 0,
    0, 0, 0, 0, 0, 0, 0, 0,
  ]

  /// Returns the neighbour of a cell in a direction, 1…6; nil for the missing direction of a pentagon.
  ///
  /// The rules for pentagons are those of libh3's `h3NeighborRotations`.
  @inline(__always)
  mutating func neighbor(of raw: UInt64, towards direction: UInt64) -> UInt64? {
    let resolution = H3Index.resolution(raw)
    var direction = turns == 0 ? direction : H3Index.turned(direction, by: turns)
    var current = raw
    var level = resolution
    while level > 0 {
      let shift = UInt64(truncatingIfNeeded: 45 &- 3 &* level)
      let digit = (current &>> shift) & 7
      let table: UInt64 = level & 1 == 1 ? 0 : 64
      let move = UInt64(Self.moves[Int(truncatingIfNeeded: table | digit &<< 3 | direction)])
      current ^= (digit ^ (move & 7)) &<< shift
      direction = move >> 3
      if direction == 0 { break }
      level &-= 1
    }
    // There is no rotation within a base cell that is a hexagon.
    if direction == 0 && !BaseCellTables.isPentagon(H3Index.baseCell(raw)) { return current }
    return crossBaseCells(from: raw, to: current, resolution: resolution, direction: direction)
  }

  /// Completes a move that leaves its base cell or involves a pentagon.
  ///
  /// - Parameter direction: The direction in which the base cell is left; 0 if it isn't.
  @inline(never)
  private mutating func crossBaseCells(
    from raw: UInt64, to moved: UInt64, resolution: Int, direction: UInt64
  ) -> UInt64? {
    let old = H3Index.baseCell(raw)
    var digits = moved & H3Index.digitMask & ~H3Index.tail(resolution)
    var new = old
    var crossing = 0
    if direction != 0 {
      let entry = 7 &* old &+ Int(truncatingIfNeeded: direction)
      new = Int(BaseCellTables.neighbor[entry])
      crossing = Int(BaseCellTables.neighborTurns[entry])
      if new == Int(BaseCellTables.none) {
        // In a pentagon's missing direction, the neighbour is the one in direction ik.
        new = Int(BaseCellTables.neighbor[7 &* old &+ 5])
        crossing = Int(BaseCellTables.neighborTurns[7 &* old &+ 5])
        digits = H3Index.turned(digits, by: 1)
        turns &+= 1
      }
    }
    if BaseCellTables.isPentagon(new) {
      var hasLeftMissing = false
      if H3Index.leadingDigit(digits) == 1 {
        if old != new {
          let isClockwise = BaseCellTables.isClockwiseOffset(new, face: Int(BaseCellTables.homeFace[old]))
          digits = H3Index.turned(digits, by: isClockwise ? 5 : 1)
          hasLeftMissing = true
        } else {
          switch H3Index.leadingDigit(H3Index.digits(raw)) {
          case 3:
            digits = H3Index.turned(digits, by: 1)
            turns &+= 1
          case 5:
            digits = H3Index.turned(digits, by: 5)
            turns &+= 5
          default:
            return nil
          }
        }
      }
      digits = H3Index.turnedAboutPentagon(digits, by: crossing)
      if old != new {
        let leading = H3Index.leadingDigit(digits)
        if new == 4 || new == 117 {
          // The two pentagons whose neighbours all lie along their i axes.
          if old != 118 && old != 8 && leading != 3 { turns &+= 1 }
        } else if leading == 5 && !hasLeftMissing {
          turns &+= 1
        }
      }
    } else {
      digits = H3Index.turned(digits, by: crossing)
    }
    turns = (turns &+ crossing) % 6
    return H3Index.cell(resolution: resolution, baseCell: new, digits: digits)
  }
}
