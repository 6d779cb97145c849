package import ContrailCore
import ContrailGeodesy
import ContrailWire

extension Input {
  /// Returns a description of the input, such as `history.changed 2h → 4h`.
  ///
  /// - Parameter state: The state before the input.
  package func words(_ state: State) -> String { words(Settings(state)) }

  /// Returns the same with the settings before the input.
  func words(_ before: Settings) -> String {
    let words = detail(before)
    return words.isEmpty ? kind.rawValue : "\(kind.rawValue) \(words)"
  }

  /// The part of a state that descriptions of inputs compare with.
  struct Settings {
    var query: ResolvedQuery
    var history: DataHistoryTime
    var frequency: DataUpdateFrequency
    var isOnline: Bool

    init(_ state: borrowing State) {
      query = state.query
      history = state.history
      frequency = state.frequency
      isOnline = state.isOnline
    }
  }

  /// Whether the description includes the previous value. The settings must then be taken before the input is applied.
  var wordsLookBack: Bool {
    switch self {
    case .queryChanged, .historyChanged, .frequencyChanged, .connectivityChanged: true
    default: false
    }
  }

  private func detail(_ before: Settings) -> String {
    switch self {
    case .sessionStarted(let session):
      "\(session.id), engine \(session.engine)" + (session.service.isContrail ? "" : ", another service")
    case .queryChanged(let query): query.changes(since: before.query)
    case .historyChanged(let history): Words.change(before.history, history) { $0.words }
    case .frequencyChanged(let frequency): Words.change(before.frequency, frequency) { $0.rawValue }
    case .refreshRequested(let isFull): isFull ? "full" : "delta"
    case .connectivityChanged(let isOnline): Words.change(before.isOnline, isOnline) { $0 ? "online" : "offline" }
    case .credentialsChanged: ""
    case .clockAdjusted(let milliseconds): "by \(milliseconds) ms"
    case .clockTicked(let scope, let due): "\(scope.name), due \(Words.utc(due))"
    case .reportTracked(let report): report.words
    case .airportsChecked(let checked): checked.words
    case .airportsDownloaded(let it):
      "\(it.edition.cycle): \(Words.bytes(Int64(it.blob.byteCount))), \(Words.bytes(it.wireBytes)) on the wire"
        + (it.base.map { " as a delta from \($0)" } ?? "")
    case .airportsLoaded(let loaded): loaded.words
    case .airportsDeferred(let edition): edition.words
    case .airportsFailed(let edition, let code): "\(edition.cycle): \(code)"
    case .airportsDelivery(let isAutomatic): isAutomatic ? "automatic" : "by the application"
    case .listeningChanged(let settings): settings.words
    case .backgroundChanged(let isInBackground): isInBackground ? "entered" : "left"
    case .budgetChanged(let budget): budget.words
    case .linkChanged(let link): link.words
    case .responseReceived(let response): "request \(response.request): \(response.words)"
    case .responseFailed(let request, let failure, _): "request \(request): \(failure.rawValue)"
    case .weatherReceived(let it): "\(it.lookup.words): \(it.status), \(Words.bytes(it.wireBytes))"
    case .weatherFailed(let lookup, let failure): "\(lookup.words): \(failure.rawValue)"
    }
  }
}

extension ListeningSettings {
  /// The severity of urgent news and the time of a confirmation.
  fileprivate var words: String {
    guard isEnabled else { return "off" }
    var words = urgentSeverity.map { "urgent from \($0.words)" } ?? "nothing urgent"
    if urgentAltitudes != .all { words += " at \(urgentAltitudes.lower)–\(urgentAltitudes.upper) thousand ft" }
    if let confirmationMinutes { words += ", confirmed each \(Words.count(confirmationMinutes, "minute"))" }
    return words
  }
}

extension ByteBudget {
  /// The bytes, the period, and links on which nothing is saved.
  fileprivate var words: String {
    guard let bytes else { return "no limit" }
    var words = Words.bytes(bytes)
    switch period {
    case .day: words += " a day"
    case .flight(let flight): words += " for flight \(flight)"
    }
    if !savesOnExpensiveLink { words += ", also on expensive links" }
    if !savesOnConstrainedLink { words += ", also on constrained links" }
    return words
  }
}

extension LinkCost {
  fileprivate var words: String {
    let words = [isExpensive ? "expensive" : nil, isConstrained ? "constrained" : nil].compactMap { $0 }
    return words.isEmpty ? "unrestricted" : words.joined(separator: ", ")
  }
}

extension WeatherLookup {
  fileprivate var words: String { "\(place.key), \(version)" }
}

extension TurbulenceReport {
  /// Severity, altitude and cell.
  fileprivate var words: String {
    "\(severity.words) at \(Words.count(Int(altitude) * 1000)) ft, cell \(Hex.string(h3Index).drop { $0 == "0" })"
  }
}

extension Input.Response {
  /// Status, bytes and retry delay.
  var words: String {
    var words = "\(status), \(Words.bytes(wireBytes))"
    if let retryAfterSeconds { words += ", retry after \(retryAfterSeconds) s" }
    return words
  }
}

extension ResolvedQuery {
  /// The name and value of each property, in a fixed order. Different properties have different texts.
  private var properties: [(name: String, words: String)] {
    [
      ("types", types.words), ("viewportTypes", viewportTypes?.words ?? "as types"), ("sevs", severities.words),
      ("polygon", Words.points(polygon)), ("viewport", Words.points(viewport)),
      ("globalEnabled", Words.yesNo(globalEnabled)), ("upTo", Words.yesNo(isUpToEnabled)),
      ("altRange", altitudes?.words ?? "all"), ("route", Words.points(route)),
      ("routeWidth", routeWidthMilliNM.map { "\(Words.decimal($0, digits: 3)) NM" } ?? "none"),
      ("corridor", Words.points(corridor)),
      ("corridorFault", corridorError.map { "\($0.code) at \($0.place)" } ?? "none"),
      ("weather", weather.words),
    ]
  }

  /// Returns the properties that differ from those of another query.
  func changes(since old: ResolvedQuery) -> String {
    let changes = zip(old.properties, properties).filter { $0.words != $1.words }
    return changes.isEmpty
      ? "nothing" : changes.map { "\($1.name) \($0.words) → \($1.words)" }.joined(separator: ", ")
  }

  /// The types, and the properties that differ from those of an empty query.
  var words: String {
    zip(ResolvedQuery().properties, properties).filter { $1.name == "types" || $0.words != $1.words }
      .map { "\($1.name) \($1.words)" }.joined(separator: ", ")
  }
}

extension ResolvedQuery.FeetRange {
  fileprivate var words: String { [lower, upper].map { $0.map(String.init) ?? "?" }.joined(separator: "–") + " ft" }
}
