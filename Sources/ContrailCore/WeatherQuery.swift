public import ContrailGeodesy
public import ContrailWire

/// Of which places the weather is wanted, and how the service is to tell it.
///
/// ```swift
/// client.dataQuery.weather.places = [destination]
/// client.dataQuery.weather.spec = WeatherSpec(language: "en_US", unit: "metric:v2", hours: 12)
/// ```
public struct WeatherQuery: Hashable, Sendable {
  /// The places, each a scope of its own. None by default.
  public var places: [RoundedCoordinate]
  /// How the service is to answer for each of them.
  public var spec: WeatherSpec

  public init(places: [RoundedCoordinate] = [], spec: WeatherSpec = WeatherSpec()) {
    self.places = places
    self.spec = spec
  }
}
