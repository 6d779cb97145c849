import ContrailGeodesy

/// The tiles of a grid of 2° by 2° that a ring meets, to find the rings that may contain a point.
enum RingTiles {
  private static let size = 2 * FixedCoordinate.degree
  private static let columns: Int64 = 180
  /// A tenth of a second of arc: an edge on the border of two tiles meets both.
  private static let margin: Int64 = 300

  /// Returns the tile of a point.
  static func tile(of point: FixedCoordinate) -> Int32 {
    tile(row: row(point.latitudeE7), column: column(point.longitudeE7))
  }

  /// Returns the tiles that the ring meets. A tile that no edge meets is inside or outside as a whole.
  ///
  /// - Complexity: O(edges · columns of an edge + tiles of the rows of the ring · points).
  static func tiles(of ring: Ring) -> Set<Int32> {
    var tiles: Set<Int32> = []
    let points = ring.points
    guard let first = points.first else { return [] }
    var (south, north) = (first.latitudeE7, first.latitudeE7)
    for (a, b) in zip(points, points.dropFirst()) {
      south = min(south, b.latitudeE7)
      north = max(north, b.latitudeE7)
      insertEdge(a, b, into: &tiles)
    }
    if let pole = ring.pole {
      if pole == .north { north = 90 * FixedCoordinate.degree } else { south = -90 * FixedCoordinate.degree }
    }
    for row in row(south - margin)...row(north + margin) {
      for column in 0..<columns {
        let centre = FixedCoordinate(
          latitudeE7: min((row * 2 + 1) * size / 2, 90 * FixedCoordinate.degree),
          longitudeE7: (column * 2 + 1) * size / 2 - 180 * FixedCoordinate.degree)
        if ring.contains(centre) { tiles.insert(tile(row: row, column: column)) }
      }
    }
    return tiles
  }

  private static func insertEdge(_ a: FixedCoordinate, _ b: FixedCoordinate, into tiles: inout Set<Int32>) {
    // The edge takes the shorter way.
    let run = FixedCoordinate.wrapped(b.longitudeE7 - a.longitudeE7)
    let rise = b.latitudeE7 - a.latitudeE7
    let (west, east) = run < 0 ? (a.longitudeE7 + run, a.longitudeE7) : (a.longitudeE7, a.longitudeE7 + run)
    let first = floorDivided(west - margin)
    for column in first...floorDivided(east + margin) {
      let left = max(column * size - margin, west)
      let right = min((column + 1) * size + margin, east)
      func latitude(_ longitude: Int64) -> Int64 {
        run == 0
          ? a.latitudeE7
          : a.latitudeE7 + Int64((Double(longitude - a.longitudeE7) / Double(run) * Double(rise)).rounded())
      }
      let ends =
        run == 0 || left >= right ? [a.latitudeE7, b.latitudeE7] : [latitude(left), latitude(right)]
      for row in row((ends.min() ?? 0) - margin)...row((ends.max() ?? 0) + margin) {
        tiles.insert(tile(row: row, column: ((column + columns / 2) % columns + columns) % columns))
      }
    }
  }

  private static func floorDivided(_ value: Int64) -> Int64 {
    value >= 0 ? value / size : (value - size + 1) / size
  }

  private static func row(_ latitudeE7: Int64) -> Int64 {
    floorDivided(min(max(latitudeE7, -90 * FixedCoordinate.degree), 90 * FixedCoordinate.degree))
  }

  private static func column(_ longitudeE7: Int64) -> Int64 {
    let column = floorDivided(FixedCoordinate.wrapped(longitudeE7)) + columns / 2
    return (column % columns + columns) % columns
  }

  private static func tile(row: Int64, column: Int64) -> Int32 { Int32((row + 60) * columns + column) }
}
