import ArgumentParser
import ContrailCore
import ContrailHTTP
import ContrailLog
import ContrailReplay
import ContrailServer
import ContrailWorld
import Dispatch
import Foundation
import Logging

/// The options of `contrail serve --live`.
struct LiveOptions: ParsableArguments {
  @Flag(help: "Poll real feeds and serve what they answer. Needs --log, or --demo.")
  var live = false

  @Flag(help: "With --live: poll a made-up day instead of the network, into a log that is removed at the end.")
  var demo = false

  @Option(
    name: .customLong("source"), parsing: .singleValue,
    help: ArgumentHelp(
      "A source of --live: awc, awc-cache, opensky[:box], receiver=URL, NAME=URL, a URL, a file or a directory.",
      discussion: "May be repeated. The default is awc. New files of a directory are found each minute.",
      valueName: "source"),
    completion: .list(["awc", "awc-cache"] + FeedSource.catalogue.map(\.name) + ["receiver="]))
  var sources: [String] = []

  @Option(
    help: ArgumentHelp("The directory of the service's log, from which it continues.", valueName: "directory"),
    completion: .directory)
  var log: String?

  @Option(
    help: ArgumentHelp(
      "A PostgreSQL database instead of --log, which several instances share.",
      discussion:
        "Other users can see arguments. Give the password by CONTRAIL_DATABASE, which holds the whole URL, or by a "
        + "password file of libpq. The program must be built with the trait PostgreSQL.",
      valueName: "url"))
  var database: String?

  @Option(
    help: ArgumentHelp("Serve what this log of a service held. It isn't changed.", valueName: "directory"),
    completion: .directory)
  var from: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With --from: the time to begin, \(LogMoment.help).", valueName: "time"))
  var at: String?

  @Option(help: ArgumentHelp("How fast the service's clock runs, for --demo, --from and tests.", valueName: "factor"))
  var speed: Double?

  @Option(
    help: ArgumentHelp("The first time of the service's clock, for tests.", valueName: "time", visibility: .hidden))
  var start: String?

  @Option(
    help: ArgumentHelp(
      "The size of a segment of the log, after which the next one begins with a snapshot.", valueName: "bytes",
      visibility: .hidden))
  var segmentBytes = 16 << 20

  @Option(help: ArgumentHelp("Remove segments of the log that ended this many days ago.", valueName: "days"))
  var keepDays = 30

  @Option(help: ArgumentHelp("Remove the oldest segments of the log beyond this size.", valueName: "gigabytes"))
  var keepGigabytes = 10

  @Option(
    help: ArgumentHelp("A PEM file with certificates of feeds to trust besides the system's.", valueName: "file"),
    completion: .file())
  var feedCertificate: String?

  /// Whether the service is a live one.
  var isLive: Bool { live || from != nil }

  /// The URL of the database in `CONTRAIL_DATABASE`.
  private static var databaseOfEnvironment: String? {
    let url = ProcessInfo.processInfo.environment["CONTRAIL_DATABASE"]
    return url == "" ? nil : url
  }

  /// The URL of the database in the option or in `CONTRAIL_DATABASE`.
  private var databaseURL: String? {
    if let database { return database }
    return log == nil && !demo && from == nil ? Self.databaseOfEnvironment : nil
  }

