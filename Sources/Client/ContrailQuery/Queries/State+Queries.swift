package import ContrailCore
public import ContrailWire

extension State {
  /// Returns the visible turbulence that matches a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - second: The estimated server time, in seconds since 1970. `serverNow` is that of the last line.
  /// - Throws: ``QueryError`` if the area is invalid, or the scope isn't an area.
  /// - Complexity: O(*n* + *c* log *m* + *m*), with *n* stored reports, *c* cells of the area, and *m* in the area.
  public func turbulence(
    with query: TurbulenceQuery, asOf second: Int64
  ) throws(QueryError) -> [TurbulenceItem] {
    try turbulence(with: query, asOf: second, in: nil)
  }

  /// Returns the visible turbulence that matches a query.
  ///
  /// - Parameters:
  ///   - index: The index, up to date with this state; nil to search all reports.
  ///   - own: The reports of the device.
  /// - Complexity: O(*c* log *n* + *m*), with *c* cells of the area, *n* stored reports, and *m* in the area; O(*n*) without an index, and
  ///   if the area has far more cells than there are reports.
  package func turbulence(
    with query: TurbulenceQuery, asOf second: Int64, in index: ReportIndex?, own: [OwnReport] = []
  ) throws(QueryError) -> [TurbulenceItem] {
    let own = query.origin == .server ? [] : own
    return query.items(of: try reports(with: query, asOf: second, in: index, own: own), asOf: second, own: own)
  }

  /// Returns the visible reports that match a query, sorted by cell.
  func reports(
    with query: TurbulenceQuery, asOf second: Int64, in index: ReportIndex?, own: [OwnReport]
  ) throws(QueryError) -> [TurbulenceReport] {
    try QueryError.check(query.scope)
    let wanted = query.origin == .own ? [] : views(.turbulence, only: query.scope)
    let own = query.origin == .server ? [] : own
    let count = wanted.reduce(own.count) { $0 + $1.reports.count }
    let cells = CellArea(try query.area.ring(), count: count)
    return reports(wanted, with: query, in: cells, asOf: second, index, own: own)
  }

  /// Returns the reports of views and of the device that match a query, sorted by cell.
  ///
  /// - Parameter cells: The query's area, or a part of it.
  func reports(
    _ wanted: [View], with query: TurbulenceQuery, in cells: CellArea, asOf second: Int64, _ index: ReportIndex?,
    own: [OwnReport]
  ) -> [TurbulenceReport] {
    let views = reportViews(wanted, asOf: second, own: own) {
      index?.reports(of: $0.id) ?? cells.reports(in: $0.reports)
    }
    return query.reports(in: views, cells, asOf: second)
  }

  /// Returns the visible turbulence reports of views and of the device, each once.
  ///
  /// - Parameters:
  ///   - wanted: The views of the server's reports.
  ///   - own: The reports of the device. They are visible for the history time of the application.
  ///   - reports: Returns reports of a scope, sorted by cell, altitude, severity, EDR and time.
  func reportViews(
    _ wanted: [View], asOf second: Int64, own: [OwnReport], _ reports: (View) -> [TurbulenceReport]
  ) -> [ReportView] {
    var views = Self.reportViews(wanted, asOf: second, reports)
    let visible = own.map { $0.report }.filter { Int64($0.observedAt) > second - history.seconds }
    if !visible.isEmpty {
      var reports = Array(Set(visible))
      reports.sortByPlace()
      views.append(
        ReportView(
          reports: reports, earlier: wanted.map { ($0.want.filter.reports(asOf: second), $0.reports) }))
    }
    return views
  }

  /// Returns the visible PIREPs that match a query, sorted by time, then identifier.
  ///
  /// If two scopes contain a PIREP, the newest update is returned.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - second: The estimated server time, in seconds since 1970.
  /// - Throws: ``QueryError`` if the area is invalid, or the scope isn't an area.
  /// - Complexity: O(*n* · *r* + *n* log *n*), with *n* stored PIREPs and *r* corners of the area.
  public func pireps(with query: PIREPQuery, asOf second: Int64) throws(QueryError) -> [PIREP] {
    try QueryError.check(query.scope)
    var set = PIREPSet()
    for view in views(.pireps, only: query.scope) {
      for pirep in view.pireps.sorted where view.want.shows(pirep, asOf: second) { set.insert(pirep) }
    }
    return try query.items(in: set.sorted, asOf: second)
  }

  /// Returns the visible traffic that matches a query, sorted by identifier.
  ///
  /// If two scopes contain an aircraft, the newest position is returned.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - second: The estimated server time, in seconds since 1970.
  /// - Throws: ``QueryError`` if the area is invalid, or the scope isn't an area.
  /// - Complexity: O(*n* · *r* + *n* log *n*), with *n* stored aircraft and *r* corners of the area.
  public func traffic(with query: TrafficQuery, asOf second: Int64) throws(QueryError) -> [TrafficPosition] {
    try QueryError.check(query.scope)
    return try query.items(in: views(.traffic, only: query.scope).flatMap({ $0.traffic }), asOf: second)
  }
}
