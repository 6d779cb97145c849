import ContrailGeodesy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A cell of a grid through the globe: places near each other lie in one cell or in neighbours, at the poles and across
/// the antimeridian too.
struct PlaceCell: Hashable {
  private var x: Int32
  private var y: Int32
  private var z: Int32

  /// - Parameter reachNM: Places no farther apart than this are in neighbouring cells.
  init(_ place: Coordinate, reachNM: Double) {
    // A degree has more than 59 NM everywhere.
    let size = reachNM / 59 * .pi / 180
    let (latitude, longitude) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
    x = Int32((cos(latitude) * cos(longitude) / size).rounded(.down))
    y = Int32((cos(latitude) * sin(longitude) / size).rounded(.down))
    z = Int32((sin(latitude) / size).rounded(.down))
  }

  /// The cell and those around it.
  var neighbourhood: [PlaceCell] {
    var cells: [PlaceCell] = []
    cells.reserveCapacity(27)
    for dx: Int32 in -1...1 {
      for dy: Int32 in -1...1 {
        for dz: Int32 in -1...1 {
          var cell = self
          (cell.x, cell.y, cell.z) = (x + dx, y + dy, z + dz)
          cells.append(cell)
        }
      }
    }
    return cells
  }
}

/// A place that was found.
struct NearestPlace {
  var index: Int
  var distanceNM: Double
}

/// Finds the nearest place among those with a key.
///
/// Of several with one key on one point only the first is kept: it is the one that is taken.
struct PlaceIndex<Key: Hashable> {
  private struct Entry: Hashable {
    var key: Key
    var cell: PlaceCell
  }

  private struct Point: Hashable {
    var key: Key
    var place: Coordinate
  }

  private let reachNM: Double
  private var points: Set<Point> = []
  private var entries: [Entry: [(index: Int, place: Coordinate)]] = [:]
  /// How many distances were computed.
  private(set) var comparisonCount = 0

  /// - Parameter reachNM: How far a place that is found may be, exclusively.
  init(reachNM: Double) {
    self.reachNM = reachNM
  }

  /// Adds a place; indices must ascend.
  mutating func add(_ key: Key, _ index: Int, _ place: Coordinate) {
    guard points.insert(Point(key: key, place: place)).inserted else { return }
    entries[Entry(key: key, cell: PlaceCell(place, reachNM: reachNM)), default: []].append((index, place))
  }

  /// Returns the nearest place with any of the keys; of several as near the one with the lowest index.
  mutating func nearest(_ keys: [Key], to place: Coordinate) -> NearestPlace? {
    guard !keys.isEmpty else { return nil }
    var best: NearestPlace?
    let cells = PlaceCell(place, reachNM: reachNM).neighbourhood
    for key in Set(keys) {
      for cell in cells {
        for (index, other) in entries[Entry(key: key, cell: cell)] ?? [] {
          comparisonCount += 1
          let distanceNM = place.distanceNM(to: other)
          guard distanceNM < reachNM else { continue }
          if let best, (best.distanceNM, best.index) <= (distanceNM, index) { continue }
          best = NearestPlace(index: index, distanceNM: distanceNM)
        }
      }
    }
    return best
  }
}
