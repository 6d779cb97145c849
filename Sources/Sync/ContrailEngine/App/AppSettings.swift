package import ContrailCore
package import ContrailWire

/// The settings of an application.
package struct AppSettings: Sendable, Hashable {
  /// The data query.
  package private(set) var dataQuery = DataQuery()
  /// The maximum age of the data. The default is two hours.
  package private(set) var dataHistoryTime = DataHistoryTime.twoHours
  /// How often data is updated. The default is every minute.
  package private(set) var dataUpdateFrequency = DataUpdateFrequency.fast
  /// Which news is urgent, and how long silence may last.
  package private(set) var listening = ListeningSettings()
  /// How many bytes may be used.
  package private(set) var byteBudget = ByteBudget()

  /// Creates the default settings.
  package init() {}

  /// Creates the settings in a state.
  package init(_ state: State) {
    self.init(state.query, state.history, state.frequency, state.listening.settings, state.byteUse.budget)
  }

  /// Creates the settings of a launch from those in the state that the last one left.
  package init(launchingWith state: State) {
    self.init(
      launchingWith: state.query, state.history, state.frequency, state.listening.settings, state.byteUse.budget)
  }

  /// Creates the settings of a launch from those of the last one. The viewport lasts until the next launch.
  package init(
    launchingWith query: ResolvedQuery, _ history: DataHistoryTime, _ frequency: DataUpdateFrequency,
    _ listening: ListeningSettings, _ byteBudget: ByteBudget
  ) {
    self.init(query, history, frequency, listening, byteBudget)
    dataQuery.viewport = nil
  }

  private init(
    _ query: ResolvedQuery, _ history: DataHistoryTime, _ frequency: DataUpdateFrequency,
    _ listening: ListeningSettings, _ byteBudget: ByteBudget
  ) {
    dataQuery = DataQuery(query)
    dataHistoryTime = history
    dataUpdateFrequency = frequency
    self.listening = listening
    self.byteBudget = byteBudget
  }

  /// Returns other settings with the values of these that differ from those of `base`.
  func edits(since base: AppSettings, appliedTo other: AppSettings) -> AppSettings {
    var settings = self
    settings.dataQuery = dataQuery.edits(since: base.dataQuery, appliedTo: other.dataQuery)
    if dataHistoryTime == base.dataHistoryTime { settings.dataHistoryTime = other.dataHistoryTime }
    if dataUpdateFrequency == base.dataUpdateFrequency { settings.dataUpdateFrequency = other.dataUpdateFrequency }
    if listening == base.listening { settings.listening = other.listening }
    if byteBudget == base.byteBudget { settings.byteBudget = other.byteBudget }
    return settings
  }

  mutating func apply(_ change: SettingsChange) {
    dataQuery = change.dataQuery ?? dataQuery
    dataHistoryTime = change.history ?? dataHistoryTime
    dataUpdateFrequency = change.frequency ?? dataUpdateFrequency
    listening = change.listening ?? listening
    byteBudget = change.byteBudget ?? byteBudget
  }
}

/// The settings of one turn of the application, changed or not; nil for those that weren't set.
package struct SettingsChange: Sendable, Hashable {
  /// The whole query at the end of the turn.
  package var dataQuery: DataQuery?
  package var history: DataHistoryTime?
  package var frequency: DataUpdateFrequency?
  package var listening: ListeningSettings?
  package var byteBudget: ByteBudget?

  package init(
    dataQuery: DataQuery? = nil, history: DataHistoryTime? = nil, frequency: DataUpdateFrequency? = nil,
    listening: ListeningSettings? = nil, byteBudget: ByteBudget? = nil
  ) {
    self.dataQuery = dataQuery
    self.history = history
    self.frequency = frequency
    self.listening = listening
    self.byteBudget = byteBudget
  }

  /// Creates the change to all settings of an application, with some of them changed again.
  init(_ settings: AppSettings, changedBy later: SettingsChange) {
    self.init(
      dataQuery: settings.dataQuery, history: settings.dataHistoryTime, frequency: settings.dataUpdateFrequency,
      listening: settings.listening, byteBudget: settings.byteBudget)
    merge(later)
  }

  /// Merges a later change, which takes precedence.
  mutating func merge(_ later: SettingsChange) {
    dataQuery = later.dataQuery ?? dataQuery
    history = later.history ?? history
    frequency = later.frequency ?? frequency
    listening = later.listening ?? listening
    byteBudget = later.byteBudget ?? byteBudget
  }
}
