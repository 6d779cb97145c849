public import Foundation

/// What tells a ``WeatherRequest`` the time.
public struct WeatherClock: Sendable {
  /// The time now.
  public var now: @Sendable () -> Date

  public init(now: @escaping @Sendable () -> Date) {
    self.now = now
  }
}
