/// A cell of the H3 hexagonal grid, held as its 64-bit index.
///
/// The bits, from the top: 1 reserved, 4 mode (1 for a cell), 3 reserved, 4 resolution, 7 base cell, then fifteen
/// digits of 3 bits, the unused ones 7 ("H3 Index", h3geo.org).
///
/// Cells are ordered by index: by resolution, then base cell, then digits, so a cell's descendants of one resolution
/// lie together.
public struct H3Cell: Hashable, Sendable {
  /// The index as published, such as `0x85283473fffffff`.
  public let rawValue: UInt64

  /// Takes an index that is known to be a cell.
  @inline(__always)
  package init(trusted rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Takes an index, or nil where it is no cell's.
  public init?(rawValue: UInt64) {
    guard H3Index.isValid(rawValue) else { return nil }
    self.init(trusted: rawValue)
  }

  /// Whether the index is a cell's.
  public static func isValid(_ rawValue: UInt64) -> Bool { H3Index.isValid(rawValue) }

  /// The resolution, 0 (cells of some 4.4 million km²) to 15 (some 0.9 m²).
  public var resolution: Int { H3Index.resolution(rawValue) }

  /// The number of the resolution-0 cell that the cell descends from, 0…121.
  public var baseCell: Int { H3Index.baseCell(rawValue) }

  /// Whether the cell is one of the resolution's twelve pentagons.
  public var isPentagon: Bool { H3Index.isPentagon(rawValue) }

  /// Whether the resolution is odd: its lattice is turned against the icosahedron's faces.
  public var isClassIII: Bool { resolution & 1 == 1 }
}

extension H3Cell: Comparable {
  public static func < (a: H3Cell, b: H3Cell) -> Bool { a.rawValue < b.rawValue }
}
