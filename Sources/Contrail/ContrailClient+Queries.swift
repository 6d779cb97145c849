import ContrailCore
public import ContrailDeferred
public import ContrailEngine
public import ContrailQuery
public import ContrailWire

/// What is held, offline, at once. Each query looks at one moment of the state; none uses the network.
extension ContrailClient {
  /// Turbulence in an area: one item a hexagon with its most severe report, or every report. `geoJSON()` of the items is a layer for a
  /// map.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery`` for an area or range that is none.
  /// - Complexity: O(cells of the area, or reports held if those are fewer).
  public func turbulence(with query: TurbulenceQuery = TurbulenceQuery()) throws(ClientError) -> [TurbulenceItem] {
    try ask { (state, second) throws(QueryError) in try state.turbulence(with: query, asOf: second) }
  }

  /// PIREPs in an area.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery``.
  public func pireps(with query: PIREPQuery = PIREPQuery()) throws(ClientError) -> [PIREP] {
    try ask { (state, second) throws(QueryError) in try state.pireps(with: query, asOf: second) }
  }

  /// Other aircraft in an area.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery``.
  public func traffic(with query: TrafficQuery = TrafficQuery()) throws(ClientError) -> [TrafficPosition] {
    try ask { (state, second) throws(QueryError) in try state.traffic(with: query, asOf: second) }
  }

  /// The turbulence polygons of a history time; nil where none of that time are held.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery``.
  public func turbulencePolygons(with query: TurbulencePolygonQuery) throws(ClientError) -> TurbulencePolygons? {
    try ask { (state, second) throws(QueryError) in try state.turbulencePolygons(with: query, asOf: second) }
  }

  /// The history times whose polygons can be asked for now.
  public var turbulencePolygonTimes: [DataHistoryTime] {
    let (state, second) = serverMoment
    return state.turbulencePolygonTimes(asOf: second)
  }

  /// Turbulence ahead of the aircraft, the nearest first, each cluster under a number that it keeps, and with what has become of it
  /// since the last call: only what is new or has worsened needs to be said.
  ///
  /// The client remembers what was told. On the query's route, or else the data query's; with neither, in a beam along the track.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery`` for a position or range that is none.
  public func alerts(
    with query: AlertQuery = AlertQuery(), at position: AircraftPosition
  ) throws(ClientError) -> [TurbulenceAlert] {
    let (state, second) = serverMoment
    let result = core.shared.withLock { shared -> Result<[TurbulenceAlert], QueryError> in
      shared.alerts.query = query
      if query.route == nil { shared.alerts.query.route = shared.app.settings.dataQuery.route }
      do throws(QueryError) {
        return .success(try shared.alerts.alerts(for: position, in: state, asOf: second))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let alerts): return alerts
    case .failure(let fault): throw ClientError(fault)
    }
  }

  // MARK: As futures, worked out off the caller's thread

  /// See ``turbulence(with:)``.
  public func turbulenceFuture(with query: TurbulenceQuery = TurbulenceQuery()) -> Future<[TurbulenceItem]> {
    Future { [self] in try turbulence(with: query) }
  }

  /// See ``pireps(with:)``.
  public func pirepsFuture(with query: PIREPQuery = PIREPQuery()) -> Future<[PIREP]> {
    Future { [self] in try pireps(with: query) }
  }

  /// See ``traffic(with:)``.
  public func trafficFuture(with query: TrafficQuery = TrafficQuery()) -> Future<[TrafficPosition]> {
    Future { [self] in try traffic(with: query) }
  }

  /// See ``turbulencePolygons(with:)``.
  public func turbulencePolygonsFuture(with query: TurbulencePolygonQuery) -> Future<TurbulencePolygons?> {
    Future { [self] in try turbulencePolygons(with: query) }
  }

  // MARK: -

  /// The state, and the server's time now as far as it is known, in seconds since 1970.
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
