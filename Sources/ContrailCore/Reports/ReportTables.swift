import ContrailWire

/// The tables of all buckets, from the first to the last that holds a report.
///
/// The memory is managed by hand: a ``ReportStore`` owns it.
struct ReportTables {
  /// The number of the first bucket: seconds since 1970 ÷ 64.
  private var firstBucket: UInt32 = 0
  private var tables: [ReportTable] = []
  /// The table of a bucket that has gone, empty: the next one is likely to need as much room.
  private var spare: ReportTable?

  /// Room for more than this many slots isn't kept.
  private static let maximumSpareSlots = 4096

  /// How many reports all tables hold, and the sum of their digests.
  var sum: (count: Int, checksum: UInt64) {
    tables.reduce((0, 0)) { ($0.0 + $1.count, $0.1 &+ $1.checksum) }
  }

  /// The same tables with memory of their own.
  func copy() -> ReportTables {
    var copy = ReportTables()
    copy.firstBucket = firstBucket
    copy.tables = tables.map(ReportTable.init(copying:))
    return copy
  }

  /// Gives the memory back. The tables must not be used any more.
  func deallocate() {
    for table in tables { table.deallocate() }
    spare?.deallocate()
  }

  // MARK: Adding

  /// Adds those reports for which `isWanted` says true, except where more than `maximumCount` tables were needed.
  ///
  /// - Returns: How many were new, and the sum of their digests.
  @inline(__always)
  mutating func insert(
    _ reports: UnsafeBufferPointer<TurbulenceReport>, maximumCount: Int, where isWanted: (TurbulenceReport) -> Bool
  ) -> (count: Int, checksum: UInt64) {
    var (next, count, checksum) = (0, 0, UInt64(0))
    while true {
      let first = firstBucket
      tables.withUnsafeMutableBufferPointer { tables in
        while next < reports.count {
          let report = reports[next]
          if isWanted(report) {
            let index = Int(report.observedAt >> 6) &- Int(first)
            guard index >= 0, index < tables.count else { return }
            let digest = report.digest
            if tables[index].insert(report, digest: digest) {
              count &+= 1
              checksum &+= digest
            }
          }
          next &+= 1
        }
      }
      guard next < reports.count else { return (count, checksum) }
      if !makeTable(reports[next].observedAt >> 6, maximumCount) { next += 1 }
    }
  }

  /// Makes the table of a bucket that has none; false where it lies too far from the others.
  private mutating func makeTable(_ bucket: UInt32, _ maximumCount: Int) -> Bool {
    if tables.isEmpty {
      firstBucket = bucket
      tables.append(takeSpare())
    } else if bucket < firstBucket {
      let missing = Int(firstBucket - bucket)
      guard missing + tables.count <= maximumCount else { return false }
      tables.insert(contentsOf: repeatElement(ReportTable(), count: missing), at: 0)
      firstBucket = bucket
    } else {
      let index = Int(bucket - firstBucket)
      guard index < maximumCount else { return false }
      while tables.count < index { tables.append(ReportTable()) }
      tables.append(takeSpare())
    }
    return true
  }

  private mutating func takeSpare() -> ReportTable { spare.take() ?? ReportTable() }

  // MARK: Removing

  /// Removes every report observed at `second` or before.
  mutating func removeAll(observedUpTo second: Int64) {
    let limit = second >> 6
    removeFirst(Int(min(max(limit - Int64(firstBucket), 0), Int64(tables.count))))
    if !tables.isEmpty, Int64(firstBucket) == limit {
      tables[0].remove(bucket: firstBucket) { Int64($0.observedAt) <= second }
    }
    trim()
  }

  /// Keeps only the reports for which `isKept` says true.
  mutating func keep(where isKept: (TurbulenceReport) -> Bool) {
    for index in tables.indices {
      tables[index].remove(bucket: firstBucket + UInt32(index)) { !isKept($0) }
    }
    trim()
  }

  private mutating func removeFirst(_ count: Int) {
    guard count > 0 else { return }
    for table in tables[..<count] { recycle(table) }
    tables.removeFirst(count)
    firstBucket += UInt32(count)
  }

  /// Gives up tables without reports at both ends: how far a new report may lie is counted from what is held.
  private mutating func trim() {
    while let last = tables.last, last.count == 0 {
      recycle(last)
      tables.removeLast()
    }
    removeFirst(tables.prefix { $0.count == 0 }.count)
  }

  private mutating func recycle(_ table: ReportTable) {
    guard table.capacity > spare?.capacity ?? 0, table.capacity <= Self.maximumSpareSlots else {
      return table.deallocate()
    }
    spare?.deallocate()
    spare = table
    spare?.removeAll()
  }

  // MARK: Asking

  func contains(_ report: TurbulenceReport) -> Bool {
    let index = Int(report.observedAt >> 6) - Int(firstBucket)
    return tables.indices.contains(index) && tables[index].contains(report)
  }

  /// Calls `body` for each report, by bucket, in no order within.
  func forEach(_ body: (TurbulenceReport) -> Void) {
    for (index, table) in tables.enumerated() { table.forEach(bucket: firstBucket + UInt32(index), body) }
  }
}
