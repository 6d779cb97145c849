import ContrailGeodesy
import ContrailH3

/// Tests whether the centres of cells of resolution 5 are in an area.
///
/// The area's cells are computed once, by descending the H3 hierarchy, and stored as one bit each. A report then costs
/// one lookup, however many corners the area has. If the area has far more cells than there are reports, the cells of
/// the reports are tested instead.
struct CellFilter {
  private let isEverywhere: Bool
  /// The area's cells, if they were computed.
  private let bits: CellBits
  /// The area, if its cells were not computed.
  private let ring: Ring?
  /// The results for cells that were tested against the ring.
  private var known: [UInt32: Bool] = [:]

  /// The maximum number of cells computed for an area.
  static let maximumCells = 1 << 18
  /// The number of area cells whose computation costs as much as testing one report's cell against the ring.
  private static let cellsPerTest = 4
  private static let minimumCells = 1024

  /// Creates a filter for an area.
  ///
  /// - Parameters:
  ///   - ring: The area; nil for everywhere.
  ///   - count: The approximate number of reports to test.
  init(_ ring: Ring?, count: Int) {
    guard let ring else {
      (isEverywhere, bits, self.ring) = (true, CellBits([]), nil)
      return
    }
    isEverywhere = false
    let limit = min(Self.maximumCells, max(Self.minimumCells, min(count, Self.maximumCells) * Self.cellsPerTest))
    if let cells = try? H3Cell.cells(in: ring, resolution: 5, limit: limit) {
      (bits, self.ring) = (CellBits(cells.compactMap(\.packed22)), nil)
    } else {
      (bits, self.ring) = (CellBits([]), ring)
    }
  }

  /// Whether the centre of a cell is in the area.
  ///
  /// - Complexity: O(1), or O(points of the ring) for a cell that is tested for the first time.
  @inline(__always)
  mutating func contains(_ cell: UInt32) -> Bool {
    if isEverywhere || bits.contains(cell) { return true }
    return ring == nil ? false : isInRing(cell)
  }

  @inline(never)
  private mutating func isInRing(_ cell: UInt32) -> Bool {
    if let answer = known[cell] { return answer }
    guard let ring, let place = H3Cell(packed22: cell)?.center else { return false }
    let answer = ring.contains(place)
    known[cell] = answer
    return answer
  }
}

/// A set of packed cells, with one bit for each cell between the first and the last.
struct CellBits {
  private let first: UInt32
  private var words: [UInt64]

  /// Creates a set of cells.
  ///
  /// - Parameter cells: The cells in ascending order.
  init(_ cells: [UInt32]) {
    guard let first = cells.first, let last = cells.last, first <= last else {
      (self.first, words) = (0, [])
      return
    }
    self.first = first
    words = [UInt64](repeating: 0, count: Int((last - first) >> 6) + 1)
    for cell in cells {
      let offset = cell &- first
      words[Int(offset >> 6)] |= 1 << UInt64(offset & 63)
    }
  }

  @inline(__always)
  func contains(_ cell: UInt32) -> Bool {
    guard cell >= first else { return false }
    let offset = cell &- first
    let word = Int(offset >> 6)
    return word < words.count && words[word] >> UInt64(offset & 63) & 1 == 1
  }
}
