import ContrailCore
import GRDB

/// All that a store holds at one position of the log: what an app shows at launch, before the log is open.
///
/// Each scope's ``ScopeContents/summary`` has its time, what is wanted, and when the server last answered.
package struct StoredContents: Sendable {
  /// The line of the log that the contents are as of; nil before anything was written.
  package var position: LogPosition?
  /// The server's clock less the device's, in milliseconds; nil if no answer ever told it.
  package var serverOffsetMS: Int64?
  /// The scopes that hold something, in their order.
  package var scopes: [ScopeContents]

  /// - Complexity: O(rows).
  init(_ db: Database) throws {
    let found = try LogPosition.fetchWithOffset(db)
    position = found?.position
    serverOffsetMS = found?.serverOffsetMS
    scopes = try ScopeSummary.fetchAll(db).map { try ScopeContents.fetch(db, key: $0.key, $0.summary) }
  }
}

extension ScopeContents {
  /// Whether the records are those that the summary tells of.
  var addsUp: Bool {
    digest == summary.digest && reports.count == summary.reportCount && pireps.count == summary.pirepCount
      && traffic.count == summary.trafficCount
  }
}
