/// How long after their observation reports arrived at the server, learned from a recording.
///
/// A recording tells of each report an interval in which it arrived. A report observed just before an answer that contains it arrived
/// soon. A report that such an answer doesn't contain arrived late. Expectation maximization over bins finds the most likely
/// distribution for all intervals (Turnbull, J. R. Statist. Soc. B 38, 1976).
package struct ArrivalDelays: Sendable {
  /// How frequent the reports of each bin are, compared with the others.
  private var shares: [Double]

  /// The bounds of the bins, in seconds.
  private static let bounds: [Int64] = [
    0, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192,
    16_384, 86_400,
  ]
  /// As many reports as are enough for a distribution.
  private static let maximumCount = 4000
  private static let rounds = 40

  /// Learns from the shortest and the longest possible delay of each report, in seconds.
  ///
  /// - Complexity: O(*n*), but for at most 4000 reports.
  package init(_ intervals: some RandomAccessCollection<ClosedRange<Int64>>) {
    let binCount = Self.bounds.count - 1
    shares = Array(repeating: 1, count: binCount)
    let step = max(1, intervals.count / Self.maximumCount)
    let parts = stride(from: 0, to: intervals.count, by: step).map {
      Self.overlaps(intervals[intervals.index(intervals.startIndex, offsetBy: $0)])
    }
    guard !parts.isEmpty else { return }
    for _ in 0..<Self.rounds {
      // Half a report, spread over the bins, so that none is impossible.
      var counts = Array(repeating: 0.5 / Double(binCount), count: binCount)
      for part in parts {
        let sum = part.reduce(0) { $0 + shares[$1.bin] * $1.overlap }
        for (bin, overlap) in part { counts[bin] += shares[bin] * overlap / sum }
      }
      shares = counts
    }
  }

  /// Returns a delay from a range by the distribution.
  ///
  /// - Parameters:
  ///   - range: The shortest and the longest possible delay, in seconds.
  ///   - quantile: The part of the distribution within the range that lies below, 0…1.
  package func delay(in range: ClosedRange<Int64>, quantile: Double) -> Int64 {
    let parts = Self.overlaps(range)
    let sum = parts.reduce(0) { $0 + shares[$1.bin] * $1.overlap }
    let length = Double(range.upperBound - range.lowerBound)
    guard sum > 0 else { return range.lowerBound + Int64(quantile * length) }
    var left = quantile * sum
    for (bin, overlap) in parts {
      let weight = shares[bin] * overlap
      if left <= weight {
        let from = max(range.lowerBound, Self.bounds[bin])
        let to = min(range.upperBound + 1, Self.bounds[bin + 1])
        return min(from + Int64(Double(to - from) * (left / weight)), range.upperBound)
      }
      left -= weight
    }
    return range.upperBound
  }

  /// Returns the bins that a range meets, and which part of each lies in it.
  private static func overlaps(_ range: ClosedRange<Int64>) -> [(bin: Int, overlap: Double)] {
    var parts: [(bin: Int, overlap: Double)] = []
    var bin = max(0, bounds.partition { $0 > range.lowerBound } - 1)
    while bin < bounds.count - 1, bounds[bin] <= range.upperBound {
      let length = min(bounds[bin + 1], range.upperBound + 1) - max(bounds[bin], range.lowerBound)
      parts.append((bin, Double(length) / Double(bounds[bin + 1] - bounds[bin])))
      bin += 1
    }
    return parts
  }
}
