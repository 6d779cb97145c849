package import ContrailCore
import ContrailWire
import GRDB

extension ProjectionStore {
  /// Returns the summary of each scope, without the records.
  package func summaries() throws(StoreError) -> [ScopeSummary] {
    try read("reading the scopes") { try ScopeSummary.fetchAll($0).map(\.summary) }
  }

  /// Returns the contents of a scope, or `nil` if it holds nothing.
  ///
  /// - Complexity: O(rows of the scope).
  package func contents(of scope: ScopeID) throws(StoreError) -> ScopeContents? {
    try read("reading a scope") { db in
      guard let (key, summary) = try ScopeSummary.fetch(db, scope) else { return nil }
      return try ScopeContents.fetch(db, key: key, summary)
    }
  }

  /// Returns whether the store matches a state, by comparing digests and counts.
  ///
  /// - Complexity: O(scopes).
  package func holds(_ state: State) throws(StoreError) -> Bool {
    try read("comparing with a state") { db in
      try ScopeSummary.fetchAll(db).map(\.summary) == state.scopes.compactMap(ScopeSummary.init)
        && LogPosition.fetchWithOffset(db)?.serverOffsetMS == state.serverOffsetMS
    }
  }

  /// Returns the scopes whose rows don't match their digest and counts.
  ///
  /// The check finds valid rows with wrong values, which SQLite's check on opening can't find. If the result isn't
  /// empty, rebuild the store.
  ///
  /// - Complexity: O(rows).
  package func verify() throws(StoreError) -> [ScopeID] {
    try read("verifying") { db in
      let hasCells = try CellRows.areSound(db)
      return try ScopeSummary.fetchAll(db).filter { key, summary in
        let contents = try ScopeContents.fetch(db, key: key, summary)
        guard contents.addsUp, summary.id.hasDeltas else { return !contents.addsUp }
        return try !hasCells || HeldSum(reportRowsOf: key, db) != HeldSum(contents.reports)
      }.map(\.summary.id)
    }
  }
}

extension HeldSum {
  fileprivate init(_ reports: ReportSet) { self.init(count: reports.count, checksum: reports.checksum) }

  /// Computes the sum of the rows, which the blocks must have too.
  fileprivate init(reportRowsOf key: Int64, _ db: Database) throws {
    self.init(count: 0, checksum: 0)
    try TurbulenceReport.forEach(in: [0...Int64.max], of: key, db) { report in
      count += 1
      checksum &+= report.digest
    }
  }
}
