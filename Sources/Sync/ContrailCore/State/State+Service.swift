import ContrailGeodesy
import ContrailWire

// What the service at the server's URL doesn't have, and the change to another service.

extension State {
  /// The kind of service at the server's URL.
  package var service: ServiceProfile { session?.service ?? .contrail }

  /// Whether weather can be fetched.
  var hasWeather: Bool { session.map { $0.service.isContrail || $0.hasWeatherService } ?? true }

  /// The history that is fetched.
  var fetchedHistory: DataHistoryTime { min(history, service.longestHistory) }

  /// Adds what is wanted and the service doesn't have. The rest is fetched.
  func findUnserved(_ found: inout [Rejection]) {
    guard !service.isContrail else { return }
    func add(_ scope: ScopeID, _ place: String) {
      found.append(Rejection(scope: scope, reason: Rejection.unserved, place: place))
    }
    if !query.types.isSubset(of: service.types) { add(.corridor, "types") }
    if let types = query.viewportTypes, !types.isSubset(of: service.types) { add(.viewport, "viewportTypes") }
    if history > fetchedHistory { add(.corridor, "dataHistoryTime") }
    if !hasWeather, let place = query.weather.places.min() { add(.weather(place), "weather") }
  }

  /// Forgets what was learned of another service, and fetches all that is wanted from this one. Until then, the data of wanted areas stays.
  mutating func changeService() {
    updateEach { [now] scope in
      guard scope.id.weatherPlace == nil else { return }
      scope.setWant(nil, at: now)
      scope.handles = Scope.HandleState()
    }
    change(to: query)
    scopes.removeAll { !$0.isWanted }
    updateEach { scope in if scope.id.weatherPlace == nil { scope.pendingRefresh = .full } }
  }
}

extension Ring {
  /// Whether an edge crosses the meridian of 180°.
  var crossesAntimeridian: Bool {
    zip(points, points.dropFirst()).contains { abs($0.longitudeE7 - $1.longitudeE7) > 180 * FixedCoordinate.degree }
  }
}
