public import ContrailCore
public import ContrailWire

extension State {
  /// The turbulence that is held, wanted and asked for.
  ///
  /// - Parameter second: the server's time as far as it is known, in seconds since 1970: `serverNow` is that of the last line.
  /// - Throws: ``QueryFault`` for an area that is none.
  /// - Complexity: O(*n* + *c* + *m* log *m*): *n* reports held, *c* cells along the area's edge, *m* items.
  public func turbulence(
    with query: TurbulenceQuery, asOf second: Int64
  ) throws(QueryFault) -> [TurbulenceItem] {
    let views = views(.turbulence, only: query.scope)
    return try query.items(count: Self.reportCount(views), asOf: second) {
      Self.forEachReport(in: views, asOf: second, $0)
    }
  }

  /// The PIREPs that are held, wanted and asked for, by time, then key; of one that two scopes hold, the newest update.
  ///
  /// - Parameter second: as for `turbulence(with:asOf:)`.
  /// - Throws: ``QueryFault`` for an area that is none.
  /// - Complexity: O(*n* · *r* + *n* log *n*): *n* PIREPs held, *r* corners of the area.
  public func pireps(with query: PIREPQuery, asOf second: Int64) throws(QueryFault) -> [PIREP] {
    var set = PIREPSet()
    for view in views(.pireps, only: query.scope) {
      for pirep in view.scope.pireps.sorted where view.want.shows(pirep, asOf: second) { set.insert(pirep) }
    }
    return try query.items(in: set.sorted, asOf: second)
  }

  /// The traffic that is held, wanted and asked for, by key; of an aircraft that two scopes hold, where it was seen last.
  ///
  /// - Parameter second: as for `turbulence(with:asOf:)`.
  /// - Throws: ``QueryFault`` for an area that is none.
  /// - Complexity: O(*n* · *r* + *n* log *n*): *n* aircraft held, *r* corners of the area.
  public func traffic(with query: TrafficQuery, asOf second: Int64) throws(QueryFault) -> [TrafficPosition] {
    try query.items(in: views(.traffic, only: query.scope).flatMap(\.scope.traffic), asOf: second)
  }
}
