package import ContrailCore
package import ContrailWire

/// The current result of a query, kept up to date with a state.
///
/// A value without a clock: its owner calls ``update(to:asOf:_:)`` after each change of the state, and when ``expiresAt`` has come.
package struct LiveResult<Item: LiveItem>: Sendable {
  /// A result, and the first second, by the server's clock, at which time alone may change it.
  package typealias Evaluation = (items: [Item], expiresAt: Int64?)

  private var items: [Item]?
  private var basis: [ScopeBasis] = []
  private var second: Int64 = 0
  /// The first second, by the server's clock, at which time alone may change the result; nil for never.
  package private(set) var expiresAt: Int64?
  private let types: DataTypeOptions

  /// - Parameter types: The types of records that the query reads.
  package init(_ types: DataTypeOptions) {
    self.types = types
  }

  /// Brings the result up to date.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - second: The time by the server's clock, in seconds since 1970.
  ///   - evaluate: Evaluates the query. It isn't called if no record that it reads has changed or expired.
  /// - Returns: The change; nil if the result is shown as before.
  /// - Complexity: O(scopes) if nothing has changed, otherwise that of the query.
  package mutating func update<E: Error>(
    to state: State, asOf second: Int64, own: [OwnReport], _ evaluate: () throws(E) -> Evaluation
  ) throws(E) -> ResultChange<Item>? {
    let basis = state.scopes.map { ScopeBasis($0, types, own: own) }
    if items != nil, basis == self.basis, second >= self.second, second < expiresAt ?? .max { return nil }
    let evaluation = try evaluate()
    defer { (items, expiresAt, self.basis, self.second) = (evaluation.items, evaluation.expiresAt, basis, second) }
    guard let items else { return ResultChange(evaluation.items) }
    return ResultChange(from: items, to: evaluation.items)
  }
}

/// What a query reads of a scope, to be compared quickly.
private struct ScopeBasis: Equatable {
  var id: ScopeID
  var want: FetchSpec?
  var sum: UInt64 = 0
  var count = 0
  var traffic: [TrafficPosition] = []
  var watermark: Int64?
  var own: [OwnReport] = []

  init(_ scope: Scope, _ types: DataTypeOptions, own: [OwnReport]) {
    id = scope.id
    want = scope.want
    if types.contains(.turbulence) {
      sum = scope.reports.checksum
      count = scope.reports.count
      self.own = own
    }
    if types.contains(.pireps) {
      sum = sum &+ scope.pireps.checksum
      count += scope.pireps.count
    }
    if types.contains(.traffic) { traffic = scope.traffic }
    if types.contains(.turbulencePolygons), case .global = id { watermark = scope.have?.watermark }
  }
}

// MARK: - Queries with their expiry

extension State {
  /// Evaluates a query for PIREPs.
  package func livePIREPs(
    with query: PIREPQuery, asOf second: Int64
  ) throws(QueryError) -> LiveResult<PIREP>.Evaluation {
    let items = try pireps(with: query, asOf: second)
    return (items, expiry(of: items.map({ $0.observedAt }).min(), query.dataHistoryTime, second))
  }

  /// Evaluates a query for traffic.
  package func liveTraffic(
    with query: TrafficQuery, asOf second: Int64
  ) throws(QueryError) -> LiveResult<TrafficPosition>.Evaluation {
    let items = try traffic(with: query, asOf: second)
    let age = min(max(0, query.maximumAgeSeconds), TrafficPosition.lifetimeSeconds)
    return (items, items.map({ $0.observedAt }).min().map { max($0 + age, second + 1) })
  }

  /// Evaluates a query for turbulence polygons.
  package func livePolygons(
    with query: TurbulencePolygonQuery, asOf second: Int64
  ) throws(QueryError) -> LiveResult<TurbulenceArea>.Evaluation {
    guard let polygons = try turbulencePolygons(with: query, asOf: second) else { return ([], nil) }
    // Equal areas are one.
    var seen: Set<UInt64> = []
    let areas = polygons.areas.filter { seen.insert($0.id).inserted }
    return (areas, max(polygons.asOf + query.dataHistoryTime.seconds, second + 1))
  }

  /// Evaluates a query for a profile.
  ///
  /// - Parameters:
  ///   - index: The index, up to date with this state; nil if it isn't made yet.
  ///   - own: The reports of the device.
  ///   - memory: What was computed for the last profile.
  package func liveProfile(
    with query: ProfileQuery, asOf second: Int64, in index: ReportIndex?, own: [OwnReport],
    _ memory: inout ProfileMemory
  ) throws(QueryError) -> (profile: RouteProfile, result: LiveResult<ProfileColumn>.Evaluation) {
    let profile = try profile(with: query, asOf: second, in: index, own: own, &memory)
    let areas = polygonScope(query.dataHistoryTime ?? history, asOf: second)?.have?.watermark
    let oldest = [profile.oldest, profile.pireps.map({ $0.pirep.observedAt }).min(), areas].compactMap { $0 }.min()
    return (profile, (ProfileColumn.columns(of: profile), expiry(of: oldest, query.dataHistoryTime, second)))
  }

  /// Returns the second at which the oldest record of a result expires, by the shorter of both histories.
  func expiry(of oldest: Int64?, _ history: DataHistoryTime?, _ second: Int64) -> Int64? {
    oldest.map { max($0 + lifetime(in: history), second + 1) }
  }

  /// The seconds for which records are shown, by the shorter of both histories.
  func lifetime(in history: DataHistoryTime?) -> Int64 { min(history ?? self.history, self.history).seconds }
}