  /// Checks the values of the options.
  func check() throws {
    guard isLive else {
      let given: [(String, Bool)] = [
        ("--demo", demo), ("--source", !sources.isEmpty), ("--log", log != nil), ("--database", database != nil),
        ("--at", at != nil),
        ("--speed", speed != nil), ("--feed-certificate", feedCertificate != nil),
      ]
      if let name = given.first(where: { $0.1 })?.0 { throw ValidationError("\(name) needs --live. Also give --live.") }
      return
    }
    guard from == nil || !live else { throw ValidationError("--from replaces --live. Give one of them.") }
    guard from == nil || (log == nil && sources.isEmpty) else {
      throw ValidationError("--from neither polls nor writes. Give it without --log and --source.")
    }
    guard from != nil || demo || log != nil || databaseURL != nil else {
      throw ValidationError("--live needs a directory for its log. Give --log DIRECTORY, or --demo to try it.")
    }
    guard database == nil || (log == nil && from == nil && !demo) else {
      throw ValidationError("--database replaces --log. Give one of them, without --from and --demo.")
    }
    guard log == nil || Self.databaseOfEnvironment == nil else {
      throw ValidationError(
        "--log and CONTRAIL_DATABASE are both set. Remove --log to share the database with other instances, or unset "
          + "CONTRAIL_DATABASE to keep a log of this service alone.")
    }
    guard databaseURL == nil || (speed == nil && start == nil) else {
      throw ValidationError("--speed: the time of a database can't be changed. Give --database without --speed.")
    }
    guard !demo || (log == nil && sources.isEmpty) else {
      throw ValidationError("--demo has its own sources and log. Give it without --source and --log.")
    }
    guard (0.001...100_000).contains(speed ?? 1) else {
      throw ValidationError("--speed: \(speed ?? 1) is out of range. Use 0.001 to 100000.")
    }
    guard keepDays > 0, keepGigabytes > 0 else {
      throw ValidationError("--keep-days and --keep-gigabytes need at least 1.")
    }
    let locations = try demo ? [] : feedSources().map(\.location)
    for case .path(let path) in locations where !FileManager.default.fileExists(atPath: path) {
      throw ValidationError(
        "--source: '\(path)' is neither a URL nor a file. Use a URL such as https://example.com/aircraft.json, or the "
          + "path of a file or directory that exists.")
    }
    for case .path(let path) in locations where FeedFetcher.isDirectory(path) {
      throw ValidationError(
        "--source: the directory '\(path)' has no files that can be read. Put a file into it, which has the answer of a "
          + "feed, or name another source.")
    }
    if let at { _ = try LogMoment(at) }
    if let start, FeedTime.milliseconds(start) == nil {
      throw ValidationError("--start: '\(start)' is invalid. Use a time such as 2026-11-26T14:02:00Z.")
    }
  }

  /// Returns the sources, with one for each file of a directory.
  private func feedSources() throws -> [FeedSource] {
    if demo { return DemoFeeds.sources }
    let result = FeedFetcher.expanded(try namedSources())
    do throws(InputError) {
      try FeedSource.checkLocations(of: result)
      return result
    } catch {
      throw ValidationError("--source: \(error)")
    }
  }

  /// Returns the sources as they are named, directories included.
  private func namedSources() throws -> [FeedSource] {
    do throws(InputError) {
      var result: [FeedSource] = []
      for text in sources.isEmpty ? ["awc"] : sources { result += try FeedSource.sources(text) }
      return result
    } catch {
      throw ValidationError("--source: \(error)")
    }
  }

  /// Returns the clock in milliseconds since 1970, which starts now.
  private func clock(from start: Int64?) -> @Sendable () -> Int64 {
    let real: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
    guard speed != nil || start != nil else { return real }
    let (begun, factor) = (real(), speed ?? 1)
    let first = start ?? begun
    return { first + Int64(Double(real() - begun) * factor) }
  }
}

/// What a live service needs besides its configuration.
struct LiveSetup {
  /// The text about the world, for the first line.
  let world: String
  /// A directory to remove at the end.
  var scratch: String?
}

