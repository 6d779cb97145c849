import ContrailWire

/// The data that a server provides: a simulated world or a recorded day.
protocol World: Sendable {
  /// The time in seconds since 1970 before which deltas are refused, because the data was different.
  var beginning: Int64 { get }

  /// Returns the observations in the ten minutes of an epoch; see ``WorldEpoch/index(of:)``.
  func epoch(_ index: Int64) -> WorldEpoch

  /// Returns the other aircraft at `token`, in seconds since 1970, in the order of their addresses.
  func traffic(at token: Int64) -> [TrafficPosition]

  /// Returns the areas of advisories that arrived before `end` and were valid at some time between `start` and `end`.
  func advisories(after start: Int64, before end: Int64) -> [PolygonsAnswer.Area]
}

extension World {
  var beginning: Int64 { Int64.min }

  func advisories(after start: Int64, before end: Int64) -> [PolygonsAnswer.Area] { [] }
}

extension SimulatedWorld: World {}
