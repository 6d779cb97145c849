public import ContrailCore
import ContrailWire
import GRDB

extension ProjectionStore {
  /// Returns what is held, scope by scope, without the records.
  public func summaries() throws(StoreError) -> [ScopeSummary] {
    try read("reading the scopes") { try ScopeSummary.fetchAll($0).map(\.summary) }
  }

  /// Returns all that a scope holds; nil where nothing is.
  ///
  /// - Complexity: O(rows of the scope).
  public func contents(of scope: ScopeID) throws(StoreError) -> ScopeContents? {
    try read("reading a scope") { db in
      guard let (key, summary) = try ScopeSummary.fetch(db, scope) else { return nil }
      return try ScopeContents.fetch(db, key: key, summary)
    }
  }

  /// Returns whether the store holds what a state holds, as far as digests and counts tell.
  ///
  /// - Complexity: O(scopes).
  public func holds(_ state: State) throws(StoreError) -> Bool {
    try read("comparing with a state") { db in
      try ScopeSummary.fetchAll(db).map(\.summary) == state.scopes.compactMap(ScopeSummary.init)
        && LogPosition.fetchWithOffset(db)?.serverOffsetMS == state.serverOffsetMS
    }
  }

  /// Returns the scopes whose rows do not add up to their digest and counts; none for a sound store.
  ///
  /// It finds what SQLite's own check on opening can't: a row that is well formed and wrong. Rebuild then.
  ///
  /// - Complexity: O(rows).
  public func verify() throws(StoreError) -> [ScopeID] {
    try read("verifying") { db in
      let hasCells = try CellRows.areSound(db)
      return try ScopeSummary.fetchAll(db).filter { key, summary in
        try !ScopeContents.fetch(db, key: key, summary).addsUp || (summary.id.hasDeltas && !hasCells)
      }.map(\.summary.id)
    }
  }
}
