public import ContrailCore
public import ContrailWire

/// What a scope holds without the records: how fresh it is, how much, and what of it is shown.
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
  /// What is wanted of it: records are shown as far as this admits them. Nil where nothing is wanted, and so nothing shown.
  public var want: FetchSpec?
  /// When the server last answered or confirmed it, in milliseconds since 1970 by the device's clock; nil if it never did.
  public var lastSuccessAt: Int64?

  /// What a scope of the state holds; nil where that is nothing, or is not kept on disk.
  ///
  /// The viewport is forgotten at each launch, so it is never written.
  init?(_ scope: Scope) {
    guard scope.id != .viewport, let have = scope.have else { return nil }
    self.init(
      id: scope.id, asOf: have.token, history: have.spec.history, digest: scope.digest,
      reportCount: scope.reports.count, pirepCount: scope.pireps.count, trafficCount: scope.traffic.count,
      want: scope.want, lastSuccessAt: scope.lastSuccessAt)
  }

  init(
    id: ScopeID, asOf: Int64, history: DataHistoryTime, digest: UInt64, reportCount: Int, pirepCount: Int,
    trafficCount: Int, want: FetchSpec?, lastSuccessAt: Int64?
  ) {
    self.id = id
    self.asOf = asOf
    self.history = history
    self.digest = digest
    self.reportCount = reportCount
    self.pirepCount = pirepCount
    self.trafficCount = trafficCount
    self.want = want
    self.lastSuccessAt = lastSuccessAt
  }
}
