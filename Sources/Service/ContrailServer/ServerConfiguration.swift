package import Logging

/// A certificate and its private key, in PEM files.
package struct ServerCertificate: Hashable, Sendable {
  /// The path of the certificates: the server's first, then those that issued it.
  package var chain: String
  /// The path of the private key.
  package var key: String

  package init(chain: String, key: String) {
    self.chain = chain
    self.key = key
  }
}

/// The configuration of a reference server.
package struct ServerConfiguration: Sendable {
  /// The address to listen on.
  package var host: String
  /// The port to listen on. With 0, the system selects one.
  package var port: Int
  /// The certificate of the server for HTTPS, with HTTP/2; `nil` for HTTP.
  package var certificate: ServerCertificate?
  /// The seed of the simulated world. Equal seeds produce equal worlds.
  package var seed: UInt64
  /// The number of simulated aircraft. About five of six are in flight at any time.
  package var aircraft: Int
  /// The recorded day to serve instead of the simulated world.
  package var day: RecordedDay?
  /// The relation between the times of the day and the server's time.
  package var dayClock: DayClock
  /// The time in seconds before its newest record at which the day begins. New records arrive during that time.
  package var dayRewindSeconds: Int64
  /// The directory of airport files, or `nil` for none.
  package var airportsDirectory: String?
  /// The cycles of files in that directory that aren't named `<cycle>.airports.xz`, by file name.
  package var airportCycles: [String: String]
  /// The accepted API keys. If it is empty, no key is required. Keys are never logged.
  package var keys: [String]
  /// The maximum age of a delta's token in seconds.
  package var retentionSeconds: Int64
  /// Whether requests can set their time with `Contrail-Simulated-Time`.
  package var allowsSimulatedTime: Bool
  /// Whether requests can select faults with `Contrail-Fault`.
  package var allowsRequestedFaults: Bool
  /// Whether the server knows neither handles of areas nor compact answers, as the service whose protocol it follows.
  package var isPlain: Bool
  /// The scheduled faults.
  package var faults: [FaultSchedule]
  /// The fraction of requests, from 0 to 1, that get a random fault.
  package var faultRate: Double
  /// The maximum size of a request body in bytes, compressed or decompressed.
  package var maximumBodyBytes: Int
  /// The maximum time to receive a request body, in seconds.
  package var bodyTimeoutSeconds: Int
  /// The maximum idle time of a connection, in seconds.
  package var idleTimeoutSeconds: Int
  /// The time in milliseconds since 1970 for requests without a simulated time, or `nil` for the system clock.
  package var clock: (@Sendable () -> Int64)?
  package var logger: Logger

  /// Creates a configuration for a free port of the loopback interface, with 560 aircraft, no keys and no faults.
  package init(seed: UInt64 = 1) {
    host = "127.0.0.1"
    port = 0
    certificate = nil
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
    isPlain = false
    faults = []
    faultRate = 0
    maximumBodyBytes = 1 << 20
    bodyTimeoutSeconds = 15
    // Longer than a client keeps a connection, so that the client ends it.
    idleTimeoutSeconds = 360
    clock = nil
    logger = Logger(label: "contrail.server")
    logger.logLevel = .warning
  }

  /// The number of aircraft needed to have 400 in flight at any time.
  package static let standardAircraft = 560
}
