import ContrailCore
import ContrailWire

// Events of the application, and the launch.

extension Driver {
  mutating func take(_ event: AppEvent) {
    if isClosing { return refuse(event) }
    switch event {
    case .observing: break
    case .turn(let turn):
      if let mayUseLink = turn.isOnline { self.mayUseLink = mayUseLink }
      // The launch includes the application's first turn.
      queue.add(.turn(turn))
      launching.isApplicationReady = true
      launch()
    default:
      launching.isApplicationReady = true
      launch()
    }
    switch event {
    case .turn: break
    case .ready: break
    case .report(let report, let ticket):
      if let error = publisher.openingError {
        actions.append(.complete(ticket, error))
      } else {
        queue.add(.report(report, ticket))
      }
    case .airports(let entries, let ticket): queue.add(.airports(entries, ticket))
    case .weather(let entry, let ticket): queue.add(.weather(entry.masking(credentials), ticket))
    case .awaitOpening(let ticket):
      switch phase {
      // The caller sees what it set before.
      case .open where publisher.shown.isOpen: queue.add(.mark(ticket))
      case .failed: actions.append(.complete(ticket, publisher.openingError))
      default: launching.waiting.append(ticket)
      }
    case .observing(let since): observe(since: since)
    case .background(let ticket):
      isInBackground = true
      awaitingRest.append(ticket)
      noteBackground()
      if phase == .open { queue.add(.digest) }
    case .foreground:
      isInBackground = false
      // First, because it requests what is due.
      noteBackground()
      wake()
      // Report data that expired in the background.
      if publisher.isObserved { publish() }
    case .clockChanged: break
    case .keyRefused(let key): if key == credentials.apiKey { credentialKeeper?.noteRefusal() }
    case .stop(let ticket): stop(ticket)
    }
  }

  private mutating func refuse(_ event: AppEvent) {
    switch event {
    case .report(_, let ticket), .awaitOpening(let ticket): actions.append(.complete(ticket, .stopped))
    case .airports(_, let ticket?), .weather(_, let ticket?): actions.append(.complete(ticket, .stopped))
    case .background(let ticket): actions.append(.complete(ticket, nil))
    case .stop(let ticket?):
      if phase == .closed {
        actions.append(.complete(ticket, nil))
      } else {
        awaitingClose.append(ticket)
      }
    default: break
    }
  }

  // MARK: Opening

  mutating func open(_ log: OpenedLog) {
    guard phase == .opening else {
      // Stopped while opening: close the log again.
      if phase == .released || phase == .closed { actions.append(.close) }
      return
    }
    phase = .open
    engine = Engine(state: log.state)
    launching.isLogBehind = configuration.settingsSeq.map { log.state.nextSeq < $0 } ?? false
    status = log.status
    wallLeadMS = time.wall - time.now
    launch()
    if launching.isStopping { beginClosing() }
  }

  /// Adds the launch before all other entries, with the turns so far, once the log is open and the application is ready.
  private mutating func launch() {
    guard phase == .open, launching.isApplicationReady, !launching.isQueued else { return }
    launching.isQueued = true
    queue.addLaunch()
  }

  mutating func failOpening(_ error: EngineError) {
    guard phase == .opening else { return }
    let failure = ClientError(error)
    if launching.isStopping {
      complete(queue.remove { _ in true }, failure)
      return release()
    }
    if error.isTransient {
      launching.openings.fail(at: time.now)
      phase = .openingAgain(at: launching.openings.until ?? time.now)
    } else {
      phase = .failed
    }
    let isNews = publisher.tell(openingError: failure)
    completeOpening(failure)
    let reports = queue.remove { if case .report = $0 { true } else { false } }
    complete(reports, failure)
    if isNews { publish() }
  }

  /// Completes the callers that wait until the log is open.
  mutating func completeOpening(_ failure: ClientError?) {
    for ticket in launching.waiting { actions.append(.complete(ticket, failure)) }
    launching.waiting = []
  }

  /// Completes the callers of entries that aren't written.
  mutating func complete(_ entries: [WriteQueue.Entry], _ failure: ClientError) {
    for ticket in entries.compactMap({ $0.ticket }) { actions.append(.complete(ticket, failure)) }
  }

  // MARK: Stopping

  private mutating func stop(_ ticket: Ticket?) {
    if let ticket { awaitingClose.append(ticket) }
    for number in requests.keys.sorted() { actions.append(.cancel(number)) }
    completeOpening(.stopped)
    if phase == .open { return beginClosing() }
    guard !queue.isIdle else { return release() }
    switch phase {
    case .unlaunched, .previewing, .opening: launching.isStopping = true
    case .openingAgain:
      launching.isStopping = true
      phase = .opening
      actions.append(.open)
    default: release()
    }
  }

