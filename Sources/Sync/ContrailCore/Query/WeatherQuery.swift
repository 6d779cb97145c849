public import ContrailGeodesy
public import ContrailWire

/// The places to fetch weather for, and the parameters of the requests.
///
/// ```swift
/// client.dataQuery.weather.places = [destination]
/// client.dataQuery.weather.spec = WeatherSpec(language: "en_US", unit: "metric:v2", hours: 12)
/// ```
public struct WeatherQuery: Hashable, Sendable {
  /// The places, each a separate scope. The default is none.
  public var places: [RoundedCoordinate]
  /// The request parameters for each place.
  public var spec: WeatherSpec

  public init(places: [RoundedCoordinate] = [], spec: WeatherSpec = WeatherSpec()) {
    self.places = places
    self.spec = spec
  }
}
