#if Online
  import ContrailWire

  /// What a server tells of: a simulated world, or a real day.
  protocol World: Sendable {
    /// Deltas from before this time, in seconds since 1970, are not answered: the world was another one then.
    var beginning: Int64 { get }

    /// What was observed in the ten minutes of an epoch: ``WorldEpoch/index(of:)``.
    func epoch(_ index: Int64) -> WorldEpoch

    /// The other aircraft, as of `token` in seconds since 1970, in the order of their addresses.
    func traffic(at token: Int64) -> [TrafficPosition]

    /// Areas that somebody issued, rather than made of reports: those that came before `end`, and were in force at some time
    /// after `start` and before `end`.
    func advisories(after start: Int64, before end: Int64) -> [TurbulenceArea]
  }

  extension World {
    var beginning: Int64 { Int64.min }

    func advisories(after start: Int64, before end: Int64) -> [TurbulenceArea] { [] }
  }

  extension SimulatedWorld: World {}
#endif
