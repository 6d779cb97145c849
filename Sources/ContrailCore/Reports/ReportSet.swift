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

  /// Nil as long as nothing was ever held.
  private var store: ReportStore?

  /// The span within which reports are held whatever their order, in seconds; from 128 s beyond it they are refused.
  ///
  /// Twice the longest history: room for both ends of a window that moves, and a bound on what a hostile answer can make us store.
  static let maximumSpan: Int64 = 2 * DataHistoryTime.sixHours.seconds

  private static let maximumBuckets = Int(maximumSpan / 64) + 1

  public init() {}

  /// Adds a report; one that is held already changes nothing.
  ///
  /// - Returns: False if it was held, or lies too far from what is held: more than twelve hours before the newest or after the oldest.
  /// - Complexity: O(1) amortised.
  @discardableResult
  public mutating func insert(_ report: TurbulenceReport) -> Bool {
    let before = count
    withUnsafePointer(to: report) { insert(UnsafeBufferPointer(start: $0, count: 1)) { _ in true } }
    return count > before
  }

  /// Adds those reports for which `isWanted` says true; see ``insert(_:)``.
  ///
  /// - Complexity: O(*n*) amortised.
  @inline(__always)
  mutating func insert(_ reports: [TurbulenceReport], where isWanted: (TurbulenceReport) -> Bool) {
    reports.withUnsafeBufferPointer { insert($0, where: isWanted) }
  }

  @inline(__always)
  private mutating func insert(
    _ reports: UnsafeBufferPointer<TurbulenceReport>, where isWanted: (TurbulenceReport) -> Bool
  ) {
    let store = ownStore()
    var tables = store.take()
    let added = tables.insert(reports, maximumCount: Self.maximumBuckets, where: isWanted)
    store.put(tables)
    count += added.count
    checksum &+= added.checksum
  }

  /// Drops every report observed at `second` or before.
  ///
  /// - Complexity: O(buckets dropped), and O(*k*) in the reports of the one bucket that is cut.
  public mutating func removeAll(observedUpTo second: Int64) {
    guard count > 0 else { return }
    let store = ownStore()
    var tables = store.take()
    tables.removeAll(observedUpTo: second)
    adopt(tables, in: store)
  }

  /// Keeps only the reports for which `isKept` says true.
  ///
  /// - Complexity: O(*n*).
  public mutating func keep(where isKept: (TurbulenceReport) -> Bool) {
    guard count > 0 else { return }
    let store = ownStore()
    var tables = store.take()
    tables.keep(where: isKept)
    adopt(tables, in: store)
  }

  private mutating func adopt(_ tables: ReportTables, in store: ReportStore) {
    (count, checksum) = tables.sum
    store.put(tables)
  }

  /// The store, which is this set's own.
  private mutating func ownStore() -> ReportStore {
    // Asked before it is taken out, which makes one more owner.
    let isOwn = isKnownUniquelyReferenced(&store)
    if isOwn, let store { return store }
    let own = store.map(ReportStore.init(copying:)) ?? ReportStore()
    store = own
    return own
  }

  /// Calls `body` for each report, by bucket of time, in no order within.
  public func forEach(_ body: (TurbulenceReport) -> Void) { store?.tables.forEach(body) }

  /// Whether the report is held.
  public func contains(_ report: TurbulenceReport) -> Bool { store?.tables.contains(report) ?? false }

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
