import CContrail

extension Digest {
  /// Returns the sum mod 2⁶⁴ of the digests of reports within the same 64 seconds.
  ///
  /// Uses vector instructions, if available.
  ///
  /// - Parameters:
  ///   - reports: The reports, each as ``TurbulenceReport/packed`` above the lower six bits of its second. The top bit
  ///     is ignored.
  ///   - firstSecond: The second whose lower six bits are 0.
  ///   - usesVectors: Whether to use vector instructions. The result is the same.
  /// - Complexity: O(*n*).
  @inlinable @inline(__always)
  package static func sum(
    _ reports: UnsafeBufferPointer<UInt64>, firstSecond: UInt32, usesVectors: Bool = true
  ) -> UInt64 {
    // For few reports, the scalar loop is faster.
    if usesVectors, reports.count > 2, sumsByVectors { return vectorSum(reports, firstSecond) }
    var sum: UInt64 = 0
    for report in reports {
      sum &+=
        TurbulenceReport(
          packed: (report << 1) >> 7, observedAt: firstSecond | UInt32(truncatingIfNeeded: report & 0x3F)
        ).digest
    }
    return sum
  }

  @usableFromInline
  package static let sumsByVectors = contrail_sums_digests()

  @usableFromInline
  package static func vectorSum(_ reports: UnsafeBufferPointer<UInt64>, _ firstSecond: UInt32) -> UInt64 {
    contrail_sum_digests(reports.baseAddress, reports.count, firstSecond)
  }
}
