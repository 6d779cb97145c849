/// How strong the turbulence was that an aircraft felt.
///
/// The raw value is what the wire calls `sev`.
public enum TurbulenceSeverity: UInt8, CaseIterable, Hashable, Sendable, Comparable {
  /// Smooth: the aircraft crossed the cell and felt nothing.
  case none = 0
  case light = 1
  case lightModerate = 2
  case moderate = 3
  /// Moderate, occasionally severe.
  case moderateSevere = 4

  public static func < (a: TurbulenceSeverity, b: TurbulenceSeverity) -> Bool { a.rawValue < b.rawValue }
}

/// A set of severities, one bit each.
public struct SeveritySet: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue & 0x1F
  }

  /// The set of the severities given.
  public init(_ severities: some Sequence<TurbulenceSeverity>) {
    self.init(rawValue: severities.reduce(0) { $0 | 1 << $1.rawValue })
  }

  /// Every severity, smooth included.
  public static let all = SeveritySet(rawValue: 0x1F)

  /// A severity and all that are stronger.
  public static func atLeast(_ severity: TurbulenceSeverity) -> SeveritySet {
    SeveritySet(rawValue: 0x1F << severity.rawValue)
  }

  @inlinable @inline(__always)
  public func contains(_ severity: TurbulenceSeverity) -> Bool { rawValue & (1 << severity.rawValue) != 0 }

  /// The severities, mildest first.
  public var severities: [TurbulenceSeverity] { TurbulenceSeverity.allCases.filter(contains) }
}
