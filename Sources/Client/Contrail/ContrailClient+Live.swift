import ContrailCore
public import ContrailEngine
public import ContrailQuery
public import ContrailWire

/// Live queries: the result now, and each change of it.
///
/// ```swift
/// for await change in try client.observe(TurbulenceQuery(area: .viewport(map))) {
///   layer.remove(change.removed)
///   layer.add(change.inserted)
///   layer.update(change.changed)
/// }
/// ```
///
/// The first element is the result as soon as data is available, also offline. Others follow only if the result is shown differently: after a
/// response, a change of the data query, an own report, or when a record expires. A slow reader misses no change, because the changes in
/// between are combined into one. The sequence ends when the client stops; it doesn't keep the client alive.
extension ContrailClient {
  /// Observes the turbulence in an area.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery`` if the area is invalid.
  /// - Complexity: For each response, O(scopes) if it contains no reports; otherwise O(*c* + *m*), with *c* cells of changed reports and *m*
  ///   items of the result.
  public func observe(
    _ query: TurbulenceQuery
  ) throws(ClientError) -> AsyncStream<ResultChange<TurbulenceItem>> {
    let result: Lock<LiveTurbulence>
    do throws(QueryError) { result = Lock(try LiveTurbulence(query)) } catch { throw ClientError(error) }
    let live = LiveQuery<TurbulenceItem>(core) { [core] state, second, own in
      // Only the reader of the stream updates the result.
      result.withLock { result in
        (result.update(to: state, asOf: second, own: own) { core.withIndex(of: state) { $0 } }, result.expiresAt)
      }
    }
    return AsyncStream { await live.next() }
  }

  /// Observes the PIREPs in an area.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery`` if the area is invalid.
  public func observe(_ query: PIREPQuery) throws(ClientError) -> AsyncStream<ResultChange<PIREP>> {
    try live(.pireps) { (_, state, second, _) throws(QueryError) in try state.livePIREPs(with: query, asOf: second) }
  }

  /// Observes the other aircraft in an area.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery`` if the area is invalid.
  public func observe(_ query: TrafficQuery) throws(ClientError) -> AsyncStream<ResultChange<TrafficPosition>> {
    try live(.traffic) { (_, state, second, _) throws(QueryError) in try state.liveTraffic(with: query, asOf: second) }
  }

  /// Observes the turbulence polygons of a history time. A changed polygon is a new one.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery`` if the area is invalid.
  public func observe(
    _ query: TurbulencePolygonQuery
  ) throws(ClientError) -> AsyncStream<ResultChange<TurbulenceArea>> {
    try live(.turbulencePolygons) { (_, state, second, _) throws(QueryError) in
      try state.livePolygons(with: query, asOf: second)
    }
  }

  /// Observes the turbulence along a route. A position in the query divides the route as it is now: it doesn't move.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery`` if the route, a length or the position is invalid.
  /// - Complexity: For each response that concerns it, that of ``profile(with:)``.
  public func observe(_ query: ProfileQuery) throws(ClientError) -> AsyncStream<ProfileChange> {
    let last = Lock<(memory: ProfileMemory, profile: RouteProfile?)>((ProfileMemory(), nil))
    let changes = try liveQuery([.turbulence, .pireps, .turbulencePolygons]) {
      (core, state, second, own) throws(QueryError) -> LiveResult<ProfileColumn>.Evaluation in
      // Only the reader of the stream evaluates the query.
      var memory = last.withLock { $0.memory }
      let (profile, result) = try core.withIndex(of: state) { (index) throws(QueryError) in
        try state.liveProfile(with: query, asOf: second, in: index, own: own, &memory)
      }
      last.withLock { $0 = (memory, profile) }
      return result
    }
    return AsyncStream {
      guard let change = await changes.next(), let profile = last.withLock({ $0.profile }) else { return nil }
      return ProfileChange(profile, change)
    }
  }

  private func live<Item>(
    _ types: DataTypeOptions, _ evaluate: @escaping Evaluate<Item>
  ) throws(ClientError) -> AsyncStream<ResultChange<Item>> {
    let query = try liveQuery(types, evaluate)
    return AsyncStream { await query.next() }
  }

  private typealias Evaluate<Item: LiveItem> =
    @Sendable (ClientCore, State, Int64, [OwnReport]) throws(QueryError) -> LiveResult<Item>.Evaluation

  private func liveQuery<Item>(
    _ types: DataTypeOptions, _ evaluate: @escaping Evaluate<Item>
  ) throws(ClientError) -> LiveQuery<Item> {
    do throws(QueryError) {
      // An invalid query fails without data, too.
      _ = try evaluate(core, State(), 0, [])
    } catch {
      throw ClientError(error)
    }
    let result = Lock(LiveResult<Item>(types))
    return LiveQuery(core) { [core] state, second, own in
      result.withLock { result in
        // The query was checked before.
        let change = try? result.update(to: state, asOf: second, own: own) {
          () throws(QueryError) in try evaluate(core, state, second, own)
        }
        return (change, result.expiresAt)
      }
    }
  }

  // MARK: Own reports

  /// The reports of this device, in the order in which they were made, each with its state.
  ///
  /// A report that the server hasn't confirmed is known across launches, any other until the client stops or it is older than the longest
  /// history.
  public var ownReports: [OwnReport] { core.shared.withLock { $0.app.ownReports.all } }

  // MARK: Settings that are checked

  /// Sets the data query, or throws if a part of it is invalid.
  ///
  /// The property ``dataQuery`` accepts every value, and reports an invalid one later by ``errors`` and the delegate.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidQuery`` for the first invalid part. The query is then unchanged.
  /// - Complexity: That of the corridor of a route.
  public func setDataQuery(_ query: DataQuery) throws(ClientError) {
    if let rejection = query.resolved().rejections(in: session).first { throw ClientError(rejection) }
    dataQuery = query
  }
}
