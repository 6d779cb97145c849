import ContrailCore
import ContrailGeodesy
import ContrailWire

/// Turns the recorded settings of an application into those of an alternative.
struct SettingsPlan: Sendable {
  private let alternative: Alternative
  private let startMS: Int64
  /// Whether the flight begins with a snapshot, whose settings are other ones from the start.
  private let beginsInFlight: Bool
  /// The recorded settings so far.
  private var recorded: Settings
  /// The last query that was made from a recorded one, because building a corridor takes long.
  private let corridors: CorridorCache

  init(_ alternative: Alternative, startMS: Int64, initial: State, corridors: CorridorCache) {
    self.alternative = alternative
    self.startMS = startMS
    self.corridors = corridors
    beginsInFlight = initial.session != nil
    recorded = Settings(initial)
  }

  /// Whether settings are different at any time.
  var isActive: Bool { alternative.changesSettings }

  /// The times at which the alternative begins and ends within the flight.
  var boundaries: [Int64] {
    guard isActive else { return [] }
    guard let span = alternative.span else { return beginsInFlight ? [startMS] : [] }
    return [span.lowerBound, span.upperBound].filter { $0 < .max }.map { startMS + $0 }
  }

  /// Notes a recorded setting; returns whether the input is one.
  mutating func note(_ input: Input) -> Bool { recorded.apply(input) }

  /// Notes that a session was started.
  mutating func launch() { recorded = recorded.atLaunch }

  /// Returns the inputs that give a state the settings of a time, in the order of the client.
  func inputs(for state: State, at time: Int64) -> [Input] {
    var settings = recorded
    if alternative.span?.contains(time - startMS) ?? true {
      settings.history = alternative.history ?? settings.history
      settings.frequency = alternative.frequency ?? settings.frequency
      settings.query = changed(settings.query)
    }
    return settings.inputs(from: Settings(state))
  }

  private func changed(_ recorded: ResolvedQuery) -> ResolvedQuery {
    var query = recorded
    if let types = alternative.types { query.types = types }
    if let severities = alternative.severities { query.severities = severities }
    if alternative.hasNoViewport { query.viewport = nil }
    guard let width = alternative.widthMilliNM, query.polygon == nil, query.route != nil,
      query.routeWidthMilliNM != width
    else { return query }
    let corridor = corridors.corridor(query, widthMilliNM: width)
    query.routeWidthMilliNM = width
    query.corridor = corridor.corridor
    query.corridorError = corridor.corridorError
    return query
  }
}

/// The corridors of routes, by width. Several runs share it.
final class CorridorCache: @unchecked Sendable {
  private struct Key: Hashable {
    var route: ResolvedQuery.Points?
    var widthMilliNM: Int64
  }

  private let gate = Gate()
  private var known: [Key: ResolvedQuery] = [:]

  func corridor(_ query: ResolvedQuery, widthMilliNM: Int64) -> ResolvedQuery {
    let key = Key(route: query.route, widthMilliNM: widthMilliNM)
    if let made = gate.within({ known[key] }) { return made }
    var given = DataQuery(query)
    given.routeWidth = Double(widthMilliNM) / 1000
    let made = given.resolved()
    gate.within { known[key] = made }
    return made
  }
}
