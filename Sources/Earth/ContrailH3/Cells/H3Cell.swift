/// A cell of the H3 hexagonal grid, stored as its 64-bit index.
///
/// The bits are, from the top: 1 reserved, 4 mode (1 for a cell), 3 reserved, 4 resolution, 7 base cell, then fifteen
/// digits of 3 bits. Unused digits are 7 ("H3 Index", h3geo.org).
///
/// Cells are ordered by index: by resolution, then base cell, then digits. A cell's descendants of one resolution are
/// therefore adjacent.
public struct H3Cell: Hashable, Sendable {
  /// The index in its published form, such as `0x85283473fffffff`.
  public let rawValue: UInt64

  /// Creates a cell from an index that is known to be valid.
  @inline(__always)
  package init(trusted rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Creates a cell from an index; nil if it isn't that of a cell.
  public init?(rawValue: UInt64) {
    guard H3Index.isValid(rawValue) else { return nil }
    self.init(trusted: rawValue)
  }

  /// Whether the index is that of a cell.
  public static func isValid(_ rawValue: UInt64) -> Bool { H3Index.isValid(rawValue) }

  /// The resolution, from 0 (cells of about 4.4 million km²) to 15 (about 0.9 m²).
  public var resolution: Int { H3Index.resolution(rawValue) }

  /// The number of the cell's ancestor at resolution 0, 0…121.
  public var baseCell: Int { H3Index.baseCell(rawValue) }

  /// Whether the cell is one of the twelve pentagons of its resolution.
  public var isPentagon: Bool { H3Index.isPentagon(rawValue) }

  /// Whether the resolution is odd, so that its lattice is rotated relative to the icosahedron's faces.
  public var isClassIII: Bool { resolution & 1 == 1 }
}

extension H3Cell: Comparable {
  public static func < (a: H3Cell, b: H3Cell) -> Bool { a.rawValue < b.rawValue }
}
