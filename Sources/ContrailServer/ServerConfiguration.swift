#if Online
  public import Logging

  /// How a reference server runs.
  public struct ServerConfiguration: Sendable {
    /// The address to listen on.
    public var host: String
    /// The port to listen on; 0 lets the system choose.
    public var port: Int
    /// What the simulated world is drawn from: the same seed, the same world.
    public var seed: UInt64
    /// How many simulated aircraft are in service; some five of six are in the air at any time.
    public var aircraft: Int
    /// The real day to serve in place of the simulated world.
    public var day: RecordedDay?
    /// How the day's time becomes the server's.
    public var dayClock: DayClock
    /// How long before its newest record the day begins, in seconds: for so long new records come in.
    public var dayRewindSeconds: Int64
    /// The directory whose airport files are served; nil for none.
    public var airportsDirectory: String?
    /// The cycles of files of that directory which aren't called `<cycle>.airports.xz`, by the files' names.
    public var airportCycles: [String: String]
    /// The keys that clients may use; with none, no key is asked for. Never logged.
    public var keys: [String]
    /// How old a delta's token may be, in seconds.
    public var retentionSeconds: Int64
    /// Whether a request may say what time it is (`Contrail-Simulated-Time`).
    public var allowsSimulatedTime: Bool
    /// Whether a request may ask for a fault (`Contrail-Fault`).
    public var allowsRequestedFaults: Bool
    /// Faults by time, as ``FaultSchedule`` reads them.
    public var faults: [FaultSchedule]
    /// The share of requests, 0…1, that meet with a fault drawn from the seed.
    public var faultRate: Double
    /// The largest request body in bytes, packed or unpacked.
    public var maximumBodyBytes: Int
    /// How long a request's body may take to come, in seconds.
    public var bodyTimeoutSeconds: Int
    /// How long a connection may stand idle, in seconds.
    public var idleTimeoutSeconds: Int
    /// The time in milliseconds since 1970 for requests that don't say it; nil is the wall clock.
    public var clock: (@Sendable () -> Int64)?
    public var logger: Logger

    /// A server on a port of its own on this machine, with 560 aircraft, no keys and no faults.
    public init(seed: UInt64 = 1) {
      host = "127.0.0.1"
      port = 0
      self.seed = seed
      aircraft = Self.standardAircraft
      day = nil
      dayClock = .shifted
      dayRewindSeconds = 0
      airportsDirectory = nil
      airportCycles = [:]
      keys = []
      retentionSeconds = 12 * 3600
      allowsSimulatedTime = false
      allowsRequestedFaults = false
      faults = []
      faultRate = 0
      maximumBodyBytes = 1 << 20
      bodyTimeoutSeconds = 15
      idleTimeoutSeconds = 60
      clock = nil
      logger = Logger(label: "contrail.server")
      logger.logLevel = .warning
    }

    /// As many aircraft as it takes to have 400 in the air at any time.
    public static let standardAircraft = 560
  }
#endif
