import ContrailGeodesy

extension Lattice {
  /// Returns the vector of a point in the class II lattice of the resolution, or of the next one if that is class III.
  @inline(__always)
  func vector(resolution: Int) -> SIMD3<Double> {
    let unit = 1 / Projection.scale(resolution &+ 1)
    return Projection.vector(face: face, i: Double(i) * unit, j: Double(j) * unit)
  }

  /// One face of each pair of opposite faces.
  private static let pairs: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
  /// The face opposite to each of ``pairs``.
  private static let opposite: [UInt8] = [17, 18, 19, 15, 16, 12, 13, 14, 10, 11]

  /// Creates the lattice point of the resolution that is nearest to a valid coordinate, on the nearest face.
  ///
  /// Nil if rounding could change the result: close to an edge between faces or cells, and close to a face's centre,
  /// where libh3's angles lose digits.
  @inline(__always)
  init?(nearest coordinate: Coordinate, resolution: Int) {
    let point = Projection.unitVector(coordinate)
    let (x, y, z) = (point.x, point.y, point.z)

    var nearest = 0.0
    var second = 0.0
    var face = 0
    for candidate in 0..<10 {
      let at = 3 &* candidate
      let product = x * FaceTables.centre[at] + y * FaceTables.centre[at + 1] + z * FaceTables.centre[at + 2]
      let size = product.magnitude
      if size > nearest {
        second = nearest
        nearest = size
        face = product < 0 ? Int(Self.opposite[candidate]) : candidate
      } else if size > second {
        second = size
      }
    }
    guard nearest - second > 1e-13, nearest < 0.999_95 else { return nil }

    let at = 3 &* face
    let unit = Projection.scale(resolution) / nearest
    var a = (x * FaceTables.dualI[at] + y * FaceTables.dualI[at + 1] + z * FaceTables.dualI[at + 2]) * unit
    var b = (x * FaceTables.dualJ[at] + y * FaceTables.dualJ[at + 1] + z * FaceTables.dualJ[at + 2]) * unit
    if resolution & 1 == 1 { (a, b) = (2 * a + b, 3 * b - a) }

    // Start at a corner of the rhombus that contains the point, and step to the neighbour if it is nearer.
    var i = Int(a)
    var j = Int(b)
    if a < Double(i) { i &-= 1 }
    if b < Double(j) { j &-= 1 }
    var p = a - Double(i)
    var q = b - Double(j)
    if p + q > 1 {
      (i, j, p, q) = (i &+ 1, j &+ 1, p - 1, q - 1)
    }
    if 2 * p - q > 1 {
      (i, p) = (i &+ 1, p - 1)
    } else if 2 * q - p > 1 {
      (j, q) = (j &+ 1, q - 1)
    } else if 2 * p - q < -1 {
      (i, p) = (i &- 1, p + 1)
    } else if 2 * q - p < -1 {
      (j, q) = (j &- 1, q + 1)
    }
    let reach = max((2 * p - q).magnitude, (2 * q - p).magnitude, (p + q).magnitude)
    guard reach < 1 - 4e-13 * Projection.scale(resolution &+ 1) else { return nil }
    self.init(face: face, i: i, j: j)
  }

  /// Returns the digits of a lattice point of the resolution, and the point of resolution 0 at which they start.
  @inline(__always)
  func ascended(resolution: Int) -> (digits: UInt64, i: Int, j: Int) {
    var (i, j) = (i, j)
    var digits: UInt64 = 0
    var shift = UInt64(truncatingIfNeeded: 45 &- 3 &* resolution)
    var left = resolution
    while left > 0 {
      // Move to the nearest point of the coarser lattice. The remainder, one of seven steps, is the digit.
      let coarser: (i: Int, j: Int)
      let rest: (i: Int, j: Int)
      if left & 1 == 1 {
        coarser = (Self.seventh(3 &* i &- j), Self.seventh(i &+ 2 &* j))
        rest = (i &- 2 &* coarser.i &- coarser.j, j &- 3 &* coarser.j &+ coarser.i)
      } else {
        coarser = (Self.seventh(2 &* i &+ j), Self.seventh(3 &* j &- i))
        rest = (i &- 3 &* coarser.i &+ coarser.j, j &- coarser.i &- 2 &* coarser.j)
      }
      digits |= Self.digit(rest.i, rest.j) &<< shift
      (i, j) = coarser
      shift &+= 3
      left &-= 1
    }
    return (digits, i, j)
  }

  /// Returns the digit of one of the seven steps.
  @inline(__always)
  static func digit(_ i: Int, _ j: Int) -> UInt64 {
    let least = min(i, j, 0)
    let digit = (i &- least) << 2 | (j &- least) << 1 | (0 &- least)
    return UInt64(truncatingIfNeeded: digit & 7)
  }

  /// Returns the index of the cell at a lattice point of the resolution.
  @inline(__always)
  func index(resolution: Int) -> UInt64 {
    var (digits, i, j) = ascended(resolution: resolution)
    let least = min(i, j, 0)
    let place = 9 &* (i &- least) &+ 3 &* (j &- least) &- least
    // A point of the nearest face is always within the table.
    let entry = 27 &* face &+ min(max(place, 0), 26)
    let baseCell = Int(BaseCellTables.onFace[entry])
    let turns = Int(BaseCellTables.turnsOnFace[entry])
    if BaseCellTables.isPentagon(baseCell) {
      if H3Index.leadingDigit(digits) == 1 {
        // Leave the deleted subsequence.
        digits = H3Index.turned(digits, by: BaseCellTables.isClockwiseOffset(baseCell, face: face) ? 5 : 1)
      }
      digits = H3Index.turnedAboutPentagon(digits, by: turns)
    } else {
      digits = H3Index.turned(digits, by: turns)
    }
    return H3Index.cell(resolution: resolution, baseCell: baseCell, digits: digits)
  }

  /// Returns a seventh of the value, rounded to the nearest integer.
  @inline(__always)
  private static func seventh(_ value: Int) -> Int {
    // Lattice coordinates are within ±2^25, so the offset, a multiple of seven, makes truncating division round.
    let offset = 7 << 28
    return Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: value &+ 3 &+ offset) / 7) &- (1 << 28)
  }
}
