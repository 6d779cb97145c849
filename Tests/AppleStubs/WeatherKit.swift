// The names of WeatherKit that are also names of this package; see README.md.

public final class WeatherService: Sendable {
  public static let shared = WeatherService()
}

public struct WeatherAlert: Sendable {
  public var summary: String
}

public struct WeatherQuery<Value> {
  public static var alerts: WeatherQuery<[WeatherAlert]?> { .init() }
}

public enum WeatherError: Error { case permissionDenied, unknown }
