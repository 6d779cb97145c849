import Contrail
import ContrailCore
import ContrailEngine
import ContrailHTTP
import ContrailLog
import ContrailTestSupport
import ContrailWire

// The shell: what the driver answers is carried out, in order.

extension Simulation {
  func feed(_ event: DriverEvent, _ reply: Reply? = nil) {
    if ending == nil { tape?.call(event, reply, at: time) }
    driver.run(event, at: time) { event, actions, driver in
      if case .logRefused = event { writing = nil }
      if case .logged = event, let written = writing.take() { watch(written, driver, actions) }
      var results: [DriverEvent] = []
      for action in actions {
        guard ending == nil, judge.finding == nil else { return nil }
        if let result = carryOut(action, driver) { results.append(result) }
      }
      return ending == nil && judge.finding == nil ? results : nil
    }
  }

  /// Ends the application's turn.
  func endTurn() {
    app.endTurn()
    appJudge.endTurn()
    var events = app.takeEvents()
    if sabotage == .settingsOvertake {
      if let overtaken = overtaken.take() {
        events.append(overtaken)
      } else if let index = events.firstIndex(where: { if case .turn = $0 { true } else { false } }) {
        overtaken = events.remove(at: index)
      }
    }
    if sabotage == .settingsAreDropped, turnCount % 3 == 0 {
      events = events.filter { if case .turn = $0 { false } else { true } }
    }
    if sabotage == .motionIsOverlooked, let viewport = driver.state.query.viewport {
      // Each other viewport is requested at once.
      for case .turn(let turn) in events {
        guard let query = turn.settings.dataQuery?.resolved(), query.viewport != nil, query.viewport != viewport else {
          continue
        }
        events.append(.turn(AppTurn(refresh: true)))
        break
      }
    }
    if app.mayUseLink { isLinkAllowed = true }
    let listens = events.contains { if case .observing(_?) = $0 { true } else { false } }
    if sabotage == .lateListenersAreForgotten, listens {
      events = events.map { if case .observing(_?) = $0 { .observing(since: .max) } else { $0 } }
    }
    if !events.isEmpty { feed(.app(events)) }
    if listens { isObserved = true }
    if driver.isIdle { isLinkAllowed = app.mayUseLink }
  }

  /// At a launch, somebody listens to what expires, or will later.
  func beginListening() {
    isObserved = false
    guard script.setting.isObserved else { return }
    if let after = script.setting.listensAfterMS {
      add(.listener, at: trueMS + after)
    } else {
      _ = app.setObserved(at: time.now)
    }
  }

  /// Somebody begins to listen, and sees what there is. The driver may know of it later, unless it is that of a browser.
  func listenLate() {
    tally.count("app.listensLate")
    _ = app.setObserved(at: time.now)
    appJudge.listens(app.shown, at: time.now)
    add(.endOfTurn, at: trueMS + (tape == nil ? script.setting.listenerNoticedAfterMS : 0))
  }

  private func carryOut(_ action: DriverAction, _ driver: Driver) -> DriverEvent? {
    tape?.action(action)
    switch action {
    case .preview: return .previewed(database?.preview())
    case .open:
      tally.count("app.opening")
      if let earlyOpening = earlyOpening.take() { return earlyOpening }
      if script.setting.opensLate {
        add(.opening, at: trueMS + 250)
      } else {
        return open()
      }
    case .log(let command): return write(command, driver)
    case .send(let requests, let credentials):
      guard let packed = packed(requests, credentials) else {
        judge.find(.accounting, "an exchange with requests that can't share one")
        return nil
      }
      credentialJudge.sent(with: credentials, at: trueMS, &judge)
      send(requests, packed, with: credentials)
    case .cancel(let number): giveUp(number)
    case .requestCredential(let number, _): callProvider(number, driver)
    case .cancelCredential(let number): cancelCall(number)
    case .useCredentials(let credentials): useCredentials(credentials)
    case .setTimer(let at): timer = at
    case .project(let command): projecting = (command, trueMS + Int64(script.seed % 3) * 40)
    case .loadAirports(let effectiveMS): beginLoad(effectiveMS: effectiveMS, driver.state)
    case .levelAirports(let holdings): if sabotage != .airportsAreNotLevelled { airportJudge.level(holdings) }
    case .sign(let head): sign(head)
    case .publish(let publication): publish(publication)
    case .complete(let ticket, let error): complete(ticket, error)
    case .close:
      if sabotage != .releaseKeepsTheLog { log = nil }
      return .closed
    }
    return nil
  }

  /// The request for the transport that carries all of an exchange.
  private func packed(_ requests: [OutgoingRequest], _ credentials: Credentials) -> TransportRequest? {
    requests.count == 1
      ? requests.first.map { sender.packed($0, with: credentials) } : sender.packed(requests, with: credentials)
  }

