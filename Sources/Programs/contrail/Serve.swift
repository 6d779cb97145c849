import ArgumentParser
import ContrailAirportData
import ContrailLog
import ContrailReplay
import ContrailServer
import ContrailWire
import ContrailWorld
import Foundation
import Logging

/// The `contrail serve` command: runs the reference server.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve simulated turbulence and traffic, a recorded day from files, or live feeds.",
    discussion: """
      The simulated world is a pure function of the seed and the time: after a restart, the server returns the same data.

      EXAMPLES
        Serve on port 8080 of the loopback interface:
          contrail serve
        Require an API key, read from the environment:
          CONTRAIL_KEYS=secret contrail serve --host 0.0.0.0
        Fail for ten minutes, starting five minutes after the first request:
          contrail serve --fault "503 for 10m from 5m"
        Apply a random fault to one request in ten:
          contrail serve --fault-rate 0.1
        Let requests select faults and set the time:
          contrail serve --requested-faults --simulated-time
        Serve a recorded day and replay its last three hours:
          contrail serve --pireps pireps.json --states states.json.xz \\
            --sigmets gairmets.json --rewind 3h
        Serve HTTPS with HTTP/2, with a certificate for tests:
          openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \\
            -days 30 -subj /CN=localhost \\
            -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \\
            -keyout key.pem -out certificate.pem
          contrail serve --certificate certificate.pem --certificate-key key.pem
          contrail record --server https://127.0.0.1:8080 \\
            --trust certificate.pem --fly '51.47,-0.45 40.64,-73.78' --out f.jsonl
        Also serve airport files:
          contrail serve --airports cycles --cycle sf50-2025-10-30.plist.lzma=2511
        Poll a made-up day and serve it, without a network:
          contrail serve --live --demo
        Poll the Aviation Weather Center and a receiver, and resume after a restart:
          contrail serve --live --log /var/lib/contrail --source awc \\
            --source receiver=http://127.0.0.1/data/aircraft.json
        Serve again what that service held at a time, or an hour before its end:
          contrail serve --from /var/lib/contrail --at 2026-11-26T14:02:00Z
          contrail serve --from /var/lib/contrail --at -1h

      LIVE
      --live polls feeds and serves what they answer. The world of the service is a fold of its log: each answer of a \
      feed, each upload and each area with a handle is a line, which is stored before it is served. After a restart, \
      the world is the same, tokens and handles stay valid, and no feed is asked earlier than its cadence allows.

      Sources are awc (PIREPs, SIGMETs and G-AIRMETs of the Aviation Weather Center), awc-cache (its cache files), \
      opensky or opensky:SOUTH,WEST,NORTH,EAST, receiver=URL (aircraft.json of readsb or dump1090), one such as \
      awc.pirep or awc.pirep=URL, and any URL, file or directory in one of these forms. New files of a directory are \
      found each minute; a directory without files is refused at the start. OPENSKY_CLIENT_ID and \
      OPENSKY_CLIENT_SECRET set the credentials of a client of OpenSky. A wrong record is skipped and counted with \
      its reason. Reports that tablets upload are served to all, except those that don't seem plausible.

      Operators find /healthz, /readyz, /status and /metrics (Prometheus). --keys names a file of hashed keys, which \
      SIGHUP reads again, as it does the certificate; 'contrail keys' makes a key. --token-keys does the same for signed tokens (JWT), which \
      requests send like a key, or as Authorization: Bearer. 'contrail log' shows what a log holds.

      --database names a PostgreSQL database that several instances share behind any balancer. CONTRAIL_DATABASE names it, \
      too, and excludes --log.

      A RECORDED DAY
      --pireps reads PIREPs and --sigmets reads SIGMETs and G-AIRMETs of aviationweather.gov, as JSON or GeoJSON. \
      --states reads responses of the OpenSky endpoint states/all. Each option may be repeated. A file may contain \
      several responses as JSON lines and may be compressed as .xz. At startup the server prints, for each file, \
      which records it serves, skips or repairs, and why.

      Turbulence in PIREPs is also served as reports on hexagons, with an EDR of 0.05 for NEG, 0.125 for LGT, 0.175 \
      for LGT-MOD, 0.325 for MOD and 0.45 for stronger turbulence. SIGMETs and G-AIRMETs for turbulence are served as \
      areas. Aircraft are at the positions in the newest states.

      --day-clock shifted, the default, shifts the times of the records: the newest record of each kind arrives at \
      the last full five minutes before the start. Deltas since a time before the start are refused. \
      --day-clock recorded keeps the times and sets the server clock to the first full five minutes after the newest \
      record. Times in texts are then correct and a restart returns the same data, but reports that clients upload \
      with their own time are in the future of the server clock.

      --rewind starts the given time before the newest record. Records then arrive during that time.

      AIRPORTS
      --airports serves the files named <cycle>.airports.xz in a directory, such as 2511.airports.xz. --cycle assigns \
      a cycle to a file with another name. Interrupted downloads can be resumed.

      LIMITS
      A connection is closed when its TLS handshake takes more than 10 seconds, when it sends no request for the \
      time of --idle-timeout, and when it takes no byte of an answer for a minute. On a connection, answers of 16 MiB \
      may wait to be sent, and on all connections answers of 256 MiB.

      FAULTS
        status=CODE         this HTTP status; add ,retry-after=S for the header
        gone, unauthorized, badrequest  410, 401, 400
        failed              weather only: 200 with status failed
        latency=MS          a delayed response
        drop                no response, although the request is processed
        truncate, truncate=chunked, truncate=body  half a response
        break=N             the connection closes after N bytes of the body
        garble, html        invalid JSON; the page of a captive portal
        forget              404 for requests by handle, as if the area were forgotten
        checksum, count, loses=N  wrong checksums or counts; a repair loses nothing
        stale=S, ahead=S, follows  a wrong token

      The OpenAPI document at /openapi.yaml describes the protocol.

      EXIT STATUS
        0   stopped by a signal
        1   the server failed to start, or a file or a log can't be read
        2   standard output can't be written
        64  invalid arguments
      """)

  @Option(help: "The address to listen on.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 for a free port.")
  var port = 8080

  @Option(
    help: ArgumentHelp(
      "The certificate of the server, a PEM file: it then serves HTTPS with HTTP/2.", valueName: "file"),
    completion: .file())
  var certificate: String?

  @Option(help: ArgumentHelp("The private key of the certificate, a PEM file.", valueName: "file"), completion: .file())
  var certificateKey: String?

  @Option(help: "The seed of the simulated world.")
  var seed: UInt64 = 1

  @Option(help: "The number of simulated aircraft. About five of six are in flight at a time.")
  var aircraft = ServiceConfiguration.standardAircraft

  @Option(
    name: .customLong("pireps"), parsing: .singleValue,
    help: ArgumentHelp("PIREPs of a recorded day. May be repeated.", valueName: "file"), completion: .file())
  var pireps: [String] = []

  @Option(
    name: .customLong("states"), parsing: .singleValue,
    help: ArgumentHelp("Aircraft states of a recorded day. May be repeated.", valueName: "file"), completion: .file())
  var states: [String] = []

  @Option(
    name: .customLong("sigmets"), parsing: .singleValue,
    help: ArgumentHelp("SIGMETs and G-AIRMETs of a recorded day. May be repeated.", valueName: "file"),
    completion: .file())
  var sigmets: [String] = []

  @OptionGroup(title: "Live Options")
  var live: LiveOptions

  @Option(help: "The clock for a recorded day: shifted or recorded.", completion: .list(["shifted", "recorded"]))
  var dayClock = DayClock.shifted.rawValue

  @Option(
    help: ArgumentHelp(
      "Start a recorded day this long before its newest record, such as 90m or 3h.", valueName: "time"))
  var rewind: String?

  @Option(
    help: ArgumentHelp("The directory of airport files to serve.", valueName: "directory"), completion: .directory)
  var airports: String?

  @Flag(help: "Serve some large airports with made-up runways. --open and --demo do it too, without --airports.")
  var sampleAirports = false

  @Option(
    name: .customLong("cycle"), parsing: .singleValue,
    help: ArgumentHelp(
      "Serve a file of that directory as this cycle. May be repeated.", valueName: "name=cycle"))
  var cycles: [String] = []

  @Option(
    name: .customLong("key"), parsing: .singleValue,
    help: ArgumentHelp(
      "An API key to accept. May be repeated.",
      discussion:
        "Other users can see arguments. CONTRAIL_KEYS, separated by commas, is safer. Without keys, requests need none."
    ))
  var keys: [String] = []

  @Option(
    name: .customLong("keys"),
    help: ArgumentHelp("A file of hashed API keys with their own limits; see 'contrail keys'.", valueName: "file"),
    completion: .file())
  var keysFile: String?

  @Option(
    help: ArgumentHelp(
      "A file of keys by which signed tokens (JWT) are verified: a JWKS, or a public key in PEM.", valueName: "file"),
    completion: .file())
  var tokenKeys: String?

  @Option(help: ArgumentHelp("The audience that signed tokens must have.", valueName: "name"))
  var tokenAudience: String?

  @Option(
    help: ArgumentHelp(
      "The requests per second that a key may send, with bursts of ten seconds' requests; 0 for any number.",
      discussion:
        "The default is 100, and any number with --simulated-time. Further requests get 429 with Retry-After.",
      valueName: "number"))
  var rate: Int?

  @Option(
    help: ArgumentHelp(
      "The number of connections. The default leaves 64 file descriptors for other uses, up to 10000.",
      valueName: "number"))
  var maximumConnections: Int?

  @Option(
    help: ArgumentHelp(
      "The number of connections from one address; by default half of all. Behind a proxy, allow it all.",
      valueName: "number"))
  var connectionsPerAddress: Int?

  @Option(
    help: ArgumentHelp("Close a connection after this time without a request, such as 90s or 6m.", valueName: "time"))
  var idleTimeout = "6m"

  @Option(help: "How long the server can answer delta requests, in hours.")
  var retention = 12

  @Option(
    name: .customLong("fault"), parsing: .singleValue,
    help: ArgumentHelp(
      "A fault as 'FAULT [for TIME] [from TIME] [every TIME]'. May be repeated.",
      discussion: "Times are durations such as 90s, 10m or 2h. They count from the time of the first request."),
    completion: .list(Fault.names))
  var faults: [String] = []

  @Option(help: "The fraction of requests, from 0 to 1, that get a fault chosen by the seed.")
  var faultRate = 0.0

  @Flag(help: "Know neither handles of areas nor compact answers, as the first protocol.")
  var plain = false

  @Option(
    help: ArgumentHelp(
      "The longest time in seconds that a request is held until there is news; 0 for none. Default: 540, over HTTP/2 "
        + "only. If it is given, requests with a simulated time are held as well.", valueName: "seconds"))
  var hold: Int64?

  @Flag(help: "Let requests select faults in the header Contrail-Fault.")
  var requestedFaults = false

  @Flag(help: "Let requests set the time in the header Contrail-Simulated-Time.")
  var simulatedTime = false

  @Flag(inversion: .prefixedNo, help: "Serve the page with the live map at /, and the client for browsers.")
  var page = true

  @Flag(help: "Open the page in the browser.")
  var open = false

  @Option(
    name: .customLong("allow-origin"), parsing: .singleValue,
    help: ArgumentHelp(
      "Let pages of this web site use the service, such as https://desk.example.com, or '*' for all. May be repeated.",
      valueName: "origin"))
  var origins: [String] = []

  @Option(
    help: ArgumentHelp("Read the files of the page from this checkout, for work on them.", visibility: .hidden),
    completion: .directory)
  var pageSources: String?

  @Flag(help: "Log each request.")
  var verbose = false

  @Flag(help: "Log to standard error as lines of JSON.")
  var jsonLog = false

  /// Checks the values of the options.
  ///
  /// `validate()` would report an invalid value before an unknown option.
  private func check() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port: \(port) is out of range. Use 0 to 65535.")
    }
    guard (certificate == nil) == (certificateKey == nil) else {
      throw ValidationError("--certificate and --certificate-key need each other. Give both, or neither.")
    }
    for (name, path) in [("--certificate", certificate), ("--certificate-key", certificateKey)] {
      if let path { try InputPath.check(path, name) }
    }
    for (name, paths) in [("--pireps", pireps), ("--states", states), ("--sigmets", sigmets)] {
      for path in paths { try InputPath.check(path, name) }
    }
    if let airports, let kind = try? POSIXStorage().kind(of: airports), kind == .file || kind == .special {
      throw ValidationError("--airports: '\(airports)' isn't a directory. Give the directory of airport files.")
    }
    guard (0...65_536).contains(aircraft) else {
      throw ValidationError("--aircraft: \(aircraft) is out of range. Use 0 to 65536.")
    }
    guard (0...720).contains(retention) else {
      throw ValidationError("--retention: \(retention) hours is out of range. Use 0 to 720.")
    }
    guard (0...1).contains(faultRate) else {
      throw ValidationError("--fault-rate: \(faultRate) is out of range. Use 0 to 1.")
    }
    guard (0...1_000_000).contains(rate ?? 0) else {
      throw ValidationError("--rate: \(rate ?? 0) is out of range. Use 0 to 1000000.")
    }
    for (name, value) in [
      ("--maximum-connections", maximumConnections), ("--connections-per-address", connectionsPerAddress),
    ] {
      guard (1...1_000_000).contains(value ?? 1) else {
        throw ValidationError("\(name): \(value ?? 0) is out of range. Use 1 to 1000000.")
      }
    }
    _ = try limits()
    try live.check()
    guard !live.isLive || !(hasDay && live.demo) else {
      throw ValidationError("--demo has its own sources. Give it without --pireps, --states and --sigmets.")
    }
    guard !live.isLive || !simulatedTime else {
      throw ValidationError("--simulated-time needs a simulated world. Give it without --live and --from.")
    }
    guard keysFile == nil || keys.isEmpty else { throw ValidationError("--keys and --key: give one of them.") }
    guard tokenKeys == nil || keys.isEmpty else { throw ValidationError("--token-keys and --key: give one of them.") }
    guard (tokenKeys == nil) == (tokenAudience == nil), tokenAudience != "" else {
      throw ValidationError("--token-keys and --token-audience need each other. Give both, or neither.")
    }
    guard keys.allSatisfy({ !$0.isEmpty }) else { throw ValidationError("--key: an API key can't be empty.") }
    _ = try Self.keysOfEnvironment()
    _ = try schedules()
    _ = try crossOrigin()
    guard page || !open else { throw ValidationError("--open opens the page. Give it without --no-page.") }
    guard hasDay || rewind == nil else {
      throw ValidationError("--rewind needs a recorded day. Also give --pireps, --states or --sigmets.")
    }
    _ = try rewindSeconds()
    _ = try clock()
    guard airports != nil || cycles.isEmpty else {
      throw ValidationError("--cycle needs a directory of airport files. Also give --airports.")
    }
    _ = try cyclesByName()
  }

  private var hasDay: Bool { !(pireps.isEmpty && states.isEmpty && sigmets.isEmpty) }

  private func clock() throws -> DayClock {
    guard let clock = DayClock(rawValue: dayClock) else {
      throw ValidationError("--day-clock: '\(dayClock)' is invalid. Use shifted or recorded.")
    }
    return clock
  }

  private func rewindSeconds() throws -> Int64 {
    guard let rewind else { return 0 }
    guard let seconds = FaultSchedule.seconds(rewind) else {
      throw ValidationError("--rewind: '\(rewind)' is invalid. Use a duration such as 90m or 3h.")
    }
    return seconds
  }

  func run() async throws {
    try check()
    var configuration = ServerConfiguration(seed: seed)
    configuration.host = host
    configuration.port = port
    if let certificate, let certificateKey {
      let files = ServerCertificate(chain: certificate, key: certificateKey)
      // Before anything is opened or written.
      try files.check()
      configuration.certificate = files
      configuration.renewal = CertificateRenewal(files)
    }
    configuration.aircraft = aircraft
    configuration.keys = keys + (try Self.keysOfEnvironment())
    configuration.limits = try limits()
    let perSecond = rate ?? (simulatedTime ? 0 : 100)
    if perSecond > 0 { configuration.rate = RequestRate(perSecond: perSecond) }
    configuration.retentionSeconds = Int64(retention) * 3600
    configuration.faults = try schedules()
    configuration.faultRate = faultRate
    configuration.allowsRequestedFaults = requestedFaults
    configuration.allowsSimulatedTime = simulatedTime
    configuration.isPlain = plain
    configuration.holdSeconds = min(max(hold ?? configuration.holdSeconds, 0), HoldTerms.maximumSeconds)
    configuration.holdsSimulatedTime = hold != nil
    configuration.logger.logLevel = verbose ? .debug : .warning
    configuration.crossOrigin = try crossOrigin()
    if page { configuration.page = try servedPage() }
    if let airports {
      configuration.airports = .directory(airports, cyclesByName: try cyclesByName())
    } else if sampleAirports || open || live.demo {
      configuration.airports = .samples
    }
    if jsonLog { configuration.logger = JSONLogHandler.logger(label: "contrail", level: verbose ? .debug : .info) }
    let hasKeyFiles = keysFile != nil || tokenKeys != nil
    var reloaded: (files: KeyFiles, ring: KeyRing)?
    if hasKeyFiles {
      let files = KeyFiles(keys: keysFile, tokens: tokenKeys.map { ($0, tokenAudience ?? "") })
      let ring = try files.ring()
      configuration.keyRing = ring
      reloaded = (files, ring)
    }
    // SIGHUP means reading the keys and the certificate again, if there are any. It doesn't end a service.
    if live.isLive || reloaded != nil || configuration.renewal != nil {
      configuration.companions.append(
        KeyReload(reloaded, certificate: configuration.renewal, logger: configuration.logger))
    }
    var world = "seed \(seed), \(aircraft) aircraft"
    var scratch: String?
    defer { if let scratch { try? FileManager.default.removeItem(atPath: scratch) } }
    if live.isLive {
      var live = live
      // The files of a recorded day are sources too.
      live.sources += pireps + states + sigmets
      // A port in use is found before a feed is asked and a line is written.
      try await ReferenceServer.check(host: host, port: port)
      let setup = try await live.prepare(
        &configuration, retentionSeconds: Int64(retention) * 3600, tells: !jsonLog)
      (world, scratch) = (setup.world, setup.scratch)
    } else if hasDay {
      let day = try RecordedDay(pireps: pireps, states: states, sigmets: sigmets)
      configuration.day = day
      print(Words.page(day.report.description))
      configuration.dayClock = try clock()
      configuration.dayRewindSeconds = try rewindSeconds()
      world = "a recorded day, clock \(dayClock)"
    }
    world += configuration.keys.isEmpty && !hasKeyFiles ? ", no API key required" : ", API key required"
    try await ReferenceServer.run(configuration) { server in
      print(Words.page("Listening on \(server.address) (\(world)). Stop with Ctrl-C."))
      ContrailProgram.endIfOutputFailed()
      if open { Self.openPage(server.port, isSecure: certificate != nil) }
    }
  }

  private func schedules() throws -> [FaultSchedule] {
    do {
      return try faults.map { text throws(InputError) in try FaultSchedule(text) }
    } catch {
      throw ValidationError("--fault: \(error)")
    }
  }
}
