import ContrailWire

extension State {
  /// Folds one line into the state: an input, a decision, or a mark.
  ///
  /// The fold is total: it accepts every event and never stops. An event that doesn't apply, such as a decision about a
  /// missing scope, changes nothing. To find unexpected decisions, compare ``decide()`` with the log.
  ///
  /// - Complexity: O(1), except for responses: O(*n*) in their records.
  package mutating func evolve(_ record: Record) {
    switch record.event {
    case .input(let input): evolve(input, seq: record.seq, at: record.at)
    case .decision(let decision): evolve(decision, seq: record.seq, at: record.at)
    case .mark(let mark): evolve(mark, seq: record.seq, at: record.at)
    }
  }

  /// Folds an input into the state; see ``evolve(_:)``.
  package mutating func evolve(_ input: Input, seq: Int64, at: Int64) {
    advance(seq, at)
    cause = seq
    isResting = isInBackground && !input.isOfApplication
    byteUse.advance(to: now)
    evolve(input)
    byteUse.count(input)
    dropExpiredRemains()
  }

  /// Folds a decision into the state; see ``evolve(_:)``.
  package mutating func evolve(_ decision: Decision, seq: Int64, at: Int64) {
    advance(seq, at)
    evolve(decision)
  }

  /// Folds a mark into the state; see ``evolve(_:)``.
  package mutating func evolve(_ mark: Mark, seq: Int64, at: Int64) {
    advance(seq, at)
    evolve(mark)
  }

  private mutating func advance(_ seq: Int64, _ at: Int64) {
    nextSeq = seq &+ 1
    // Stay below the maximum time by more than the longest delay, so that times computed from `now` can be written too.
    now = max(now, min(at, Self.maximumMS - 2 * Input.Response.maximumRetryAfterSeconds * 1000))
  }

  private mutating func evolve(_ input: Input) {
    switch input {
    case .sessionStarted(let session): launch(session)
    case .queryChanged(let query): change(to: query)
    case .historyChanged(let history):
      self.history = history
      updateHistory()
    case .frequencyChanged(let frequency): self.frequency = frequency
    case .refreshRequested(let isFull):
      outbox.isBlocked = false
      outbox.retry.shortenBackoff()
      updateEach { [now] in $0.refresh(isFull ? .full : .delta, at: now) }
    case .connectivityChanged(let isOnline):
      if isOnline, !self.isOnline { listening.relink() }
      self.isOnline = isOnline
      guard isOnline else { return }
      airports.delivery.shortenWait(at: now)
      updateEach { $0.retry.shortenBackoff() }
      outbox.retry.shortenBackoff()
    case .credentialsChanged:
      updateEach { $0.changeCredentials() }
      outbox.isBlocked = false
      outbox.upload?.hasOldCredentials = true
    case .listeningChanged(let settings): listening.settings = settings
    case .backgroundChanged(let isInBackground): self.isInBackground = isInBackground
    case .budgetChanged(let budget): byteUse.change(to: budget, at: now)
    case .linkChanged(let link): byteUse.link = link
    case .clockAdjusted: doubtHolds()
    case .clockTicked, .weatherReceived, .weatherFailed: break
    case .responseReceived(let response): receive(response)
    case .reportTracked(let report): outbox.track(report)
    case .airportsChecked, .airportsDownloaded, .airportsLoaded, .airportsDeferred, .airportsFailed,
      .airportsDelivery:
      evolve(airports: input)
    case .responseFailed(let request, let failure, _):
      if outbox.upload?.request == request { return failUpload(retryAfterSeconds: nil) }
      guard let index = index(requesting: request) else { return }
      if reading(index, { $0.isHeld }) {
        if failure.isOfConnection { return endHold(lost: index) }
        scopes[index].fail(retryAfterSeconds: nil, context)
        return endHold(answered: index, hasNews: false, isSent: true)
      }
      if failure.isOfConnection, scopes[index].inFlight?.rule == .unconfirmed { listening.excuse() }
      scopes[index].fail(retryAfterSeconds: nil, context)
    }
  }

