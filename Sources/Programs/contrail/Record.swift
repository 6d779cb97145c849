import ArgumentParser
import Contrail
import ContrailAirportData
import ContrailCore
import ContrailEngine
import ContrailField
import ContrailHTTP
import ContrailLog
import ContrailReplay
import ContrailServer
import ContrailTesting
import ContrailWire
import ContrailWorld
import Foundation
import Logging

/// The `contrail record` command: simulates a flight along a track and records it.
struct Record: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fly a track against a server and record every input and decision.",
    discussion: """
      The engine, HTTP and the log are real. The clock is simulated, so a flight of ten hours is recorded in seconds.
      Without --server, a reference server runs in this process on a free port.

      The recording is written to a temporary file and moved to --out when it is complete. If the flight fails or is \
      interrupted, an existing file at that path is unchanged. With --force an existing recording is replaced; any \
      other file or directory is refused. Blobs are written to the folder 'blobs' beside the recording. Blobs that \
      are already there are kept.

      A track is CSV: time_utc_iso,lat,lon,alt_ft,groundspeed_kt,track_deg (the last three may be blank).
      A fix is skipped and counted if it isn't later than the last accepted fix, or if reaching it would need more \
      than 1,200 knots. After three such fixes that are consistent with each other, the new position is accepted.
      A scenario is text with one event per line. Times count from the first fix, and are written as in all options:
      01:10:00, 1h10m, 70m, 90s, 300ms or t+0.
        01:10:00 offline                       t+1h40m online
        2h relaunch                            10m refresh full|delta
        30m history 0.5h|1h|2h|4h|6h           5m frequency none|minimal|medium|fast
        1h types all|none|turbulence,pireps,…  1h viewport-types same|all|none|…
        1h severities all|light,moderate,…     1h altitudes 28000 41000|all
        1h route LAT,LON LAT,LON … width NM    1h route off
        1h polygon LAT,LON …|off               1h viewport 8deg|off
        1h pan 40 300ms 2.5                    1h global on|off
        1h up-to on|off                        1h clock +90s
        1h fault status=503 for 10m            1h key bad|good
        1h report moderate                     1h report light 6 30s
        1h budget BYTES|off                    1h link free|expensive|constrained
        1h airports check|load|defer|deliver 2601
        1h weather LAT,LON… [language en_US] [unit metric:v2] [hours 12] [days 2]
      'contrail serve --help' lists the server faults.

      A RECORDED DAY
      A flight through the reports of a day needs a server whose clock is that of the day, and takes the flight's time:
        contrail serve --pireps day.json --day-clock recorded --simulated-time
        contrail record --fly '51.47,-0.45 40.64,-73.78' --out day.jsonl \\
          --departure 2026-01-15T10:00:00Z --server http://127.0.0.1:8080

      EXAMPLES
        contrail record --track flight.csv --out flight.jsonl
        contrail record --fly '51.47,-0.45 40.64,-73.78' --until 2h \\
          --out lhr-jfk.jsonl
        contrail record --track flight.csv --link certus --out certus.jsonl
        contrail record --track flight.csv --scenario offline.txt --history 4h \\
          --types turbulence,pireps --viewport 8deg --out flight.jsonl

      EXIT STATUS
        0   recorded
        1   recorded, but the final corridor differs from a full fetch
        2   not recorded: the server failed to start, or the recording couldn't
            be written
        3   every request failed, no response was usable, or the server's clock
            isn't the flight's: not recorded, unless --keep-failed is given
        64  invalid arguments, or an invalid input file
      """)

  @Option(help: "The track of the flight, a CSV file.", completion: .file())
  var track: String?

  @Option(
    help: ArgumentHelp(
      "Fly great circles between these points instead of a track: 'LAT,LON LAT,LON …'.", valueName: "points"))
  var fly: String?

  @Option(help: "The departure time of a flight given with --fly.")
  var departure = "2026-01-15T10:00:00Z"

  @Option(help: "The ground speed of a flight given with --fly, in knots.")
  var knots = 480.0

  @Option(help: "The recording to write: an uncompressed .jsonl file.", completion: .file())
  var out: String

  @Option(help: "The scenario of the flight, a text file.", completion: .file())
  var scenario: String?

  @Option(help: "The server URL. Default: a reference server in this process.")
  var server: String?

  @Option(
    help: ArgumentHelp(
      "Certificates to trust besides the system's, a PEM file, such as of a test server.", valueName: "file"),
    completion: .file())
  var trust: String?

  @Flag(help: "The server in this process knows neither handles of areas nor compact answers.")
  var plainServer = false

  @Option(
    help: ArgumentHelp(
      "The longest time in seconds that the server in this process holds a request until there is news; 0 for none.",
      valueName: "seconds"))
  var hold: Int64 = 0

  @Option(help: "The seed of the simulated world, the link and the retry jitter.")
  var seed: UInt64 = 1

  @Option(help: "The full width of the corridor in nautical miles; 0 for no corridor.")
  var width = 100.0

  @Option(
    help: "The data types, separated by commas: turbulence, pireps, traffic, turbulencePolygons; or all, or none.",
    completion: .list(DataTypeOptions.names.map(\.name) + ["all", "none"]))
  var types = "turbulence"

  @Option(
    help: "The age of the oldest data to request: 0.5h, 1h, 2h, 4h or 6h.",
    completion: .list(["0.5h", "1h", "2h", "4h", "6h"]))
  var history = "2h"

  @Option(
    help: "The update frequency: none, minimal, medium or fast.",
    completion: .list(DataUpdateFrequency.allCases.map(\.rawValue)))
  var frequency = "fast"

  @Option(
    help: "The height of a viewport that follows the aircraft, such as 8deg; or off.",
    completion: .list(["off", "4deg", "8deg", "16deg"]))
  var viewport = "off"

  @Option(
    help: ArgumentHelp(
      "A model of the link: certus, geo, geo-bad, leo, air-to-ground, or a JSON file with round trip, rates, loss, "
        + "outages and their source. Default: a round trip of 700 to 1,100 ms and 64 KB/s."),
    completion: .custom { _, _, prefix in completions(of: prefix, and: LinkModel.all.map(\.name)) })
  var link: String?

  @Option(help: "Stop this long after the first fix, such as 2h.")
  var until: String?

  @Flag(help: "Replace an existing recording. Other files are never replaced.")
  var force = false

  @Flag(help: "Keep the recording even if it is useless; see exit status 3.")
  var keepFailed = false

  @Flag(help: "Print the summary as JSON.")
  var json = false

  /// Checks the values of the options.
  ///
  /// `validate()` would report an invalid value before an unknown option.
  private func check() throws {
    guard !out.hasSuffix(".xz") else {
      throw ValidationError("--out: '\(out)' is a compressed file. Give an uncompressed .jsonl file.")
    }
  }

  func run() async throws {
    try check()
    do {
      try await record()
    } catch let error as ValidationError {
      throw error
    } catch let status as ExitCode {
      throw status
    } catch {
      throw Self.failure(2, (error as? EngineError)?.message ?? "\(error)")
    }
  }

  private func record() async throws {
    var options = try recorderOptions()
    let track = try flight()
    let scenario = try self.scenario.map {
      try read("scenario", $0) { (text) throws(InputError) in try Scenario(text: text) }
    }
    let output = try output()
    let interruption = Interruption { output.discard() }
    defer {
      output.discard()
      withExtendedLifetime(interruption) {}
    }
    options.path = output.path
    var local: ReferenceServer?
    if server == nil {
      var configuration = ServerConfiguration(seed: seed)
      configuration.allowsSimulatedTime = true
      configuration.allowsRequestedFaults = true
      configuration.isPlain = plainServer
      configuration.holdSeconds = min(max(hold, 0), HoldTerms.maximumSeconds)
      configuration.holdsSimulatedTime = true
      configuration.logger.logLevel = .critical
      let shelf = try fill(output.directory + "/cycles", scenario, at: (track.fixes.first?.at ?? 0) / 1000)
      if let shelf { configuration.airports = .directory(shelf) }
      local = try await ReferenceServer.start(configuration)
    }
    let key = ProcessInfo.processInfo.environment["CONTRAIL_KEY"]
    let transport = try transport(to: server ?? local?.address ?? "")
    let summary: Recorder.Summary
    do {
      var recorder = try Recorder(
        options: options, sender: RequestSender(transport: transport), credentials: Credentials(apiKey: key),
        track: track, scenario: scenario ?? Scenario())
      let meter = ProgressMeter(isOn: !json)
      summary = try await recorder.run { meter.show($0, name: out) }
      meter.clear()
    } catch {
      await transport.shutdown()
      await local?.stop()
      throw error
    }
    await transport.shutdown()
    await local?.stop()
    let requests = try FlightRequests(recordingAt: output.path)
    let trouble = Self.trouble(summary, requests)
    let isKept = keepFailed || trouble == nil
    if isKept { try output.publish() }
    report(track, summary, requests, isKept: isKept)
    if let trouble {
      throw Self.failure(
        3,
        "\(trouble); "
          + (isKept ? "the recording was kept" : "the recording was discarded. To keep it, use --keep-failed."))
    }
    guard summary.comparison?.isEqual ?? true else { throw ExitCode(1) }
  }

  /// Why a recording is useless, as a clause; nil if it isn't.
  private static func trouble(_ summary: Recorder.Summary, _ requests: FlightRequests) -> String? {
    if requests.haveAllFailed { return "every request failed (\(requests.failuresText))" }
    if let lead = summary.serverLeadMS, abs(lead) >= maximumLeadMS {
      return
        "the server's clock is \(abs(lead) / 60_000) minutes \(lead > 0 ? "ahead of" : "behind") the flight, so the "
        + "server doesn't take the flight's time. Start it with --simulated-time, or fly at its time with --departure. A "
        + "recorded day is flown at its own time on a server with --day-clock recorded"
    }
    if requests.answered > 0, summary.accepted == 0 {
      return "no response was usable: the server at this URL doesn't speak the protocol"
    }
    return nil
  }

  /// The difference between the server's clock and the flight's time from which a recording is useless.
  private static let maximumLeadMS: Int64 = 3_600_000

  /// Prints an error to standard error and returns the exit code to throw.
  private static func failure(_ status: Int32, _ message: String) -> ExitCode {
    printError("Error: \(message)")
    return ExitCode(status)
  }

  private func output() throws -> StagedOutput {
    do throws(LogError) {
      return try StagedOutput(out, replacing: force ? .log : .nothing)
    } catch {
      guard error.code == .alreadyExists else { throw error }
      throw ValidationError(force ? "\(error)" : "\(error) To replace a recording, use --force.")
    }
  }

  private func transport(to server: String) throws -> any ClosableTransport {
    if let trust { try InputPath.check(trust, "--trust") }
    do {
      return try PlatformTransport.make(server: server, trusting: trust)
    } catch {
      throw ValidationError(error.message)
    }
  }

  /// Writes sample airport files for the cycles a scenario loads, for the server in this process.
  ///
  /// Only cycles already published when the flight begins are written. Returns the directory, or `nil` if the
  /// scenario loads no cycle.
  private func fill(_ shelf: String, _ scenario: Scenario?, at time: Int64) throws -> String? {
    let cycles = (scenario?.events ?? []).compactMap { event -> AIRACCycle? in
      switch event.action {
      case .airports(.load, let cycle), .airports(.deliver, let cycle): cycle
      default: nil
      }
    }
    guard !cycles.isEmpty else { return nil }
    try FileManager.default.createDirectory(atPath: shelf, withIntermediateDirectories: true)
    for cycle in Set(cycles) where cycle.isPublished(at: time, leadDays: AIRACCycle.receptionLeadDays) {
      let file = URL(fileURLWithPath: "\(shelf)/\(cycle).airports.xz")
      try Data(SampleAirports.file(of: cycle)).write(to: file)
    }
    return shelf
  }

  private func flight() throws -> Track {
    switch (track, fly) {
    case (let path?, nil):
      return try read("track", path) { (text) throws(InputError) in try Track(csv: text) }
    case (nil, let points?):
      guard let line = Scenario.coordinates(points.split(separator: " ")[...]) else {
        throw ValidationError("--fly: '\(points)' is invalid. Use 'LAT,LON LAT,LON …' in degrees.")
      }
      guard let departure = TimelinePosition.utc(departure) else {
        throw ValidationError("--departure: '\(self.departure)' is invalid. Use the form 2026-01-15T10:00:00Z.")
      }
      do {
        return try Track(flying: line, departure: departure, knots: knots)
      } catch {
        throw ValidationError("--fly: \(error.reason).")
      }
    default: throw ValidationError("Give exactly one of --track and --fly.")
    }
  }

  private func recorderOptions() throws -> Recorder.Options {
    var options = Recorder.Options(path: out)
    options.seed = seed
    options.widthNM = width > 0 ? width : nil
    guard let types = DataTypeOptions(words: types) else {
      throw ValidationError(
        "--types: unknown type in '\(self.types)'. Use turbulence, pireps, traffic and turbulencePolygons, all, or none."
      )
    }
    options.types = types
    guard let history = Scenario.history(history[...]) else {
      throw ValidationError("--history: '\(self.history)' is invalid. Use 0.5h, 1h, 2h, 4h or 6h.")
    }
    options.history = history
    guard let frequency = DataUpdateFrequency(rawValue: frequency) else {
      throw ValidationError("--frequency: '\(self.frequency)' is invalid. Use none, minimal, medium or fast.")
    }
    options.frequency = frequency
    guard let viewport = Scenario.viewport(viewport[...]) else {
      throw ValidationError("--viewport: '\(self.viewport)' is invalid. Use off or a height such as 8deg.")
    }
    options.viewport = viewport
    if let link { options.link = .model(try linkModel(link)) }
    if let until {
      guard let span = TimeText.span(until) else {
        throw ValidationError("--until: '\(until)' is invalid. Use a time such as 2h or 1h30m.")
      }
      options.untilMS = span
    }
    return options
  }

  private func linkModel(_ name: String) throws -> LinkModel {
    if let known = LinkModel.named(name) { return known }
    return try read("link model", name) { (text) throws(InputError) in
      try LinkModel(json: Array(text.utf8), name: name)
    }
  }

  private func read<T, Fault: Error>(
    _ what: String, _ path: String, _ parse: (String) throws(Fault) -> T
  ) throws -> T {
    try InputPath.check(path, "the \(what)")
    guard let data = FileManager.default.contents(atPath: path), let text = String(data: data, encoding: .utf8) else {
      throw ValidationError("Can't read the \(what) '\(path)'. Give a text file in UTF-8.")
    }
    do {
      return try parse(text)
    } catch {
      throw ValidationError("\(path): \(error)")
    }
  }
}

/// The progress of a flight on standard error.
final class ProgressMeter {
  private let isOn: Bool
  private var shown = -1

  init(isOn: Bool) {
    self.isOn = isOn && isatty(STDERR_FILENO) != 0
  }

  func show(_ share: Double, name: String) {
    let percent = Int(share * 100)
    guard isOn, percent != shown else { return }
    shown = percent
    ProgramOutput.writeError("\r\(name.escapingControls(keepsLines: false)): \(percent) %", escaped: false)
  }

  func clear() {
    guard isOn else { return }
    ProgramOutput.writeError("\r\u{1B}[K", escaped: false)
  }
}
