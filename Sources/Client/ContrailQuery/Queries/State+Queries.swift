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
    try QueryError.check(query.scope)
    let views = views(.turbulence, only: query.scope)
    let cells = CellArea(try query.area.ring(), count: views.reduce(0) { $0 + $1.scope.reports.count })
    return query.items(in: Self.reportViews(views, asOf: second) { cells.reports(in: $0.reports) }, cells, asOf: second)
  }

  /// Returns the visible turbulence that matches a query.
  ///
  /// - Parameter index: The index, up to date with this state.
  /// - Complexity: O(*c* log *n* + *m*), with *c* cells of the area, *n* stored reports, and *m* in the area; O(*n*) if the area has far
  ///   more cells than there are reports.
  package func turbulence(
    with query: TurbulenceQuery, asOf second: Int64, in index: ReportIndex
  ) throws(QueryError) -> [TurbulenceItem] {
    try QueryError.check(query.scope)
    let views = reportViews(only: query.scope, asOf: second, in: index)
    let cells = CellArea(try query.area.ring(), count: views.reduce(0) { $0 + $1.reports.count })
    return query.items(in: views, cells, asOf: second)
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
      for pirep in view.scope.pireps.sorted where view.want.shows(pirep, asOf: second) { set.insert(pirep) }
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
    return try query.items(in: views(.traffic, only: query.scope).flatMap(\.scope.traffic), asOf: second)
  }
}
