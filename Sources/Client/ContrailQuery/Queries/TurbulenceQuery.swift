public import ContrailCore
public import ContrailWire

/// A query for stored turbulence. It fetches nothing: the data query determines which data is stored.
///
/// ```swift
/// let query = TurbulenceQuery(
///   area: .viewport(north: 55, south: 45, west: -30, east: -10), altRange: 34_000...40_000, minimumSeverity: .light)
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

  /// Whether to return the server's reports, the device's own, or both. The default is the server's.
  ///
  /// Own reports are there as soon as they are stored, also offline; ``TurbulenceItem/ownState`` is the state of each. Only a
  /// client has own reports.
  public var origin: ReportOrigin

  /// The category that decides severities by the eddy dissipation rate; nil for the service's severities.
  ///
  /// It applies to ``sevs``, ``minimumSeverity``, the choice of a hexagon's report, and ``TurbulenceItem/sev``.
  public var aircraft: AircraftCategory?

  public init(
    area: QueryArea = .everywhere, altRange: ClosedRange<Double>? = nil,
    sevs: [TurbulenceSeverity] = TurbulenceSeverity.allCases, minimumSeverity: TurbulenceSeverity = .none,
    dataHistoryTime: DataHistoryTime? = nil, aggregate: Bool = true, scope: ScopeID? = nil,
    origin: ReportOrigin = .server, aircraft: AircraftCategory? = nil
  ) {
    self.area = area
    self.altRange = altRange
    self.sevs = sevs
    self.minimumSeverity = minimumSeverity
    self.dataHistoryTime = dataHistoryTime
    self.aggregate = aggregate
    self.scope = scope
    self.origin = origin
    self.aircraft = aircraft
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
    return items(of: self.reports(in: [ReportView(reports: admitted)], cells, asOf: second), asOf: second)
  }

  /// Returns the value by which the report of a hexagon is chosen.
  @inline(__always)
  private func rank(_ report: TurbulenceReport) -> (UInt8, UInt16, UInt32, UInt8) {
    let severity = aircraft?.severity(of: report).rawValue ?? report.severityCode
    return (severity, report.edrE4, report.observedAt, report.altitude)
  }

  private func filter(asOf second: Int64) -> RecordFilter {
    RecordFilter(
      altRange: altRange, severities: SeveritySet(sevs).intersection(.atLeast(minimumSeverity)),
      history: dataHistoryTime, asOf: second, aircraft: aircraft)
  }

  /// Returns the reports that match the query, sorted by cell, in views of which each report is visible in one.
  ///
  /// - Parameter cells: The query's area.
  func reports(in views: [ReportView], _ cells: CellArea, asOf second: Int64) -> [TurbulenceReport] {
    let filter = filter(asOf: second)
    var found: [TurbulenceReport] = []
    for view in views {
      let filter = filter.narrowed(to: view.filter)
      cells.forEachCell(in: view.reports) { reports in
        for report in reports where filter.admits(report) && view.isFirst(toShow: report) { found.append(report) }
      }
    }
    if views.count > 1 { found.sortByPlace() }
    return found
  }

  /// Returns the items of the reports that match the query.
  ///
  /// - Parameters:
  ///   - found: The reports, sorted by cell.
  ///   - own: The reports of the device.
  func items(of found: [TurbulenceReport], asOf second: Int64, own: [OwnReport] = []) -> [TurbulenceItem] {
    var states: [TurbulenceReport: OwnReport.State] = [:]
    for report in own { states[report.report] = report.state }
    func item(_ report: TurbulenceReport, count: Int) -> TurbulenceItem {
      TurbulenceItem(
        report, count: count, asOf: second, aircraft, isAggregate: aggregate,
        ownState: states.isEmpty ? nil : states[report])
    }
    guard aggregate else { return found.map { item($0, count: 1) } }
    var items: [TurbulenceItem] = []
    var start = 0
    while start < found.count {
      var (worst, end) = (found[start], start + 1)
      while end < found.count, found[end].cell == worst.cell {
        if rank(found[end]) > rank(worst) { worst = found[end] }
        end += 1
      }
      items.append(item(worst, count: end - start))
      start = end
    }
    return items
  }
}
