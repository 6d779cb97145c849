/// Decides whether and when to retry an interrupted download.
struct DownloadRetry {
  /// The maximum number of attempts.
  static let maximumAttempts = 32
  /// The maximum number of consecutive attempts, counted from the last one that added bytes.
  static let maximumFruitlessAttempts = 3
  /// The number of bytes after which the delay is reset.
  static let ampleBytes: Int64 = 1 << 16
  static let maximumWaitSeconds = 60

  private(set) var attempts = 0
  private var fruitlessAttempts = 0
  private var waitSeconds = 1

  /// Records a failed attempt.
  ///
  /// - Parameter keptBytes: The number of bytes the attempt added.
  /// - Returns: The delay before the next attempt, or `nil` to give up.
  mutating func wait(afterKeeping keptBytes: Int64) -> Duration? {
    attempts += 1
    fruitlessAttempts = keptBytes > 0 ? 1 : fruitlessAttempts + 1
    guard attempts < Self.maximumAttempts, fruitlessAttempts < Self.maximumFruitlessAttempts else { return nil }
    if keptBytes >= Self.ampleBytes { waitSeconds = 1 }
    defer { waitSeconds = min(waitSeconds * 2, Self.maximumWaitSeconds) }
    return .seconds(waitSeconds)
  }
}
