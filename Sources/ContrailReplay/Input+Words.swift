import ContrailCore
import ContrailWire

/// What an input is about to replace, kept so that words can say "from – to".
struct InputContext: Sendable {
  var history: DataHistoryTime
  var frequency: DataUpdateFrequency
  var isOnline: Bool
  /// Kept only where the input is a query.
  var query: ResolvedQuery?

  init(_ state: State, for input: Input) {
    history = state.history
    frequency = state.frequency
    isOnline = state.isOnline
    if case .queryChanged = input { query = state.query }
  }
}

extension Input {
  /// The input in words: `history.changed 2h → 4h`.
  func words(_ before: InputContext) -> String {
    let words = detail(before)
    return words.isEmpty ? kind.rawValue : "\(kind.rawValue) \(words)"
  }

  private func detail(_ before: InputContext) -> String {
    switch self {
    case .sessionStarted(let session): "\(session.id), engine \(session.engine)"
    case .queryChanged(let query): query.changes(since: before.query ?? ResolvedQuery())
    case .historyChanged(let history): Words.change(before.history, history, \.words)
    case .frequencyChanged(let frequency): Words.change(before.frequency, frequency, \.rawValue)
    case .refreshRequested(let isFull): isFull ? "full" : "delta"
    case .connectivityChanged(let isOnline): Words.change(before.isOnline, isOnline) { $0 ? "online" : "offline" }
    case .credentialsChanged: ""
    case .clockAdjusted(let milliseconds): "by \(milliseconds) ms"
    case .clockTicked(let scope, let due): "\(scope.name), due \(Words.utc(due))"
    case .responseReceived(let response): "request \(response.request): \(response.words)"
    case .responseFailed(let request, let failure): "request \(request): \(failure.rawValue)"
    }
  }
}

extension Input.Response {
  /// Status and bytes, and what else the answer's head says.
  var words: String {
    var words = "\(status), \(Words.bytes(wireBytes))"
    if let retryAfterSeconds { words += ", retry after \(retryAfterSeconds) s" }
    return words
  }
}

extension ResolvedQuery {
  /// What this query changes, property by property, in a fixed order.
  func changes(since old: ResolvedQuery) -> String {
    var changes: [String] = []
    func note<T: Equatable>(_ name: String, _ path: KeyPath<ResolvedQuery, T>, _ words: (T) -> String) {
      let (before, after) = (old[keyPath: path], self[keyPath: path])
      if before != after { changes.append("\(name) \(Words.change(before, after, words))") }
    }
    note("types", \.types, \.words)
    note("viewportTypes", \.viewportTypes) { $0?.words ?? "as types" }
    note("sevs", \.severities, \.words)
    note("polygon", \.polygon, Words.points)
    note("viewport", \.viewport, Words.points)
    note("globalEnabled", \.globalEnabled, Words.yesNo)
    note("upTo", \.isUpToEnabled, Words.yesNo)
    note("altRange", \.altitudes) { range in
      guard let range else { return "all" }
      return [range.lower, range.upper].map { $0.map(String.init) ?? "?" }.joined(separator: "–") + " ft"
    }
    note("route", \.route, Words.points)
    note("routeWidth", \.routeWidthMilliNM) { $0.map { "\(Words.decimal($0, digits: 3)) NM" } ?? "none" }
    note("corridor", \.corridor, Words.points)
    note("corridorFault", \.corridorFault) { $0.map { "\($0.code) at \($0.place)" } ?? "none" }
    return changes.isEmpty ? "nothing" : changes.joined(separator: ", ")
  }
}
