public import ContrailCore
import ContrailGeodesy
public import ContrailWire

/// A query for stored positions of other aircraft.
public struct TrafficQuery: Hashable, Sendable {
  /// The area, which is compared with the last known position.
  public var area: QueryArea
  /// The altitudes in feet, inclusive; nil for all.
  public var altRange: ClosedRange<Double>?
  /// Whether ``altRange`` includes aircraft without a known altitude. The default is true.
  public var includesUnknownAltitude: Bool
  /// The maximum age of a position in seconds, limited to `TrafficPosition.lifetimeSeconds`, five minutes.
  public var maximumAgeSeconds: Int64
  /// The scope whose data is used, corridor or viewport; nil for both.
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

  /// Returns the positions that match the query, sorted by identifier. For each aircraft, only the newest position
  /// counts.
  ///
  /// - Parameters:
  ///   - positions: The positions.
  ///   - second: The estimated server time, in seconds since 1970.
  /// - Throws: ``QueryError`` if the area is invalid.
  /// - Complexity: O(*n* · *r* + *n* log *n*), with *n* positions and *r* corners of the area.
  public func items(
    in positions: some Sequence<TrafficPosition>, asOf second: Int64
  ) throws(QueryError) -> [TrafficPosition] {
    let ring = try area.ring()
    let age = min(max(0, maximumAgeSeconds), TrafficPosition.lifetimeSeconds)
    // Newest first, because an older position must not appear if the newest one doesn't match.
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
