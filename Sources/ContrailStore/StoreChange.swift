public import ContrailCore
import ContrailWire

/// What became of the contents of a state from one moment to another: what a store has to write to follow.
///
/// A value of its own, so that the engine can make it from two states at once and leave the writing to another thread.
public struct StoreChange: Sendable {
  var scopes: [ScopeChange] = []
  /// The server's clock less the device's, in milliseconds, as the store has it afterwards.
  var serverOffsetMS: Int64?
  /// Whether the store had another offset.
  var hasNewOffset: Bool

  /// What a scope held, what it holds, and the difference.
  struct ScopeChange: Sendable {
    var id: ScopeID
    /// What the store must hold for the change to fit; nil for nothing.
    var before: ScopeSummary?
    /// What the store holds afterwards; nil for nothing.
    var after: ScopeSummary?
    var reports = RecordDifference<TurbulenceReport>()
    var pireps = RecordDifference<PIREP>()
    /// The new list, where it differs.
    var traffic: [TrafficPosition]?
    /// The new bytes, where they differ.
    var polygons: [UInt8]?
  }

  /// - Parameters:
  ///   - previous: The state as of the store's position, or any later one since which nothing that is kept on disk has changed.
  ///   - next: The state as of the line up to which the change goes.
  /// - Complexity: O(what changed), where `next` evolved from a copy of `previous`; digests of polygons are O(bytes).
  public init(from previous: State, to next: State) {
    // Polygons that are the same need no digest.
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
      change.pireps = new.pireps.difference(from: old?.pireps ?? PIREPSet())
      if !new.traffic.isSame(as: old?.traffic ?? []) { change.traffic = new.traffic }
      if new.polygons != old?.polygons ?? [] { change.polygons = new.polygons }
      let isSame =
        change.before == change.after && change.reports.isEmpty && change.pireps.isEmpty && change.traffic == nil
        && change.polygons == nil
      if !isSame { scopes.append(change) }
    }
  }

  /// Whether nothing that is kept on disk has changed; such a change need not be applied.
  public var isEmpty: Bool { scopes.isEmpty && !hasNewOffset }

  /// The scopes that changed.
  public var changedScopes: [ScopeID] { scopes.map(\.id) }

  /// How many rows of records will be written or deleted.
  public var recordCount: Int {
    scopes.reduce(0) { sum, scope in
      sum + scope.reports.added.count + scope.reports.removed.count + scope.pireps.added.count
        + scope.pireps.removed.count + (scope.traffic?.count ?? 0)
    }
  }
}

extension Scope {
  fileprivate func holdsSamePolygons(as other: Scope?) -> Bool {
    guard !id.hasDeltas, let other, let have, let theirs = other.have else { return false }
    return have.token == theirs.token && have.spec.history == theirs.spec.history && polygons == other.polygons
      && weather == other.weather && want == other.want && lastSuccessAt == other.lastSuccessAt
  }
}

extension [TrafficPosition] {
  /// Whether both are equal to the byte: texts that Unicode holds for equal may not be.
  fileprivate func isSame(as other: Self) -> Bool {
    count == other.count
      && zip(self, other).allSatisfy {
        $0 == $1 && $0.id.utf8.elementsEqual($1.id.utf8) && $0.callsign.utf8.elementsEqual($1.callsign.utf8)
      }
  }
}
