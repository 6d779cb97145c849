/// The intensity of turbulence.
///
/// The raw value is the `sev` of the wire format.
public enum TurbulenceSeverity: UInt8, CaseIterable, Hashable, Sendable, Comparable {
  /// Smooth: the aircraft crossed the cell without turbulence.
  case none = 0
  case light = 1
  case lightModerate = 2
  case moderate = 3
  /// Moderate, occasionally severe.
  case moderateSevere = 4

  public static func < (a: TurbulenceSeverity, b: TurbulenceSeverity) -> Bool { a.rawValue < b.rawValue }
}

/// A set of severities, one bit per severity.
public struct SeveritySet: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  @inlinable
  public init(rawValue: UInt8) {
    self.rawValue = rawValue & 0x1F
  }

  /// Creates a set of the given severities.
  @inlinable
  public init(_ severities: some Sequence<TurbulenceSeverity>) {
    self.init(rawValue: severities.reduce(0) { $0 | 1 << $1.rawValue })
  }

  /// Every severity, including smooth.
  public static let all = SeveritySet(rawValue: 0x1F)

  /// Returns the set of a severity and all stronger ones.
  public static func atLeast(_ severity: TurbulenceSeverity) -> SeveritySet {
    SeveritySet(rawValue: 0x1F << severity.rawValue)
  }

  @inlinable @inline(__always)
  public func contains(_ severity: TurbulenceSeverity) -> Bool { rawValue & (1 << severity.rawValue) != 0 }

  /// The severities, weakest first.
  public var severities: [TurbulenceSeverity] { TurbulenceSeverity.allCases.filter(contains) }
}
