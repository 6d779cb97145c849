import ContrailWire

/// The criteria of a query for turbulence reports, except their place.
struct RecordFilter {
  private var lowest: UInt8
  private var highest: UInt8
  /// The severities of the service, one bit per code.
  private var codes: UInt8
  /// Reports observed at or before this second are excluded.
  private var limit: Int64
  private let category: (aircraft: AircraftCategory, severities: SeveritySet)?

  init(
    altRange: ClosedRange<Double>?, severities: SeveritySet, history: DataHistoryTime?, asOf second: Int64,
    aircraft: AircraftCategory? = nil
  ) {
    let altitudes = AltitudeBand(altRange)
    (lowest, highest) = (altitudes.lower, altitudes.upper)
    category = aircraft.map { ($0, severities) }
    codes = aircraft == nil ? severities.rawValue : .max
    limit = Self.limit(history, asOf: second)
  }

  /// Returns the filter for the reports that another one admits, too.
  func narrowed(to filter: ReportFilter?) -> RecordFilter {
    guard let filter else { return self }
    var both = self
    both.lowest = max(lowest, filter.altitudes.lower)
    both.highest = min(highest, filter.altitudes.upper)
    both.codes &= filter.severities.rawValue
    both.limit = max(limit, filter.limit)
    return both
  }

  /// Returns the second at or before which records are too old for a history.
  static func limit(_ history: DataHistoryTime?, asOf second: Int64) -> Int64 {
    history.map { second &- $0.seconds } ?? Int64.min
  }

  @inline(__always)
  func admits(_ report: TurbulenceReport) -> Bool {
    Int64(report.observedAt) > limit && lowest <= report.altitude && report.altitude <= highest
      && codes & (1 << report.severityCode) != 0
      && (category.map { $0.severities.contains($0.aircraft.severity(of: report)) } ?? true)
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
