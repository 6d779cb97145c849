import ContrailCore
import ContrailWire

// Events of the application, and the launch.

extension Driver {
  /// An entry that waits to be written.
  indirect enum Entry: Sendable {
    /// The launch, with the changes before the log was open.
    case launch(AppTurn)
    case turn(AppTurn)
    case clock(byMS: Int64)
    case tick
    case answer(Answer)
    case failure(Int64, TransportFailure, message: String, sent: SentBytes?)
    case report(TurbulenceReport, Ticket)
    case airports([AirportsEntry], Ticket?)
    case weather(WeatherEntry, Ticket?)
    /// A digest of the state, before the log is idle or closed.
    case digest

    /// Whether the entry is attempted once, and the caller receives the error.
    var isAttemptedOnce: Bool {
      switch self {
      case .report, .digest: true
      default: false
      }
    }

    var isLaunch: Bool { if case .launch = self { true } else { false } }

    var ticket: Ticket? {
      switch self {
      case .report(_, let ticket): ticket
      case .airports(_, let ticket), .weather(_, let ticket): ticket
      default: nil
      }
    }
  }

  mutating func take(_ event: AppEvent) {
    switch phase {
    case .closing, .released, .closed: return refuse(event)
    default: break
    }
    switch event {
    case .observing: break
    case .turn(let turn):
      // The launch includes the application's first turn.
      add(turn)
      isApplicationReady = true
      launch()
    default:
      isApplicationReady = true
      launch()
    }
    switch event {
    case .turn: break
    case .ready: break
    case .report(let report, let ticket):
      if let error = toldOpeningError {
        actions.append(.complete(ticket, error))
      } else {
        inbox.append(.report(report, ticket))
      }
    case .airports(let entries, let ticket): inbox.append(.airports(entries, ticket))
    case .weather(let entry, let ticket): inbox.append(.weather(entry.masking(credentials), ticket))
    case .awaitOpening(let ticket):
      switch phase {
      case .open where shown.isOpen: actions.append(.complete(ticket, nil))
      case .failed: actions.append(.complete(ticket, toldOpeningError))
      default: awaitingOpening.append(ticket)
      }
    case .observing(let isObserved):
      self.isObserved = isObserved
      updateExpiries()
    case .background(let ticket):
      isInBackground = true
      awaitingRest.append(ticket)
      if phase == .open { inbox.append(.digest) }
    case .foreground:
      isInBackground = false
      wake()
      // Report data that expired in the background.
      if isObserved { publish() }
    case .clockChanged: break
    case .stop(let ticket): stop(ticket)
    }
  }

  /// Adds a turn, merged with a waiting one: replaced values are never written.
  private mutating func add(_ turn: AppTurn) {
    if let last = inbox.indices.last, case .turn(var waiting) = inbox[last] {
      waiting.merge(turn)
      inbox[last] = .turn(waiting)
    } else {
      inbox.append(.turn(turn))
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
    status = log.status
    wallLeadMS = time.wall - time.now
    launch()
  }

  /// Adds the launch before all other entries, with the turns so far, once the log is open and the application is ready.
  private mutating func launch() {
    guard phase == .open, isApplicationReady, !isLaunched else { return }
    isLaunched = true
    var turn = AppTurn()
    inbox.removeAll { entry in
      guard case .turn(let waiting) = entry else { return false }
      turn.merge(waiting)
      return true
    }
    inbox.insert(.launch(turn), at: 0)
  }

  mutating func failOpening(_ error: EngineError) {
    guard phase == .opening else { return }
    let failure = ClientError(error)
    if error.isTransient {
      openings.fail(at: time.now)
      phase = .openingAgain(at: openings.until ?? time.now)
    } else {
      phase = .failed
    }
    let isNews = toldOpeningError.map { $0.code != failure.code } ?? true
    toldOpeningError = failure
    for ticket in awaitingOpening { actions.append(.complete(ticket, failure)) }
    awaitingOpening = []
    inbox.removeAll { entry in
      guard case .report(_, let ticket) = entry else { return false }
      actions.append(.complete(ticket, failure))
      return true
    }
    if isNews { publish([.failed(failure)]) }
  }

  // MARK: Stopping

  private mutating func stop(_ ticket: Ticket?) {
    if let ticket { awaitingClose.append(ticket) }
    for number in requests.keys.sorted() { actions.append(.cancel(number)) }
    for ticket in awaitingOpening { actions.append(.complete(ticket, .stopped)) }
    awaitingOpening = []
    if phase == .open {
      phase = .closing
      inbox.append(.digest)
    } else {
      release()
    }
  }

  /// Tells the shell to close the log.
  mutating func release() {
    for entry in inbox { if let ticket = entry.ticket { actions.append(.complete(ticket, .stopped)) } }
    inbox = []
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
    case .answered(let answer): inbox.append(.answer(answer))
    case .failed(let failure, let message, let sent):
      if request.isCancelled {
        requests[number] = nil
      } else {
        inbox.append(.failure(number, failure, message: message, sent: sent))
      }
    }
  }

