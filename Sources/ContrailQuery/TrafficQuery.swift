public import ContrailCore
import ContrailGeodesy
public import ContrailWire

/// Which of the other aircraft that are held are asked for.
public struct TrafficQuery: Hashable, Sendable {
  /// Where, by the position that was last seen.
  public var area: QueryArea
  /// The altitudes in feet, both ends included; nil means all.
  public var altRange: ClosedRange<Double>?
  /// Whether aircraft whose altitude isn't known are in every ``altRange``. True by default: not known is not elsewhere.
  public var includesUnknownAltitude: Bool
  /// The oldest that a position may be, in seconds. More than `TrafficPosition.lifetimeSeconds`, five minutes, is never shown.
  public var maximumAgeSeconds: Int64
  /// Only what is held for the corridor, or only for the viewport; nil means both.
  public var scope: ScopeID?

  public init(
    area: QueryArea = .everywhere, altRange: ClosedRange<Double>? = nil, includesUnknownAltitude: Bool = true,
    maximumAgeSeconds: Int64 = TrafficPosition.lifetimeSeconds, scope: ScopeID? = nil
  ) {
    self.area = area
    self.altRange = altRange
    self.includesUnknownAltitude = includesUnknownAltitude
    self.maximumAgeSeconds = maximumAgeSeconds
    self.scope = scope
  }

  /// What the query asks for among positions, by key; of several of one aircraft, the newest.
  ///
  /// - Parameter second: the server's time as far as it is known, in seconds since 1970.
  /// - Throws: ``QueryFault`` for an area that is none.
  /// - Complexity: O(*n* · *r* + *n* log *n*): *n* positions, *r* corners of the area.
  public func items(
    in positions: some Sequence<TrafficPosition>, asOf second: Int64
  ) throws(QueryFault) -> [TrafficPosition] {
    let ring = try area.ring()
    let age = min(max(0, maximumAgeSeconds), TrafficPosition.lifetimeSeconds)
    // The newest first: where an aircraft was before doesn't show it where it was.
    let ordered = positions.sorted { a, b in
      if a.id.utf8.elementsEqual(b.id.utf8) { return a.observedAt > b.observedAt }
      return a.id.utf8.lexicographicallyPrecedes(b.id.utf8)
    }
    var last: String?
    return ordered.filter { position in
      if let last, last.utf8.elementsEqual(position.id.utf8) { return false }
      last = position.id
      guard position.observedAt.age(asOf: second) < age else { return false }
      if let altRange {
        guard position.altitudeFeet.map({ altRange.contains(Double($0)) }) ?? includesUnknownAltitude else {
          return false
        }
      }
      return ring?.contains(position.position) ?? true
    }
  }
}
