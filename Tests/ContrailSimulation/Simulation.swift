import Contrail
import ContrailCore
import ContrailHTTP
import ContrailLog
import ContrailTestSupport
import ContrailWire

/// Flies a script: the real engine over the real log, with a clock, a network and a disk that are made up.
///
/// It does what the conductor of a client does: sends what the engine asks for, brings back what comes, wakes it when it wants to
/// be woken, syncs within a second. All of it in one thread of events, so that a script is flown the same each time.
///
/// Sendable without a lock for the engine's sake, in whose isolation a life runs: only one task ever holds a flight.
public final class Simulation: @unchecked Sendable {
  let script: Script
  let sabotage: Sabotage?
  let disk: MemoryDisk
  var server: SimulatedServer
  var judge: Judge
  var tally = Tally()
  var wishes = Wishes()
  var survival = Survival()
  var ledger = Ledger()
  var mirror: Mirror?

  /// True time, which is the server's, in milliseconds since 1970.
  var trueMS: Int64 = Rig.start
  /// How far the device's wall clock is ahead.
  var wallAheadMS: Int64 = 0
  /// The device's and the log's time at launch, and the true time then.
  var launch: (at: Int64, logAt: Int64, trueMS: Int64) = (0, 0, 0)

  // The link.
  var isLinkUp = true
  var toldOnline = true
  var latencyMS: Int64 = 300
  var spoils: [AnswerFault] = []
  var courier = Courier(transport: NoTransport(), apiKey: "first-key")
  var events: [Occurrence] = []
  var eventCount = 0

  // The life of a process.
  var jobs: [Job] = []
  var tryAgainAt: Int64?
  var refusalsInARow = 0
  var wake: Engine.Wake?
  var syncAt: Int64?
  var ending: Ending?
  var isPowerToFail = false
  var isToDieBeforeAction = false
  var turnCount = 0

  // The disk.
  var refused: Set<String> = []
  var syncsToFail = 0

  var nextStep = 0
  var isOver = false

  static let path = "/log"
  /// More turns than this are no flight but a loop.
  static let maximumTurns = 6000

  struct Occurrence {
    var at: Int64
    var order: Int
    var what: What

    enum What {
      /// The request reaches the server.
      case arrival(OutgoingRequest, TransportRequest, AnswerFault?)
      case delivery(Reply)
    }
  }

  /// An answer on its way back.
  struct Reply {
    var request: OutgoingRequest
    var outcome: Courier.Outcome
    var delivery: Judge.Delivery
    var isSecond = false
  }

  /// What the engine is to be given.
  enum Job {
    case inputs([Input])
    case reply(Reply)
  }

  public init(_ script: Script, sabotage: Sabotage? = nil) {
    self.script = script
    self.sabotage = sabotage
    let world = SimulatedWorld(seed: script.seed, hours: 18, reportsPerHour: script.setting.reportsPerHour)
    server = SimulatedServer(world: sabotage == .serverLeavesOut ? world.thinned : world)
    server.losesUploads = sabotage == .serverLosesUploads
    if sabotage == .serverClockIsSlow { server.clockSlowMS = 3 * 3_600_000 }
    server.hasSums = script.setting.hasSums
    server.packs = script.setting.packs
    judge = Judge(world: world, sabotage: sabotage)
    disk = MemoryDisk(seed: script.seed)
    if script.setting.hasDatabase { mirror = Mirror() }
  }

  /// What became of a flight.
  public struct Result: Sendable {
    public var script: Script
    /// What the first judge that found something found; nil for a flight as it should be.
    public var verdict: Verdict?
    public var tally: Tally
    /// The digest of the log's last state.
    public var digest: UInt64
    /// The files that the flight left.
    public var files: [String: [UInt8]]
  }

  /// Flies all of the script, and judges.
  public func fly() async -> Result {
    while judge.finding == nil, !isOver {
      guard let engine = open() else { break }
      await live(on: engine)
    }
    // Once more, for what the last life left.
    let digest = judge.finding == nil && open() != nil && judge.finding == nil ? judgeLog() : 0
    mirror = nil
    tally.flights = 1
    tally.simulatedMS = trueMS - Rig.start
    let verdict = judge.finding.map {
      Verdict(judge: $0.judge, finding: $0.text, step: nextStep, atMS: trueMS)
    }
    return Result(
      script: script, verdict: verdict, tally: tally, digest: digest, files: disk.names.mapValues(\.current))
  }

  /// The time as the device's clock tells it to the engine: the wall's at launch, the monotonic clock's from then on.
  var now: Int64 { launch.at + trueMS - launch.trueMS }

