package import ContrailCore
package import ContrailWire

/// The complete contents of one scope.
package struct ScopeContents: Sendable, Equatable {
  package var summary: ScopeSummary
  package var reports: ReportSet
  package var pireps: PIREPSet
  /// The aircraft in the order of the response.
  package var traffic: [TrafficPosition]
  /// The GeoJSON of a polygon scope, or the response of the weather service for a place.
  package var polygons: [UInt8]

  /// Returns the contents of a scope, or `nil` if it holds nothing or isn't stored on disk.
  ///
  /// - Complexity: O(1) for an area, whose records are shared with the scope; O(bytes) for polygons and weather.
  package init?(_ scope: Scope) {
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

  /// The digest computed from the records, to compare with the digest in ``ScopeSummary``.
  package var digest: UInt64 {
    if !summary.id.hasDeltas { return polygons.isEmpty ? 0 : Digest.hash(polygons) }
    return traffic.reduce(reports.checksum &+ pireps.checksum) { $0 &+ $1.digest }
  }
}
