package import ContrailCore
import ContrailWire
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

  /// The contents as a state that can be shown, and nothing can be decided on: no query, no session, no link.
  ///
  /// - Complexity: O(1) beside the contents, which are shared.
  package var preview: State {
    State(previewing: scopes.compactMap(\.scope), serverOffsetMS: serverOffsetMS)
  }
}

extension ScopeContents {
  /// The scope as far as it is shown; nil if nothing of it is wanted.
  fileprivate var scope: Scope? {
    guard var spec = summary.want else { return nil }
    spec.history = summary.history
    return Scope(
      previewing: summary.id, want: summary.want, have: spec, token: summary.asOf,
      lastSuccessAt: summary.lastSuccessAt, reports: reports, pireps: pireps, traffic: traffic, body: polygons)
  }

  /// Whether the records are those that the summary tells of.
  var addsUp: Bool {
    digest == summary.digest && reports.count == summary.reportCount && pireps.count == summary.pirepCount
      && traffic.count == summary.trafficCount
  }
}