  // MARK: A process's life

  /// Opens the log as a launch does, and judges what is found there.
  private func open() -> Engine? {
    for attempt in 0..<6 {
      let refusals = disk.refusalCount
      let wall = trueMS + wallAheadMS
      do throws(EngineError) {
        let (log, state, recovery) = try DirectoryLog.open(
          path: Self.path, at: wall, segmentBytes: script.setting.segmentBytes, keptBytes: script.setting.keptBytes,
          storage: disk)
        if recovery.torn != nil { tally.count("recovery.tornTail") }
        // The log's time never goes back, whatever the wall clock says; from here on both go on as true time does.
        launch = (wall, max(state.now, wall), trueMS)
        wishes = survival.opened(state, wishes, disk, &judge)
        ledger.opened(nextSeq: state.nextSeq)
        mirror?.open(state, disk, &judge, &tally)
        return Engine(state: state, log: log)
      } catch {
        if disk.isDead {
          crash()
        } else if disk.refusalCount > refusals, attempt < 5 {
          trueMS += 5000
          if attempt > 2 { freeDisk() }
        } else {
          judge.find(.survival, "the log can't be opened: \(error)")
          return nil
        }
      }
    }
    judge.find(.survival, "the log can't be opened after six attempts")
    return nil
  }

  private func live(on engine: isolated Engine) {
    ending = nil
    survival.live(engine.state, wishes, disk)
    toldOnline = true
    submit(.inputs([.sessionStarted(session(engine.state)), .connectivityChanged(isOnline: true)]), engine)
    while judge.finding == nil, ending == nil, nextStep < script.steps.count {
      let step = script.steps[nextStep]
      nextStep += 1
      perform(step, engine)
    }
    if judge.finding == nil, ending == nil { heal(engine) }
    if judge.finding == nil, ending == nil { isOver = true }
    if isOver, !script.setting.isKilledAtTheEnd { ending = .orderly }
    end(engine)
  }

  private func session(_ state: State) -> Input.Session {
    .init(engine: Engine.version, id: "s\(state.nextSeq)", seed: script.seed)
  }

  private func end(_ engine: isolated Engine) {
    jobs = []
    events = []
    wake = nil
    syncAt = nil
    tryAgainAt = nil
    refusalsInARow = 0
    isToDieBeforeAction = false
    if ending == .orderly {
      // What can't be written any more is lost as in a crash, and no more than that.
      do throws(EngineError) {
        try engine.close(at: now)
        survival.synced(engine.state, wishes, disk)
      } catch {
        tally.count("process.failedClose")
      }
    }
    survival.died(disk, isPowerToFail: isPowerToFail)
    server.uploads.died(ofPower: isPowerToFail)
    if sabotage == .logLosesALine { disk.loseLastLine() }
    crash()
  }

  /// Another process finds the disk as this one left it.
  private func crash() {
    if isPowerToFail {
      judge.losePower()
      disk.losePower()
    } else {
      disk.restart()
    }
    isPowerToFail = false
  }

  // MARK: Steps

  private func perform(_ step: Step, _ engine: isolated Engine) {
    switch step {
    case .pass(let milliseconds):
      if sabotage == .refreshesUntold { submit(.inputs([.refreshRequested(full: true)]), engine) }
      pass(milliseconds, engine)
    case .meet(let isBefore, let changes): meet(isBefore: isBefore, changes, engine)
    case .set(let changes): set(changes, engine)
    case .refresh(let isFull): submit(.inputs([.refreshRequested(full: isFull)]), engine)
    case .track(let count): track(count, engine)
    case .link(let isUp, let isTold): setLink(isUp, isTold: isTold, engine)
    case .revokeKey: server.key = server.key == "first-key" ? "second-key" : "first-key"
    case .renewKey:
      courier = Courier(transport: NoTransport(), apiKey: server.key)
      submit(.inputs([.credentialsChanged]), engine)
    case .clock(let milliseconds):
      tally.count("clock.\(milliseconds < 0 ? "back" : "ahead")")
      wallAheadMS += milliseconds
      submit(.inputs([.clockAdjusted(byMS: milliseconds)]), engine)
    case .answers(let faults): spoils += faults
    case .latency(let milliseconds): latencyMS = milliseconds
    case .retention(let seconds): server.retentionSeconds = seconds
    case .disk(let trouble): perform(trouble)
    case .relaunch(let ending): plan(ending)
    case .database(let trouble):
      if mirror != nil { tally.count("database.\(trouble)") }
      mirror?.suffer(trouble)
      if trouble != .left { plan(.kill) }
    }
  }

