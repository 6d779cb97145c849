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

  /// Adds a rejection for each part of the query that the service doesn't have. The other parts are fetched.
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

  /// Forgets the handles of the service before, and plans a full fetch of everything that is wanted. Data of wanted areas stays until it is fetched.
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
