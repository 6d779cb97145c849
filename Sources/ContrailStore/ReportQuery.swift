public import ContrailWire

/// Which of the turbulence reports that are held are asked for.
public struct ReportQuery: Hashable, Sendable {
  /// Where: a report is in an area by the centre of its cell.
  public var area: Area
  public var altitudes: AltitudeBand
  public var severities: SeveritySet
  /// Only what was observed later, in seconds since 1970; nil for all.
  ///
  /// What a scope holds may be older than its history by the time it is asked: take the server's time less the history.
  public var observedAfter: Int64?

  public init(
    area: Area, altitudes: AltitudeBand = .all, severities: SeveritySet = .all, observedAfter: Int64? = nil
  ) {
    self.area = area
    self.altitudes = altitudes
    self.severities = severities
    self.observedAfter = observedAfter
  }

  /// Whether the report is asked for, but for its place.
  @inline(__always)
  func admits(_ report: TurbulenceReport) -> Bool {
    altitudes.contains(report.altitude) && severities.rawValue & (1 << report.severityCode) != 0
      && Int64(report.observedAt) > observedAfter ?? -1
  }
}
