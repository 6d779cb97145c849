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
    evolve(input)
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
    case .refreshRequested(let isFull): pendingRefresh(isFull ? .full : .delta)
    case .connectivityChanged(let isOnline):
      self.isOnline = isOnline
      guard isOnline else { return }
      airports.delivery.shortenWait(at: now)
      for index in scopes.indices { scopes[index].retry.shortenBackoff() }
      outbox.retry.shortenBackoff()
    case .credentialsChanged:
      for index in scopes.indices {
        if scopes[index].block == .unauthorized { scopes[index].block = nil }
        scopes[index].inFlight?.hasOldCredentials = true
      }
      outbox.isBlocked = false
      outbox.upload?.hasOldCredentials = true
    case .clockAdjusted, .clockTicked, .weatherReceived, .weatherFailed: break
    case .responseReceived(let response): receive(response)
    case .reportTracked(let report): outbox.track(report)
    case .airportsChecked, .airportsDownloaded, .airportsLoaded, .airportsDeferred, .airportsFailed,
      .airportsDelivery:
      evolve(airports: input)
    case .responseFailed(let request, _, _):
      if outbox.upload?.request == request { return failUpload(retryAfterSeconds: nil) }
      guard let index = flightIndex(request) else { return }
      fail(index, retryAfterSeconds: nil)
    }
  }

  private mutating func launch(_ session: Input.Session) {
    self.session = session
    isOnline = false
    query.viewport = nil
    standing = []
    scopes.removeAll { $0.id == .viewport }
    outbox.relaunch()
    airports.delivery.relaunch(at: now)
    for index in scopes.indices {
      if scopes[index].block == .unauthorized { scopes[index].block = nil }
      scopes[index].handleLosses = 0
      guard let inFlight = scopes[index].inFlight else { continue }
      scopes[index].inFlight = nil
      scopes[index].pendingRefresh = max(scopes[index].pendingRefresh, Scope.PendingRefresh(inFlight.mode))
    }
  }

  private mutating func pendingRefresh(_ pendingRefresh: Scope.PendingRefresh) {
    outbox.isBlocked = false
    outbox.retry.shortenBackoff()
    for index in scopes.indices where reading(index, { $0.isWanted }) {
      // Unexpired data needs no update, unless the server refused the last request for it.
      if pendingRefresh == .delta, scopes[index].block == nil, isUnexpired(at: index) { continue }
      scopes[index].pendingRefresh = max(scopes[index].pendingRefresh, pendingRefresh)
      scopes[index].block = nil
      scopes[index].retry.shortenBackoff()
    }
  }

  /// Removes scopes that are no longer wanted and whose data has expired.
  private mutating func dropExpiredRemains() {
    for index in scopes.indices.reversed() where !reading(index, { $0.isWanted }) {
      if reading(index, { isExpiredRemains($0) }) { scopes.remove(at: index) }
    }
  }

  private func isExpiredRemains(_ scope: borrowing Scope) -> Bool {
    guard !scope.isInFlight, scope.notices.isEmpty else { return false }
    // Clearing the query for a moment must not reset a backoff or a block.
    if scope.block != nil || now < scope.retry.notBefore { return false }
    guard let have = scope.have else { return true }
    return serverNow / 1000 - have.watermark >= have.spec.history.seconds
  }

  private mutating func evolve(_ decision: Decision) {
    switch decision {
    case .fetchStarted(let started): begin(started)
    case .fetchCancelled(let cancelled):
      guard let index = flightIndex(cancelled.request) else { return }
      scopes[index].inFlight = nil
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
    case .weatherExpired(let expired):
      guard let index = index(of: expired.scope), scopes[index].lastSuccessAt == expired.since else { return }
      scopes[index].isExpired = true
    case .airportsSwitched(let switched): airports.change(to: switched)
    case .airportsRequested(let requested): airports.delivery.begin(requested, at: now)
    case .errorReported(let reported):
      guard let index = index(of: reported.scope) else { return }
      if reported.code == .refetchLoop { scopes[index].lastFull?.isReported = true }
      if let notice = scopes[index].notices.firstIndex(where: { $0.code == reported.code }) {
        scopes[index].notices.remove(at: notice)
      }
    }
  }

  private mutating func begin(_ started: Decision.FetchStarted) {
    nextRequest = max(nextRequest, started.request + 1)
    guard let index = index(of: started.scope), let want = scopes[index].want else { return }
    // The line identifies the area by its digest. The wanted area at the time of the decision is the current one.
    var spec = want
    spec.types = started.types
    spec.severities = started.severities
    spec.altitudes = started.altitudes
    spec.history = started.history
    spec.weather = started.weather
    scopes[index].inFlight = Scope.InFlightRequest(
      request: started.request, spec: spec, mode: started.mode, rule: started.rule, since: started.since,
      handle: started.handle, cells: started.cells)
    scopes[index].retry.lastAttemptAt = now
    scopes[index].motion?.since = now
    scopes[index].motion?.isWaiting = false
  }

  func flightIndex(_ request: Int64) -> Int? {
    // A closure would retain a copy of the state. Scopes are large, so access them by index.
    for index in scopes.indices where reading(index, { $0.inFlight?.request }) == request { return index }
    return nil
  }

  /// Records a failed attempt: no response, or an invalid one.
  mutating func fail(_ index: Int, retryAfterSeconds: Int64?) {
    if scopes[index].inFlight?.mode == .repair { scopes[index].repair = scopes[index].repair?.next }
    scopes[index].inFlight = nil
    scopes[index].retry.fail(
      seed: session?.seed ?? 0, scope: scopes[index].id, retryAfterSeconds: retryAfterSeconds, at: now)
  }
}
