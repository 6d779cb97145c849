import ContrailGeodesy
import ContrailH3
import ContrailWire

/// Creates turbulence areas from reports.
enum TurbulenceAreas {
  /// Returns the areas, sorted by severity, then from south to north.
  ///
  /// - Parameter reports: The reports, in any order. Reports without turbulence are ignored.
  static func areas(of reports: some Sequence<TurbulenceReport>) -> [PolygonsAnswer.Area] {
    let cells = cells(of: reports)
    var outlines = CellOutlines()
    let parts = cells.map { outlines.parts(of: $0.cell) }
    let areas = groups(cells, parts).map { group in
      var area = cells[group[0]].area
      for index in group.dropFirst() {
        area.base = min(area.base, cells[index].area.base)
        area.top = max(area.top, cells[index].area.top)
        area.count += cells[index].area.count
      }
      area.cells = group.map { cells[$0].cell }
      return area
    }
    return PolygonsAnswer.outlined(areas)
  }

  private struct Cell {
    let cell: H3Cell
    /// The area of the cell, without polygons.
    var area: PolygonsAnswer.Area
  }

  /// Returns the turbulence in each cell of resolution 3, in cell order.
  private static func cells(of reports: some Sequence<TurbulenceReport>) -> [Cell] {
    let turbulent = reports.filter { $0.severity > .none }
      .map { (parent: parent(of: $0.h3Index), report: $0) }
      .sorted {
        ($0.parent, $0.report.packed, $0.report.observedAt) < ($1.parent, $1.report.packed, $1.report.observedAt)
      }
    var cells: [Cell] = []
    for (parent, report) in turbulent {
      if let last = cells.indices.last, cells[last].cell.rawValue == parent {
        cells[last].area.severity = max(cells[last].area.severity, report.severity)
        cells[last].area.base = min(cells[last].area.base, report.altitude)
        cells[last].area.top = max(cells[last].area.top, report.altitude)
        cells[last].area.count += 1
      } else if let cell = H3Cell(rawValue: parent) {
        let area = PolygonsAnswer.Area(
          severity: report.severity, base: report.altitude, top: report.altitude, count: 1)
        cells.append(Cell(cell: cell, area: area))
      }
    }
    return cells
  }

  /// Returns the index of the resolution-3 ancestor of a resolution-5 cell, by marking digits 4 and 5 as unused.
  private static func parent(of index: UInt64) -> UInt64 {
    index & ~(0xF << 52) | 3 << 52 | 0x3F << 30
  }

  /// Returns groups of cell indices that have the same severity and are connected by common edges.
  private static func groups(_ cells: [Cell], _ parts: [[[FixedCoordinate]]]) -> [[Int]] {
    var leader = Array(cells.indices)
    func find(_ cell: Int) -> Int {
      var root = cell
      while leader[root] != root { root = leader[root] }
      leader[cell] = root
      return root
    }
    // An edge is identified by its ends, the lesser first. The halves of a cell at the antimeridian are connected by
    // the cell's index.
    var owners: [[FixedCoordinate]: Int] = [:]
    for index in cells.indices {
      for part in parts[index] {
        for (a, b) in zip(part, part.dropFirst()) {
          let isOrdered = (a.latitudeE7, a.longitudeE7) < (b.latitudeE7, b.longitudeE7)
          let edge = isOrdered ? [a, b] : [b, a]
          guard let other = owners.updateValue(index, forKey: edge) else { continue }
          guard cells[other].area.severity == cells[index].area.severity else { continue }
          let (one, two) = (find(other), find(index))
          leader[max(one, two)] = min(one, two)
        }
      }
    }
    var members: [Int: [Int]] = [:]
    for index in cells.indices { members[find(index), default: []].append(index) }
    return members.keys.sorted().compactMap { members[$0] }
  }
}

/// A GeoJSON feature collection of turbulence areas.
struct PolygonDocument: Sendable {
  let answer: PolygonsAnswer
  let body: [UInt8]
  /// The ETag: sixteen hexadecimal digits of a hash of the body.
  let entityTag: String

  /// The time in seconds during which a document doesn't change, so that conditional requests are useful.
  static let stepSeconds: Int64 = 300

  init(_ answer: PolygonsAnswer) {
    self.answer = answer
    body = answer.json
    entityTag = Hex.string(Digest.hash(body))
  }
}

/// A cache of the areas by history time and five-minute step.
struct PolygonCache: Sendable {
  private var entries: [(history: DataHistoryTime, token: Int64, areas: [PolygonsAnswer.Area])] = []
  private static let capacity = 12

  func areas(_ history: DataHistoryTime, token: Int64) -> [PolygonsAnswer.Area]? {
    entries.first { $0.history == history && $0.token == token }?.areas
  }

  mutating func insert(_ areas: [PolygonsAnswer.Area], _ history: DataHistoryTime, token: Int64) {
    if entries.count >= Self.capacity { entries.removeFirst() }
    entries.append((history, token, areas))
  }

  mutating func removeAll() { entries.removeAll() }
}

extension PolygonsAnswer.Area {
  /// Returns whether the area intersects a ring: one contains a corner of the other, or edges cross.
  ///
  /// An area also counts if the ring is inside one of its holes, which is the conservative choice.
  func meets(_ ring: Ring) -> Bool {
    for polygon in polygons {
      if polygon.outer.contains(where: ring.contains) { return true }
      if ring.points.contains(where: { Dissolve.contains(polygon.outer, $0) }) { return true }
      for (a, b) in zip(ring.points, ring.points.dropFirst()) where Self.crosses(polygon.outer, a, b) { return true }
    }
    return false
  }

  /// Returns whether an edge of the outline crosses the shorter edge from `a` to `b`, on either side of the
  /// antimeridian.
  private static func crosses(_ outline: [FixedCoordinate], _ a: FixedCoordinate, _ b: FixedCoordinate) -> Bool {
    let (start, end) = (a.coordinate, b.coordinate)
    let run = (end.longitude - start.longitude).remainder(dividingBy: 360)
    return [-360.0, 0, 360].contains { shift in
      let p = SIMD2(start.longitude + shift, start.latitude)
      let q = SIMD2(p.x + run, end.latitude)
      return zip(outline, outline.dropFirst()).contains { edge in
        let r = SIMD2(edge.0.coordinate.longitude, edge.0.coordinate.latitude)
        let s = SIMD2(edge.1.coordinate.longitude, edge.1.coordinate.latitude)
        return side(p, q, r) * side(p, q, s) <= 0 && side(r, s, p) * side(r, s, q) <= 0
          && max(p.x, q.x) >= min(r.x, s.x) && max(r.x, s.x) >= min(p.x, q.x)
      }
    }
  }

  /// Returns a positive value if `c` is to the left of the line from `a` to `b`.
  private static func side(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>) -> Double {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }
}
