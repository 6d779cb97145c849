public import ContrailCore
public import ContrailWire

/// All that one scope holds: what a projection is a projection of.
public struct ScopeContents: Sendable, Equatable {
  public var summary: ScopeSummary
  public var reports: ReportSet
  public var pireps: PIREPSet
  /// In the order of the answer.
  public var traffic: [TrafficPosition]
  /// GeoJSON, for a scope of polygons; the service's answer, for the weather of a place.
  public var polygons: [UInt8]

  /// What a scope of the state holds; nil where that is nothing, or is not kept on disk.
  ///
  /// - Complexity: O(1) for an area, whose records are shared with the scope; O(bytes) for polygons and weather.
  public init?(_ scope: Scope) {
    guard let summary = ScopeSummary(scope) else { return nil }
    self.init(
      summary: summary, reports: scope.reports, pireps: scope.pireps, traffic: scope.traffic,
      polygons: scope.id.weatherPlace == nil ? scope.polygons : scope.weather)
  }

  init(
    summary: ScopeSummary, reports: ReportSet = ReportSet(), pireps: PIREPSet = PIREPSet(),
    traffic: [TrafficPosition] = [], polygons: [UInt8] = []
  ) {
    self.summary = summary
    self.reports = reports
    self.pireps = pireps
    self.traffic = traffic
    self.polygons = polygons
  }

  /// The digest of the records themselves, to be held against the one that ``ScopeSummary`` carries.
  public var digest: UInt64 {
    if !summary.id.hasDeltas { return polygons.isEmpty ? 0 : Digest.hash(polygons) }
    return traffic.reduce(reports.checksum &+ pireps.checksum) { $0 &+ $1.digest }
  }
}
