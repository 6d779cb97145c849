package import ContrailCore
import ContrailWire

/// The difference between the contents of two states, to be written to a store.
///
/// The change is a separate value, so the engine can create it immediately and another thread can write it.
package struct StoreChange: Sendable {
  var scopes: [ScopeChange] = []
  /// The server time minus the device time in milliseconds, after the change.
  var serverOffsetMS: Int64?
  /// Whether the change modifies the stored offset.
  var hasNewOffset: Bool

  /// The change of one scope.
  struct ScopeChange: Sendable {
    var id: ScopeID
    /// The required contents before the change, or `nil` for none.
    var before: ScopeSummary?
    /// The contents after the change, or `nil` for none.
    var after: ScopeSummary?
    var reports = RecordDifference<TurbulenceReport>()
    /// The reports after the change.
    var heldReports = ReportSet()
    var pireps = RecordDifference<PIREP>()
    /// The new list, if it changed.
    var traffic: [TrafficPosition]?
    /// The new bytes, if they changed.
    var polygons: [UInt8]?
  }

  /// Creates the change from one state to another.
  ///
  /// - Parameters:
  ///   - previous: The state at the position of the store, or a later state with the same stored contents.
  ///   - next: The state at the new position.
  /// - Complexity: O(changes) if `next` evolved from a copy of `previous`, and O(bytes) for digests of polygons.
  package init(from previous: State, to next: State) {
    // Equal polygons need no digest.
    func contents(of state: State, unlike other: State) -> [ScopeContents] {
      state.scopes.filter { !$0.holdsSamePolygons(as: other.scope($0.id)) }.compactMap(ScopeContents.init)
    }
    self.init(from: contents(of: previous, unlike: next), to: contents(of: next, unlike: previous))
    serverOffsetMS = next.serverOffsetMS
    hasNewOffset = previous.serverOffsetMS != next.serverOffsetMS
  }

  init(from previous: StoredContents, to next: State) {
    self.init(from: previous.scopes, to: next.scopes.compactMap(ScopeContents.init))
    serverOffsetMS = next.serverOffsetMS
    hasNewOffset = previous.serverOffsetMS != next.serverOffsetMS
  }

  private init(from previous: [ScopeContents], to next: [ScopeContents]) {
    hasNewOffset = false
    for old in previous where !next.contains(where: { $0.summary.id == old.summary.id }) {
      scopes.append(ScopeChange(id: old.summary.id, before: old.summary, after: nil))
    }
    for new in next {
      let old = previous.first { $0.summary.id == new.summary.id }
      var change = ScopeChange(id: new.summary.id, before: old?.summary, after: new.summary)
      change.reports = new.reports.difference(from: old?.reports ?? ReportSet())
      change.heldReports = new.reports
      change.pireps = new.pireps.difference(from: old?.pireps ?? PIREPSet())
      if !new.traffic.isSame(as: old?.traffic ?? []) { change.traffic = new.traffic }
      if new.polygons != old?.polygons ?? [] { change.polygons = new.polygons }
      let isSame =
        change.before == change.after && change.reports.isEmpty && change.pireps.isEmpty && change.traffic == nil
        && change.polygons == nil
      if !isSame { scopes.append(change) }
    }
  }

  /// Whether the stored contents don't change. An empty change need not be applied.
  package var isEmpty: Bool { scopes.isEmpty && !hasNewOffset }

  /// The changed scopes.
  package var changedScopes: [ScopeID] { scopes.map(\.id) }

  /// The number of record rows to write or delete in the scopes that stay.
  package var recordCount: Int {
    scopes.reduce(0) { sum, scope in
      sum + scope.reports.added.count + scope.reports.removed.count + scope.pireps.added.count
        + scope.pireps.removed.count + (scope.traffic?.count ?? 0)
    }
  }
}

extension Scope {
  fileprivate func holdsSamePolygons(as other: Scope?) -> Bool {
    guard !id.hasDeltas, let other, let have, let theirs = other.have else { return false }
    return have.watermark == theirs.watermark && have.spec.history == theirs.spec.history && polygons == other.polygons
      && weather == other.weather && want == other.want && lastSuccessAt == other.lastSuccessAt
  }
}

extension [TrafficPosition] {
  /// Returns whether both lists are equal byte for byte. Unicode-equivalent texts can have different bytes.
  fileprivate func isSame(as other: Self) -> Bool {
    count == other.count
      && zip(self, other).allSatisfy {
        $0 == $1 && $0.id.utf8.elementsEqual($1.id.utf8) && $0.callsign.utf8.elementsEqual($1.callsign.utf8)
      }
  }
}
