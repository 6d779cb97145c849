public import ContrailGeodesy

/// Where data are wanted.
public enum Area: Hashable, Sendable {
  case world
  case ring(Ring)

  /// A hash of the canonical ring, the same on every machine; 0 for the world.
  public var digest: UInt64 {
    guard case .ring(let ring) = self else { return 0 }
    var hash: UInt64 = 0x9e37_79b9_7f4a_7c15
    for point in ring.points {
      hash = Digest.mix(hash ^ UInt64(bitPattern: point.longitudeE7))
      hash = Digest.mix(hash &+ UInt64(bitPattern: point.latitudeE7))
    }
    return hash
  }
}

/// What one request asks for, in its one normal form.
public struct FetchSpec: Hashable, Sendable {
  public var area: Area {
    didSet { areaDigest = area.digest }
  }
  /// The area's digest, which each decision names: reckoned once.
  public private(set) var areaDigest: UInt64
  public var types: DataTypeOptions
  /// Which turbulence is wanted; says nothing about other types.
  public var severities: SeveritySet
  /// Where turbulence is wanted; says nothing about other types.
  public var altitudes: AltitudeBand
  public var history: DataHistoryTime
  /// How the weather of a place is wanted; nil for all else.
  public var weather: WeatherSpec?

  public init(
    area: Area, types: DataTypeOptions, severities: SeveritySet = .all, altitudes: AltitudeBand = .all,
    history: DataHistoryTime
  ) {
    self.area = area
    areaDigest = area.digest
    self.types = types
    self.severities = severities
    self.altitudes = altitudes
    self.history = history
  }

  /// The weather of a place, which the scope names. What nobody wants any more is kept for two hours.
  public init(_ weather: WeatherSpec) {
    self.init(area: .world, types: [], severities: [], history: .twoHours)
    self.weather = weather
  }

  /// Whether data fetched for this spec hold all that `other` asks for: the same area, everything else at least as wide.
  public func covers(_ other: FetchSpec) -> Bool {
    other.types.isSubset(of: types) && severities.isSuperset(of: other.severities)
      && altitudes.covers(other.altitudes) && history >= other.history && area == other.area
      && covers(weather: other.weather)
  }

  private func covers(weather other: WeatherSpec?) -> Bool {
    guard let other else { return true }
    return weather?.covers(other) ?? false
  }

  /// Whether the report is one that this spec asks for, given the server's time `token` in seconds. The area is not looked at.
  @inlinable @inline(__always)
  public func admits(_ report: TurbulenceReport, asOf token: Int64) -> Bool { filter(asOf: token).admits(report) }

  /// What admits reports as of a time: for asking of many.
  @inlinable
  public func filter(asOf token: Int64) -> ReportFilter {
    ReportFilter(after: token - history.rawValue, severities: severities, altitudes: altitudes)
  }
}

/// Which reports a ``FetchSpec`` asks for as of one time; the area is not looked at.
public struct ReportFilter: Hashable, Sendable {
  /// Reports observed at this second or before aren't wanted.
  @usableFromInline package let limit: Int64
  @usableFromInline package let severities: SeveritySet
  @usableFromInline package let altitudes: AltitudeBand

  @inlinable
  init(after limit: Int64, severities: SeveritySet, altitudes: AltitudeBand) {
    self.limit = limit
    self.severities = severities
    self.altitudes = altitudes
  }

  @inlinable @inline(__always)
  public func admits(_ report: TurbulenceReport) -> Bool {
    Int64(report.observedAt) > limit && altitudes.contains(report.altitude)
      && severities.rawValue & (1 << report.severityCode) != 0
  }
}
