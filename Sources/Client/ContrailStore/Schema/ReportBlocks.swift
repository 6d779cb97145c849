import ContrailCore
import ContrailWire
import Foundation
import GRDB

/// The table `reportBlocks`: the reports of a scope once more, for a launch, which reads all of them.
///
/// SQLite takes 90 ns for each row, which are 9 ms for 100,000 reports. A block has the reports of 64 seconds, as eight bytes each: the
/// 47 bits of ``TurbulenceReport/packed`` above the lower six bits of the second, the lowest byte first, in ascending order. Its number
/// is the second divided by 64.
enum ReportBlocks {
  private static let bytesPerReport = 8
  private static let secondBits: UInt64 = 6

  /// Writes the blocks in which reports changed.
  ///
  /// - Parameter held: The reports after the change.
  static func write(_ difference: RecordDifference<TurbulenceReport>, held: ReportSet, _ db: Database, key: Int64)
    throws
  {
    let delete = try db.cachedStatement(sql: "DELETE FROM reportBlocks WHERE scope = ? AND block = ?")
    let insert = try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO reportBlocks (scope, block, body) VALUES (?, ?, ?)")
    let changed = Set(difference.added.map { $0.observedAt >> 6 } + difference.removed.map { $0.observedAt >> 6 })
    for block in changed.sorted() {
      let words = held.reports(ofBucket: block).map { $0.packed << secondBits | UInt64($0.observedAt & 63) }.sorted()
      if words.isEmpty {
        try delete.execute(arguments: [key, block])
      } else {
        let body = words.map(\.littleEndian).withUnsafeBytes { Data($0) }
        try insert.execute(arguments: [key, block, body])
      }
    }
  }

  /// Returns the reports of a scope.
  ///
  /// - Throws: `DatabaseError` with the code `SQLITE_CORRUPT` if a block can't have been written by this version.
  /// - Complexity: O(reports).
  static func reports(_ db: Database, key: Int64) throws -> ReportSet {
    let everything = FetchSpec(area: .world, filter: Filter(types: .turbulence, history: .halfHour)).filter.reports(
      asOf: 0)
    var set = ReportSet()
    var reports: [TurbulenceReport] = []
    let statement = try db.cachedStatement(
      sql: "SELECT block, body FROM reportBlocks WHERE scope = ? ORDER BY block")
    let rows = try Row.fetchCursor(statement, arguments: [key])
    while let row = try rows.next() {
      guard let block = UInt32(exactly: try row.integer(0)), block <= UInt32.max >> 6 else { throw Self.corrupt }
      let isValid = try row.data(1).withUnsafeBytes { read($0, ofBlock: block, into: &reports) }
      guard isValid else { throw Self.corrupt }
      // A block is a bucket.
      set.reserveCapacity(reports.count, ofBucket: block)
      set.insert(reports, admittedBy: everything)
    }
    return set
  }

  /// Decodes a block; returns false if it isn't valid.
  private static func read(
    _ body: UnsafeRawBufferPointer, ofBlock block: UInt32, into reports: inout [TurbulenceReport]
  ) -> Bool {
    guard body.count.isMultiple(of: bytesPerReport) else { return false }
    reports.removeAll(keepingCapacity: true)
    for offset in stride(from: 0, to: body.count, by: bytesPerReport) {
      let word = UInt64(littleEndian: body.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      guard word >> secondBits <= TurbulenceReport.maximumPacked else { return false }
      reports.append(
        TurbulenceReport(packed: word >> secondBits, observedAt: block << 6 | UInt32(truncatingIfNeeded: word & 63)))
    }
    return true
  }

  private static let corrupt = DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a block of reports isn't valid")
}

extension TurbulenceReport {
  /// The largest value of ``packed``, which has 47 bits.
  fileprivate static let maximumPacked: UInt64 = (1 << 47) - 1
}
