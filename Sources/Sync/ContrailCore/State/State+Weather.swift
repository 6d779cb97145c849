import ContrailGeodesy
import ContrailWire

// Weather rules: a response is valid for a limited time, and its expiry without a newer response is reported.

extension State {
  /// Recomputes which places need weather.
  mutating func updateWeatherWants() {
    let places = Set(query.weather.places)
    for index in scopes.indices {
      guard case .weather(let place) = scopes[index].id, !places.contains(place) else { continue }
      setWant(nil, at: index)
    }
    for place in places.sorted() { setWant(FetchSpec(query.weather.spec), at: ensureScope(.weather(place))) }
  }

  /// Whether the stored data is still valid. Only a full refresh fetches it again.
  func isUnexpired(at index: Int) -> Bool { scopes[index].expiresAt.map { now < $0 } ?? false }

  /// Returns the decision to report expired data, once, and not while a request that may renew it is in flight.
  func expiry(at index: Int, _ plan: Plan) -> Decision.WeatherExpired? {
    guard let expiresAt = expiryWake(at: index, plan), now >= expiresAt, let since = scopes[index].lastSuccessAt else {
      return nil
    }
    return .init(scope: scopes[index].id, since: since, cause: cause)
  }

  /// The time at which ``expiry(at:_:)`` will report next if no event occurs before, in milliseconds.
  func expiryWake(at index: Int, _ plan: Plan) -> Int64? {
    guard let expiresAt = reading(index, { $0.expiresAt }), !scopes[index].isExpired,
      reading(index, { $0.isWanted }),
      plan.rule != .joined, plan.fetch == nil
    else { return nil }
    return expiresAt
  }
}
