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
