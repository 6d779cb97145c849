package import ContrailGeodesy

/// The body of `POST /observations/v5/corridor` with only the members that the turbulence service's public pages describe.
///
/// ``ObservationsRequest`` is the form of a service of Contrail, with additions.
package struct CorridorV5Request: Hashable, Sendable {
  package var ring: Ring
  /// The watermark: only what has changed since is asked for. In seconds since 1970; nil for a full fetch.
  package var since: Int64?
  package var history: DataHistoryTime
  /// The category of aircraft that the service computes severities for.
  package var aircraftCategory: String
  package var altitudes: AltitudeBand

  package init(
    ring: Ring, since: Int64? = nil, history: DataHistoryTime, aircraftCategory: String, altitudes: AltitudeBand
  ) {
    self.ring = ring
    self.since = since
    self.history = history
    self.aircraftCategory = aircraftCategory
    self.altitudes = altitudes
  }

  /// The altitudes of the service.
  package static let altitudes = AltitudeBand(lower: 5, upper: 52) ?? .all
  /// The longest history of the service.
  package static let longestHistory = DataHistoryTime.fourHours

  /// The request as JSON.
  package var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.areaMembers(ring, since: since, history: history)
      json.member("aircraftCategory", aircraftCategory)
      json.member("altFrom", altitudes.lower)
      json.member("altTo", altitudes.upper)
    }
    return json.bytes
  }
}
