import ContrailCore
public import ContrailEngine
public import ContrailGeodesy
public import ContrailHTTP
public import ContrailQuery
public import ContrailWire

/// Queries of stored data. Each query reads one consistent state; none uses the network.
extension ContrailClient {
  /// Returns the turbulence in an area: one item per hexagon with its most severe report, or one per report.
  ///
  /// `geoJSON()` of the items returns a layer for a map.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery`` if the area is invalid.
  /// - Complexity: O(*c* log *n* + *m*), with *c* hexagons of the area, *n* stored reports, and *m* in the area. The first query after a
  ///   change copies the stored reports. After a launch, a query is O(*n*) until another thread has sorted them.
  public func turbulence(with query: TurbulenceQuery = TurbulenceQuery()) throws(ClientError) -> [TurbulenceItem] {
    let own = query.origin == .server ? [] : ownReports
    return try ask { (state, second) throws(QueryError) in
      try core.withIndex(of: state) { (index) throws(QueryError) in
        try state.turbulence(with: query, asOf: second, in: index, own: own)
      }
    }
  }

  /// Returns the PIREPs in an area.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery`` if the area is invalid.
  public func pireps(with query: PIREPQuery = PIREPQuery()) throws(ClientError) -> [PIREP] {
    try ask { (state, second) throws(QueryError) in try state.pireps(with: query, asOf: second) }
  }

  /// Returns the other aircraft in an area.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery`` if the area is invalid.
  public func traffic(with query: TrafficQuery = TrafficQuery()) throws(ClientError) -> [TrafficPosition] {
    try ask { (state, second) throws(QueryError) in try state.traffic(with: query, asOf: second) }
  }

  /// Returns the turbulence polygons of a history time; nil if none are stored for it.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery`` if the area is invalid.
  public func turbulencePolygons(with query: TurbulencePolygonQuery) throws(ClientError) -> TurbulencePolygons? {
    try ask { (state, second) throws(QueryError) in try state.turbulencePolygons(with: query, asOf: second) }
  }

  /// The history times whose polygons are available now.
  public var turbulencePolygonTimes: [DataHistoryTime] {
    let (state, second) = serverMoment
    return state.turbulencePolygonTimes(asOf: second)
  }

  /// Returns the turbulence along a route, by distance and flight level.
  ///
  /// ```swift
  /// let profile = try client.profile(along: route, widthNM: 40, at: position)
  /// for cell in profile.ahead where cell.level == 37 {
  ///   if case .reported(let air) = cell.turbulence { draw(cell.bin, air.worst, air.ageSeconds) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - route: The route, connected by geodesics.
  ///   - widthNM: The full width within which reports count, in nautical miles.
  ///   - position: The own aircraft, which divides the route into the part flown and the part ahead.
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery`` if the route, the width or the position is invalid.
  /// - Complexity: That of ``profile(with:)``.
  public func profile(
    along route: [some GeographicPoint], widthNM: Double = 40, at position: AircraftPosition? = nil
  ) throws(ClientError) -> RouteProfile {
    var query = ProfileQuery(along: route, widthNM: widthNM)
    query.aircraft = position
    return try profile(with: query)
  }

  /// Returns the turbulence along a route, by distance and flight level.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery`` if the route, a length or the position is invalid.
  /// - Complexity: O(*c* log *n* + *m* + *b*), with *c* hexagons within the width, *n* stored reports, *m* in the hexagons, and *b* bins.
  ///   The first profile of a route also finds its hexagons, and the first one after a change of the areas reads them.
  public func profile(with query: ProfileQuery) throws(ClientError) -> RouteProfile {
    let own = query.origin == .server ? [] : ownReports
    return try ask { (state, second) throws(QueryError) in
      try core.withIndex(of: state) { (index) throws(QueryError) in
        // A copy, so that no query waits for another one.
        var memory = core.profileMemory.withLock { $0 }
        defer { core.profileMemory.withLock { $0 = memory } }
        return try state.profile(with: query, asOf: second, in: index, own: own, &memory)
      }
    }
  }

