package import ContrailWire

/// The turbulence reports that a scope holds, in buckets of 64 seconds by time of observation.
///
/// Within its bucket, a report takes 53 bits, so that a slot is one 64-bit word. Expired reports are removed by the
/// bucket, so expiry costs per bucket and not per report. The checksum is updated with every change.
package struct ReportSet: Sendable {
  /// The number of stored reports.
  package private(set) var count = 0
  /// The sum mod 2⁶⁴ of the digests of all stored reports.
  package private(set) var checksum: UInt64 = 0

  /// The count and the checksum.
  package var sum: HeldSum { HeldSum(count: count, checksum: checksum) }

  /// The number of the first bucket: seconds since 1970 ÷ 64.
  private(set) var firstBucket: UInt32 = 0
  private(set) var buckets: [Bucket] = []
  /// The number of empty buckets at the beginning. They stay for a while, because removing them moves all others.
  private var leftover = 0
  private static let maximumLeftover = 32

  /// The time span within which reports are accepted in any order, in seconds. Reports 128 s or more beyond it are
  /// rejected.
  ///
  /// It is twice the longest history: enough for both ends of a moving window, and a limit on the memory that a hostile
  /// response can claim.
  static let maximumSpan: Int64 = 2 * DataHistoryTime.sixHours.seconds

  private static let maximumBuckets = Int(maximumSpan / 64) + 1

  package init() {}

  /// Adds a report, unless it is already stored.
  ///
  /// - Returns: False if it was already stored, or is too far from the stored reports: more than twelve hours before
  ///   the newest or after the oldest.
  /// - Complexity: O(1) amortised.
  @discardableResult
  package mutating func insert(_ report: TurbulenceReport) -> Bool {
    guard let index = ensureBucket(report.observedAt >> 6), buckets[index].insert(report) else { return false }
    count &+= 1
    checksum &+= report.digest
    return true
  }

  /// Adds the reports that the filter admits; see ``insert(_:)``.
  ///
  /// - Complexity: O(*n*) amortised.
  package mutating func insert(_ reports: [TurbulenceReport], admittedBy filter: ReportFilter) {
    reports.withUnsafeBufferPointer { insert($0, filter) }
  }

  private mutating func insert(_ reports: UnsafeBufferPointer<TurbulenceReport>, _ filter: ReportFilter) {
    var next = 0
    while next < reports.count {
      let number = reports[next].observedAt >> 6
      guard filter.admits(reports[next]), let index = ensureBucket(number) else {
        next &+= 1
        continue
      }
      let (countBefore, sumBefore) = (buckets[index].count, buckets[index].checksum)
      // Process the run of reports in the same bucket: they usually arrive in order of time.
      buckets[index].insert(reports, from: &next, bucket: number, admittedBy: filter)
      count &+= buckets[index].count &- countBefore
      checksum &+= buckets[index].checksum &- sumBefore
    }
  }

  /// Makes room for so many reports of a bucket that has none, so that its table doesn't grow while they are added.
  ///
  /// - Parameter bucket: Seconds since 1970 ÷ 64.
  package mutating func reserveCapacity(_ reports: Int, ofBucket bucket: UInt32) {
    let index = Int(bucket) - Int(firstBucket)
    guard (leftover..<buckets.count).contains(index) || makeBucket(bucket, room: 0) else { return }
    buckets[Int(bucket) - Int(firstBucket)].reserve(reports)
  }

  /// Returns the index of a bucket, creating it if needed; nil if it is too far from the others.
  @inline(__always)
  private mutating func ensureBucket(_ number: UInt32) -> Int? {
    let index = Int(number) &- Int(firstBucket)
    if index >= leftover, index < buckets.count { return index }
    return makeBucket(number) ? Int(number) &- Int(firstBucket) : nil
  }

  /// Creates a missing bucket and those in between; returns false if it is too far from the others.
  ///
  /// - Parameter room: The initial number of slots; nil for the number of the newest bucket.
  private mutating func makeBucket(_ bucket: UInt32, room: Int? = nil) -> Bool {
    if buckets.isEmpty {
      (firstBucket, leftover) = (bucket, 0)
      // Half an hour, so that the first answer doesn't move them again and again.
      buckets.reserveCapacity(32)
      buckets.append(Bucket())
    } else if Int(bucket) < Int(firstBucket) + leftover {
      removeLeftover()
      let missing = Int(firstBucket - bucket)
      guard missing + buckets.count <= Self.maximumBuckets else { return false }
      buckets.insert(contentsOf: repeatElement(Bucket(), count: missing), at: 0)
      firstBucket = bucket
    } else {
      let missing = Int(bucket - firstBucket) - buckets.count
      guard missing + 1 + buckets.count - leftover <= Self.maximumBuckets else { return false }
      // The newest buckets are still filling up.
      let room = room ?? buckets.suffix(4).reduce(0) { max($0, $1.slots.count) }
      buckets.append(contentsOf: repeatElement(Bucket(), count: missing))
      buckets.append(Bucket(room: room))
    }
    return true
  }

  /// Removes every report observed at or before `second`.
  ///
  /// - Complexity: O(buckets removed), plus O(*k*) in the reports of the one bucket that is trimmed.
  package mutating func removeAll(observedUpTo second: Int64) {
    let limit = second >> 6
    let whole = min(max(limit - Int64(firstBucket), 0), Int64(buckets.count))
    leave(upTo: Int(whole))
    if leftover < buckets.count, Int64(firstBucket) + Int64(leftover) == limit {
      forget(buckets[leftover])
      buckets[leftover].remove(bucket: UInt32(limit), upTo: UInt64(second & 0x3F))
      remember(buckets[leftover])
    }
    trim()
  }

  /// Keeps only the reports for which `isKept` returns true.
  ///
  /// - Complexity: O(*n*).
  package mutating func keep(where isKept: (TurbulenceReport) -> Bool) {
    for index in buckets.indices {
      forget(buckets[index])
      buckets[index].remove(bucket: firstBucket + UInt32(index)) { !isKept($0) }
      remember(buckets[index])
    }
    trim()
  }

  private mutating func forget(_ bucket: Bucket) {
    count -= bucket.count
    checksum &-= bucket.checksum
  }

  private mutating func remember(_ bucket: Bucket) {
    count += bucket.count
    checksum &+= bucket.checksum
  }

  /// Removes empty buckets at both ends, because the accepted span is relative to the stored reports.
  private mutating func trim() {
    while buckets.last?.count == 0 { buckets.removeLast() }
    leave(upTo: buckets[min(leftover, buckets.count)...].firstIndex { $0.count > 0 } ?? buckets.count)
    if leftover > Self.maximumLeftover { removeLeftover() }
  }

  /// Empties the buckets before an index.
  private mutating func leave(upTo end: Int) {
    for index in min(leftover, end)..<end {
      forget(buckets[index])
      buckets[index] = Bucket()
    }
    leftover = min(max(leftover, end), buckets.count)
  }

  private mutating func removeLeftover() {
    buckets.removeFirst(leftover)
    firstBucket += UInt32(leftover)
    leftover = 0
  }

  /// Calls `body` for each report, ordered by bucket, in unspecified order within a bucket.
  package func forEach(_ body: (TurbulenceReport) -> Void) {
    for (index, bucket) in buckets.enumerated() where bucket.count > 0 {
      let number = firstBucket + UInt32(index)
      // Free slots are skipped without a branch, which the processor would predict wrongly.
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: bucket.slots.count) { taken in
        var count = 0
        for slot in bucket.slots {
          taken[count] = slot
          count += Bucket.isReport(slot) ? 1 : 0
        }
        for slot in taken[..<count] { body(Bucket.report(slot, number)) }
      }
    }
  }

  /// Returns the second of the oldest report that the filter admits; nil if it admits none.
  ///
  /// - Complexity: O(*k*) in the reports of the buckets from the filter's limit up to that report's.
  package func oldest(admittedBy filter: ReportFilter) -> UInt32? {
    for (index, bucket) in buckets.enumerated() where bucket.count > 0 {
      let number = firstBucket + UInt32(index)
      // The filter admits none of a bucket that ends before its limit.
      guard Int64(number << 6 | 0x3F) > filter.limit else { continue }
      var oldest: UInt32?
      for slot in bucket.slots where Bucket.isReport(slot) {
        let report = Bucket.report(slot, number)
        if let oldest, oldest <= report.observedAt { continue }
        if filter.admits(report) { oldest = report.observedAt }
      }
      if let oldest { return oldest }
    }
    return nil
  }

  /// Returns the reports of a bucket, in unspecified order.
  ///
  /// - Parameter number: Their second since 1970 ÷ 64.
  package func reports(ofBucket number: UInt32) -> [TurbulenceReport] {
    guard number >= firstBucket, Int(number - firstBucket) < buckets.count else { return [] }
    return buckets[Int(number - firstBucket)].slots.filter(Bucket.isReport).map { Bucket.report($0, number) }
  }

  /// Whether the report is stored.
  package func contains(_ report: TurbulenceReport) -> Bool {
    let bucket = report.observedAt >> 6
    guard bucket >= firstBucket, Int(bucket - firstBucket) < buckets.count else { return false }
    return buckets[Int(bucket - firstBucket)].contains(Bucket.slot(report))
  }

  /// The reports, sorted by time, then cell, altitude, severity and EDR.
  ///
  /// - Complexity: O(*n* log *n*).
  package var sorted: [TurbulenceReport] {
    var all: [TurbulenceReport] = []
    all.reserveCapacity(count)
    forEach { all.append($0) }
    all.sort { ($0.observedAt, $0.packed) < ($1.observedAt, $1.packed) }
    return all
  }
}

extension ReportSet: Equatable {
  /// Whether both contain the same reports.
  package static func == (a: ReportSet, b: ReportSet) -> Bool {
    guard a.count == b.count, a.checksum == b.checksum else { return false }
    return a.sorted == b.sorted
  }
}
