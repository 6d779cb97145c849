public import ContrailCore
public import ContrailWire

/// What a scope holds, in a line: enough to tell an app how fresh and how much, with no engine running.
public struct ScopeSummary: Sendable, Hashable {
  public let id: ScopeID
  /// The server's time of the answer that was last applied, in seconds since 1970.
  public var asOf: Int64
  /// How far back the records go.
  public var history: DataHistoryTime
  /// As `Scope.digest`.
  public var digest: UInt64
  /// How many turbulence reports are held.
  public var reportCount: Int
  /// How many PIREPs are held.
  public var pirepCount: Int
  /// How many positions of other aircraft are held.
  public var trafficCount: Int

  /// What a scope of the state holds; nil where that is nothing, or is not kept on disk.
  ///
  /// The viewport is forgotten at each launch, so it is never written; weather is kept in files of its own.
  init?(_ scope: Scope) {
    guard scope.id != .viewport, scope.id.weatherPlace == nil, let have = scope.have else { return nil }
    self.init(
      id: scope.id, asOf: have.token, history: have.spec.history, digest: scope.digest,
      reportCount: scope.reports.count, pirepCount: scope.pireps.count, trafficCount: scope.traffic.count)
  }

  init(
    id: ScopeID, asOf: Int64, history: DataHistoryTime, digest: UInt64, reportCount: Int, pirepCount: Int,
    trafficCount: Int
  ) {
    self.id = id
    self.asOf = asOf
    self.history = history
    self.digest = digest
    self.reportCount = reportCount
    self.pirepCount = pirepCount
    self.trafficCount = trafficCount
  }
}
