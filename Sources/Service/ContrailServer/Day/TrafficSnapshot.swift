import ContrailWire

/// The aircraft seen by a network of receivers at one time.
struct TrafficSnapshot: Hashable, Sendable {
  /// The time in seconds since 1970.
  var time: Int64
  /// The positions in the order of their addresses.
  var positions: [TrafficPosition]
}
