import ContrailCore
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
      self = .cells(cells.compactMap({ $0.packed22 }))
    } else {
      self = .ring(ring)
    }
  }

  /// Returns those of some cells, in ascending order, that are in the area.
  ///
  /// - Complexity: O(*n* · *r*) for a ring of *r* points; O(*n* + *c*) with *c* cells of the area, and less if few are in both.
  func cells(among cells: [UInt32]) -> [UInt32] {
    switch self {
    case .everywhere: return cells
    case .ring(let ring): return cells.filter { H3Cell(packed22: $0).map { ring.contains($0.center) } ?? false }
    case .cells(let own):
      var both: [UInt32] = []
      var (left, right) = (0, 0)
      while left < own.count, right < cells.count {
        if own[left] == cells[right] {
          both.append(own[left])
          (left, right) = (left + 1, right + 1)
        } else if own[left] < cells[right] {
          left = own.firstIndex(from: left) { $0 >= cells[right] }
        } else {
          right = cells.firstIndex(from: right) { $0 >= own[left] }
        }
      }
      return both
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
          start = reports.firstIndex(from: start) { $0.cell >= cell }
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

extension CellArea {
  /// Returns the reports of a set that are in the area, sorted by place; all of them if the area isn't a list of cells.
  ///
  /// - Complexity: O(*n*), with *n* reports.
  func reports(in set: ReportSet) -> [TurbulenceReport] {
    guard case .cells(let cells) = self else { return .sortedByPlace(set) }
    let bits = CellBits(cells)
    var found: [TurbulenceReport] = []
    set.forEach { if bits.contains($0.cell) { found.append($0) } }
    found.sortByPlace()
    return found
  }
}

/// A set of cells, with one bit for each cell between the first and the last.
private struct CellBits {
  private var first: UInt32 = 0
  private var words: [UInt64] = []

  /// Creates a set of cells that are in ascending order.
  init(_ cells: [UInt32]) {
    guard let first = cells.first, let last = cells.last, first <= last else { return }
    self.first = first
    words = [UInt64](repeating: 0, count: Int((last - first) >> 6) + 1)
    for cell in cells where cell >= first && cell <= last {
      words[Int((cell - first) >> 6)] |= 1 << UInt64((cell - first) & 63)
    }
  }

  @inline(__always)
  func contains(_ cell: UInt32) -> Bool {
    guard cell >= first else { return false }
    let offset = cell - first
    return Int(offset >> 6) < words.count && words[Int(offset >> 6)] >> UInt64(offset & 63) & 1 == 1
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
}
