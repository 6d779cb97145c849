import Foundation

extension WeatherClock {
  /// The wall clock. The only place in this library that reads it.
  public static let system = WeatherClock { Date() }
}
