public import ContrailCore
public import ContrailWire

/// What the application has set, and which of it the engine hasn't been told yet.
///
/// However many properties were set, ``drain()`` gives each changed one once: several changes in one turn cost one request.
public struct ClientSettings: Sendable {
  /// See ``DataQuery``.
  public var dataQuery: DataQuery {
    didSet { hasNewQuery = hasNewQuery || dataQuery != oldValue }
  }

  /// How far back data are wanted; two hours at first.
  public var dataHistoryTime: DataHistoryTime {
    didSet { hasNewHistory = hasNewHistory || dataHistoryTime != oldValue }
  }

  /// How often data are brought up to date; every minute at first.
  public var dataUpdateFrequency: DataUpdateFrequency {
    didSet { hasNewFrequency = hasNewFrequency || dataUpdateFrequency != oldValue }
  }

  private var hasNewQuery = false
  private var hasNewHistory = false
  private var hasNewFrequency = false

  /// The settings of a first launch.
  public init() {
    dataQuery = DataQuery()
    dataHistoryTime = .twoHours
    dataUpdateFrequency = .fast
  }

  /// The settings that a state holds from before.
  public init(_ state: State) {
    dataQuery = DataQuery(state.query)
    dataHistoryTime = state.history
    dataUpdateFrequency = state.frequency
  }

  /// Takes over what an earlier launch had set, but for what has been set since.
  mutating func adopt(_ earlier: ClientSettings) {
    let set = self
    self = earlier
    dataQuery.viewport = nil
    (hasNewQuery, hasNewHistory, hasNewFrequency) = (false, false, false)
    if set.hasNewHistory { dataHistoryTime = set.dataHistoryTime }
    if set.hasNewFrequency { dataUpdateFrequency = set.dataUpdateFrequency }
    if set.hasNewQuery { dataQuery = dataQuery.overlaid(with: set.dataQuery) }
  }

  /// Whether the engine is yet to be told of something.
  public var hasChanges: Bool { hasNewQuery || hasNewHistory || hasNewFrequency }

  /// The inputs that tell the engine what has changed since the last call.
  ///
  /// History and frequency go first, so that a query set with them is fetched once, and as wanted.
  public mutating func drain() -> [Input] {
    var inputs: [Input] = []
    if hasNewHistory { inputs.append(.historyChanged(dataHistoryTime)) }
    if hasNewFrequency { inputs.append(.frequencyChanged(dataUpdateFrequency)) }
    if hasNewQuery { inputs.append(.queryChanged(dataQuery.resolved())) }
    (hasNewQuery, hasNewHistory, hasNewFrequency) = (false, false, false)
    return inputs
  }
}

extension DataQuery {
  /// This query with each property of `other` that isn't as it is in a new query.
  fileprivate func overlaid(with other: DataQuery) -> DataQuery { changed(from: DataQuery(), to: other) }

  /// This query with each property in which `other` differs from `base`.
  func changed(from base: DataQuery, to other: DataQuery) -> DataQuery {
    var result = self
    func take<T: Equatable>(_ path: WritableKeyPath<DataQuery, T>) {
      if other[keyPath: path] != base[keyPath: path] { result[keyPath: path] = other[keyPath: path] }
    }
    take(\.types)
    take(\.viewportTypes)
    take(\.sevs)
    take(\.polygon)
    take(\.viewport)
    take(\.globalEnabled)
    take(\.globalTurbulencePolygonsUpToEnabled)
    take(\.altRange)
    take(\.route)
    take(\.routeWidth)
    take(\.weather)
    return result
  }
}
