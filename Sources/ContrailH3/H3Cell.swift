/// A cell of the H3 hexagonal grid, held as its 64-bit index.
///
/// The bits, from the top: 1 reserved, 4 mode (1 for a cell), 3 reserved, 4 resolution, 7 base cell, then fifteen digits of 3 bits,
/// the unused ones 7 ("H3 Index", h3geo.org).
public struct H3Cell: Hashable, Sendable {
  /// The index as published, such as `0x85283473fffffff`.
  public let rawValue: UInt64

  /// Takes an index that is known to be a cell.
  package init(trusted rawValue: UInt64) {
    self.rawValue = rawValue
  }
}

extension H3Cell {
  /// Whether an index is a cell of resolution 5.
  public static func isValidResolution5(_ rawValue: UInt64) -> Bool {
    rawValue & 0xFFF0_0000_3FFF_FFFF == 0x0850_0000_3FFF_FFFF && (rawValue >> 45) & 0x7F < 122
  }
}
