/// Consecutive failed attempts, with a delay that doubles each time.
struct Retry: Sendable {
  /// The number of consecutive failed attempts.
  private(set) var count = 0
  /// The earliest time of the next attempt; nil if there is no delay.
  var until: Int64?

  /// Records a failure. The delay grows from one second to 32.
  mutating func fail(at now: Int64) {
    until = now + 1000 << min(Int64(count), 5)
    count += 1
  }

  mutating func succeed() { self = Retry() }
}
