/// A point of the hexagon lattice in the plane of a face, with i and j along axes 120° apart and (0, 0) at the face's
/// centre.
///
/// Class II lattices (even resolutions) are aligned with the face's axes. Each next resolution is finer by √7 and
/// rotated by about ±19.1°. The third coordinate of H3's papers is implied: (i, j, k) is (i − k, j − k), and its normal
/// form has no negative component and at least one 0.
struct Lattice {
  var face: Int
  var i: Int
  var j: Int

  /// Converts to the same point of the next finer lattice, which is class III: rotated counter-clockwise.
  @inline(__always)
  mutating func refineToClassIII() { (i, j) = (2 &* i &+ j, 3 &* j &- i) }

  /// Converts to the same point of the next finer lattice, which is class II: rotated clockwise.
  @inline(__always)
  mutating func refineToClassII() { (i, j) = (3 &* i &- j, i &+ 2 &* j) }

  /// Moves one step in the direction of a digit; 0 doesn't move.
  @inline(__always)
  mutating func step(_ digit: UInt64) {
    let bits = Int(truncatingIfNeeded: digit)
    i &+= (bits >> 2) &- (bits & 1)
    j &+= ((bits >> 1) & 1) &- (bits & 1)
  }

  /// The result of ``cross(reach:skipsSequence:)``.
  enum Side {
    case within
    case edge
    case beyond
  }

  /// Returns the extent of a face: the sum of normal coordinates on its edges, for a class II resolution up to 16.
  @inline(__always)
  static func reach(_ resolution: Int) -> Int { 2 &* scale(resolution) }

  /// Returns the unit of the resolution-0 lattice in that of a class II resolution: 7^(r/2).
  @inline(__always)
  static func scale(_ resolution: Int) -> Int { scales[(resolution &>> 1) & 15] }

  private static let scales: [Int] = [
    1, 7, 49, 343, 2401, 16807, 117_649, 823_543, 5_764_801, 0, 0, 0, 0, 0, 0, 0,
  ]

  /// The sum of the normal coordinates. Beyond the face's edges, it exceeds the face's extent.
  @inline(__always)
  var extent: Int { i &+ j &- 3 &* min(i, j, 0) }

  /// Converts a point beyond an edge of its face to the lattice of the adjacent face. The lattice must be class II.
  ///
  /// - Parameters:
  ///   - reach: The sum of coordinates on the edges.
  ///   - skipsSequence: Whether the point is in the fourth subsequence of a pentagon, adjacent to the deleted one.
  @inline(__always)
  mutating func cross(reach: Int, skipsSequence: Bool = false) -> Side {
    let extent = extent
    if extent < reach { return .within }
    if extent == reach { return .edge }
    moveAcross(reach: reach, skipsSequence: skipsSequence)
    return .beyond
  }

  @inline(never)
  private mutating func moveAcross(reach: Int, skipsSequence: Bool) {
    let edge = edge
    if skipsSequence && edge == Self.edgeKI {
      let across = i &- reach
      (i, j) = (reach &+ j, j &- across)
    }
    move(across: edge, reach: reach)
  }

  /// The edge between the axes k and i. The numbers of edges are those of the tables: ij 0, ki 1, jk 2.
  static let edgeKI = 1

  /// The edge beyond which the point lies.
  @inline(__always)
  var edge: Int {
    let least = min(i, j, 0)
    if least == 0 { return 0 }
    return j > least ? 2 : 1
  }

  /// Converts to the same point in the lattice of the face beyond the edge.
  mutating func move(across edge: Int, reach: Int) {
    let entry = 3 &* face &+ edge
    let turns = FaceTables.neighborTurns[entry]
    face = Int(FaceTables.neighbor[entry])
    let (a, b) = (i, j)
    // The shift moves the neighbour's centre to the origin: the lattice point (0, −2), (2, 2) or (−2, 0) of resolution
    // 0.
    switch (turns, edge) {
    case (1, _): (i, j) = (a &- b, a &- reach)
    case (5, _): (i, j) = (b &+ reach, b &- a &+ reach)
    case (_, 0): (i, j) = (reach &- a, reach &- b)
    case (_, 1): (i, j) = (0 &- a, 0 &- reach &- b)
    default: (i, j) = (0 &- a &- reach, 0 &- b)
    }
  }

  /// Returns the distance of a point in the direction of an edge, which equals the face's extent on the edge.
  @inline(__always)
  func extent(towards edge: Int) -> Int {
    switch edge {
    case 0: i &+ j
    case 1: i &- 2 &* j
    default: j &- 2 &* i
    }
  }

  /// Returns the edge of a face that is shared with another face.
  static func edge(of face: Int, to other: Int) -> Int {
    for edge in 0..<2 where Int(FaceTables.neighbor[3 * face + edge]) == other { return edge }
    return 2
  }
}

extension Lattice {
  /// Creates the centre of a cell in the class II lattice of its resolution, or of the next one if that is class III,
  /// on its face.
  @inline(__always)
  init(centreOf raw: UInt64) {
    let resolution = H3Index.resolution(raw)
    let baseCell = H3Index.baseCell(raw)
    let isPentagon = BaseCellTables.isPentagon(baseCell)
    var digits = raw
    var leading: UInt64 = 0
    if isPentagon {
      let used = H3Index.digits(raw)
      leading = H3Index.leadingDigit(used)
      // The fifth subsequence takes the place of the deleted one.
      if leading == 5 { digits = H3Index.turned(used, by: 5) }
    }
    self.init(
      face: Int(BaseCellTables.homeFace[baseCell]), i: Int(BaseCellTables.homeI[baseCell]),
      j: Int(BaseCellTables.homeJ[baseCell]))
    let staysOnFace = !isPentagon && i == 0 && j == 0
    var shift = UInt64(42)
    var left = resolution
    while left >= 2 {
      refineToClassIII()
      step((digits &>> shift) & 7)
      refineToClassII()
      step((digits &>> (shift &- 3)) & 7)
      shift &-= 6
      left &-= 2
    }
    if left == 1 {
      refineToClassIII()
      step((digits &>> shift) & 7)
      refineToClassII()
    }
    if staysOnFace { return }
    let reach = Self.reach(resolution &+ 1)
    if cross(reach: reach, skipsSequence: isPentagon && leading == 4) == .beyond, isPentagon {
      // Five faces meet at a pentagon, so fewer steps are sufficient for a valid cell.
      for _ in 0..<5 where cross(reach: reach) != .beyond { break }
    }
  }
}
