import ContrailWire

// What is particular to the weather of a place: an answer holds for a while, and when that is over without a newer one, it is said.

extension State {
  /// Works out anew of which places the weather is wanted.
  mutating func updateWeatherWants() {
    let places = Set(query.weather.places)
    for index in scopes.indices {
      guard case .weather(let place) = scopes[index].id, !places.contains(place) else { continue }
      setWant(nil, at: index)
    }
    for place in places.sorted() { setWant(FetchSpec(query.weather.spec), at: ensureScope(.weather(place))) }
  }

  /// Whether what is held still holds: nothing is asked for it then, unless everything is wanted anew.
  func isUnexpired(at index: Int) -> Bool { scopes[index].expiresAt.map { now < $0 } ?? false }

  /// What is to be said now: that what is held has expired, once, and not while a request that may renew it is under way.
  func expiry(at index: Int, _ plan: Plan) -> Decision.WeatherExpired? {
    guard let expiresAt = expiryWake(at: index, plan), now >= expiresAt, let since = scopes[index].lastSuccessAt else {
      return nil
    }
    return .init(scope: scopes[index].id, since: since, cause: cause)
  }

  /// When ``expiry(at:_:)`` will have something to say if nothing happens before, in milliseconds.
  func expiryWake(at index: Int, _ plan: Plan) -> Int64? {
    guard let expiresAt = scopes[index].expiresAt, !scopes[index].isExpired, scopes[index].want != nil,
      plan.rule != .joined, plan.fetch == nil
    else { return nil }
    return expiresAt
  }
}
