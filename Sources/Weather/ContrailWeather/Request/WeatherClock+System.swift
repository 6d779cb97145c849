import Foundation

extension WeatherClock {
  /// The system's wall clock. This is its only use in this library.
  public static let system = WeatherClock { Date() }
}