  func open() -> DriverEvent {
    if let until = lockedUntil {
      guard trueMS >= until || tape != nil else {
        tally.count("disk.locked")
        return .openingFailed(
          EngineError(
            LogError(.locked, file: Self.path, reason: "the log is already open for writing, held by process 7")))
      }
      if trueMS >= until { lockedUntil = nil }
    }
    let refusals = disk.refusalCount
    let (readBytes, start) = (disk.readBytes, ContinuousClock.now)
    do throws(EngineError) {
      let (log, state, recovery) = try DirectoryLog.open(
        path: Self.path, at: time.now, segmentBytes: script.setting.segmentBytes, keptBytes: script.setting.keptBytes,
        sealsSegments: tape == nil,
        storage: tape.map { TapeStorage(disk, $0) { [unowned self] in lockedUntil != nil } } ?? disk)
      guard !disk.isDead else { throw EngineError(LogError(.writeFailed, file: Self.path, reason: "the process died")) }
      vitals.append(
        Vitals(
          atMS: trueMS, logBytes: disk.names.values.reduce(0) { $0 + $1.current.count },
          databaseBytes: database?.bytes ?? 0,
          stateBytes: state.snapshotParts.reduce(0) { $0 + Event.mark(.snapshotPart($1)).payload.count },
          readBytes: disk.readBytes - readBytes, opening: ContinuousClock.now - start))
      if recovery.torn != nil { tally.count("recovery.tornTail") }
      self.log = log
      wishes = survival.opened(state, wishes, disk, &judge)
      ledger.opened(nextSeq: state.nextSeq)
      survival.live(state, wishes, disk)
      // The log lost lines when the power failed, and the copy of the settings has them.
      let copy = launchCopy.flatMap { state.nextSeq < $0.seq ? $0.settings : nil }
      if copy != nil { tally.count("app.settingsAheadOfTheLog") }
      appJudge.opened(wishes, copy)
      airportJudge.opened(state)
      database?.opened(log)
      judgeChain()
      return .opened(OpenedLog(state: state, status: log.status))
    } catch {
      if disk.isDead {
        die()
      } else if lockedUntil != nil {
        tally.count("disk.locked")
      } else if disk.refusalCount == refusals {
        judge.find(.survival, "the log can't be opened: \(error)")
      }
      tally.count("app.failedOpening")
      return .openingFailed(error)
    }
  }

  private func write(_ command: LogCommand, _ driver: Driver) -> DriverEvent? {
    guard let log else { return nil }
    let refusals = disk.refusalCount
    if case .append(let events, _, _) = command {
      var write = Writing(events: events, before: driver.state)
      for case .responseReceived(let response) in write.inputs { write.reply = deliveries[response.request] }
      for case .responseFailed(let request, _, _) in write.inputs { write.reply = deliveries[request] }
      writing = write
      survival.attempt(write.inputs, wishes)
      if let reply = write.reply { ledger.attempt(reply) }
    }
    do throws(EngineError) {
      let status = try log.perform(command)
      // The process can die in work that the log does as far as it can, such as compressing a segment.
      if disk.isDead {
        die()
        return nil
      }
      switch command {
      case .sync, .roll:
        survival.synced(driver.state, wishes, disk)
        server.uploads.synced()
      case .append, .sign: break
      }
      return .logged(status)
    } catch {
      if disk.isDead {
        die()
        return nil
      }
      if disk.refusalCount == refusals { judge.find(.refusal, "a write was refused by a sound disk: \(error)") }
      if case .sync = command { tally.count("disk.failedSync") } else { tally.count("disk.failedWrite") }
      if sabotage == .refusalsAreOverlooked { return .logged(log.status) }
      return .logRefused(error, log.status)
    }
  }

