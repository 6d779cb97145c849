public import Foundation

/// The source of time for a ``WeatherRequest``.
public struct WeatherClock: Sendable {
  /// Returns the current time.
  public var now: @Sendable () -> Date

  public init(now: @escaping @Sendable () -> Date) {
    self.now = now
  }
}
