import ContrailGeodesy
import ContrailH3
import ContrailWire

/// The cells of an area, as runs of the reports' key.
///
/// H3 numbers a cell's descendants one after the other, so an area is few runs however many cells it has: the key of the reports is a
/// spatial index without another table. What lies between two runs that are near each other is read and skipped, which is cheaper
/// than to seek.
struct CellCover {
  /// Packed cells of resolution 5, ascending; nil where every cell counts.
  private let cells: [UInt32]?
  /// A run of packed reports, both ends included.
  let runs: [ClosedRange<Int64>]
  /// Tests each cell of a run, where the area has too many to list them.
  private let ring: Ring?

  /// An area of more cells than this is tested cell by cell as its rows are read.
  static let maximumCells = 1 << 18
  /// Runs are joined across gaps of less than this, in packed cells: 64 is a cell's grandchildren.
  private static let joinedGap: UInt32 = 64
  /// The bits of a packed report below the cell.
  private static let cellShift: Int64 = 25

  init(_ area: Area) {
    guard case .ring(let ring) = area else {
      self.init(cells: nil, runs: [Self.run(0, UInt32(1 << 22) - 1)], ring: nil)
      return
    }
    do {
      let cells = try H3Cell.cells(in: ring, resolution: 5, limit: Self.maximumCells).compactMap(\.packed22)
      self.init(cells: cells, runs: Self.runs(cells), ring: nil)
    } catch {
      self.init(cells: nil, runs: [Self.run(0, UInt32(1 << 22) - 1)], ring: ring)
    }
  }

  private init(cells: [UInt32]?, runs: [ClosedRange<Int64>], ring: Ring?) {
    self.cells = cells
    self.runs = runs
    self.ring = ring
  }

  private static func run(_ first: UInt32, _ last: UInt32) -> ClosedRange<Int64> {
    Int64(first) << cellShift...((Int64(last) + 1) << cellShift) - 1
  }

  private static func runs(_ cells: [UInt32]) -> [ClosedRange<Int64>] {
    guard var first = cells.first else { return [] }
    var last = first
    var runs: [ClosedRange<Int64>] = []
    for cell in cells.dropFirst() {
      if cell - last >= joinedGap {
        runs.append(run(first, last))
        first = cell
      }
      last = cell
    }
    runs.append(run(first, last))
    return runs
  }

  /// Tells, for cells that come in ascending order, whether each is in the area.
  struct Walk {
    private let cover: CellCover
    private var next = 0
    private var current: UInt32?
    private var isInside = false

    init(_ cover: CellCover) {
      self.cover = cover
    }

    mutating func contains(_ cell: UInt32) -> Bool {
      if cell == current { return isInside }
      current = cell
      if let cells = cover.cells {
        while next < cells.count, cells[next] < cell { next += 1 }
        isInside = next < cells.count && cells[next] == cell
      } else if let ring = cover.ring {
        isInside = H3Cell(packed22: cell).map { ring.contains($0.center) } ?? false
      } else {
        isInside = true
      }
      return isInside
    }
  }
}
