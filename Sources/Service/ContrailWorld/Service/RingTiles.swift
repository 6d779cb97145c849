import ContrailGeodesy

/// Says which of many points a ring contains, as ``/ContrailGeodesy/Ring/contains(_:)-(FixedCoordinate)`` does, in a fraction of the time.
///
/// The earth is divided into tiles of 2° by 2°. Where no edge passes through a tile, all of its points are inside, or none is: the first one
/// asked for decides. Points in other tiles are compared with the ring.
///
/// The tiles are made after a few hundred points. Before that, and for a ring around a pole, each point is compared with the ring.
struct RingTiles {
  private enum Tile: UInt8 {
    case unknown
    case inside
    case outside
    case crossed
  }

  private let ring: Ring
  private var tiles: [Tile] = []
  /// The points until the tiles are made.
  private var countdown = 256

  init(_ ring: Ring) { self.ring = ring }

  /// Whether the ring contains a point.
  ///
  /// - Complexity: O(1) for most points; O(*n*) with *n* points of the ring in a tile that an edge passes through.
  mutating func contains(_ point: FixedCoordinate) -> Bool {
    if tiles.isEmpty {
      guard ring.pole == nil else { return ring.contains(point) }
      countdown -= 1
      guard countdown < 0 else { return ring.contains(point) }
      makeTiles()
    }
    let tile = Int(Self.tile(of: point))
    switch tiles[tile] {
    case .inside: return true
    case .outside: return false
    case .crossed: return ring.contains(point)
    case .unknown:
      let isInside = ring.contains(point)
      tiles[tile] = isInside ? .inside : .outside
      return isInside
    }
  }

  /// Returns the tiles that contain a point of the ring's area.
  ///
  /// - Complexity: O(tiles of the rows of the ring · points of the ring).
  static func tiles(of ring: Ring) -> Set<Int32> {
    var made = RingTiles(ring)
    made.makeTiles()
    let rows = made.tiles.indices.lazy.filter { made.tiles[$0] == .crossed }.map { $0 / columnCount }
    guard var south = rows.min(), var north = rows.max() else { return [] }
    switch ring.pole {
    case .north: north = rowCount - 1
    case .south: south = 0
    case nil: break
    }
    var found: Set<Int32> = []
    for tile in south * columnCount..<(north + 1) * columnCount {
      if made.tiles[tile] == .crossed || ring.contains(centre(of: tile)) { found.insert(Int32(tile)) }
    }
    return found
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

  private mutating func makeTiles() {
    tiles = Array(repeating: .unknown, count: Self.rowCount * Self.columnCount)
    let points = ring.points
    for (a, b) in zip(points, points.dropFirst()) {
      // Each edge takes the shorter way.
      let run = FixedCoordinate.wrapped(b.longitudeE7 - a.longitudeE7)
      if run < 0 { cross(b, a, run: -run) } else { cross(a, b, run: run) }
    }
  }

  /// Marks the tiles that an edge passes through, or touches.
  ///
  /// - Parameter run: The longitudes between the ends, not negative.
  private mutating func cross(_ west: FixedCoordinate, _ east: FixedCoordinate, run: Int64) {
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
      let end = min(start + Self.size - (longitude + 540 * FixedCoordinate.degree) % Self.size, run)
      let ends = run == 0 ? [west.latitudeE7, east.latitudeE7] : [latitude(start), latitude(end)]
      let (low, high) = (min(ends[0], ends[1]) - 1, max(ends[0], ends[1]) + 2)
      let pole = 90 * FixedCoordinate.degree
      for row in Self.row(max(low, -pole))...Self.row(min(high, pole)) {
        tiles[row * Self.columnCount + Self.column(longitude)] = .crossed
      }
      guard end < run else { break }
      start = end
    }
    // The east end may stand on the western side of the next column.
    tiles[Self.row(east.latitudeE7) * Self.columnCount + Self.column(west.longitudeE7 + run)] = .crossed
  }
}