extension LiveOptions {
  /// Prepares a live service.
  ///
  /// - Parameter tells: Whether lines about answers go to standard output.
  func prepare(
    _ configuration: inout ServerConfiguration, retentionSeconds: Int64, tells: Bool
  ) async throws -> LiveSetup {
    let version = "contrail \(EngineVersion.current)"
    configuration.allowsSimulatedTime = false
    if let from { return try prepareReplay(&configuration, from, retentionSeconds: retentionSeconds, version: version) }

    let client = try Self.openSkyClient()
    let sources = try feedSources().sharingBudgets(isRegistered: client != nil)
    let listing = try listing(isRegistered: client != nil)
    let fetcher = FeedFetcher(
      agent: "contrail/\(EngineVersion.current)", trusting: feedCertificate, openSky: client)
    for source in sources where !demo {
      do throws(ServerURLError) {
        try await fetcher.check(source)
      } catch {
        guard !error.isOfConnection, case .url(let url) = source.location else { throw error }
        throw ValidationError("--source: '\(url)': \(error)")
      }
    }
    if let databaseURL {
      return try await prepareShared(
        &configuration, databaseURL, sources, listing, fetcher, retentionSeconds: retentionSeconds, version: version,
        tells: tells)
    }
    let scratch = demo ? NSTemporaryDirectory() + "contrail-demo-\(ProcessInfo.processInfo.processIdentifier)" : nil
    let base = clock(from: start.flatMap { FeedTime.milliseconds($0) })
    if !demo { warn(about: sources, at: base()) }
    let path = log ?? scratch ?? ""
    let live = try await LiveService.open(
      path: path, clock: base, retentionSeconds: retentionSeconds, reader: .complete, sources: sources.map(\.name),
      version: version, segmentBytes: Int64(segmentBytes))
    // A clock that was set back doesn't go below the log.
    let first = await live.observations.status?.lastAt ?? 0
    let clock: @Sendable () -> Int64 = { max(base(), first) }
    let demonstration = DemoFeeds(seed: configuration.seed)
    let feeds = LiveFeeds(
      live, sources: sources, listing: listing,
      transport: demo ? .local { demonstration.answer($0, at: $1) } : .network(fetcher), clock: clock,
      speed: speed ?? 1,
      retention: retention, logger: configuration.logger
    ) { line in if tells { Self.tell(line, at: clock()) } }
    configuration.clock = clock
    configuration.live = live
    configuration.operations = Operations(
      live: live, following: { await feeds.sources }, version: version, clock: clock)
    configuration.companions.append(feeds)
    if let torn = await live.observations.recovery.torn {
      print(Words.page("\(torn.path): \(Words.count(torn.lineCount, "line")) of an interrupted write moved there"))
    }
    if !demo { Self.show(sources) }
    let name = demo ? "live, made-up feeds" : "live, \(Words.count(sources.count, "source")), log \(path)"
    return LiveSetup(world: name, scratch: scratch)
  }

  /// Returns a closure that lists the files of directories again; nil if no source is a directory.
  private func listing(isRegistered: Bool) throws -> (@Sendable () -> [FeedSource])? {
    guard !demo else { return nil }
    let named = try namedSources().sharingBudgets(isRegistered: isRegistered)
    let hasDirectory = named.contains { source in
      guard case .path(let path) = source.location else { return false }
      return FeedFetcher.isDirectory(path)
    }
    guard hasDirectory else { return nil }
    return { FeedFetcher.expanded(named) }
  }

  /// Prints what became of an answer.
  private static func tell(_ line: String, at now: Int64) { print(Words.page("\(FeedTime.clock(now))  \(line)")) }

  private static func show(_ sources: [FeedSource]) {
    for source in sources {
      print(Words.page("\(source.name): every \(source.intervalSeconds) s; \(source.licence)"))
    }
  }

  /// Warns of files whose records are all of another time: none of them will be served.
  private func warn(about sources: [FeedSource], at now: Int64) {
    for source in sources {
      guard case .path(let path) = source.location, let records = FeedFetcher.records(ofFile: source),
        records.isOfAnotherTime(at: now / 1000)
      else { continue }
      printError(
        "Warning: all records of \(path) are of another time, so --live serves none of them. Without --live, --pireps, "
          + "--states and --sigmets shift a recorded day to now.")
    }
  }

  private var retention: LogRetention {
    LogRetention(maximumBytes: Int64(keepGigabytes) << 30, maximumAgeMilliseconds: Int64(keepDays) * 86_400_000)
  }

