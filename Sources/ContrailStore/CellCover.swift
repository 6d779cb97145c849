import ContrailGeodesy
import ContrailH3

/// The cells of an area, as runs of the reports' key.
///
/// H3 numbers a cell's descendants one after the other, so an area is few runs however many cells it has: the key of the reports is a
/// spatial index without another table. Reports between two runs that are near each other are read too, which is cheaper than to seek;
/// whoever asked tests each report's cell.
enum CellCover {
  /// The cells of a larger area aren't listed: all reports are read.
  static let maximumCells = 1 << 18
  /// Runs are joined across gaps of less than this, in packed cells: 64 is a cell's grandchildren.
  private static let joinedGap: UInt32 = 64
  /// The bits of a packed report below the cell.
  private static let cellShift: Int64 = 25

  /// The runs of packed reports that hold all reports of an area, both ends included; nil stands for everywhere.
  ///
  /// - Complexity: O(cells along the area's edge).
  static func runs(_ ring: Ring?) -> [ClosedRange<Int64>] {
    guard let ring, let cells = try? H3Cell.cells(in: ring, resolution: 5, limit: maximumCells) else {
      return [run(0, UInt32(1 << 22) - 1)]
    }
    return runs(cells.compactMap(\.packed22))
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
}
