import ContrailWire

// The wanted data of a scope, and its request until the answer.

extension Scope {
  // MARK: The want

  /// Changes the wanted data; nil if the scope isn't wanted any more.
  mutating func setWant(_ want: FetchSpec?, at now: Int64) {
    guard self.want != want else { return }
    if self.want?.area != want?.area {
      handles.retry(at: now, afterMS: HandleState.areaRestMS)
      if id == .viewport { motion = motion?.changed(at: now) ?? Motion(changedAt: now, since: now) }
    }
    // The server still refuses the key, so the application is told again.
    if self.want == nil, case .blocked(.unauthorized) = request {
      notices.append(.init(code: .unauthorized, rule: .blocked, request: 0))
    }
    self.want = want
    if case .blocked(.badRequest) = request { request = .idle }
    retry.shortenBackoff()
    guard want == nil else { return }
    motion = nil
    pendingRefresh = .none
    confirmAt = nil
    if id == .viewport { forget() }
  }

  private mutating func forget() {
    have = nil
    records = AreaRecords()
    document = []
    reported = []
    lastFull = nil
    lastSuccessAt = nil
    confirmAt = nil
  }

  /// Whether the scope is no longer wanted, and its data has expired.
  func isExpiredRemains(_ context: Context) -> Bool {
    // Clearing the query for a moment must not reset a backoff or a block.
    guard !isWanted, case .idle = request, notices.isEmpty, context.now >= retry.notBefore else { return false }
    guard let have else { return true }
    return context.serverSecond - have.watermark >= have.spec.history.seconds
  }

  // MARK: The request

  /// Requests a refresh of the wanted data.
  mutating func refresh(_ refresh: PendingRefresh, at now: Int64) {
    guard isWanted else { return }
    var isBlocked = false
    if case .blocked = request { isBlocked = true }
    // Unexpired data needs no update, unless the server refused the last request for it.
    if refresh == .delta, !isBlocked, isUnexpired(at: now) { return }
    pendingRefresh = max(pendingRefresh, refresh)
    if isBlocked { request = .idle }
    retry.shortenBackoff()
  }

  /// Notes that the credentials changed.
  mutating func changeCredentials() {
    switch request {
    case .blocked(.unauthorized): request = .idle
    case .inFlight(var inFlight):
      inFlight.hasOldCredentials = true
      request = .inFlight(inFlight)
    case .blocked(.badRequest), .idle: break
    }
  }

  /// Removes the request of the ended process. It is sent again.
  mutating func relaunch() {
    handles.forgive()
    switch request {
    case .blocked(.unauthorized): request = .idle
    case .inFlight(let inFlight):
      request = .idle
      confirmAt = nil
      pendingRefresh = max(pendingRefresh, PendingRefresh(inFlight.mode))
    case .blocked(.badRequest), .idle: break
    }
  }

  /// Notes that a request is sent.
  mutating func begin(_ started: Decision.FetchStarted, at now: Int64) {
    // The line identifies the area by its digest. The wanted area at the time of the decision is the current one.
    guard var spec = want else { return }
    spec.filter = started.filter
    spec.weather = started.weather
    request = .inFlight(
      InFlightRequest(
        request: started.request, spec: spec, mode: started.mode, rule: started.rule, since: started.since,
        handle: started.handle, cells: started.cells,
        hold: started.hold.map { Hold(terms: $0, deadline: now + $0.seconds * 1000 + Listening.graceMS) }))
    retry.lastAttemptAt = now
    motion?.since = now
    motion?.isWaiting = false
  }

  /// Notes that the in-flight request is cancelled.
  mutating func cancel() { request = .idle }

  /// Notes that an issue was reported.
  mutating func settle(_ issue: ReportedIssue) {
    if issue == .refetchLoop { lastFull?.isReported = true }
    if let notice = notices.firstIndex(where: { $0.code == issue }) { notices.remove(at: notice) }
  }

  /// Notes that the expiry of the data was reported.
  mutating func settle(_ expired: Decision.WeatherExpired) {
    if lastSuccessAt == expired.since { reported.insert(.expiry) }
  }
}
