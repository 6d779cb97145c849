import Contrail
import ContrailCore
import ContrailEngine
import ContrailHTTP
import ContrailLog
import ContrailTestSupport
import ContrailWire
import Foundation

/// Flies a script: the client's own driver, application side and log, over a clock, a network and a disk that are made up.
///
/// It is a shell as the live client's is: it carries out what the driver answers, in order. All in one thread, so that a script is
/// flown the same each time. Faults are in the network and the disk; judges watch from outside.
///
/// Sendable without a lock: only one task ever holds a flight.
package final class Simulation: @unchecked Sendable {
  let script: Script
  let sabotage: Sabotage?
  /// What the flight gives to the client and gets from it; nil if nobody needs it.
  let tape: Tape?
  let disk: MemoryDisk
  var server: SimulatedServer
  var judge: Judge
  var tally = Tally()
  var wishes = Wishes()
  var survival = Survival()
  var ledger = Ledger()
  var appJudge = AppJudge()
  var airportJudge = AirportJudge()
  var credentialJudge = CredentialJudge()
  var database: SimulatedDatabase?

  /// True time, which is the server's, in milliseconds since 1970.
  var trueMS: Int64 = Rig.start
  /// How far the device's wall clock is ahead.
  var wallAheadMS: Int64 = 0
  /// The device's time at launch, and the true time then.
  var launch: (at: Int64, trueMS: Int64) = (0, 0)

  // The link.
  var isLinkUp = true
  var latencyMS: Int64 = 300
  var spoils: [AnswerFault] = []
  /// The faults of the next held requests.
  var holdSpoils: [AnswerFault] = []
  var airportFaults: [AirportFileFault] = []
  /// What the next calls of the provider of credentials do.
  var providerFaults: [ProviderFault] = []
  /// The calls of the provider that don't return.
  var hangingCalls: [Int64: ProviderFault] = [:]
  /// The stream of answers that the server has open.
  var stream: OpenStream?
  var keyInUse: String?
  let sender = RequestSender(transport: NoTransport())
  var events: [Occurrence] = []
  var eventCount = 0

  // The life of a process.
  var driver = Driver(.init(session: .init(engine: "", id: "", seed: 0)))
  var app = AppSide()
  /// The copy of the settings that an orderly end left beside the log, and the `seq` that followed it.
  private var settingsCopy: (settings: AppSettings, seq: Int64)?
  /// The copy of the settings that this process read at its launch.
  var launchCopy: (settings: AppSettings, seq: Int64)?
  /// The result of opening the log before the launch, because there was no copy of the settings.
  var earlyOpening: DriverEvent?
  /// Whether the application's first turn since the launch has ended.
  var isFirstTurnOver = false
  /// Whether the application allows the link, as far as the driver has written it.
  var isLinkAllowed = true
  /// Whether the application knows the settings of the last launch, or sets nothing before the log is open.
  var knowsSettings = true
  var log: DirectoryLog?
  let signer = TestSigner()
  var signatureCount: UInt64 = 0
  var timer: Int64?
  /// Lines that are on their way into the log.
  var writing: Writing?
  /// What the network has handed to the driver and the log doesn't hold yet, by request.
  var deliveries: [Int64: Reply] = [:]
  var projecting: (command: ProjectionCommand, at: Int64)?
  var awaited: Set<Ticket> = []
  var reportTickets: Set<Ticket> = []
  var backgroundTicket: Ticket?
  /// What the sabotage of order gives the driver after the next turn.
  var overtaken: AppEvent?
  /// The last request, which a sabotaged network repeats.
  var repeated: (request: OutgoingRequest, asked: SimulatedServer.Asked?)?
  var ending: Ending?
  var isPowerToFail = false
  var isToDieBeforeAction = false
  var turnCount = 0
  /// Whether the driver knows that somebody listens to what expires.
  var isObserved = false
  /// Whether the device has just woken, and not all that was due in its sleep has happened yet.
  var isWaking = false

  // The disk.
  var refused: Set<String> = []
  var syncsToFail = 0
  /// Another process holds the log until this true time.
  var lockedUntil: Int64?

  var nextStep = 0
  var isOver = false
  var lives = 0
  /// The tablet's condition at each launch.
  var vitals: [Vitals] = []

  static let path = "/log"
  /// More turns than this are no flight but a loop.
  static let maximumTurns = 20_000

  struct Occurrence {
    var at: Int64
    var order: Int
    var what: What

    enum What {
      /// The requests of an exchange reach the server.
      case arrival(Exchange)
      /// The server answers held requests.
      case release(Exchange)
      case delivery(Reply)
      /// The log has been opened, or not.
      case opening
      /// The application's turn ends.
      case endOfTurn
      /// Somebody begins to listen to what expires.
      case listener
      /// A call of the provider of credentials returns.
      case credential(Int64, CredentialAnswer)
      /// The signer answers.
      case signature(LogHead, Swift.Result<[UInt8], SigningFailure>)
      /// A file of airports has come, or not.
      case airportFile(effectiveMS: Int64)
    }
  }

  /// An answer on its way back.
  struct Reply {
    var request: OutgoingRequest
    var result: RequestResult
    var delivery: Judge.Delivery
    var isSecond = false
    /// The answer of which it is the result, or a part; nil for a failure.
    var answer: ReceivedAnswer?
  }

  /// Lines that are being written, and the state before them.
  struct Writing {
    var events: [Event]
    var before: State
    var reply: Reply?

    var inputs: [Input] { events.compactMap { if case .input(let input) = $0 { input } else { nil } } }
    var decisions: [Decision] { events.compactMap { if case .decision(let decision) = $0 { decision } else { nil } } }
  }

  /// - Parameter isTaped: Whether a tape is made, of a flight that the browser's client can fly: it has no database and no airports, opens
  ///   its log at once, and its system decompresses answers.
  package init(_ script: Script, sabotage: Sabotage? = nil, isTaped: Bool = false) {
    let script = isTaped ? script.inBrowser : script
    self.script = script
    self.sabotage = sabotage
    tape = isTaped ? Tape() : nil
    let world = SimulatedWorld(
      seed: script.seed, hours: script.setting.worldHours, reportsPerHour: script.setting.reportsPerHour,
      hasStorms: script.setting.hasStorms)
    server = SimulatedServer(world: sabotage == .serverLeavesOut ? world.thinned : world)
    server.losesUploads = sabotage == .serverLosesUploads
    server.holdsReportsBack = sabotage != .heldBackIsUntold
    if sabotage == .serverClockIsSlow { server.clockSlowMS = 3 * 3_600_000 }
    server.hasSums = script.setting.hasSums
    server.knowsAreas = !script.setting.isServerPlain
    server.knowsRepairs = script.setting.knowsRepairs
    server.packs = script.setting.packs
    server.holdSeconds = script.setting.holdSeconds
    server.holdsUrgentNews = sabotage == .urgentNewsIsHeld
    server.endsHoldsEarly = sabotage == .holdsEndEarly
    server.issuer = script.setting.tokenLifeSeconds.map { SimulatedIssuer(lifeSeconds: $0) }
    judge = Judge(world: world, sabotage: sabotage)
    disk = MemoryDisk(seed: script.seed)
    if script.setting.hasDatabase { database = SimulatedDatabase() }
  }

  /// What became of a flight.
  package struct Result: Sendable {
    package var script: Script
    /// What the first judge that found something found; nil for a flight as it should be.
    package var verdict: Verdict?
    package var tally: Tally
    /// The digest of the log's last state.
    package var digest: UInt64
    /// The tablet's condition at each launch.
    package var vitals: [Vitals] = []
    /// The files that the flight left.
    package var files: [String: [UInt8]]
    /// The tape of the flight; empty if none was made.
    package var tape: [UInt8]
  }

  /// How many flights are flown at once.
  package static let threadCount = max(2, ProcessInfo.processInfo.activeProcessorCount)

  /// Threads of their own to fly on: a flight never waits, and would keep other tasks from theirs.
  private static let threads: OperationQueue = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = threadCount
    return queue
  }()

  /// Flies all of the script, and judges.
  package func fly() async -> Result {
    await withCheckedContinuation { done in
      Self.threads.addOperation { done.resume(returning: self.flown()) }
    }
  }

  private func flown() -> Result {
    while judge.finding == nil, !isOver { live() }
    let digest = judge.finding == nil ? judgeLog() : 0
    if server.issuer != nil { CredentialJudge.search(disk.names.mapValues(\.current), &judge) }
    database?.close()
    tally.flights = 1
    tally.simulatedMS = trueMS - Rig.start
    let verdict = judge.finding.map {
      Verdict(judge: $0.judge, finding: $0.text, step: nextStep, atMS: trueMS)
    }
    return Result(
      script: script, verdict: verdict, tally: tally, digest: digest, vitals: vitals,
      files: disk.names.mapValues(\.current), tape: tape?.bytes ?? [])
  }

  /// The time as the device's clock tells it: the wall's at launch, the monotonic clock's from then on.
  var time: EngineTime {
    EngineTime(now: launch.at + trueMS - launch.trueMS, wall: trueMS + wallAheadMS)
  }

  // MARK: A process's life

  private func live() {
    lives += 1
    ending = nil
    launch = (trueMS + wallAheadMS, trueMS)
    judge.presence = .foreground
    appJudge.begin()
    airportJudge.begin()
    credentialJudge.begin()
    isFirstTurnOver = false
    isLinkAllowed = true
    // An application may keep the key of its last launch.
    if server.issuer == nil {
      keyInUse = server.key == "first-key" || lives % 2 == 0 ? server.key : "first-key"
    } else if lives % 3 != 0 {
      keyInUse = nil
    }
    tapeLife(key: keyInUse)
    launchCopy = tape == nil ? settingsCopy.take() : nil
    let settings = launchSettings()
    knowsSettings = settings != nil
    app = AppSide(settings ?? AppSettings())
    if let settings { appJudge.reads(settings) }
    driver = Driver(
      .init(
        session: .init(
          engine: EngineVersion.current, id: "s\(lives)-\(script.seed)", seed: script.seed),
        settings: settings ?? AppSettings(), settingsSeq: launchCopy?.seq,
        credentials: Credentials(apiKey: keyInUse),
        host: "server", hasProjection: database != nil, deliversAirports: script.setting.deliversAirports ? true : nil,
        providesCredentials: server.issuer != nil,
        awaitsApplication: sabotage != .launchIsHasty, signingKey: signs ? signer.key : nil))
    beginListening()
    // The application's first turn ends before the log is opened, or after that.
    let isOpenedFirst = script.seed % 4 < 2
    if isOpenedFirst { feed(.launched) }
    if isLinkUp == false, script.seed % 2 == 0 { app.setOnline(false) }
    if script.setting.setsBeforeLaunch, knowsSettings, case .set(let changes)? = script.steps[safe: nextStep] {
      nextStep += 1
      set(changes)
      tally.count("app.setBeforeLaunch")
    }
    isFirstTurnOver = true
    app.add(.ready)
    endTurn()
    if !isOpenedFirst { feed(.launched) }
    endTurn()
    while judge.finding == nil, ending == nil, nextStep < script.steps.count {
      let step = script.steps[nextStep]
      nextStep += 1
      perform(step)
    }
    if judge.finding == nil, ending == nil { heal() }
    if judge.finding == nil, ending == nil {
      isOver = true
      if !script.setting.isKilledAtTheEnd { release() }
    }
    end()
  }

  private func tapeLife(key: String?) {
    tape?.begin(
      { json in
        json.member("directory", Self.path)
        json.key("session")
        json.object { json in
          json.member("id", "s\(lives)-\(script.seed)")
          json.member("seed", "\(script.seed)")
        }
        json.member("host", "server")
        json.member("isSecure", false)
        if let key { json.member("apiKey", key) }
        json.key("deliversAirports")
        json.null()
        json.member("segmentBytes", script.setting.segmentBytes)
        json.member("keptBytes", script.setting.keptBytes)
      }, at: time)
  }

  /// The settings of the last launch as a client knows them at once: from their copy, or from the log, which is then opened first; nil if
  /// the log can't be opened.
  private func launchSettings() -> AppSettings? {
    earlyOpening = nil
    if let launchCopy { return launchCopy.settings }
    if tape == nil, lives == 1 { return AppSettings() }
    tally.count("app.openedForSettings")
    let opening = open()
    earlyOpening = opening
    guard case .opened(let log) = opening else { return nil }
    return AppSettings(launchingWith: log.state)
  }

  /// The application lets go of the client, and the driver of everything.
  func release() {
    tally.count("app.release")
    let ticket = app.makeTicket()
    awaited.insert(ticket)
    let refusals = disk.refusalCount
    app.add(.stop(ticket))
    endTurn()
    if sabotage == .releaseIsHasty, !driver.isClosed {
      feed(.openingFailed(EngineError(code: .log, message: "released", isTransient: true)))
    }
    // The last signature is awaited for a while, and the log if it is being opened.
    let deadline = trueMS + 6000
    while ending == nil, judge.finding == nil, signs || script.setting.opensLate, !driver.isClosed, trueMS < deadline {
      pass(250)
    }
    // What is being written to the database is written to its end.
    while ending == nil, judge.finding == nil, let projecting { project(projecting.command) }
    guard judge.finding == nil, ending == nil else { return }
    ending = .orderly
    if disk.refusalCount == refusals, lockedUntil == nil { appJudge.released(app, driver.state, &judge) }
    if app.shown.isOpen {
      settingsCopy = (AppSettings(launchingWith: driver.state), driver.state.nextSeq)
    }
    if !driver.isClosed { judge.find(.release, "it was released and goes on") }
    if log != nil { judge.find(.release, "it was released and holds the log") }
    if timer != nil { judge.find(.release, "it was released and has a timer set") }
    if !awaited.isEmpty { judge.find(.release, "\(awaited.count) callers wait for ever") }
    let asked = tally.requests
    // Whatever comes now comes too late.
    for event in events {
      if case .delivery(let reply) = event.what { feed(.responded(reply.request.number, reply.result), reply) }
    }
    feed(.timerFired)
    if tally.requests != asked || log != nil { judge.find(.release, "it was released and comes back") }
  }

  private func end() {
    tape?.end()
    events = []
    stream = nil
    timer = nil
    writing = nil
    deliveries = [:]
    hangingCalls = [:]
    projecting = nil
    awaited = []
    reportTickets = []
    backgroundTicket = nil
    overtaken = nil
    isToDieBeforeAction = false
    log = nil
    database?.leave()
    survival.died(disk, isPowerToFail: isPowerToFail)
    server.uploads.died(ofPower: isPowerToFail)
    if sabotage == .logLosesALine { disk.loseLastLine() }
    // Another process finds the disk as this one left it.
    if isPowerToFail {
      judge.losePower()
      disk.losePower()
    } else {
      disk.restart()
    }
    isPowerToFail = false
  }

  func die() {
    tally.count(isPowerToFail ? "process.powerLossAmid" : "process.killAmid")
    judge.dieAmid()
    ending = .kill
  }

  // MARK: Time

  /// Lets time go by; all that falls due in it happens at its time.
  func pass(_ milliseconds: Int64) {
    let end = trueMS + milliseconds
    while ending == nil, judge.finding == nil {
      let event = events.min { ($0.at, $0.order) < ($1.at, $1.order) }
      let timerAt = timer.map { $0 - launch.at + launch.trueMS }
      let due = [event?.at, timerAt, projecting?.at].compactMap { $0 }.min()
      guard let due, due <= end else { break }
      trueMS = max(trueMS, due)
      turnCount += 1
      if turnCount > Self.maximumTurns * Int(script.setting.worldHours) / 18 {
        judge.find(.rest, "\(turnCount) turns: it never comes to rest")
      }
      if let event, event.at <= trueMS {
        events.removeAll { $0.order == event.order }
        happen(event)
      } else if let projecting, projecting.at <= trueMS {
        project(projecting.command)
      } else {
        timer = nil
        feed(.timerFired)
      }
      watchApp()
    }
    if ending == nil, judge.finding == nil { trueMS = max(trueMS, end) }
  }
}

extension Array {
  subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

/// Nothing goes out by itself: the simulation carries each request.
struct NoTransport: Transport {
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
    throw TransportError(.network, "simulated")
  }
}
