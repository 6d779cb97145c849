public import ContrailCore
public import ContrailWire

/// A query for stored turbulence. It fetches nothing: the data query determines which data is stored.
///
/// ```swift
/// let query = TurbulenceQuery(
///   area: .viewport(north: 55, west: -30, south: 45, east: -10), altRange: 34_000...40_000, minimumSeverity: .light)
/// let items = try client.turbulence(with: query)
/// ```
public struct TurbulenceQuery: Hashable, Sendable {
  /// The area. A hexagon is in an area if its centre is.
  public var area: QueryArea

  /// The altitudes in feet, inclusive; nil for all.
  ///
  /// As in the data query, the range is rounded outward to thousands of feet and clamped to 0…52,000.
  public var altRange: ClosedRange<Double>?

  /// The severities. The default is all.
  public var sevs: [TurbulenceSeverity]

  /// The minimum severity, in addition to ``sevs``.
  public var minimumSeverity: TurbulenceSeverity

  /// The maximum age of reports; nil for all stored reports.
  ///
  /// A value shorter than the fetched history takes effect at once. A longer one has no effect.
  public var dataHistoryTime: DataHistoryTime?

  /// Whether to return one item per hexagon, with its most severe report, or one item per report. The default is true.
  ///
  /// Among equally severe reports, the one with the highest EDR is chosen, then the newest, then the highest.
  public var aggregate: Bool

  /// The scope whose data is used, corridor or viewport. Nil means both, with each report once.
  public var scope: ScopeID?

  public init(
    area: QueryArea = .everywhere, altRange: ClosedRange<Double>? = nil,
    sevs: [TurbulenceSeverity] = TurbulenceSeverity.allCases, minimumSeverity: TurbulenceSeverity = .none,
    dataHistoryTime: DataHistoryTime? = nil, aggregate: Bool = true, scope: ScopeID? = nil
  ) {
    self.area = area
    self.altRange = altRange
    self.sevs = sevs
    self.minimumSeverity = minimumSeverity
    self.dataHistoryTime = dataHistoryTime
    self.aggregate = aggregate
    self.scope = scope
  }
}

extension TurbulenceQuery {
  /// Returns the items that match the query, sorted by cell.
  ///
  /// Without ``aggregate``, the items of a cell are sorted by altitude, severity, EDR and time.
  ///
  /// - Parameters:
  ///   - reports: The reports, without duplicates.
  ///   - second: The estimated server time, in seconds since 1970.
  /// - Throws: ``QueryError`` if the area is invalid.
  /// - Complexity: O(*n* + *c* + *m* log *m*), with *n* reports, *c* cells along the area's edge, and *m* items.
  public func items(
    in reports: some Sequence<TurbulenceReport>, asOf second: Int64
  ) throws(QueryError) -> [TurbulenceItem] {
    try items(count: reports.underestimatedCount, asOf: second) { reports.forEachReport($0) }
  }

  func items(
    count: Int, asOf second: Int64, _ forEach: ((TurbulenceReport) -> Void) -> Void
  ) throws(QueryError) -> [TurbulenceItem] {
    var cells = CellFilter(try area.ring(), count: count)
    let filter = RecordFilter(
      altRange: altRange, severities: SeveritySet(sevs).intersection(.atLeast(minimumSeverity)),
      history: dataHistoryTime, asOf: second)
    guard aggregate else {
      var found: [TurbulenceReport] = []
      forEach { if filter.admits($0), cells.contains($0.cell) { found.append($0) } }
      found.sort { ($0.packed, $0.observedAt) < ($1.packed, $1.observedAt) }
      return found.map { TurbulenceItem($0, count: 1, asOf: second) }
    }
    var places: [UInt32: Int] = [:]
    var best: [(report: TurbulenceReport, count: Int)] = []
    forEach { report in
      guard filter.admits(report), cells.contains(report.cell) else { return }
      guard let place = places[report.cell] else {
        places[report.cell] = best.count
        best.append((report, 1))
        return
      }
      best[place].count += 1
      if report.rank > best[place].report.rank { best[place].report = report }
    }
    best.sort { $0.report.cell < $1.report.cell }
    return best.map { TurbulenceItem($0.report, count: $0.count, asOf: second) }
  }
}

extension TurbulenceReport {
  /// The value by which the report of a hexagon is chosen.
  @inline(__always)
  var rank: (UInt8, UInt16, UInt32, UInt8) { (severityCode, edrE4, observedAt, altitude) }
}
