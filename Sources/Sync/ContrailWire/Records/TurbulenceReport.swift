/// A turbulence observation of one aircraft in one cell, at one altitude and time, in twelve bytes.
///
/// Reports are immutable. Two reports with equal parts are the same report.
public struct TurbulenceReport: Hashable, Sendable {
  /// Cell, altitude, severity and EDR in 47 bits: from the top, 22, 6, 3 and 16 bits.
  public let packed: UInt64
  /// The time of observation, in seconds since 1970.
  public let observedAt: UInt32

  /// The bits that all H3 indexes of resolution 5 share: mode 1, resolution 5, ten unused digits.
  @usableFromInline static let cellTemplate: UInt64 = 0x0850_0000_3fff_ffff

  /// Creates a report from its ``packed`` form.
  @inlinable @inline(__always)
  public init(packed: UInt64, observedAt: UInt32) {
    self.packed = packed
    self.observedAt = observedAt
  }

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - cell: An H3 cell of resolution 5, as the 22 bits of its base cell and digits.
  ///   - altitude: The altitude in thousands of feet, 0…52.
  ///   - severity: The severity code, 0…4.
  ///   - edrE4: The eddy dissipation rate in m^(2/3)/s, times 10,000.
  ///   - observedAt: The time of observation, in seconds since 1970.
  @inlinable @inline(__always)
  public init(cell: UInt32, altitude: UInt8, severity: UInt8, edrE4: UInt16, observedAt: UInt32) {
    let place = UInt64(cell & 0x3F_FFFF) << 25 | UInt64(altitude & 0x3F) << 19
    packed = place | UInt64(severity & 7) << 16 | UInt64(edrE4)
    self.observedAt = observedAt
  }

  /// The 22 bits of the cell's base cell and digits.
  @inlinable @inline(__always) public var cell: UInt32 { UInt32(truncatingIfNeeded: packed >> 25) }
  /// The altitude in thousands of feet.
  @inlinable @inline(__always) public var altitude: UInt8 { UInt8(truncatingIfNeeded: packed >> 19) & 0x3F }
  /// The severity code of the wire format, 0…4.
  @inlinable @inline(__always) public var severityCode: UInt8 { UInt8(truncatingIfNeeded: packed >> 16) & 7 }
  /// The eddy dissipation rate in m^(2/3)/s, times 10,000.
  @inlinable @inline(__always) public var edrE4: UInt16 { UInt16(truncatingIfNeeded: packed) }
  /// The H3 index of the cell.
  @inlinable @inline(__always) public var h3Index: UInt64 { UInt64(cell) << 30 | Self.cellTemplate }

  /// The severity. An undefined code gives the strongest severity.
  public var severity: TurbulenceSeverity { TurbulenceSeverity(rawValue: severityCode) ?? .moderateSevere }

  /// The digest of the report, which is added to the checksum of the stored reports.
  @inlinable @inline(__always)
  package var digest: UInt64 {
    let word =
      UInt64(observedAt) << 32 | UInt64(edrE4) << 16 | UInt64(altitude) << 8 | UInt64(severityCode)
    return Digest.mix(Digest.mix(h3Index) &+ word)
  }
}
