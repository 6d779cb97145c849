extension FetchSpec {
  /// Whether a PIREP is shown to someone who wants this: it is younger than the history.
  ///
  /// - Parameter second: The server's time in seconds since 1970.
  package func shows(_ pirep: PIREP, asOf second: Int64) -> Bool {
    types.contains(.pireps) && pirep.observedAt > second &- history.seconds
  }

  /// Whether an aircraft is shown to someone who wants this: it was seen within ``TrafficPosition/lifetimeSeconds``.
  package func shows(_ aircraft: TrafficPosition, asOf second: Int64) -> Bool {
    types.contains(.traffic) && aircraft.observedAt > second &- TrafficPosition.lifetimeSeconds
  }

  /// Whether polygons of a server's time are shown to someone who wants this: they are younger than the history.
  package func showsPolygons(of token: Int64, asOf second: Int64) -> Bool { token > second &- history.seconds }
}
