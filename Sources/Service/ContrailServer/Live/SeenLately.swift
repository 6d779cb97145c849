/// Counts the keys, or the areas, that were seen within the last ten minutes.
struct SeenLately: Sendable {
  private static let lifetimeMilliseconds: Int64 = 600_000
  private static let cleaningMilliseconds: Int64 = 60_000

  /// The time in milliseconds at which each was seen last, by its digest.
  private var seen: [UInt64: Int64] = [:]
  private var cleanedAt = Int64.min
  private let capacity: Int

  /// - Parameter capacity: The greatest number that is counted, which bounds the memory.
  init(capacity: Int = 100_000) { self.capacity = capacity }

  /// Notes that one was seen. While ``capacity`` others are known, a new one isn't counted.
  mutating func note(_ digest: UInt64, at now: Int64) {
    if seen[digest] == nil, seen.count >= capacity {
      // Cleaning takes long, so it isn't done for each request.
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
