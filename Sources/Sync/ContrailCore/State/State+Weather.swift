import ContrailGeodesy
import ContrailWire

// Weather rules: a response is valid for a limited time, and its expiry without a newer response is reported.

extension State {
  /// Recomputes which places need weather. If the service doesn't know the requested form, each place keeps its last one.
  mutating func updateWeatherWants(_ found: inout [Rejection]) {
    let places = hasWeather ? Set(query.weather.places) : []
    if let place = places.min(), let member = query.weather.spec.unknownMember {
      found.append(
        Rejection(scope: .weather(place), reason: "unknownToService", place: Rejection.weatherSpec + member))
    }
    updateEach { [now] scope in
      if let place = scope.id.weatherPlace, !places.contains(place) { scope.setWant(nil, at: now) }
    }
    guard query.weather.spec.unknownMember == nil else { return }
    for place in places.sorted() { setWant(FetchSpec(query.weather.spec), of: .weather(place)) }
  }
}

extension Scope {
  /// Returns the decision to report expired data, once, and not while a request that may renew it is in flight.
  func expiry(_ plan: Plan, _ context: Context) -> Decision.WeatherExpired? {
    guard let expiresAt = expiryWake(plan), context.now >= expiresAt, let since = lastSuccessAt else { return nil }
    return .init(scope: id, since: since, cause: context.cause)
  }

  /// The time at which ``expiry(_:_:)`` will report next if no event occurs before, in milliseconds.
  func expiryWake(_ plan: Plan) -> Int64? {
    guard let expiresAt, !isExpired, isWanted, plan.rule != .joined, plan.fetch == nil else { return nil }
    return expiresAt
  }
}