  /// Watches what was written, and what is done about it.
  private func watch(_ written: Writing, _ driver: Driver, _ actions: [DriverAction]) {
    let state = driver.state
    let inputs = written.inputs
    if let reply = written.reply {
      deliveries[reply.request.number] = nil
      tally.answers += 1
      if reply.isSecond || state.droppedAnswers > written.before.droppedAnswers { tally.crossedAnswers += 1 }
      ledger.took(reply, seq: state.cause)
    }
    server.uploads.took(inputs)
    let wishesBefore = wishes
    let wishesAmid = inputs.map { input in
      wishes.apply(input)
      return wishes
    }
    survival.acknowledged(state, wishes, disk)
    let requests = actions.flatMap { action -> [OutgoingRequest] in
      if case .send(let requests, _) = action { requests } else { [] }
    }
    let asked = actions.flatMap { action -> [SimulatedServer.Asked?] in
      guard case .send(let requests, let credentials) = action else { return [] }
      return packed(requests, credentials).map { server.understood($0) } ?? requests.map { _ in nil }
    }
    let cancelled = written.decisions.compactMap { decision -> Int64? in
      if case .fetchCancelled(let cancelled) = decision { cancelled.request } else { nil }
    }
    var (sent, understood) = (requests, asked)
    if let request = requests.last, let last = asked.last { repeated = (request, last) }
    let sendsAgain =
      switch sabotage {
      case .budgetIsOverlooked: written.before.byteUse.saving == .spent && state.byteUse.saving == .spent
      case .backgroundIsWoken: judge.presence == .background && inputs.allSatisfy(\.isAnswer)
      default: false
      }
    if sendsAgain, let repeated, !inputs.isEmpty {
      sent.append(repeated.request)
      understood.append(repeated.asked)
    }
    // A driver that closes decides and sends no more.
    if !inputs.isEmpty {
      judge.watch(
        Judge.Turn(
          before: written.before, after: state, inputs: inputs, requests: sent, cancelled: cancelled,
          decisions: written.decisions, wishesBefore: wishesBefore, wishesAmid: wishesAmid,
          delivery: written.reply?.delivery, trueMS: trueMS),
        asked: understood)
    }
    if driver.isClosing, !requests.isEmpty { judge.find(.release, "a request while closing") }
    appJudge.wrote(inputs, &judge)
    airportJudge.wrote(inputs, at: state.now, &judge)
    tally.inputs += max(1, inputs.count)
    tally.count(written.decisions)
    if isToDieBeforeAction {
      tally.count("process.killBeforeAction")
      ending = .kill
    }
  }

  // MARK: What is shown

  private func publish(_ publication: Publication) {
    var publication = publication
    switch sabotage {
    case .outagesAreToldTwice:
      for case .failed(let error) in publication.updates where error.scope != nil {
        publication.updates.append(.failed(error))
      }
    case .confirmationsAreNews:
      for case .confirmed(let scope) in publication.updates { publication.updates.append(.data(scope)) }
    case .expiryIsUntold: publication.updates.removeAll { if case .expired = $0 { true } else { false } }
    case .providerFailuresAreUntold:
      publication.updates.removeAll { if case .failed(let error) = $0 { error.code == .credentials } else { false } }
    default: break
    }
    app.show(publication)
    tally.publications += 1
    appJudge.watch(publication, at: time.now, &judge)
    credentialJudge.watch(publication, &judge)
    appJudge.watch(app.ownReports, publication.shown.state, &judge)
  }

  /// What the application sees between events.
  func watchApp() {
    guard judge.finding == nil, ending == nil, !isWaking else { return }
    if !driver.isClosing { credentialJudge.look(at: trueMS, &judge) }
    if sabotage == .facadeForgets, turnCount % 50 == 49 { app.set(DataQuery()) }
    // A driver that closes, and waits for its last signature, decides and tells no more.
    let isAwake = !driver.isClosing && !driver.isInBackground
    appJudge.look(app, at: time.now, isObserved: isObserved && isAwake && timer != nil, &judge)
    // A timer that is due fires next.
    let isTimerDue = timer.map { $0 <= time.now } ?? false
    if driver.isIdle, isAwake, !credentialJudge.isCalling, !isTimerDue {
      airportJudge.look(app.shown, at: time.now, &judge)
    }
  }

  private func complete(_ ticket: Ticket, _ error: ClientError?) {
    guard awaited.remove(ticket) != nil else {
      judge.find(.release, "a caller was answered twice")
      return
    }
    if reportTickets.remove(ticket) != nil, error != nil { tally.count("app.reportRefused") }
    if ticket == backgroundTicket {
      backgroundTicket = nil
      if judge.presence == .leaving { judge.presence = .background }
    }
  }

  // MARK: The database

  func project(_ command: ProjectionCommand) {
    projecting = nil
    guard let database else { return }
    var result = database.perform(command, skips: sabotage == .databaseMissesAChange && turnCount % 5 == 0)
    if case .done = result {
      tally.databaseComparisons += database.compare(with: driver.state, isIdle: driver.isIdle, &judge)
    }
    if case .done(let rebuild?) = result { tally.count("database.\(rebuild.name)") }
    if case .failed(let error) = result {
      judge.find(.agreement, "the database: \(error)")
      result = .done(nil)
    }
    feed(.projected(result))
  }
}

extension StoreRebuild {
  fileprivate var name: String {
    switch self {
    case .missing: "missing"
    case .damaged: "damagedRebuilt"
    case .fromAnotherLog: "fromAnotherLog"
    }
  }
}
