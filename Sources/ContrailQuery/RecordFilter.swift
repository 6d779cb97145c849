import ContrailWire

/// Which turbulence reports a query asks for, but for their place.
struct RecordFilter {
  private let altitudes: AltitudeBand
  private let severities: SeveritySet
  /// What was observed at this second or before isn't asked for.
  private let limit: Int64

  init(altRange: ClosedRange<Double>?, severities: SeveritySet, history: DataHistoryTime?, asOf second: Int64) {
    altitudes = AltitudeBand(altRange)
    self.severities = severities
    limit = Self.limit(history, asOf: second)
  }

  /// The second up to which records are too old for a history.
  static func limit(_ history: DataHistoryTime?, asOf second: Int64) -> Int64 {
    history.map { second &- $0.seconds } ?? Int64.min
  }

  @inline(__always)
  func admits(_ report: TurbulenceReport) -> Bool {
    Int64(report.observedAt) > limit && altitudes.contains(report.altitude)
      && severities.rawValue & (1 << report.severityCode) != 0
  }
}

extension Sequence<TurbulenceReport> {
  /// Calls `body` with each report; of arrays without a call of the sequence's for each.
  func forEachReport(_ body: (TurbulenceReport) -> Void) {
    let isDone: Void? = withContiguousStorageIfAvailable { for report in $0 { body(report) } }
    if isDone == nil { forEach(body) }
  }
}

extension Int64 {
  /// How long before a second this one was; 0 where it was later.
  func age(asOf second: Int64) -> Int64 { second > self ? second &- self : 0 }
}

extension AltitudeBand {
  /// A range in feet as the data query reads it; all where there is none.
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
