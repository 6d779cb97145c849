package import ContrailCore
import ContrailWire
import GRDB

/// The complete contents of a store at one log position, which the app shows at launch before the log is open.
///
/// The ``ScopeContents/summary`` of each scope contains its time, the requested data and the time of the last response.
package struct StoredContents: Sendable {
  /// The log position of the contents, or `nil` if nothing has been written.
  package var position: LogPosition?
  /// The server time minus the device time in milliseconds, or `nil` if no response contained the server time.
  package var serverOffsetMS: Int64?
  /// The scopes with contents, in scope order.
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
      previewing: summary.id, want: summary.want, have: spec, watermark: summary.asOf,
      lastSuccessAt: summary.lastSuccessAt, reports: reports, pireps: pireps, traffic: traffic, body: polygons)
  }

  /// Whether the records match the digest and the counts of the summary.
  var addsUp: Bool {
    digest == summary.digest && reports.count == summary.reportCount && pireps.count == summary.pirepCount
      && traffic.count == summary.trafficCount
  }
}
