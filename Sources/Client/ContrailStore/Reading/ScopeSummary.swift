public import ContrailCore
public import ContrailWire

/// The state of a scope without its records: freshness, counts and the shown data.
public struct ScopeSummary: Sendable, Hashable {
  public let id: ScopeID
  /// The server time of the last applied response, in seconds since 1970.
  public var asOf: Int64
  /// The length of the held history.
  public var history: DataHistoryTime
  /// The digest, as defined by `Scope.digest`.
  public var digest: UInt64
  /// The number of held turbulence reports.
  public var reportCount: Int
  /// The number of held PIREPs.
  public var pirepCount: Int
  /// The number of held aircraft positions.
  public var trafficCount: Int
  /// The requested data. Only matching records are shown. If it is `nil`, nothing is shown.
  package var want: FetchSpec?
  /// The device time of the last successful response or confirmation in milliseconds since 1970, or `nil` if there was
  /// none.
  public var lastSuccessAt: Int64?

  /// Returns the summary of a scope, or `nil` if it holds nothing or isn't stored on disk.
  ///
  /// The viewport is never stored, because it is discarded at each launch.
  init?(_ scope: Scope) {
    guard scope.id != .viewport, let have = scope.have else { return nil }
    self.init(
      id: scope.id, asOf: have.watermark, history: have.spec.history, digest: scope.digest,
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
