package import ContrailCore
package import ContrailWire

/// The settings of an application.
///
/// Until the log is open, the settings of earlier launches are unknown. Settings that aren't set by then take their values from the log.
package struct AppSettings: Sendable, Hashable {
  /// The data query; see `DataQuery`.
  package internal(set) var dataQuery: DataQuery
  private var history: DataHistoryTime?
  private var frequency: DataUpdateFrequency?

  /// The maximum age of the data. The default is two hours.
  package var dataHistoryTime: DataHistoryTime { history ?? .twoHours }

  /// How often data are updated. The default is every minute.
  package var dataUpdateFrequency: DataUpdateFrequency { frequency ?? .fast }

  /// Creates settings of which none is set.
  package init() {
    dataQuery = .inherited
  }

  /// Creates the settings in a log, without the viewport, which lasts until the next launch.
  package init(launching state: State) {
    dataQuery = DataQuery(state.query)
    dataQuery.viewport = nil
    history = state.history
    frequency = state.frequency
  }

  /// Takes the values of unset properties from an earlier launch.
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

/// The settings of one turn of the application, changed or not; nil for those that weren't set.
package struct SettingsChange: Sendable, Hashable {
  /// The whole query at the end of the turn.
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

  /// Merges a later change, which takes precedence.
  mutating func merge(_ later: SettingsChange) {
    dataQuery = later.dataQuery ?? dataQuery
    history = later.history ?? history
    frequency = later.frequency ?? frequency
  }
}
