import ContrailGeodesy
import ContrailH3

/// Converts an area into ranges of the reports' primary key.
///
/// H3 numbers the descendants of a cell consecutively, so even a large area needs few ranges, and the primary key is
/// also the spatial index. Nearby ranges are merged, because reading the reports in a small gap costs less than a seek.
/// The caller must therefore test the cell of each report.
enum CellCover {
  /// The maximum number of cells in an area. For larger areas, all reports are read.
  static let maximumCells = 1 << 18
  /// Ranges with a smaller gap than this are merged, in packed cells. 64 is the span of a cell's grandchildren.
  private static let joinedGap: UInt32 = 64
  /// The number of bits below the cell in a packed report.
  private static let cellShift: Int64 = 25

  /// Returns the closed ranges of packed reports that contain all reports of an area.
  ///
  /// - Parameter ring: The area, or `nil` for everywhere.
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

  /// Returns the closed ranges of packed reports that contain all reports of cells in ascending order.
  static func runs(_ cells: [UInt32]) -> [ClosedRange<Int64>] {
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