  /// Prepares a service that shares its log with others.
  private func prepareShared(
    _ configuration: inout ServerConfiguration, _ url: String, _ sources: [FeedSource],
    _ listing: (@Sendable () -> [FeedSource])?, _ fetcher: FeedFetcher, retentionSeconds: Int64, version: String,
    tells: Bool
  ) async throws -> LiveSetup {
    #if PostgreSQL
      let address = try Self.address(url)
      let log = PostgreSQLLog(address)
      let live = try await LiveService.join(
        log, uptime: { Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000) }, retentionSeconds: retentionSeconds,
        reader: .complete)
      _ = try await log.append(.started(version: version, sources: sources.map(\.name)))
      let clock = live.observations.clock
      let feeds = LiveFeeds(
        live, sources: sources, listing: listing, transport: .network(fetcher), clock: clock, retention: retention,
        snapshotBytes: Int64(segmentBytes), logger: configuration.logger
      ) { line in if tells { Self.tell(line, at: clock()) } }
      configuration.clock = clock
      configuration.live = live
      configuration.operations = Operations(
        live: live, following: { await feeds.sources }, version: version, clock: clock)
      // The follower stops last: uploads wait for it.
      configuration.companions += [LogFollower(live, log, logger: configuration.logger), feeds]
      if let warning = log.warning { printError("Warning: \(address): \(warning)") }
      Self.show(sources)
      return LiveSetup(world: "live, \(Words.count(sources.count, "source")), \(address)")
    #else
      throw Self.withoutPostgreSQL
    #endif
  }

  #if PostgreSQL
    static func address(_ url: String) throws -> DatabaseAddress {
      do throws(InputError) {
        return try DatabaseAddress(url)
      } catch {
        throw ValidationError("--database: \(error).")
      }
    }
  #endif

  static let withoutPostgreSQL = ValidationError(
    "--database: this program was built without PostgreSQL. Build it with: "
      + "swift build -c release --product contrail --traits default,PostgreSQL")

  private func prepareReplay(
    _ configuration: inout ServerConfiguration, _ path: String, retentionSeconds: Int64, version: String
  ) throws -> LiveSetup {
    let place = try at.map { try LogPlace(LogMoment($0), inLogAt: path) }
    if let note = place?.note { printError(Words.page(note)) }
    let time = place?.time
    let player = try ServiceLogPlayer(path: path, until: time, feeds: .complete)
    let clock = clock(from: time ?? player.state.lastAt + 1000)
    let live = LiveService.replaying(player.state, clock: clock, retentionSeconds: retentionSeconds)
    configuration.clock = clock
    configuration.live = live
    configuration.operations = Operations(live: live, sources: [], version: version, clock: clock)
    configuration.companions.append(
      LogPlayback(player, into: live, clock: clock, speed: speed ?? 1, logger: configuration.logger))
    return LiveSetup(world: "the log \(path) from \(FeedTime.text(clock()))")
  }

  /// Returns the credentials in `OPENSKY_CLIENT_ID` and `OPENSKY_CLIENT_SECRET`, which other users can't see.
  private static func openSkyClient() throws -> FeedFetcher.OpenSkyClient? {
    let environment = ProcessInfo.processInfo.environment
    switch (environment["OPENSKY_CLIENT_ID"], environment["OPENSKY_CLIENT_SECRET"]) {
    case (nil, nil): return nil
    case (let id?, let secret?) where !id.isEmpty && !secret.isEmpty:
      var client = FeedFetcher.OpenSkyClient(id: id, secret: secret)
      if let url = environment["OPENSKY_TOKEN_URL"] { client.tokenURL = url }
      return client
    default:
      throw ValidationError("OPENSKY_CLIENT_ID and OPENSKY_CLIENT_SECRET need each other. Set both, or neither.")
    }
  }
}

/// Times in arguments and in output.
enum FeedTime {
  static func milliseconds(_ text: String) -> Int64? {
    let formatter = ISO8601DateFormatter()
    return formatter.date(from: text).map { Int64($0.timeIntervalSince1970 * 1000) }
  }

  static func text(_ milliseconds: Int64) -> String {
    ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(milliseconds / 1000)))
  }

  /// The time of day, such as `14:02:10Z`.
  static func clock(_ milliseconds: Int64) -> String { String(text(milliseconds).dropFirst(11)) }
}