  private mutating func launch(_ session: Input.Session) {
    let isSameService =
      session.service == service && session.hasWeatherService == self.session?.hasWeatherService ?? false
    self.session = session
    isOnline = false
    (isInBackground, isResting) = (false, false)
    byteUse.link = LinkCost()
    listening.relink()
    query.viewport = nil
    standing = []
    scopes.removeAll { $0.id == .viewport }
    outbox.relaunch()
    airports.delivery.relaunch(at: now)
    updateEach { $0.relaunch() }
    if !isSameService { changeService() }
  }

  /// Folds a response. A response that doesn't belong to an in-flight request is only counted.
  private mutating func receive(_ response: Input.Response) {
    if outbox.upload?.request == response.request { return receiveUpload(response) }
    // A response tells the time before it is applied, if it belongs to a request.
    var context = context
    if let serverTime = response.serverTimeMS { context.serverSecond = serverTime / 1000 }
    guard let index = index(requesting: response.request) else {
      droppedAnswers += 1
      return
    }
    if let serverTime = response.serverTimeMS { serverOffsetMS = serverTime - now }
    let (isHeld, before) = reading(index) { ($0.isHeld, $0.have?.watermark) }
    // A proxy didn't wait for the answer.
    if isHeld, [408, 502, 504].contains(response.status) { return endHold(lost: index) }
    let hasNews = scopes[index].receive(response, context)
    guard isHeld else { return }
    let isSent = response.sent?.total != 0
    if !isSent, let before, let exchange = listening.exchange,
      scopes[index].have.map({ $0.watermark &- before >= exchange.seconds }) == true
    {
      listening.exchange?.noteFullHold(at: now)
    }
    endHold(answered: index, hasNews: hasNews, isSent: isSent)
  }

  /// Removes scopes that are no longer wanted and whose data has expired.
  private mutating func dropExpiredRemains() {
    for index in scopes.indices.reversed() where !reading(index, { $0.isWanted }) {
      let context = context
      if reading(index, { $0.isExpiredRemains(context) }) { scopes.remove(at: index) }
    }
  }

  private mutating func evolve(_ decision: Decision) {
    switch decision {
    case .fetchStarted(let started):
      nextRequest = max(nextRequest, started.request + 1)
      update(started.scope) { [now] in $0.begin(started, at: now) }
      if let terms = started.hold, let index = index(of: started.scope), reading(index, { $0.isHeld }) {
        listening.begin(seconds: terms.seconds, at: now)
      }
    case .fetchCancelled(let cancelled):
      guard let index = index(requesting: cancelled.request) else { return }
      let isHeld = reading(index) { $0.isHeld }
      scopes[index].cancel()
      if isHeld { endHold(cancelled: index, cancelled.rule) }
    case .queryRejected(let rejected):
      guard
        let index = rejections.firstIndex(where: {
          $0.scope == rejected.scope && $0.reason == rejected.reason && $0.place == rejected.place
        })
      else { return }
      rejections.remove(at: index)
    case .uploadStarted(let started):
      nextRequest = max(nextRequest, started.request + 1)
      outbox.begin(started, at: now)
    case .errorReported(let reported) where reported.scope == .outbox:
      guard let notice = outbox.notices.firstIndex(where: { $0.code == reported.code }) else { return }
      outbox.notices.remove(at: notice)
    case .weatherExpired(let expired): update(expired.scope) { $0.settle(expired) }
    case .airportsSwitched(let switched): airports.change(to: switched)
    case .airportsRequested(let requested): airports.delivery.begin(requested, at: now)
    case .savingChanged(let changed): byteUse.logged = changed.saving
    case .errorReported(let reported): update(reported.scope) { $0.settle(reported.code) }
    }
  }
}

extension Input {
  /// Whether the application gave the input, or the system reported it, and not the end of a request or the passing of time.
  fileprivate var isOfApplication: Bool {
    switch self {
    case .sessionStarted, .queryChanged, .historyChanged, .frequencyChanged, .refreshRequested, .connectivityChanged,
      .credentialsChanged, .reportTracked, .airportsDelivery, .listeningChanged, .backgroundChanged, .budgetChanged,
      .linkChanged:
      true
    case .clockAdjusted, .clockTicked, .responseReceived, .responseFailed, .airportsChecked, .airportsDownloaded,
      .airportsLoaded, .airportsDeferred, .airportsFailed, .weatherReceived, .weatherFailed:
      false
    }
  }
}