  /// Each report is on stable storage before whoever felt it is told so.
  private func track(_ count: Int, _ engine: isolated Engine) {
    for _ in 0..<count where ending == nil {
      tally.reportsTracked += 1
      submit(.inputs([.reportTracked(server.uploads.next(atSecond: trueMS / 1000))]), engine)
      if ending == nil { sync(engine) }
    }
  }

  private func plan(_ ending: Ending) {
    switch ending {
    case .orderly:
      tally.count("process.relaunch")
      self.ending = .orderly
    case .kill:
      tally.count("process.kill")
      self.ending = .kill
    case .powerLoss:
      tally.count("process.powerLoss")
      isPowerToFail = true
      self.ending = .powerLoss
    case .killBeforeAction: isToDieBeforeAction = true
    case .killAmid(let count): disk.faults[disk.operationCount + count] = .death
    case .powerLossAmid(let count):
      disk.faults[disk.operationCount + count] = .death
      isPowerToFail = true
    }
  }

  private func set(_ changes: [Change], _ engine: isolated Engine) { submit(.inputs(inputs(of: changes)), engine) }

  /// What a turn of the application comes to: history and frequency first, the query once, nothing that is as it was.
  private func inputs(of changes: [Change]) -> [Input] {
    // What waits for the disk has been set as well.
    var wishes = wishes
    for case .inputs(let inputs) in jobs { inputs.forEach { wishes.apply($0) } }
    var query = wishes.query
    var history = wishes.history
    var frequency = wishes.frequency
    for change in changes {
      switch change {
      case .history(let span): history = span
      case .frequency(let rate): frequency = rate
      default: query.apply(change)
      }
    }
    var inputs: [Input] = []
    if history != wishes.history { inputs.append(.historyChanged(history)) }
    if frequency != wishes.frequency { inputs.append(.frequencyChanged(frequency)) }
    if query != wishes.query { inputs.append(.queryChanged(query)) }
    return inputs
  }

  private func meet(isBefore: Bool, _ changes: [Change], _ engine: isolated Engine) {
    let next = events.compactMap { event -> Int64? in
      if case .delivery = event.what { event.at } else { nil }
    }.min()
    guard let next else {
      // The answer is not even under way: to the server it is, then.
      guard let arrival = events.map(\.at).min() else { return set(changes, engine) }
      pass(max(0, arrival - trueMS), engine)
      return set(changes, engine)
    }
    tally.changesInTurnWithAnswer += 1
    pass(max(0, next - 1 - trueMS), engine)
    guard ending == nil, judge.finding == nil else { return }
    trueMS = max(trueMS, next)
    if isBefore { set(changes, engine) }
    pass(0, engine)
    if !isBefore, ending == nil { set(changes, engine) }
  }

  // MARK: Time

  /// Lets time go by; all that falls due in it happens at its time.
  func pass(_ milliseconds: Int64, _ engine: isolated Engine) {
    let end = trueMS + milliseconds
    while ending == nil, judge.finding == nil {
      let event = events.min { ($0.at, $0.order) < ($1.at, $1.order) }
      let wakeAt = wake.map { $0.at - launch.at + launch.trueMS }
      let due = [event?.at, wakeAt, syncAt, tryAgainAt].compactMap { $0 }.min()
      guard let due, due <= end else { break }
      trueMS = max(trueMS, due)
      if let event, event.at <= trueMS {
        events.removeAll { $0.order == event.order }
        happen(event, engine)
      } else if tryAgainAt.map({ $0 <= trueMS }) ?? false {
        tryAgainAt = nil
        work(engine)
      } else if syncAt.map({ $0 <= trueMS }) ?? false {
        syncAt = nil
        sync(engine)
      } else if let wake {
        self.wake = nil
        submit(.inputs([.clockTicked(scope: wake.scope, due: wake.at)]), engine)
      }
    }
    if ending == nil, judge.finding == nil { trueMS = max(trueMS, end) }
  }

  func sync(_ engine: isolated Engine) {
    do throws(EngineError) {
      try engine.sync(at: now)
      survival.synced(engine.state, wishes, disk)
      server.uploads.synced()
    } catch {
      if disk.isDead { die() } else { tally.count("disk.failedSync") }
    }
  }

  func die() {
    tally.count(isPowerToFail ? "process.powerLossAmid" : "process.killAmid")
    ending = .kill
  }
}

/// Nothing goes out by itself: the simulation carries each request.
struct NoTransport: Transport {
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
    throw TransportError(.network, "simulated")
  }
}
