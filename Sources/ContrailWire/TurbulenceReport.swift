/// What one aircraft felt in one cell at one altitude and time: an immutable fact of twelve bytes.
///
/// Two reports with equal parts are one report.
public struct TurbulenceReport: Hashable, Sendable {
  /// Cell, altitude, severity and EDR in 47 bits, from the top 22, 6, 3 and 16.
  public let packed: UInt64
  /// Seconds since 1970.
  public let observedAt: UInt32

  /// The bits of an H3 index of resolution 5 that are the same for every cell: mode 1, resolution 5, ten unused digits.
  @usableFromInline static let cellTemplate: UInt64 = 0x0850_0000_3fff_ffff

  /// Takes the packed form as ``packed`` gives it.
  @inlinable @inline(__always)
  public init(packed: UInt64, observedAt: UInt32) {
    self.packed = packed
    self.observedAt = observedAt
  }

  /// - Parameters:
  ///   - cell: An H3 cell of resolution 5, as its 22 bits of base cell and digits.
  ///   - altitude: Thousands of feet, 0…52.
  ///   - edrE4: The eddy dissipation rate in m^(2/3)/s, times 10,000.
  ///   - observedAt: Seconds since 1970.
  @inlinable @inline(__always)
  public init(cell: UInt32, altitude: UInt8, severity: UInt8, edrE4: UInt16, observedAt: UInt32) {
    let place = UInt64(cell & 0x3F_FFFF) << 25 | UInt64(altitude & 0x3F) << 19
    packed = place | UInt64(severity & 7) << 16 | UInt64(edrE4)
    self.observedAt = observedAt
  }

  /// The cell's 22 bits.
  @inlinable @inline(__always) public var cell: UInt32 { UInt32(truncatingIfNeeded: packed >> 25) }
  /// Thousands of feet.
  @inlinable @inline(__always) public var altitude: UInt8 { UInt8(truncatingIfNeeded: packed >> 19) & 0x3F }
  /// The wire's number of the severity, 0…4.
  @inlinable @inline(__always) public var severityCode: UInt8 { UInt8(truncatingIfNeeded: packed >> 16) & 7 }
  /// The eddy dissipation rate times 10,000.
  @inlinable @inline(__always) public var edrE4: UInt16 { UInt16(truncatingIfNeeded: packed) }
  /// The H3 index of the cell.
  @inlinable @inline(__always) public var h3Index: UInt64 { UInt64(cell) << 30 | Self.cellTemplate }

  /// The severity; a code that no severity has reads as the strongest.
  public var severity: TurbulenceSeverity { TurbulenceSeverity(rawValue: severityCode) ?? .moderateSevere }

  /// What the report adds to the checksum of the reports that are held.
  @inlinable @inline(__always)
  public var digest: UInt64 {
    let word =
      UInt64(observedAt) << 32 | UInt64(edrE4) << 16 | UInt64(altitude) << 8 | UInt64(severityCode)
    return Digest.mix(Digest.mix(h3Index) &+ word)
  }
}
