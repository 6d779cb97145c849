/// The configuration of a reference service.
package struct ServiceConfiguration: Sendable {
  /// The source of airport files.
  package enum Airports: Hashable, Sendable {
    /// The service has no airports.
    case none
    /// The files of a directory. `cyclesByName` maps other names than `<cycle>.airports.xz` to their cycles.
    case directory(String, cyclesByName: [String: String] = [:])
    /// ``SampleAirports`` of the cycle that is effective at the time of a request, and of the next one.
    case samples
  }

  /// The seed of the simulated world. Equal seeds produce equal worlds.
  package var seed: UInt64
  /// The number of simulated aircraft. About five of six are in flight at any time.
  package var aircraft = standardAircraft
  /// The recorded day to serve instead of the simulated world.
  package var day: RecordedDay?
  /// The relation between the times of the day and the server's time.
  package var dayClock = DayClock.shifted
  /// The time in seconds before its newest record at which the day begins. New records arrive during that time.
  package var dayRewindSeconds: Int64 = 0
  /// The live world to serve instead of a simulated or recorded one.
  package var live: LiveService?
  package var airports = Airports.none
  /// The accepted API keys. If it is empty, no key is required. Keys are never logged.
  package var keys: [String] = []
  /// The accepted API keys of a file, with their own limits, instead of ``keys``.
  package var keyRing: KeyRing?
  /// The maximum rate of requests for each key, and for each address that has no valid key; nil for no limit. A service without keys
  /// has no limit.
  package var rate: RequestRate?
  /// The maximum age of a delta's token in seconds.
  package var retentionSeconds: Int64 = 12 * 3600
  /// The longest time in seconds that a request is held until there is news; 0 if none is held.
  package var holdSeconds: Int64 = 540
  /// The time in seconds after which a stream of answers to a held request ends with its next answer.
  package var streamSeconds: Int64 = 3600
  /// Whether requests that set their time are held. They are answered at once, as of the time at which the answer would be sent.
  package var holdsSimulatedTime = false
  /// The maximum number of held requests. Further ones are answered at once.
  package var maximumHolds = 20_000
  /// Whether requests can set their time with `Contrail-Simulated-Time`.
  package var allowsSimulatedTime = false
  /// Whether requests can select faults with `Contrail-Fault`.
  package var allowsRequestedFaults = false
  /// Whether the server knows neither handles of areas nor compact answers, as the service whose protocol it follows.
  package var isPlain = false
  /// The scheduled faults.
  package var faults: [FaultSchedule] = []
  /// The fraction of requests, from 0 to 1, that get a random fault.
  package var faultRate = 0.0
  /// The page that browsers load from the service; nil if it has none.
  package var page: ServedPage?
  /// The other web sites whose pages may use the service; nil if none may.
  package var crossOrigin: CrossOrigin?
  /// The maximum size of a request body in bytes, compressed or decompressed.
  package var maximumBodyBytes = 1 << 20
  /// The time in milliseconds since 1970 for requests without a simulated time.
  package var clock: @Sendable () -> Int64

  /// Creates a configuration with 560 aircraft, no airports, no keys and no faults.
  package init(seed: UInt64 = 1, clock: @escaping @Sendable () -> Int64) {
    self.seed = seed
    self.clock = clock
  }

  /// The number of aircraft needed to have 400 in flight at any time.
  package static let standardAircraft = 560
}
