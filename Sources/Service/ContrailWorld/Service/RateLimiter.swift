/// The rate of requests that a key, or an address without one, may send.
package struct RequestRate: Hashable, Sendable {
  /// The number of requests per second in the long run.
  package var perSecond: Int
  /// The number of requests that may come at once.
  package var burst: Int

  /// Creates a rate, which allows ten seconds' requests at once.
  ///
  /// - Parameter perSecond: The number of requests per second, at least one.
  package init(perSecond: Int) {
    self.perSecond = max(perSecond, 1)
    burst = self.perSecond * 10
  }
}

/// Limits the requests of each caller, by a bucket of tokens that fills with time.
actor RateLimiter {
  private struct Bucket {
    /// Thousandths of a request.
    var tokens: Int64
    var at: Int64
  }

  private let rate: RequestRate?
  /// The number of callers that are remembered.
  var callerCount: Int { buckets.count }
  private var buckets: [String: Bucket] = [:]
  /// The number of buckets from which full ones are removed.
  private var mostBuckets = 10_000

  /// - Parameter rate: The rate of each caller; nil for no limit.
  init(_ rate: RequestRate?) {
    self.rate = rate
  }

  /// Counts a request of a caller: an accepted key, or an address.
  ///
  /// - Parameter now: The time in milliseconds since 1970.
  /// - Returns: The seconds after which the caller may send the next request; nil if this one may be answered.
  func wait(for key: String, now: Int64) -> Int? {
    guard let rate else { return nil }
    let (full, perSecond) = (Int64(rate.burst) * 1000, Int64(rate.perSecond))
    if buckets.count >= mostBuckets, buckets[key] == nil {
      // A full bucket is as good as none. Others need ten seconds to fill.
      buckets = buckets.filter { $0.value.tokens + min(max(now - $0.value.at, 0), full) * perSecond < full }
      mostBuckets = max(10_000, 2 * buckets.count)
    }
    var bucket = buckets[key] ?? Bucket(tokens: full, at: now)
    // A clock that is set back fills nothing.
    bucket.tokens = min(bucket.tokens + min(max(now - bucket.at, 0), full) * perSecond, full)
    bucket.at = now
    defer { buckets[key] = bucket }
    guard bucket.tokens < 1000 else {
      bucket.tokens -= 1000
      return nil
    }
    return Int((1000 - bucket.tokens + perSecond * 1000 - 1) / (perSecond * 1000))
  }
}
