#if Online
  import ContrailWire

  /// The aircraft that a network of receivers had seen at one moment.
  struct TrafficSnapshot: Hashable, Sendable {
    /// Seconds since 1970.
    var time: Int64
    /// In the order of their addresses.
    var positions: [TrafficPosition]
  }
#endif
