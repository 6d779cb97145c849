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
  /// - Complexity: O(*n* + *c* log *m* + *m*), with *n* reports, *c* cells of the area, and *m* reports that match but for their place.
  public func items(
    in reports: some Sequence<TurbulenceReport>, asOf second: Int64
  ) throws(QueryError) -> [TurbulenceItem] {
    let filter = filter(asOf: second)
    var admitted = reports.filter { filter.admits($0) }
    admitted.sortByPlace()
    let cells = CellArea(try area.ring(), count: admitted.count)
    return items(in: [ReportView(reports: admitted)], cells, asOf: second)
  }

  private func filter(asOf second: Int64) -> RecordFilter {
    RecordFilter(
      altRange: altRange, severities: SeveritySet(sevs).intersection(.atLeast(minimumSeverity)),
      history: dataHistoryTime, asOf: second)
  }

  /// Returns the items that match the query, in views of which each report is visible in one.
  ///
  /// - Parameter cells: The query's area.
  func items(in views: [ReportView], _ cells: CellArea, asOf second: Int64) -> [TurbulenceItem] {
    let filter = filter(asOf: second)
    var found: [TurbulenceReport] = []
    for view in views {
      cells.forEachCell(in: view.reports) { reports in
        for report in reports where filter.admits(report) && view.shows(report) { found.append(report) }
      }
    }
    if views.count > 1 { found.sortByPlace() }
    guard aggregate else { return found.map { TurbulenceItem($0, count: 1, asOf: second) } }
    var items: [TurbulenceItem] = []
    var start = 0
    while start < found.count {
      var (worst, end) = (found[start], start + 1)
      while end < found.count, found[end].cell == worst.cell {
        if found[end].rank > worst.rank { worst = found[end] }
        end += 1
      }
      items.append(TurbulenceItem(worst, count: end - start, asOf: second))
      start = end
    }
    return items
  }
}

extension TurbulenceReport {
  /// The value by which the report of a hexagon is chosen.
  @inline(__always)
  var rank: (UInt8, UInt16, UInt32, UInt8) { (severityCode, edrE4, observedAt, altitude) }
}
