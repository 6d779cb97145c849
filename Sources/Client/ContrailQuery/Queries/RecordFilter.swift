import ContrailWire

/// The criteria of a query for turbulence reports, except their place.
struct RecordFilter {
  private let altitudes: AltitudeBand
  private let severities: SeveritySet
  /// Reports observed at or before this second are excluded.
  private let limit: Int64
  private let aircraft: AircraftCategory?

  init(
    altRange: ClosedRange<Double>?, severities: SeveritySet, history: DataHistoryTime?, asOf second: Int64,
    aircraft: AircraftCategory? = nil
  ) {
    self.aircraft = aircraft
    altitudes = AltitudeBand(altRange)
    self.severities = severities
    limit = Self.limit(history, asOf: second)
  }

  /// Returns the second at or before which records are too old for a history.
  static func limit(_ history: DataHistoryTime?, asOf second: Int64) -> Int64 {
    history.map { second &- $0.seconds } ?? Int64.min
  }

  @inline(__always)
  func admits(_ report: TurbulenceReport) -> Bool {
    Int64(report.observedAt) > limit && altitudes.contains(report.altitude)
      && severities.rawValue & (1 << (aircraft?.severity(of: report).rawValue ?? report.severityCode)) != 0
  }
}

extension Int64 {
  /// Returns the time from this second to another; 0 if this one is later.
  func age(asOf second: Int64) -> Int64 { second > self ? second &- self : 0 }
}

extension AltitudeBand {
  /// Creates the band of a range in feet, rounded as in a data query; nil gives all altitudes.
  init(_ range: ClosedRange<Double>?) {
    let most = 1_000_000.0
    guard let range,
      let band = AltitudeBand(
        feet: Int64(min(max(range.lowerBound, -most), most).rounded(.down)),
        Int64(min(max(range.upperBound, -most), most).rounded(.up)))
    else {
      self = .all
      return
    }
    self = band
  }
}