  /// Lets the remaining entries be written.
  private mutating func beginClosing() {
    phase = .closing
    queue.add(.digest)
  }

  /// Tells the shell to close the log.
  mutating func release() {
    complete(queue.remove { _ in true }, .stopped)
    phase = .released
    actions.append(.close)
  }

  mutating func close() {
    phase = .closed
    for ticket in awaitingRest + awaitingClose { actions.append(.complete(ticket, nil)) }
    awaitingClose = []
  }

  // MARK: Requests

  mutating func take(_ result: RequestResult, of number: Int64) {
    guard phase == .open, let request = requests[number] else { return }
    switch result {
    // The response to a cancelled request is logged too, because its bytes were received.
    case .answered(let response): queue.add(.answer(response))
    case .failed(let failure, let message, let sent):
      if request.isCancelled {
        requests[number] = nil
      } else {
        queue.add(.failure(number, failure, message: message, sent: sent))
      }
    }
  }

  // MARK: Inputs

  /// Adds an input if the application entered or left the background: no request is held there, and none begins by itself.
  mutating func noteBackground() {
    guard phase == .open, launching.isQueued, isInBackground != state.isInBackground,
      !queue.hasBackground
    else { return }
    queue.addBackground()
  }

  /// Returns the inputs of an entry, and the bytes of their blobs.
  func inputs(of entry: WriteQueue.Entry) -> (inputs: [Input], blobs: [[UInt8]]) {
    switch entry {
    case .launch(let turn):
      var inputs: [Input] = [.sessionStarted(configuration.session)]
      if let isAutomatic = configuration.deliversAirports, isAutomatic != state.airports.delivery.isAutomatic {
        inputs.append(.airportsDelivery(isAutomatic: isAutomatic))
      }
      return (inputs + self.inputs(of: turn, isLaunch: true), [])
    case .turn(let turn): return (inputs(of: turn, isLaunch: false), [])
    case .clock(let milliseconds): return ([.clockAdjusted(byMS: milliseconds)], [])
    case .tick:
      guard !isInBackground, let wake = state.nextWake, engine.deviceTime(at: wake.at) <= time.now else {
        return ([], [])
      }
      return ([.clockTicked(scope: wake.scope, due: wake.at)], [])
    case .background:
      return (isInBackground == state.isInBackground ? [] : [.backgroundChanged(isInBackground: isInBackground)], [])
    case .answer(let response): return ([.responseReceived(response)], response.body.blob.map { [$0] } ?? [])
    case .failure(let number, let failure, _, let sent):
      return ([.responseFailed(request: number, failure: failure, sent: sent)], [])
    case .report(let report, _): return ([.reportTracked(report)], [])
    case .airports(let entries, _):
      let pairs = entries.map { $0.input() }
      return (pairs.map { $0.input }, pairs.compactMap { $0.blob })
    case .weather(let entry, _):
      let (input, blob) = entry.input()
      return ([input], blob.map { [$0] } ?? [])
    case .mark, .digest: return ([], [])
    }
  }

  /// Returns what a turn changes, in an order in which hardly anything is requested that a later input doesn't want.
  private func inputs(of turn: AppTurn, isLaunch: Bool) -> [Input] {
    var inputs: [Input] = []
    // A session begins offline.
    let isOnline = !isLaunch && state.isOnline
    let mayUseLink = (turn.isOnline ?? (isLaunch ? true : nil)).map {
      $0 && (turn.credentials?.bringsKey == true || !awaitsCredential)
    }
    if mayUseLink == false, isOnline { inputs.append(.connectivityChanged(isOnline: false)) }
    inputs += settingInputs(turn, isLaunch: isLaunch)
    // It may begin requests.
    if turn.credentials != nil { inputs.append(.credentialsChanged) }
    if mayUseLink == true, !isOnline { inputs.append(.connectivityChanged(isOnline: true)) }
    if let full = turn.refresh { inputs.append(.refreshRequested(full: full)) }
    return inputs
  }

  /// Returns the settings that differ from the log.
  private func settingInputs(_ turn: AppTurn, isLaunch: Bool) -> [Input] {
    let held = isLaunch ? Settings(state).atLaunch : Settings(state)
    var change = turn.settings
    if isLaunch, launching.isLogBehind {
      change = SettingsChange(configuration.settings, changedBy: change)
    } else if isLaunch {
      change.dataQuery = change.dataQuery?.edits(
        since: configuration.settings.dataQuery, appliedTo: DataQuery(held.query))
    }
    var wanted = held
    if let query = change.dataQuery { wanted.query = query.resolved() }
    wanted.history = change.history ?? held.history
    wanted.frequency = change.frequency ?? held.frequency
    wanted.listening = change.listening ?? held.listening
    wanted.budget = change.byteBudget ?? held.budget
    wanted.link = turn.linkCost ?? held.link
    return wanted.inputs(from: held)
  }
}
