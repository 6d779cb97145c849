#if Online
  import ArgumentParser
  import ContrailAirportData
  import ContrailServer
  import Logging

  /// `contrail serve`: the reference server.
  struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Serve a simulated world of aircraft in rough air, or a real day from files.",
      discussion: """
        The simulated world is a pure function of the seed and the time: a server that is started again answers as before.

        EXAMPLES
          Serve on port 8080 of this machine:
            contrail serve
          Ask for a key, taken from the environment:
            CONTRAIL_KEYS=secret contrail serve --host 0.0.0.0
          Fail for ten minutes, five minutes after the first request:
            contrail serve --fault "503 for 10m from 5m"
          Let one request in ten fail in some way:
            contrail serve --fault-rate 0.1
          Let requests ask for faults and say what time it is:
            contrail serve --requested-faults --simulated-time
          Serve a real day, the last three hours of which are still to come:
            contrail serve --pireps pireps.json --states states.json.xz --sigmets gairmets.json --rewind 3h
          Serve airports beside either world:
            contrail serve --airports cycles --cycle sf50-2025-10-30.plist.lzma=2511

        A REAL DAY
        --pireps takes PIREPs of aviationweather.gov, --sigmets its SIGMETs and G-AIRMETs, as JSON or GeoJSON; --states takes \
        answers of OpenSky's states/all. Each may be given more than once, hold several answers as JSON lines, and be packed as .xz. \
        At the start the server tells what it serves of each file, what it leaves out or mends, and why.

        Turbulence in PIREPs becomes reports on hexagons too, with an EDR of NEG 0.05, LGT 0.125, LGT-MOD 0.175, MOD 0.325 and \
        0.45 for what is stronger. SIGMETs and G-AIRMETs for turbulence become areas. Aircraft stand where the newest states have them.

        --day-clock shifted, the default, moves the records: the newest of each kind came at the last full five minutes before the \
        start. Deltas since a time before the start are refused. --day-clock recorded leaves the records and sets the server's clock to \
        the first full five minutes after the newest: times in texts are right, the server answers as before when it is started \
        again, but reports that clients upload at their own time lie ahead of it.

        --rewind begins so long before the newest record: for so long, new ones come in.

        AIRPORTS
        --airports serves the files <cycle>.airports.xz of a directory, such as 2511.airports.xz; --cycle names the cycle of a \
        file that is called otherwise. Downloads that break can be resumed.

        FAULTS
          status=CODE  that status; with ,retry-after=S if wanted
          gone, unauthorized, badrequest  410, 401, 400
          failed  weather only: 200 with status failed
          latency=MS  the answer waits
          drop  no answer, though the request is carried out
          truncate, truncate=chunked, truncate=body  half an answer
          break=N  the connection breaks after N bytes of the body
          garble, html  no JSON; the page of a captive portal
          checksum, count, loses=N  sums that don't fit
          stale=S, ahead=S, follows  a wrong token

        The protocol is described by the OpenAPI document at /openapi.yaml.

        EXIT STATUS
          0   stopped by a signal
          1   the server could not be started, or a file can't be read
          64  the command line is wrong
        """)

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 lets the system choose.")
    var port = 8080

    @Option(help: "What the world is drawn from: the same seed, the same world.")
    var seed: UInt64 = 1

    @Option(help: "How many aircraft are in service; some five of six are in the air.")
    var aircraft = ServerConfiguration.standardAircraft

    @Option(
      name: .customLong("pireps"), parsing: .singleValue,
      help: ArgumentHelp("A real day's PIREPs; may be given more than once.", valueName: "file"))
    var pireps: [String] = []

    @Option(
      name: .customLong("states"), parsing: .singleValue,
      help: ArgumentHelp("A real day's aircraft; may be given more than once.", valueName: "file"))
    var states: [String] = []

    @Option(
      name: .customLong("sigmets"), parsing: .singleValue,
      help: ArgumentHelp("A real day's SIGMETs and G-AIRMETs; may be given more than once.", valueName: "file"))
    var sigmets: [String] = []

    @Option(help: "How a real day's time becomes the server's: shifted or recorded.")
    var dayClock = DayClock.shifted.rawValue

    @Option(
      help: ArgumentHelp("Begin a real day so long before its newest record, such as 90m or 3h.", valueName: "time"))
    var rewind: String?

    @Option(help: ArgumentHelp("The directory whose airport files are served.", valueName: "directory"))
    var airports: String?

    @Option(
      name: .customLong("cycle"), parsing: .singleValue,
      help: ArgumentHelp(
        "Serve a file of that directory as a cycle's; may be given more than once.", valueName: "name=cycle"))
    var cycles: [String] = []

    @Option(
      name: .customLong("key"), parsing: .singleValue,
      help: ArgumentHelp(
        "A key that clients may use; may be given more than once.",
        discussion:
          "Others can see a command's arguments: CONTRAIL_KEYS, separated by commas, is safer. Without keys none is asked for."
      ))
    var keys: [String] = []

    @Option(help: "For how long deltas are answered, in hours.")
    var retention = 12

    @Option(
      name: .customLong("fault"), parsing: .singleValue,
      help: ArgumentHelp(
        "A fault as 'FAULT [for TIME] [from TIME] [every TIME]'; may be given more than once.",
        discussion: "Times such as 90s, 10m, 2h count from the first request, in that request's time."))
    var faults: [String] = []

    @Option(help: "The share of requests, 0 to 1, that meet with a fault drawn from the seed.")
    var faultRate = 0.0

    @Flag(help: "Let requests ask for faults in the header Contrail-Fault.")
    var requestedFaults = false

    @Flag(help: "Let requests say what time it is in the header Contrail-Simulated-Time.")
    var simulatedTime = false

    @Flag(help: "Log each request.")
    var verbose = false

    func validate() throws {
      guard (0...65_535).contains(port) else { throw ValidationError("--port is from 0 to 65535.") }
      guard (0...65_536).contains(aircraft) else { throw ValidationError("--aircraft is from 0 to 65536.") }
      guard (0...720).contains(retention) else { throw ValidationError("--retention is from 0 to 720 hours.") }
      guard (0...1).contains(faultRate) else { throw ValidationError("--fault-rate is from 0 to 1.") }
      _ = try schedules()
      guard hasDay || rewind == nil else { throw ValidationError("--rewind is for a real day: give --pireps too.") }
      _ = try rewindSeconds()
      _ = try clock()
      guard airports != nil || cycles.isEmpty else { throw ValidationError("--cycle needs --airports.") }
      _ = try cyclesByName()
    }

    private var hasDay: Bool { !(pireps.isEmpty && states.isEmpty && sigmets.isEmpty) }

    private func clock() throws -> DayClock {
      guard let clock = DayClock(rawValue: dayClock) else {
        throw ValidationError("--day-clock is shifted or recorded.")
      }
      return clock
    }

    private func rewindSeconds() throws -> Int64 {
      guard let rewind else { return 0 }
      guard let seconds = FaultSchedule.seconds(rewind) else {
        throw ValidationError("--rewind is a time such as 90m or 3h.")
      }
      return seconds
    }

    private func cyclesByName() throws -> [String: String] {
      var result: [String: String] = [:]
      for rule in cycles {
        let sides = rule.split(separator: "=", omittingEmptySubsequences: false)
        guard sides.count == 2, !sides[0].isEmpty, AIRACCycle(identifier: String(sides[1])) != nil else {
          throw ValidationError("--cycle is a file's name and a cycle, such as sf50-2025-10-30.plist.lzma=2511.")
        }
        result[String(sides[0])] = String(sides[1])
      }
      return result
    }

    func run() async throws {
      var configuration = ServerConfiguration(seed: seed)
      configuration.host = host
      configuration.port = port
      configuration.aircraft = aircraft
      configuration.keys = keys + Self.keysOfEnvironment()
      configuration.retentionSeconds = Int64(retention) * 3600
      configuration.faults = try schedules()
      configuration.faultRate = faultRate
      configuration.allowsRequestedFaults = requestedFaults
      configuration.allowsSimulatedTime = simulatedTime
      configuration.logger.logLevel = verbose ? .debug : .warning
      configuration.airportsDirectory = airports
      configuration.airportCycles = try cyclesByName()
      var world = "seed \(seed), \(aircraft) aircraft"
      if hasDay {
        let day = try RecordedDay(pireps: pireps, states: states, sigmets: sigmets)
        configuration.day = day
        print(day.report)
        configuration.dayClock = try clock()
        configuration.dayRewindSeconds = try rewindSeconds()
        world = "a real day, clock \(dayClock)"
      }
      world += configuration.keys.isEmpty ? ", no key needed" : ", key needed"
      try await ReferenceServer.run(configuration) { server in
        print("Listening on \(server.address) (\(world)). Stop with Ctrl-C.")
        Self.flushOutput()
      }
    }

    private func schedules() throws -> [FaultSchedule] {
      do {
        return try faults.map { text throws(FaultSyntaxError) in try FaultSchedule(text) }
      } catch {
        throw ValidationError("--fault \(error)")
      }
    }
  }
#endif
