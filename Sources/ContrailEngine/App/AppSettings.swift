package import ContrailCore
package import ContrailWire

/// What an application has set, and what it reads when it asks.
///
/// Until the log is open nothing is known of what earlier launches had set. What isn't set since then stays as they left it.
package struct AppSettings: Sendable, Hashable {
  /// See ``/ContrailCore/DataQuery``.
  package internal(set) var dataQuery: DataQuery
  private var history: DataHistoryTime?
  private var frequency: DataUpdateFrequency?

  /// How far back data are wanted; two hours at first.
  package var dataHistoryTime: DataHistoryTime { history ?? .twoHours }

  /// How often data are brought up to date; every minute at first.
  package var dataUpdateFrequency: DataUpdateFrequency { frequency ?? .fast }

  /// Before the log is open: nothing is set.
  package init() {
    dataQuery = .inherited
  }

  /// The settings that a log holds. A viewport lasts until the next launch.
  package init(launching state: State) {
    dataQuery = DataQuery(state.query)
    dataQuery.viewport = nil
    history = state.history
    frequency = state.frequency
  }

  /// Puts in what an earlier launch had set wherever nothing has been set since.
  mutating func fill(from stored: AppSettings) {
    dataQuery = dataQuery.filled(from: stored.dataQuery)
    history = history ?? stored.history
    frequency = frequency ?? stored.frequency
  }

  mutating func apply(_ change: SettingsChange) {
    if let query = change.dataQuery { dataQuery = query }
    history = change.history ?? history
    frequency = change.frequency ?? frequency
  }
}

/// What was set in one turn of the application, whether or not it differs from what was there; nil for what wasn't.
package struct SettingsChange: Sendable, Hashable {
  /// The whole query as it was at the end of the turn.
  package var dataQuery: DataQuery?
  package var history: DataHistoryTime?
  package var frequency: DataUpdateFrequency?

  package init(
    dataQuery: DataQuery? = nil, history: DataHistoryTime? = nil, frequency: DataUpdateFrequency? = nil
  ) {
    self.dataQuery = dataQuery
    self.history = history
    self.frequency = frequency
  }

  /// Adds a later change: what that sets replaces what this one does.
  mutating func merge(_ later: SettingsChange) {
    dataQuery = later.dataQuery ?? dataQuery
    history = later.history ?? history
    frequency = later.frequency ?? frequency
  }
}
