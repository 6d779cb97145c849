public import ContrailWire

/// The turbulence reports that a scope holds: a set of immutable facts, in buckets of 64 seconds by when they were observed.
///
/// A report is 53 bits within its bucket, so that a slot is one word of 64. What is too old goes a bucket at a time, so expiry costs
/// per bucket and not per report; the checksum is kept as reports come and go.
public struct ReportSet: Sendable {
  /// How many reports are held.
  public private(set) var count = 0
  /// The sum mod 2⁶⁴ of the digests of the reports that are held.
  public private(set) var checksum: UInt64 = 0

  /// The number of the first bucket: seconds since 1970 ÷ 64.
  private(set) var firstBucket: UInt32 = 0
  private(set) var buckets: [Bucket] = []

  /// The span within which reports are held whatever their order, in seconds; from 128 s beyond it they are refused.
  ///
  /// Twice the longest history: room for both ends of a window that moves, and a bound on what a hostile answer can make us store.
  static let maximumSpan: Int64 = 2 * DataHistoryTime.sixHours.seconds

  private static let maximumBuckets = Int(maximumSpan / 64) + 1

  public init() {}

  /// One hash table with open addressing; 0 is an empty slot, the top bit marks a used one.
  struct Bucket: Sendable {
    var slots: [UInt64] = []
    var count = 0
    var checksum: UInt64 = 0

    static let used: UInt64 = 1 << 63

    @inline(__always)
    static func home(_ slot: UInt64, _ mask: Int) -> Int {
      Int(truncatingIfNeeded: (slot &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    }

    mutating func insert(_ slot: UInt64) -> Bool {
      if (count + 1) * 4 > slots.count * 3 { grow() }
      let mask = slots.count - 1
      var index = Self.home(slot, mask)
      while slots[index] != 0 {
        if slots[index] == slot { return false }
        index = (index + 1) & mask
      }
      slots[index] = slot
      count += 1
      return true
    }

    private mutating func grow() {
      let old = slots
      slots = [UInt64](repeating: 0, count: max(8, old.count * 2))
      let mask = slots.count - 1
      for slot in old where slot != 0 {
        var index = Self.home(slot, mask)
        while slots[index] != 0 { index = (index + 1) & mask }
        slots[index] = slot
      }
    }

    func contains(_ slot: UInt64) -> Bool {
      guard !slots.isEmpty else { return false }
      let mask = slots.count - 1
      var index = Self.home(slot, mask)
      while slots[index] != 0 {
        if slots[index] == slot { return true }
        index = (index + 1) & mask
      }
      return false
    }

    mutating func keep(bucket: UInt32, where isKept: (TurbulenceReport) -> Bool) {
      let old = slots
      self = Bucket()
      for slot in old where slot != 0 {
        let report = ReportSet.report(slot, bucket)
        if isKept(report) {
          _ = insert(slot)
          checksum &+= report.digest
        }
      }
    }
  }

  @inline(__always)
  static func report(_ slot: UInt64, _ bucket: UInt32) -> TurbulenceReport {
    TurbulenceReport(
      packed: (slot & ~Bucket.used) >> 6, observedAt: bucket << 6 | UInt32(truncatingIfNeeded: slot & 0x3F))
  }

  /// Adds a report; one that is held already changes nothing.
  ///
  /// - Returns: False if it was held, or lies too far from what is held: more than twelve hours before the newest or after the oldest.
  /// - Complexity: O(1) amortised.
  @discardableResult
  public mutating func insert(_ report: TurbulenceReport) -> Bool {
    let bucket = report.observedAt >> 6
    if buckets.isEmpty {
      firstBucket = bucket
      buckets.append(Bucket())
    } else if bucket < firstBucket {
      let missing = Int(firstBucket - bucket)
      guard missing + buckets.count <= Self.maximumBuckets else { return false }
      buckets.insert(contentsOf: repeatElement(Bucket(), count: missing), at: 0)
      firstBucket = bucket
    } else if Int(bucket - firstBucket) >= buckets.count {
      let missing = Int(bucket - firstBucket) - buckets.count + 1
      guard missing + buckets.count <= Self.maximumBuckets else { return false }
      buckets.append(contentsOf: repeatElement(Bucket(), count: missing))
    }
    let index = Int(bucket - firstBucket)
    let slot = Bucket.used | report.packed << 6 | UInt64(report.observedAt & 0x3F)
    guard buckets[index].insert(slot) else { return false }
    let digest = report.digest
    buckets[index].checksum &+= digest
    checksum &+= digest
    count += 1
    return true
  }

  /// Drops every report observed at `second` or before.
  ///
  /// - Complexity: O(buckets dropped), and O(*k*) in the reports of the one bucket that is cut.
  public mutating func removeAll(observedUpTo second: Int64) {
    let limit = second >> 6
    let whole = min(max(limit - Int64(firstBucket), 0), Int64(buckets.count))
    for index in 0..<Int(whole) { forget(buckets[index]) }
    buckets.removeFirst(Int(whole))
    firstBucket += UInt32(whole)
    if let cut = buckets.first, Int64(firstBucket) == limit {
      forget(cut)
      buckets[0].keep(bucket: firstBucket) { Int64($0.observedAt) > second }
      remember(buckets[0])
    }
    trim()
  }

  /// Keeps only the reports for which `isKept` says true.
  ///
  /// - Complexity: O(*n*).
  public mutating func keep(where isKept: (TurbulenceReport) -> Bool) {
    for index in buckets.indices {
      forget(buckets[index])
      buckets[index].keep(bucket: firstBucket + UInt32(index), where: isKept)
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

  /// Gives up empty buckets at both ends: how far a new report may lie is counted from what is held.
  private mutating func trim() {
    while buckets.last?.count == 0 { buckets.removeLast() }
    let empty = buckets.prefix { $0.count == 0 }.count
    buckets.removeFirst(empty)
    firstBucket += UInt32(empty)
  }

  /// Calls `body` for each report, by bucket of time, in no order within.
  public func forEach(_ body: (TurbulenceReport) -> Void) {
    for (index, bucket) in buckets.enumerated() {
      for slot in bucket.slots where slot != 0 { body(Self.report(slot, firstBucket + UInt32(index))) }
    }
  }

  /// Whether the report is held.
  public func contains(_ report: TurbulenceReport) -> Bool {
    let bucket = report.observedAt >> 6
    guard bucket >= firstBucket, Int(bucket - firstBucket) < buckets.count else { return false }
    let slot = Bucket.used | report.packed << 6 | UInt64(report.observedAt & 0x3F)
    return buckets[Int(bucket - firstBucket)].contains(slot)
  }

  /// The reports by time, then cell, altitude, severity and EDR.
  ///
  /// - Complexity: O(*n* log *n*).
  public var sorted: [TurbulenceReport] {
    var all: [TurbulenceReport] = []
    all.reserveCapacity(count)
    forEach { all.append($0) }
    all.sort { ($0.observedAt, $0.packed) < ($1.observedAt, $1.packed) }
    return all
  }
}

extension ReportSet: Equatable {
  /// Whether both hold the same reports.
  public static func == (a: ReportSet, b: ReportSet) -> Bool {
    guard a.count == b.count, a.checksum == b.checksum else { return false }
    return a.sorted == b.sorted
  }
}
