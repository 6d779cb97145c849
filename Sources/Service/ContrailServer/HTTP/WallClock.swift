import Foundation

/// The system clock.
enum WallClock {
  /// The time in milliseconds since 1970.
  static func milliseconds() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
