/// Decides whether a download that broke is tried again, and when.
struct DownloadRetry {
  /// Attempts in all, whatever they bring.
  static let maximumAttempts = 32
  /// Attempts in a row, of which only the first brought something that is kept.
  static let maximumFruitlessAttempts = 3
  /// An attempt that brings as much lets the waits begin anew.
  static let ampleBytes: Int64 = 1 << 16
  static let maximumWaitSeconds = 60

  private(set) var attempts = 0
  private var fruitlessAttempts = 0
  private var waitSeconds = 1

  /// Takes the result of an attempt that broke.
  ///
  /// - Parameter keptBytes: How many more bytes are there than before, from which the next attempt goes on.
  /// - Returns: How long to wait before the next attempt; nil to give up.
  mutating func wait(afterKeeping keptBytes: Int64) -> Duration? {
    attempts += 1
    fruitlessAttempts = keptBytes > 0 ? 1 : fruitlessAttempts + 1
    guard attempts < Self.maximumAttempts, fruitlessAttempts < Self.maximumFruitlessAttempts else { return nil }
    if keptBytes >= Self.ampleBytes { waitSeconds = 1 }
    defer { waitSeconds = min(waitSeconds * 2, Self.maximumWaitSeconds) }
    return .seconds(waitSeconds)
  }
}
