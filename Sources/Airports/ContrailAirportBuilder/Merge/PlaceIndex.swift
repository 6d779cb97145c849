import CContrail
import ContrailGeodesy

/// A cell of a three-dimensional grid through the globe.
///
/// Close places are in the same cell or in neighbouring cells, including at the poles and across the antimeridian.
struct PlaceCell: Hashable {
  private var x: Int32
  private var y: Int32
  private var z: Int32

  /// Creates the cell of a place.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - reachNM: The maximum distance at which two places are in neighbouring cells.
  init(_ place: Coordinate, reachNM: Double) {
    // A degree is longer than 59 NM everywhere.
    let size = reachNM / 59 * .pi / 180
    let (latitude, longitude) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
    x = Int32((contrail_cos(latitude) * contrail_cos(longitude) / size).rounded(.down))
    y = Int32((contrail_cos(latitude) * contrail_sin(longitude) / size).rounded(.down))
    z = Int32((contrail_sin(latitude) / size).rounded(.down))
  }

  /// The cell and its 26 neighbours.
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

/// A result of a nearest-place search.
struct NearestPlace {
  var index: Int
  var distanceNM: Double
}

/// An index that finds the nearest place with a given key.
///
/// If several places with the same key are at the same point, only the first one is stored.
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
  /// The number of distances computed.
  private(set) var comparisonCount = 0

  /// Creates an index.
  ///
  /// - Parameter reachNM: The maximum distance of a result, exclusive.
  init(reachNM: Double) {
    self.reachNM = reachNM
  }

  /// Adds a place. Indices must be ascending.
  mutating func add(_ key: Key, _ index: Int, _ place: Coordinate) {
    guard points.insert(Point(key: key, place: place)).inserted else { return }
    entries[Entry(key: key, cell: PlaceCell(place, reachNM: reachNM)), default: []].append((index, place))
  }

  /// Returns the nearest place with any of the keys. If several are equally near, the one with the lowest index is
  /// returned.
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
