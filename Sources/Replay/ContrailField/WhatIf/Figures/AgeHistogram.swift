/// How long the shown data had each age, in seconds.
package struct AgeHistogram: Sendable {
  /// The time spent at each second of age, in milliseconds, without the steady parts.
  private var single: [Int64] = []
  /// The changes of the number of ramps that cross a whole second.
  private var steps: [Int64] = []
  /// The total time, in milliseconds.
  package private(set) var totalMS: Int64 = 0
  /// The highest age, in milliseconds.
  package private(set) var worstMS: Int64 = 0

  /// The longest history, and a reserve for clocks that differ.
  private static let maximumSeconds = 12 * 3600

  package init() {}

  /// Adds a time during which the age grew with the clock.
  mutating func add(fromMS: Int64, lengthMS: Int64) {
    guard lengthMS > 0 else { return }
    let from = min(max(fromMS, 0), Int64(Self.maximumSeconds - 2) * 1000)
    let to = min(from + lengthMS, Int64(Self.maximumSeconds - 1) * 1000)
    totalMS += to - from
    worstMS = max(worstMS, to)
    if single.isEmpty {
      single = Array(repeating: 0, count: Self.maximumSeconds)
      steps = single
    }
    let (first, last) = (Int(from / 1000), Int(to / 1000))
    if first == last {
      single[first] += to - from
      return
    }
    single[first] += Int64(first + 1) * 1000 - from
    single[last] += to - Int64(last) * 1000
    steps[first + 1] += 1
    steps[last] -= 1
  }

  /// Returns the age below which the data was for a fraction of the time, in milliseconds; nil if there were none.
  ///
  /// - Complexity: O(1): at most the seconds of half a day.
  package func quantileMS(_ fraction: Double) -> Int64? {
    guard totalMS > 0 else { return nil }
    let limit = Double(totalMS) * fraction
    var (sum, ramps) = (0.0, Int64(0))
    for second in single.indices {
      ramps += steps[second]
      let here = Double(single[second] + ramps * 1000)
      guard here > 0 else { continue }
      if sum + here >= limit { return Int64(second) * 1000 + Int64((limit - sum) / here * 1000) }
      sum += here
    }
    return worstMS
  }
}
