/// The descendants of a cell at one resolution, in ascending order, computed lazily.
///
/// Created by ``H3Cell/children(resolution:)``.
public struct H3Children: Sequence, IteratorProtocol, Sendable {
  /// The number of remaining cells.
  public var count: Int { Int(clamping: left) }

  private var upcoming: UInt64
  private var left: Int64
  private let shift: UInt64
  private let isPentagon: Bool

  /// Creates the sequence of a cell's descendants.
  ///
  /// - Parameters:
  ///   - cell: The cell.
  ///   - resolution: The resolution, not coarser than the cell's, up to 15.
  init(of cell: H3Cell, resolution: Int) {
    let generations = resolution - cell.resolution
    left = H3Index.descendants(cell.rawValue, generations: generations)
    let cleared = cell.rawValue & ~H3Index.tail(cell.resolution) | H3Index.tail(resolution)
    upcoming = H3Index.with(cleared, resolution: resolution)
    shift = UInt64(truncatingIfNeeded: 45 - 3 * resolution)
    isPentagon = cell.isPentagon
  }

  public var underestimatedCount: Int { count }

  public mutating func next() -> H3Cell? {
    guard left > 0 else { return nil }
    left &-= 1
    let cell = H3Cell(trusted: upcoming)
    if left > 0 { advance() }
    return cell
  }

  @inline(__always)
  private mutating func advance() {
    // A digit that reaches 7 becomes 0 and carries.
    var place = shift
    upcoming &+= 1 &<< place
    while (upcoming &>> place) & 7 == 7 {
      upcoming &+= 1 &<< place
      place &+= 3
    }
    if isPentagon && H3Index.leadingDigit(H3Index.digits(upcoming)) == 1 {
      upcoming &+= 1 &<< UInt64(truncatingIfNeeded: 63 &- H3Index.digits(upcoming).leadingZeroBitCount)
    }
  }

  func append(to cells: inout [H3Cell]) {
    cells.append(contentsOf: self)
  }
}

extension H3Index {
  /// 7^n for n up to 15.
  static let powersOf7: [Int64] = [
    1, 7, 49, 343, 2401, 16_807, 117_649, 823_543, 5_764_801, 40_353_607, 282_475_249, 1_977_326_743, 13_841_287_201,
    96_889_010_407, 678_223_072_849, 4_747_561_509_943,
  ]

  /// Returns the number of descendants of a cell after 0…15 generations.
  static func descendants(_ raw: UInt64, generations: Int) -> Int64 {
    let hexagon = powersOf7[generations & 15]
    // A pentagon has five hexagonal children and a pentagonal one in the centre.
    return isPentagon(raw) ? 1 + 5 * (hexagon - 1) / 6 : hexagon
  }
}
