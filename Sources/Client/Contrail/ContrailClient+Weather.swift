import ContrailCore
import ContrailEngine
public import ContrailGeodesy
public import ContrailWeather
public import ContrailWire
public import Foundation

/// The stored weather of a place, and its age.
public struct HeldWeather: Sendable {
  /// The place.
  public let place: RoundedCoordinate
  /// The weather.
  public let response: WeatherResponse
  /// The time when the response was received or confirmed, by the device's clock.
  public let receivedAt: Date
  /// The time since then.
  public let age: Duration
  /// Whether it is older than five minutes. Show it, and mark it as old.
  public let isExpired: Bool
}

extension ContrailClient {
  /// Returns the stored weather of a place, whatever its age; nil if no weather is stored, or the place isn't in the data query.
  ///
  /// ```swift
  /// client.dataQuery.weather.places = [destination]
  /// for await case .data(.weather(destination)) in client.updates {
  ///   if let held = try client.weather(at: destination) { show(held.response, isOld: held.isExpired) }
  /// }
  /// ```
  ///
  /// - Throws: `WeatherError` with `malformed` if the stored response has an unexpected form, and with
  ///   `answeredForAnotherPlace` if it is for a place more than a kilometre away.
  /// - Complexity: O(bytes of the response).
  public func weather(at place: RoundedCoordinate) throws(WeatherError) -> HeldWeather? {
    let (state, now) = moment
    guard let scope = state.scope(.weather(place)), scope.want != nil,
      let receivedAt = scope.lastSuccessAt, let expiresAt = scope.expiresAt
    else { return nil }
    let response = try WeatherResponse(json: Data(scope.weather))
    try response.checkPlace(place)
    return HeldWeather(
      place: place, response: response,
      receivedAt: Date(milliseconds: receivedAt),
      age: .milliseconds(max(now - receivedAt, 0)), isExpired: now >= expiresAt)
  }

  /// The stored weather of a coordinate's place, which is the coordinate rounded to four decimals.
  ///
  /// - Throws: `WeatherError` with `invalidCoordinate` if the coordinate isn't a point on the earth, otherwise as
  ///   for a place.
  /// - Complexity: O(bytes of the response).
  public func weather(at coordinate: some GeographicPoint) throws(WeatherError) -> HeldWeather? {
    try weather(at: RoundedCoordinate(coordinate.coordinate))
  }

  /// Writes the stored weather to a cache, one file per place, for ``WeatherRequest`` to read.
  ///
  /// - Throws: `WeatherError` with `notStored` for the first file that can't be written.
  public func storeWeather(in store: WeatherStore) throws(WeatherError) {
    for scope in core.shown.state.scopes {
      guard let place = scope.id.weatherPlace, !scope.weather.isEmpty else { continue }
      try store.write(Data(scope.weather), for: place)
    }
  }
}

extension WeatherSpec {
  /// Creates the options of an endpoint, without its token, place and service.
  public init(_ endpoint: WeatherEndpoint) {
    self.init(
      language: endpoint.language, unit: endpoint.measurementSystem, includesAlerts: endpoint.shouldIncludeAlerts,
      hours: endpoint.hourlyLength, days: endpoint.dailyLength, version: endpoint.version, file: endpoint.file)
  }

  /// Creates options with a language and a unit system.
  public init(
    language: WeatherLanguage, unit: WeatherUnit, includesAlerts: Bool = true, hours: Int = 48, days: Int = 5,
    version: String = "v2.5", file: String = "weather.json"
  ) {
    self.init(
      language: language.rawValue, unit: unit.rawValue, includesAlerts: includesAlerts, hours: Int64(hours),
      days: Int64(days), version: version, file: file)
  }
}
