public import ContrailCore
import ContrailGeodesy
public import ContrailWire

/// Which of the PIREPs that are held are asked for.
public struct PIREPQuery: Hashable, Sendable {
  /// Where, by the position that the report names.
  public var area: QueryArea
  /// The altitudes in feet, both ends included; nil means all.
  public var altRange: ClosedRange<Double>?
  /// Whether reports that name no level are in every ``altRange``. True by default: not known is not elsewhere.
  public var includesUnknownAltitude: Bool
  /// Only reports of turbulence of these severities; nil means all reports, of whatever.
  public var sevs: [TurbulenceSeverity]?
  /// How far back; nil means all that is held.
  public var dataHistoryTime: DataHistoryTime?
  /// Only what is held for the corridor, or only for the viewport; nil means both.
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

  /// What the query asks for among PIREPs, in their order.
  ///
  /// - Parameter second: the server's time as far as it is known, in seconds since 1970.
  /// - Throws: ``QueryFault`` for an area that is none.
  /// - Complexity: O(*n* · *r*): *n* PIREPs, *r* corners of the area.
  public func items(in pireps: some Sequence<PIREP>, asOf second: Int64) throws(QueryFault) -> [PIREP] {
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
