extension FetchSpec {
  /// Whether this spec shows a PIREP: it is younger than the history.
  ///
  /// - Parameters:
  ///   - pirep: The PIREP to test.
  ///   - second: The server's time, in seconds since 1970.
  package func shows(_ pirep: PIREP, asOf second: Int64) -> Bool {
    types.contains(.pireps) && pirep.observedAt > second &- history.seconds
  }

  /// Whether this spec shows an aircraft: it was seen within ``TrafficPosition/lifetimeSeconds``.
  package func shows(_ aircraft: TrafficPosition, asOf second: Int64) -> Bool {
    types.contains(.traffic) && aircraft.observedAt > second &- TrafficPosition.lifetimeSeconds
  }

  /// Whether this spec shows polygons with the server time `token`: they are younger than the history.
  package func showsPolygons(of token: Int64, asOf second: Int64) -> Bool { token > second &- history.seconds }
}
