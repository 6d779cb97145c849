import ContrailWire

/// A turbulence warning for an area and a period.
struct Advisory: Hashable, Sendable {
  var area: PolygonsAnswer.Area
  /// The time of issue or receipt in seconds since 1970. The warning is unknown before.
  var arrival: Int64
  /// The beginning of validity in seconds since 1970.
  var start: Int64
  /// The end of validity in seconds since 1970.
  var end: Int64
}
