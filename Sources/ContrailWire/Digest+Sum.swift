import CContrailVectors

extension Digest {
  /// The sum mod 2⁶⁴ of the digests of reports of the same 64 seconds, by vector instructions where there are any.
  ///
  /// - Parameters:
  ///   - reports: Each is ``TurbulenceReport/packed`` above the lower six bits of its second; the top bit doesn't count.
  ///   - firstSecond: The second whose lower six bits are 0.
  ///   - usesVectors: Whether vector instructions may be used; the sum is the same either way.
  /// - Complexity: O(*n*).
  @inlinable @inline(__always)
  package static func sum(
    _ reports: UnsafeBufferPointer<UInt64>, firstSecond: UInt32, usesVectors: Bool = true
  ) -> UInt64 {
    // What is few is sooner done here.
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
