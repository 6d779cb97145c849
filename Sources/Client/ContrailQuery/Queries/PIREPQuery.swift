public import ContrailCore
import ContrailGeodesy
public import ContrailWire

/// A query for stored PIREPs.
public struct PIREPQuery: Hashable, Sendable {
  /// The area, which is compared with the reported position.
  public var area: QueryArea
  /// The altitudes in feet, inclusive; nil for all.
  public var altRange: ClosedRange<Double>?
  /// Whether ``altRange`` includes reports without a level. The default is true.
  public var includesUnknownAltitude: Bool
  /// The severities of turbulence that a report must state; nil for all reports.
  public var sevs: [TurbulenceSeverity]?
  /// The maximum age of reports; nil for all stored reports.
  public var dataHistoryTime: DataHistoryTime?
  /// The scope whose data is used, corridor or viewport; nil for both.
  public var scope: ScopeID?

  public init(
    area: QueryArea = .everywhere, altRange: ClosedRange<Double>? = nil, includesUnknownAltitude: Bool = true,
    sevs: [TurbulenceSeverity]? = nil, dataHistoryTime: DataHistoryTime? = nil, scope: ScopeID? = nil
  ) {
    self.area = area
    self.altRange = altRange
    self.includesUnknownAltitude = includesUnknownAltitude
    self.sevs = sevs
    self.dataHistoryTime = dataHistoryTime
    self.scope = scope
  }

  /// Returns the PIREPs that match the query, in the given order.
  ///
  /// - Parameters:
  ///   - pireps: The PIREPs.
  ///   - second: The estimated server time, in seconds since 1970.
  /// - Throws: ``QueryError`` if the area is invalid.
  /// - Complexity: O(*n* · *r*), with *n* PIREPs and *r* corners of the area.
  public func items(in pireps: some Sequence<PIREP>, asOf second: Int64) throws(QueryError) -> [PIREP] {
    let ring = try area.ring()
    let limit = RecordFilter.limit(dataHistoryTime, asOf: second)
    let severities = sevs.map { SeveritySet($0) }
    return pireps.filter { pirep in
      guard pirep.observedAt > limit else { return false }
      if let severities { guard let severity = pirep.severity, severities.contains(severity) else { return false } }
      if let altRange {
        guard pirep.flightLevel.map({ altRange.contains(Double($0) * 100) }) ?? includesUnknownAltitude else {
          return false
        }
      }
      return ring?.contains(pirep.position) ?? true
    }
  }
}
