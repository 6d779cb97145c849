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
        try !ScopeContents.fetch(db, key: key, summary).addsUp || (summary.id.hasDeltas && !hasCells)
      }.map(\.summary.id)
    }
  }
}
