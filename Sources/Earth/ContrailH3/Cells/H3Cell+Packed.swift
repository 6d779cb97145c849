extension H3Cell {
  /// The bits above the base cell that all resolution-5 cells share: mode 1, resolution 5.
  private static let resolution5Head: UInt64 = 0x85
  /// The ten unused digits of a resolution-5 cell.
  private static let resolution5Tail: UInt64 = (1 << 30) - 1

  /// A resolution-5 cell in 22 bits; nil at any other resolution.
  ///
  /// The base cell has 7 bits, followed by five digits of 3 bits.
  ///
  /// Packed cells have the same order as their indexes.
  public var packed22: UInt32? {
    guard rawValue >> 52 == Self.resolution5Head else { return nil }
    return UInt32(truncatingIfNeeded: (rawValue >> 30) & 0x3F_FFFF)
  }

  /// Creates a resolution-5 cell from 22 packed bits; nil if they are not a valid cell.
  public init?(packed22: UInt32) {
    guard packed22 >> 22 == 0 else { return nil }
    let rawValue = Self.resolution5Head << 52 | UInt64(packed22) << 30 | Self.resolution5Tail
    guard Self.isValidResolution5(rawValue) else { return nil }
    self.init(trusted: rawValue)
  }

  /// Returns a resolution-5 cell and an altitude in thousands of feet, 0…63, packed into 28 bits.
  ///
  /// The upper 22 bits are ``packed22``, the lower 6 the altitude. Returns nil for any other resolution or altitude.
  public func packed28(thousandsOfFeet: Int) -> UInt32? {
    guard let packed22, thousandsOfFeet >= 0, thousandsOfFeet < 64 else { return nil }
    return packed22 << 6 | UInt32(truncatingIfNeeded: thousandsOfFeet)
  }

  /// Returns the cell and the altitude, in thousands of feet, of 28 packed bits.
  ///
  /// Nil if they don't contain a valid cell.
  public static func unpacked28(_ packed28: UInt32) -> (cell: H3Cell, thousandsOfFeet: Int)? {
    guard let cell = H3Cell(packed22: packed28 >> 6) else { return nil }
    return (cell, Int(packed28 & 63))
  }

  /// Whether the index is that of a resolution-5 cell. Uses only integer operations, for fast decoding of many indexes.
  @inlinable @inline(__always)
  public static func isValidResolution5(_ rawValue: UInt64) -> Bool {
    guard rawValue >> 52 == 0x85, rawValue & 0x3FFF_FFFF == 0x3FFF_FFFF else { return false }
    let digits = (rawValue >> 30) & 0x7FFF
    guard digits & (digits >> 1) & (digits >> 2) & 0o11111 == 0 else { return false }
    let baseCell = (rawValue >> 45) & 127
    guard baseCell < 122 else { return false }
    // One bit per base cell: the pentagons, whose first nonzero digit is never 1.
    let low: UInt64 = 0x8402_0040_0100_4010
    let high: UInt64 = 0x0020_0802_0008_0100
    guard ((baseCell < 64 ? low : high) >> (baseCell & 63)) & 1 == 1, digits != 0 else { return true }
    return (63 - digits.leadingZeroBitCount) % 3 != 0
  }
}