  /// Returns the clusters of turbulence ahead of the aircraft, nearest first, with their changes since the last call.
  ///
  /// The client remembers earlier results: announce only clusters whose phase is `new` or `worsened`. A part of an app with criteria
  /// of its own uses ``alerts(at:with:)``. The clusters are on the route of `query` or of the data query; away from the route, in a
  /// beam along the track.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery`` if the position or a value of the query is invalid, or away from
  ///   the route without a track.
  public func alerts(
    with query: AlertQuery = AlertQuery(), at position: AircraftPosition
  ) throws(ClientError) -> [TurbulenceAlert] {
    let find = finder(at: position)
    return try core.shared.withLock { shared in
      shared.alerts.query = query
      return Result { () throws(ClientError) in try find(&shared.alerts) }
    }.get()
  }

  /// Returns the clusters of turbulence ahead of the aircraft, nearest first, with their changes since the last call with a tracker.
  ///
  /// ```swift
  /// var cabin = AlertTracker(query: AlertQuery(minimumSeverity: .moderate))
  /// let alerts = try client.alerts(at: position, with: &cabin)
  /// ```
  ///
  /// - Throws: ``ClientError`` as ``alerts(with:at:)``; the tracker is then unchanged.
  public func alerts(
    at position: AircraftPosition, with tracker: inout AlertTracker
  ) throws(ClientError) -> [TurbulenceAlert] {
    try finder(at: position)(&tracker)
  }

  /// Returns a function that updates a tracker with the state of now. It doesn't lock.
  private func finder(
    at position: AircraftPosition
  ) -> (inout AlertTracker) throws(ClientError) -> [TurbulenceAlert] {
    let (state, second) = serverMoment
    let index = core.withIndex(of: state) { $0 ?? ReportIndex(of: state) }
    let dataRoute = dataQuery.route
    let own = ownReports
    return { [self] tracker throws(ClientError) in
      let route = tracker.query.route
      tracker.query.route = route ?? dataRoute
      defer { tracker.query.route = route }
      var areas: [TurbulencePolygons] = []
      if tracker.query.fallbacks.contains(.areas) {
        areas = [try turbulencePolygons(with: TurbulencePolygonQuery(dataHistoryTime: state.history))].compactMap { $0 }
      }
      do throws(QueryError) {
        return try tracker.alerts(for: position, in: state, asOf: second, index, own: own, areas: areas)
      } catch {
        throw ClientError(error)
      }
    }
  }

  // MARK: Futures, computed off the caller's thread

  /// Returns a future of ``turbulence(with:)``.
  public func turbulenceFuture(with query: TurbulenceQuery = TurbulenceQuery()) -> Future<[TurbulenceItem]> {
    Future { [self] in try turbulence(with: query) }
  }

  /// Returns a future of ``pireps(with:)``.
  public func pirepsFuture(with query: PIREPQuery = PIREPQuery()) -> Future<[PIREP]> {
    Future { [self] in try pireps(with: query) }
  }

  /// Returns a future of ``traffic(with:)``.
  public func trafficFuture(with query: TrafficQuery = TrafficQuery()) -> Future<[TrafficPosition]> {
    Future { [self] in try traffic(with: query) }
  }

  /// Returns a future of ``turbulencePolygons(with:)``.
  public func turbulencePolygonsFuture(with query: TurbulencePolygonQuery) -> Future<TurbulencePolygons?> {
    Future { [self] in try turbulencePolygons(with: query) }
  }

  /// Returns a future of ``profile(with:)``.
  public func profileFuture(with query: ProfileQuery) -> Future<RouteProfile> {
    Future { [self] in try profile(with: query) }
  }

  // MARK: -

  /// The state, and the server's time now, as far as it is known, in seconds since 1970.
  var serverMoment: (State, Int64) {
    let (state, now) = moment
    return (state, (now + (state.serverOffsetMS ?? 0)) / 1000)
  }

  private func ask<T>(_ query: (State, Int64) throws(QueryError) -> T) throws(ClientError) -> T {
    let (state, second) = serverMoment
    do throws(QueryError) {
      return try query(state, second)
    } catch {
      throw ClientError(error)
    }
  }
}
