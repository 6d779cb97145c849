import ContrailGeodesy

/// The tiles of 2° by 2° that a ring meets, to find the rings that may contain a point, and the points that a ring may contain.
///
/// Where no edge passes through a tile, all of its points are inside, or none is.
struct RingTiles {
  /// The tiles all of whose points are inside.
  private(set) var inside: [Int32] = []
  /// The tiles that an edge passes through, or touches.
  private(set) var crossed: [Int32] = []

  /// - Complexity: O(tiles of the rows of the ring + tiles along its edges).
  init(_ ring: Ring) {
    var isCrossed = [Bool](repeating: false, count: Self.rowCount * Self.columnCount)
    var (south, north) = (Self.rowCount - 1, 0)
    for (a, b) in zip(ring.points, ring.points.dropFirst()) {
      // Each edge takes the shorter way.
      let run = FixedCoordinate.wrapped(b.longitudeE7 - a.longitudeE7)
      let (west, east) = run < 0 ? (b, a) : (a, b)
      Self.visitTiles(west, east, run: abs(run)) { row, column in
        isCrossed[row * Self.columnCount + column] = true
        (south, north) = (min(south, row), max(north, row))
      }
    }
    switch ring.pole {
    case .north: north = Self.rowCount - 1
    case .south: south = 0
    case nil: break
    }
    guard south <= north else { return }
    for row in south...north {
      /// Whether the tile before is inside; nil if it is crossed.
      var isInside: Bool?
      for tile in row * Self.columnCount..<(row + 1) * Self.columnCount {
        guard !isCrossed[tile] else {
          crossed.append(Int32(tile))
          isInside = nil
          continue
        }
        let isThisInside = isInside ?? ring.contains(Self.centre(of: tile))
        if isThisInside { inside.append(Int32(tile)) }
        isInside = isThisInside
      }
    }
  }

  // MARK: The grid

  private static let size = 2 * FixedCoordinate.degree
  private static let columnCount = 180
  /// The north pole has a row of its own.
  private static let rowCount = 91

  /// Returns the tile of a point.
  static func tile(of point: FixedCoordinate) -> Int32 {
    Int32(row(point.latitudeE7) * columnCount + column(point.longitudeE7))
  }

  private static func row(_ latitudeE7: Int64) -> Int { Int((latitudeE7 + 90 * FixedCoordinate.degree) / size) }

  /// - Parameter longitudeE7: At least -540 degrees.
  private static func column(_ longitudeE7: Int64) -> Int {
    Int((longitudeE7 + 540 * FixedCoordinate.degree) / size % Int64(columnCount))
  }

  private static func centre(of tile: Int) -> FixedCoordinate {
    let pole = 90 * FixedCoordinate.degree
    return FixedCoordinate(
      latitudeE7: min(Int64(tile / columnCount) * size + size / 2 - pole, pole),
      longitudeE7: Int64(tile % columnCount) * size + size / 2 - 2 * pole)
  }

  // MARK: Edges

  /// Visits the tiles that an edge passes through, or touches; some more than once.
  ///
  /// - Parameter run: The longitudes between the ends, not negative.
  private static func visitTiles(
    _ west: FixedCoordinate, _ east: FixedCoordinate, run: Int64, _ body: (_ row: Int, _ column: Int) -> Void
  ) {
    let rise = east.latitudeE7 - west.latitudeE7
    /// Returns the latitude of a point of the edge, or less by at most two.
    func latitude(_ part: Int64) -> Int64 {
      // Each factor is at most 1.8e9, so the product is exact.
      run == 0 ? west.latitudeE7 : west.latitudeE7 + rise * part / run - (rise < 0 ? 1 : 0)
    }
    var start: Int64 = 0
    while true {
      let longitude = west.longitudeE7 + start
      // The rest of the column.
      let end = min(start + size - (longitude + 540 * FixedCoordinate.degree) % size, run)
      let ends = run == 0 ? (west.latitudeE7, east.latitudeE7) : (latitude(start), latitude(end))
      let (low, high) = (min(ends.0, ends.1) - 1, max(ends.0, ends.1) + 2)
      let pole = 90 * FixedCoordinate.degree
      for row in row(max(low, -pole))...row(min(high, pole)) { body(row, column(longitude)) }
      guard end < run else { break }
      start = end
    }
    // The east end may stand on the western side of the next column.
    body(row(east.latitudeE7), column(west.longitudeE7 + run))
  }
}
