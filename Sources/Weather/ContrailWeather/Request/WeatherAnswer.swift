/// Weather and its origin.
public struct WeatherAnswer: Hashable, Sendable {
  /// The weather.
  public let response: WeatherResponse
  /// The origin of the response.
  public let source: WeatherRequest.DataSource
  /// The age of the response in seconds; nil if unknown. Negative if the device's clock is slow.
  public let ageSeconds: Double?
  /// Whether the response is older than the request's expiration. Only possible with
  /// ``WeatherRequest/DataSource/local``.
  public let isExpired: Bool
  /// The differences between the response and the requested form, such as its language; empty if there are none.
  public let differences: [CachingRule.Difference]
  /// The error of storing the service's response; nil if it was stored or wasn't to be.
  public let storingError: WeatherError?
}