  // MARK: Inputs

  /// Returns the inputs of an entry, and the bytes of their blobs.
  func inputs(of entry: Entry) -> (inputs: [Input], blobs: [[UInt8]]) {
    switch entry {
    case .launch(let turn):
      var inputs: [Input] = [.sessionStarted(configuration.session)]
      if turn.credentials != nil { inputs.append(.credentialsChanged) }
      if let isAutomatic = configuration.deliversAirports, isAutomatic != state.airports.delivery.isAutomatic {
        inputs.append(.airportsDelivery(isAutomatic: isAutomatic))
      }
      // Before the connectivity, so that no unneeded requests are sent.
      inputs += settingInputs(turn.settings, isLaunch: true)
      // A session begins offline.
      if turn.isOnline ?? true { inputs.append(.connectivityChanged(isOnline: true)) }
      if let full = turn.refresh { inputs.append(.refreshRequested(full: full)) }
      return (inputs, [])
    case .turn(let turn):
      var inputs: [Input] = []
      let link = turn.isOnline.flatMap { $0 == state.isOnline ? nil : Input.connectivityChanged(isOnline: $0) }
      // First, so that no requests are sent for the other changes.
      if let link, turn.isOnline == false { inputs.append(link) }
      if turn.credentials != nil { inputs.append(.credentialsChanged) }
      if let link, turn.isOnline == true { inputs.append(link) }
      inputs += settingInputs(turn.settings, isLaunch: false)
      if let full = turn.refresh { inputs.append(.refreshRequested(full: full)) }
      return (inputs, [])
    case .clock(let milliseconds): return ([.clockAdjusted(byMS: milliseconds)], [])
    case .tick:
      guard let wake = state.nextWake, engine.deviceTime(at: wake.at) <= time.now else { return ([], []) }
      return ([.clockTicked(scope: wake.scope, due: wake.at)], [])
    case .answer(let answer):
      let (input, blob) = answer.input()
      return ([input], blob.map { [$0] } ?? [])
    case .failure(let number, let failure, _, let sent):
      return ([.responseFailed(request: number, failure: failure, sent: sent)], [])
    case .report(let report, _): return ([.reportTracked(report)], [])
    case .airports(let entries, _):
      let pairs = entries.map { $0.input() }
      return (pairs.map(\.input), pairs.compactMap(\.blob))
    case .weather(let entry, _):
      let (input, blob) = entry.input()
      return ([input], blob.map { [$0] } ?? [])
    case .digest: return ([], [])
    }
  }

  /// Returns the settings that differ from the log. History and frequency come first, so that a query set with them is fetched once.
  private func settingInputs(_ change: SettingsChange, isLaunch: Bool) -> [Input] {
    var inputs: [Input] = []
    if let history = change.history, history != state.history { inputs.append(.historyChanged(history)) }
    if let frequency = change.frequency, frequency != state.frequency { inputs.append(.frequencyChanged(frequency)) }
    if let query = change.dataQuery {
      var query = query
      var held = state.query
      if isLaunch {
        // A launch removes the viewport.
        held.viewport = nil
        query = query.edits(since: configuration.settings.dataQuery, appliedTo: DataQuery(held))
      }
      let resolved = query.resolved()
      if resolved != held { inputs.append(.queryChanged(resolved)) }
    }
    return inputs
  }
}
