import ContrailCore
import ContrailEngine
import ContrailField
import ContrailHTTP
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import ContrailWire

// What is judged once the script is over.

extension Simulation {
  /// How long the client has to get all that is wanted, once nothing stands in its way.
  private static let healingMS: Int64 = 45 * 60_000

  /// Takes all trouble away and waits until the client has what a full fetch would give.
  func heal() {
    freeDisk()
    disk.faults = [:]
    disk.isShort = false
    isPowerToFail = false
    isToDieBeforeAction = false
    spoils = []
    holdSpoils = []
    airportFaults = []
    providerFaults = []
    endHangingCalls()
    latencyMS = 300
    lockedUntil = nil
    server.retentionSeconds = 12 * 3600
    endTurn()
    pass(40_000)
    guard ending == nil, judge.finding == nil else { return }
    if !app.shown.isOpen { judge.find(.deafness, "the log isn't open 40 s after all was well") }
    setLink(true, isTold: true)
    // The provider brings a key by itself.
    if server.issuer == nil { renewKey() }
    judge.presence = .foreground
    submit { $0.add(.foreground) }
    if wishes.frequency == .none {
      set([.frequency(.fast)])
      endTurn()
    }
    submit { $0.set(LinkCost()) }
    if wishes.byteBudget.bytes != nil {
      set([.byteBudget(nil, flight: nil)])
      endTurn()
    }
    if !wishes.listening.isEnabled {
      set([.listening(isEnabled: true, urgent: 2, altitudes: nil, confirmationMinutes: nil)])
      endTurn()
    }
    askAgainAfterRefusal()
    guard judge.finding == nil else { return }
    appJudge.settled(app, driver.state, &judge)
    airportJudge.settled(driver.state, &judge)
    let start = trueMS
    if sabotage == .serverStops { spoils = Array(repeating: .lost, count: 1000) }
    // With a clock that is wrong, nobody knows when a token expires: the server refuses it, also while all is well.
    while judge.finding == nil, !differences(driver.state, since: start).isEmpty || appJudge.isInOutage {
      guard trueMS - start < Self.healingMS else {
        let text = differences(driver.state, since: start).joined(separator: "; ")
        if text.isEmpty { break }
        judge.find(.convergence, "\(Self.healingMS / 60_000) min after all was well: \(text)")
        return
      }
      pass(5000)
      // A process that dies here, of a fault of before, is followed by another.
      guard ending == nil else { return }
      // A request that was held before is refused now.
      if trueMS - start < (Int64(script.setting.holdSeconds) + 60) * 1000 { askAgainAfterRefusal() }
    }
    tally.convergences += wishes.wants.count
    pass(0)
    guard judge.finding == nil, ending == nil else { return }
    appJudge.healed(app, &judge)
    if let fault = server.uploads.fault() { judge.find(.delivery, fault) }
    if script.setting.deliversAirports {
      // The longest wait after failures is an hour.
      if !airportJudge.holdsToday(app.shown, at: time.now) { pass(3_900_000) }
      guard judge.finding == nil, ending == nil else { return }
      airportJudge.healed(app.shown, at: time.now, &judge)
    }
    if script.setting.isListenedTo { listen() }
    guard judge.finding == nil, ending == nil else { return }
    // Once there, it stays there.
    if script.seed % 8 == 0 {
      pass(200_000)
      let text = differences(driver.state, since: start).joined(separator: "; ")
      if !text.isEmpty { judge.find(.convergence, "was well and is no more: \(text)") }
    }
  }

  /// A request that the server refused stands refused until somebody asks again.
  private func askAgainAfterRefusal() {
    guard driver.state.scopes.contains(where: { $0.block == .badRequest }) else { return }
    judge.noteRefresh()
    submit { $0.refresh(full: false) }
  }

