public import ContrailGeodesy

extension H3Cell {
  /// The cell that holds a point.
  ///
  /// A point on the edge of two cells is in the one that libh3 answers too: there its own steps are followed.
  ///
  /// - Parameter resolution: 0 to 15.
  /// - Throws: ``H3Error/resolution(_:)``; ``H3Error/coordinate`` where the coordinate is not valid.
  /// - Complexity: O(resolution), without allocation.
  public init(_ coordinate: Coordinate, resolution: Int) throws(H3Error) {
    guard resolution >= 0, resolution <= H3Index.maximumResolution else { throw H3Error.resolution(resolution) }
    guard coordinate.isValid else { throw H3Error.coordinate }
    let lattice =
      Lattice(nearest: coordinate, resolution: resolution)
      ?? EdgeCase.lattice(of: coordinate, resolution: resolution)
    self.init(trusted: lattice.index(resolution: resolution))
  }

  /// The cell's centre.
  ///
  /// - Complexity: O(resolution), without allocation.
  public var center: Coordinate {
    Projection.coordinate(Lattice(centreOf: rawValue).vector(resolution: resolution))
  }
}

extension Lattice {
  /// The vector of a point in the class II lattice of the resolution, or of the next if that is class III.
  @inline(__always)
  func vector(resolution: Int) -> SIMD3<Double> {
    let unit = 1 / Projection.scale(resolution &+ 1)
    return Projection.vector(face: face, i: Double(i) * unit, j: Double(j) * unit)
  }

  /// One face of each pair that lies opposite.
  private static let pairs: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
  /// The face opposite each of ``pairs``.
  private static let opposite: [UInt8] = [17, 18, 19, 15, 16, 12, 13, 14, 10, 11]

  /// The lattice point of the resolution that is nearest to a valid coordinate, on the face nearest to it.
  ///
  /// Nil where rounding could decide: close to the border between faces or cells, and close to a face's centre, where
  /// libh3's own angles lose digits.
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

    // Start at a corner of the rhombus that holds the point, then step to the neighbour if that is nearer.
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

  /// The index of the cell at a lattice point of the resolution.
  @inline(__always)
  func index(resolution: Int) -> UInt64 {
    var (i, j) = (i, j)
    var digits: UInt64 = 0
    var shift = UInt64(truncatingIfNeeded: 45 &- 3 &* resolution)
    var left = resolution
    while left > 0 {
      // To the nearest point of the coarser lattice; the rest, one of seven steps, is the digit.
      let coarser: (i: Int, j: Int)
      let rest: (i: Int, j: Int)
      if left & 1 == 1 {
        coarser = (Self.seventh(3 &* i &- j), Self.seventh(i &+ 2 &* j))
        rest = (i &- 2 &* coarser.i &- coarser.j, j &- 3 &* coarser.j &+ coarser.i)
      } else {
        coarser = (Self.seventh(2 &* i &+ j), Self.seventh(3 &* j &- i))
        rest = (i &- 3 &* coarser.i &+ coarser.j, j &- coarser.i &- 2 &* coarser.j)
      }
      let least = min(rest.i, rest.j, 0)
      let digit = (rest.i &- least) << 2 | (rest.j &- least) << 1 | (0 &- least)
      digits |= UInt64(truncatingIfNeeded: digit & 7) &<< shift
      (i, j) = coarser
      shift &+= 3
      left &-= 1
    }
    let least = min(i, j, 0)
    let place = 9 &* (i &- least) &+ 3 &* (j &- least) &- least
    // A point of the nearest face never lies further out than the table goes.
    let entry = 27 &* face &+ min(max(place, 0), 26)
    let baseCell = Int(BaseCellTables.onFace[entry])
    let turns = Int(BaseCellTables.turnsOnFace[entry])
    if BaseCellTables.isPentagon(baseCell) {
      if H3Index.leadingDigit(digits) == 1 {
        // Leave the missing sequence.
        digits = H3Index.turned(digits, by: BaseCellTables.isClockwiseOffset(baseCell, face: face) ? 5 : 1)
      }
      digits = H3Index.turnedAboutPentagon(digits, by: turns)
    } else {
      digits = H3Index.turned(digits, by: turns)
    }
    return H3Index.cell(resolution: resolution, baseCell: baseCell, digits: digits)
  }

  /// The nearest integer to a seventh.
  @inline(__always)
  private static func seventh(_ value: Int) -> Int {
    // Lattice coordinates stay within ±2^25, so the offset, a multiple of seven, makes a truncating division one that
    // rounds.
    let offset = 7 << 28
    return Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: value &+ 3 &+ offset) / 7) &- (1 << 28)
  }
}
