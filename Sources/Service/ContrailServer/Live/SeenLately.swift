/// Counts who was seen within the last ten minutes: a value without a clock, whose memory is bounded.
struct SeenLately: Sendable {
  private static let lifetimeMilliseconds: Int64 = 600_000
  private static let cleaningMilliseconds: Int64 = 60_000

  /// The times in milliseconds at which they were seen last, by a digest of each.
  private var seen: [UInt64: Int64] = [:]
  private var cleanedAt = Int64.min
  private let capacity: Int

  /// - Parameter capacity: The maximum number that is counted.
  init(capacity: Int = 100_000) { self.capacity = capacity }

  /// Notes one. When too many are known, it isn't counted.
  mutating func note(_ digest: UInt64, at now: Int64) {
    if seen[digest] == nil, seen.count >= capacity {
      // Not for each request.
      guard cleanedAt <= now - Self.cleaningMilliseconds else { return }
      clean(at: now)
      guard seen.count < capacity else { return }
    }
    seen[digest] = now
  }

  /// Returns how many were seen within ten minutes.
  mutating func count(at now: Int64) -> Int {
    clean(at: now)
    return seen.count
  }

  private mutating func clean(at now: Int64) {
    cleanedAt = now
    seen = seen.filter { $0.value > now - Self.lifetimeMilliseconds }
  }
}