  /// Lets the client listen for 20 minutes, in some flights with a map that moves. Judges when news arrives, and the age of the data.
  private func listen() {
    /// The time from which on a scope has been seen to listen for what it wants.
    var since: [ScopeID: (at: Int64, want: FetchSpec)] = [:]
    /// The time since which a scope that may listen hasn't. It may wait for the request of another for a moment.
    var silentSince: [ScopeID: Int64] = [:]
    let start = trueMS
    let earlyEnds = driver.state.listening.earlyEnds
    var moves = 0
    while trueMS < start + 20 * 60_000 {
      pass(5000)
      if script.seed % 4 == 0, trueMS - start > Int64(moves + 1) * 70_000 {
        moves += 1
        set([.viewport(moves % 2)])
        endTurn()
      }
      guard judge.finding == nil, ending == nil else { return }
      let state = driver.state
      if state.listening.earlyEnds > earlyEnds {
        judge.find(.urgency, "an answer to a held request counts as the end of a server that is well")
      }
      for index in state.scopes.indices where state.scopes[index].id.hasDeltas {
        let scope = state.scopes[index]
        guard let terms = state.holdTerms(at: index), let want = scope.want else {
          (since[scope.id], silentSince[scope.id]) = (nil, nil)
          continue
        }
        let age = driver.logTime(at: time.now) - (scope.lastSuccessAt ?? .min / 2)
        guard let first = since[scope.id], first.want == want else {
          if scope.isHeld {
            (since[scope.id], silentSince[scope.id]) = ((trueMS, want), nil)
            tally.count("hold.listening")
            continue
          }
          // While news comes each second, a request is held every two seconds, and this moment may be between two of them.
          if age < 3000 {
            silentSince[scope.id] = nil
            continue
          }
          let from = silentSince[scope.id, default: trueMS]
          silentSince[scope.id] = from
          if trueMS > start + 10 * 60_000, trueMS > from + 10_000 {
            judge.find(.urgency, "\(scope.id.name) doesn't listen")
          }
          continue
        }
        let limit = max(terms.seconds * 1000, state.frequency.intervalMS ?? 0) + 60_000
        if age > limit {
          judge.find(.urgency, "\(scope.id.name) was confirmed \(age / 1000) s ago, and listens for \(terms.seconds) s")
        }
        let now = trueMS / 1000
        for news in world.news(want, terms, from: first.at / 1000, to: now) where news.due(terms) < news.endsAt {
          if news.due(terms) + 7 < now, scope.have?.watermark ?? 0 <= news.second {
            judge.find(
              .urgency, "\(scope.id.name) lacks \(news.isUrgent ? "urgent " : "")news of \(now - news.second) s ago")
          }
        }
      }
    }
  }

  /// What is yet to come of what a full fetch would give.
  private func differences(_ state: State, since start: Int64) -> [String] {
    var differences: [String] = []
    if !state.outbox.reports.isEmpty { differences.append("the outbox holds \(state.outbox.reports.count) reports") }
    for id in Wishes.scopes {
      guard let want = wishes.wants[id] else {
        if let scope = state.scope(id), scope.want != nil { differences.append("\(id.name) is wanted by nobody") }
        continue
      }
      guard let scope = state.scope(id), let have = scope.have, have.spec == want, have.broken == nil,
        let success = scope.lastSuccessAt
      else {
        differences.append("\(id.name) doesn't hold what is wanted")
        continue
      }
      let succeededMS = trueMS - (driver.logTime(at: time.now) - success)
      if succeededMS <= start {
        differences.append("\(id.name) is of an earlier time")
      } else if !id.hasDeltas {
        guard id.weatherPlace == nil else { continue }
        let due = [latencyMS, 0].map { world.polygons(id, want, asOf: (succeededMS - $0) / 1000).etag }
        let held = world.polygons(id, want, asOf: have.watermark)
        if !due.contains(held.etag) || scope.polygons != held.answer.json {
          differences.append("\(id.name) holds other polygons")
        }
      } else if let text = judge.difference(scope, want, asOf: have.watermark) {
        differences.append(text)
      }
    }
    return differences
  }

  private var world: SimulatedWorld { server.world }

  // MARK: The log

