#if Online
  import ArgumentParser
  import ContrailServer
  import Logging

  /// `contrail serve`: the reference server.
  struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Serve a simulated world of aircraft in rough air.",
      discussion: """
        The world is a pure function of the seed and the time: a server that is started again answers as before.

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

        FAULTS
          status=CODE  that status; with ,retry-after=S if wanted
          gone, unauthorized, badrequest  410, 401, 400
          latency=MS  the answer waits
          drop  no answer, though the request is carried out
          truncate, truncate=chunked, truncate=body  half an answer
          garble, html  no JSON; the page of a captive portal
          checksum, count, loses=N  sums that don't fit
          stale=S, ahead=S, follows  a wrong token

        The protocol is described by the OpenAPI document at /openapi.yaml.
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
      let world = "seed \(seed), \(aircraft) aircraft, \(configuration.keys.isEmpty ? "no key needed" : "key needed")"
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
