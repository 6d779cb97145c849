/// Weather, and where it is from.
public struct WeatherAnswer: Hashable, Sendable {
  /// The weather.
  public let response: WeatherResponse
  /// Where it is from.
  public let source: WeatherRequest.DataSource
  /// Seconds since the service made it; nil where it doesn't say when. Below zero where the device's clock is slow.
  public let ageSeconds: Double?
  /// Whether it is older than the request's expiration: only where ``WeatherRequest/DataSource/local`` was asked for.
  public let isExpired: Bool
  /// Why an answer of the service could not be stored; nil where it was, or wasn't to be.
  public let storingError: WeatherError?
}