  /// Reads the whole log and answers the digest of its last state.
  func judgeLog() -> UInt64 {
    if sabotage == .aLineIsChanged { changeALine() }
    judgeChain()
    do {
      if sabotage == .logHoldsAnotherDecision { try addDecision() }
      let digest = try foldLog()
      let replay = RecordingResult(replaying: Self.path, storage: disk)
      if replay.outcome != .same { judge.find(.folding, "the replay says: \(replay.outcome)") }
      if replay.digest != digest { judge.find(.folding, "the replay comes to another digest") }
      return digest
    } catch {
      judge.find(.folding, "the log can't be read: \(error)")
      return 0
    }
  }

  /// Writes a decision to the log that nobody took.
  private func addDecision() throws {
    let log = try LogDirectory(path: Self.path, at: trueMS, policy: .everyEvent, storage: disk)
    let reader = try LogReader(path: Self.path, storage: disk)
    var cause: Int64 = 0
    while let line = try reader.next() { if Kind(line.kind)?.role == .input { cause = line.seq } }
    var batch = log.writer.batch()
    let payload = #""request":1,"scope":"corridor","rule":"unwanted","cause":\#(cause)"#
    try batch.add(kind: Kind.fetchCancelled.rawValue, at: log.writer.last.at, payload: Array(payload.utf8))
    try log.writer.append(batch)
  }

  private func foldLog() throws -> UInt64 {
    let blobs = BlobStore(directory: Self.path + "/blobs", storage: disk)
    let reader = try LogReader(path: Self.path, storage: disk)
    var reading = Ledger.Reading()
    var flightJudge = FlightJudge()
    var coverage = FlightCoverage()
    var state = State()
    var resumed: State?
    var lineCount: UInt64 = 0
    let cut = Digest.mix(script.seed) % 120
    while let line = try reader.next() {
      let event = try Event(kind: line.kindName, payload: line.payload) { name in
        BlobStore.ID(name.sha256).flatMap { try? blobs.bytes(of: $0, count: name.byteCount) }
      }
      var record = Record(seq: line.seq, at: line.at, event: event)
      if lineCount > 0, line.seq != state.nextSeq {
        // A failed sync took what is between; the snapshot that follows stands in for it.
        state = State()
        resumed = nil
      }
      if lineCount >= cut, resumed == nil, state.session != nil, case .input = event {
        resumed = try snapshot(of: state)
      }
      let before = state
      state.evolve(record)
      coverage.watch(record, before: before, state: state)
      resumed?.evolve(record)
      ledger.read(record, &reading, &judge)
      if sabotage == .logHoldsAnotherAnswer { record.refuse() }
      flightJudge.watch(record, at: .init(file: Self.path, line: Int(lineCount) + 1), state: state)
      lineCount += 1
    }
    if let finding = flightJudge.findings.first {
      judge.find(.log, "seq \(finding.seq), \(finding.guarantee.rawValue): \(finding.found), not \(finding.expected)")
    }
    ledger.close(reading, losses: reader.losses, &judge)
    tally.lines = Int(lineCount)
    for cell in coverage.cells { tally.cells[cell] = 1 }
    if let resumed, resumed.digest != state.digest || resumed.scopes != state.scopes {
      judge.find(.folding, "with a snapshot between, another state")
    }
    return state.digest.combined
  }

  /// The state that the lines of a snapshot give.
  private func snapshot(of state: State) throws -> State {
    var resumed = State()
    for (index, part) in state.snapshotParts.enumerated() {
      let event = Event.mark(.snapshotPart(part))
      let read = try event.payload.withUnsafeBytes { try Event(kind: event.kind, payload: $0) }
      resumed.evolve(Record(seq: Int64(index), at: state.now, event: read))
    }
    resumed.evolve(Record(seq: state.nextSeq - 1, at: state.now, event: .mark(.snapshotEnded)))
    return resumed
  }
}

extension SimulatedWorld {
  fileprivate func polygons(_ id: ScopeID, _ want: FetchSpec, asOf token: Int64) -> (
    etag: String, answer: PolygonsAnswer
  ) {
    polygons(want.history, want.area, asOf: token)
  }
}

extension Record {
  /// Makes a success a failure of the server, which the engine didn't see.
  fileprivate mutating func refuse() {
    guard case .input(.responseReceived(var response)) = event, response.status == 200 else { return }
    response.status = 503
    event = .input(.responseReceived(response))
  }
}
