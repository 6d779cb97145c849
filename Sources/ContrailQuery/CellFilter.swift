import ContrailGeodesy
import ContrailH3

/// Tells of cells of resolution 5 whether their centres lie in an area.
///
/// The area's cells are found once, by descending H3's hierarchy, and become a bit each, so that a report costs one look-up however
/// many corners the area has. Where an area has far more cells than there are reports, it is the reports' cells that are tested.
struct CellFilter {
  private let isEverywhere: Bool
  /// The area's cells, where they were found.
  private let bits: CellBits
  /// The area, where its cells weren't.
  private let ring: Ring?
  /// Cells that were tested against the ring.
  private var known: [UInt32: Bool] = [:]

  /// The most cells that an area is resolved into.
  static let maximumCells = 1 << 18
  /// How many cells of an area cost as much as the test of one report's cell against its ring.
  private static let cellsPerTest = 4
  private static let minimumCells = 1024

  /// - Parameters:
  ///   - ring: the area; nil for everywhere.
  ///   - count: about how many reports there are to ask for.
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

  /// - Complexity: O(1), or O(ring's points) for a cell that wasn't asked for before.
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

/// A set of packed cells, a bit for each between the first and the last.
struct CellBits {
  private let first: UInt32
  private var words: [UInt64]

  /// - Parameter cells: in ascending order.
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
