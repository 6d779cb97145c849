import ContrailGeodesy
import ContrailH3
import ContrailWire

/// An area as the cells of resolution 5 whose centres are in it.
enum CellArea {
  case everywhere
  /// The cells, in ascending order.
  case cells([UInt32])
  /// An area with far more cells than there are reports: the cells of the reports are tested instead.
  case ring(Ring)

  /// The maximum number of cells computed for an area.
  private static let maximumCells = 1 << 18
  /// The number of area cells whose computation costs as much as testing one report's cell against the ring.
  private static let cellsPerTest = 4
  private static let minimumCells = 1024

  /// - Parameters:
  ///   - ring: The area; nil for everywhere.
  ///   - count: The number of reports to search.
  init(_ ring: Ring?, count: Int) {
    guard let ring else {
      self = .everywhere
      return
    }
    let limit = min(Self.maximumCells, max(Self.minimumCells, min(count, Self.maximumCells) * Self.cellsPerTest))
    if let cells = try? H3Cell.cells(in: ring, resolution: 5, limit: limit) {
      self = .cells(cells.compactMap(\.packed22))
    } else {
      self = .ring(ring)
    }
  }

  /// Calls `body` with the reports of each cell that is in the area.
  ///
  /// - Parameter reports: The reports, sorted by cell.
  /// - Complexity: O(*c* log *n* + *m*), with *c* cells, *n* reports and *m* found ones; O(*n*) everywhere, and O(*n* · *r*) for a
  ///   ring of *r* points.
  func forEachCell(
    in reports: [TurbulenceReport], _ body: (UnsafeBufferPointer<TurbulenceReport>.SubSequence) -> Void
  ) {
    reports.withUnsafeBufferPointer { reports in
      var start = 0
      switch self {
      case .everywhere:
        while start < reports.count {
          let end = reports.endOfCell(from: start)
          body(reports[start..<end])
          start = end
        }
      case .cells(let cells):
        for cell in cells {
          start = reports.first(atOrAfter: cell, from: start)
          guard start < reports.count else { return }
          guard reports[start].cell == cell else { continue }
          let end = reports.endOfCell(from: start)
          body(reports[start..<end])
          start = end
        }
      case .ring(let ring):
        while start < reports.count {
          let end = reports.endOfCell(from: start)
          if let cell = H3Cell(packed22: reports[start].cell), ring.contains(cell.center) { body(reports[start..<end]) }
          start = end
        }
      }
    }
  }
}

extension UnsafeBufferPointer<TurbulenceReport> {
  /// Returns the index after the reports of the cell of the report at an index.
  @inline(__always)
  fileprivate func endOfCell(from start: Int) -> Int {
    let cell = self[start].cell
    var end = start + 1
    while end < count, self[end].cell == cell { end += 1 }
    return end
  }

  /// Returns the index of the first report whose cell is at or after a cell, in ever larger steps: mostly it is near.
  @inline(__always)
  fileprivate func first(atOrAfter cell: UInt32, from start: Int) -> Int {
    var (low, step) = (start, 1)
    while low + step <= count, self[low + step - 1].cell < cell {
      low += step
      step *= 2
    }
    var high = Swift.min(low + step - 1, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].cell < cell { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
