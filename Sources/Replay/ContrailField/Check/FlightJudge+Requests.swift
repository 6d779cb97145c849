import ContrailCore
import ContrailWire

// The decisions: requests, cancellations and reports.

extension FlightJudge {
  mutating func watch(_ decision: Decision, _ state: State) {
    if let cause = turn.cause, decision.cause != cause {
      find(
        .accounting, decision.rule, decision.scope, "the decision names seq \(decision.cause) as its cause",
        "seq \(cause), the input before it")
    }
    if let request = decision.startedRequest {
      if let last = lastRequest, request <= last {
        find(
          .accounting, decision.rule, decision.scope, "request \(request) follows request \(last)",
          "a number above \(last)")
      }
      lastRequest = max(lastRequest ?? request, request)
      if !isOnline {
        find(.frugality, decision.rule, decision.scope, "request \(request) is sent while offline", "no request")
      }
    }
    switch decision {
    case .fetchStarted(let started): watch(started, state)
    case .fetchCancelled(let cancelled): sent[cancelled.request]?.isOpen = false
    case .errorReported(let reported): watch(reported)
    case .uploadStarted(let started): watch(started)
    case .weatherExpired(let expired):
      if scopes[expired.scope]?.expiredTold == expired.since {
        find(.outages, .expired, expired.scope, "the expiry of the same weather is reported again", "one report")
      }
      scopes[expired.scope]?.expiredTold = expired.since
    // Without traffic, something else is asked for.
    case .savingChanged: for id in scopes.keys { scopes[id]?.budget.allow() }
    case .queryRejected, .airportsSwitched, .airportsRequested: break
    }
  }

  private mutating func watch(_ started: Decision.FetchStarted, _ state: State) {
    let id = started.scope
    let name = "request \(started.request) of \(id.name)"
    if !turn.started.insert(id).inserted {
      find(.frugality, started.rule, id, "two requests of \(id.name) after one input", "one request")
    }
    guard let watched = scopes[id], var want = watched.want else {
      return find(.frugality, started.rule, id, "\(name) is sent, and nothing is wanted", "no request")
    }
    let saving = state.byteUse.saving
    if saving == .spent || saving == .corridorOnly && id != .corridor {
      find(.frugality, started.rule, id, "\(name) is sent while bytes are saved (\(saving.rawValue))", "no request")
    }
    if saving != .off { want.filter.types.remove(.traffic) }
    if let open = watched.open, sent[open]?.isOpen == true {
      find(
        .frugality, started.rule, id, "\(name) is sent while request \(open) is open", "request \(open) cancelled first"
      )
    }
    if watched.motion.isMoving(at: at), [.first, .areaChanged].contains(started.rule) {
      find(
        .frugality, started.rule, id, "\(name) is sent while the viewport is moved",
        "one after \(Scope.Motion.restMS) ms without a change, or \(Scope.Motion.longestMS) ms")
    }
    scopes[id]?.motion.fetch(at: at)
    if !started.asks(for: want) {
      find(.frugality, started.rule, id, "\(name) doesn't ask for what is wanted", "the wanted area, types and history")
    }
    if let refusal = watched.refusal {
      let until = refusal == .unauthorized ? "the credentials change" : "the query changes"
      find(
        .backoff, started.rule, id, "\(name) is sent after a refusal",
        "no request until \(until) or a refresh is requested")
    }
    if at < watched.wait.earliest {
      find(
        .backoff, started.rule, id,
        "\(name) is sent \(at - watched.wait.failedAt) ms after failure \(watched.wait.failures)",
        "no request for at least \(watched.wait.earliest - watched.wait.failedAt) ms")
    }
    switch started.mode {
    case .full: watchFull(started, want, state)
    case .repair:
      // A repair needs a cause as a full fetch does, and nothing else may repeat it.
      if watched.have?.broken == nil {
        find(.frugality, started.rule, id, "\(name) repairs data that match the server's", "a delta")
      }
      if watched.repairs >= Scope.Repair.maximumAttempts {
        find(
          .frugality, started.rule, id, "\(name) follows \(watched.repairs) repairs of the same data that failed",
          "a full fetch after \(Scope.Repair.maximumAttempts)")
      }
    case .delta:
      if id.hasDeltas, started.since != watched.have?.watermark {
        find(
          .staleness, started.rule, id, "\(name) asks for what is new since \(started.since ?? 0)",
          "since \(watched.have?.watermark ?? 0), the watermark of the held data")
      }
    }
    watchHold(started, announced: watched.holdSeconds)
    sent[started.request] = Sent(
      scope: id, spec: want, isFull: started.mode == .full, rule: started.rule, handle: started.handle,
      isRepair: started.mode == .repair, savesTraffic: saving != .off,
      lostAt: started.hold.map { at + $0.seconds * 1000 + Listening.graceMS })
    scopes[id]?.open = started.request
    scopes[id]?.wait.lastAttemptAt = at
  }

  /// Compares a held request with what the server announced, and with the end of the last one.
  private mutating func watchHold(_ started: Decision.FetchStarted, announced holdSeconds: Int64) {
    guard let hold = started.hold else { return }
    let name = "request \(started.request) of \(started.scope.name)"
    if started.mode != .delta || started.handle == nil || !started.scope.hasDeltas {
      find(.accounting, started.rule, started.scope, "\(name) may be held", "a delta by handle")
    }
    if hold.seconds > holdSeconds {
      find(
        .frugality, started.rule, started.scope, "\(name) may be held for \(hold.seconds) s",
        "at most \(holdSeconds) s, as the server announced")
    }
    if at < holdsAgainAt {
      find(
        .backoff, started.rule, started.scope, "\(name) is held soon after one that ended early",
        "no held request for \(holdsAgainAt - at) ms more")
    }
  }

  private mutating func watchFull(_ started: Decision.FetchStarted, _ want: FetchSpec, _ state: State) {
    let id = started.scope
    guard let watched = scopes[id] else { return }
    if started.rule == .expired {
      guard let have = watched.have else { return }
      let age = state.serverNow / 1000 - have.watermark
      if age < have.spec.history.seconds {
        find(
          .frugality, started.rule, id, "\(id.name) is fetched in full as expired, \(age) s after its watermark",
          "a delta up to \(have.spec.history.seconds) s")
      }
      return
    }
    for violation in scopes[id]?.budget.start(started.rule, want, at: at) ?? [] {
      switch violation {
      case .withoutCause:
        find(
          .frugality, started.rule, id,
          "\(id.name) is fetched in full by \(started.rule.rawValue) without a new cause",
          "a delta, or nothing")
      case .tooSoon(let sinceLastMS, let shortestMS, _):
        find(
          .frugality, started.rule, id,
          "\(id.name) is fetched in full by \(started.rule.rawValue) again, \(sinceLastMS) ms after the last answer",
          "no full fetch for at least \(shortestMS) ms (guarded)")
      }
    }
  }

  private mutating func watch(_ reported: Decision.ErrorReported) {
    let told = Turn.Told(scope: reported.scope, code: reported.code.rawValue, request: reported.request)
    if !turn.told.insert(told).inserted {
      find(
        .outages, reported.rule, reported.scope, "\(told.code) of request \(told.request) is reported twice",
        "one report")
    }
    switch reported.code {
    case .weatherRefused:
      if scopes[reported.scope]?.isRefusalTold == true {
        find(
          .outages, reported.rule, reported.scope, "the refusal of the weather service is reported while it lasts",
          "one report until the service answers again")
      }
      scopes[reported.scope]?.isRefusalTold = true
    case .refetchLoop:
      if scopes[reported.scope]?.budget.reportLoop() == true {
        find(.outages, reported.rule, reported.scope, "the same loop of full fetches is reported again", "one report")
      }
    default: break
    }
    if turn.owed?.scope == reported.scope, turn.owed?.request == reported.request { turn.owed = nil }
  }
}

extension Decision.FetchStarted {
  /// Whether the request asks for the wanted data.
  fileprivate func asks(for want: FetchSpec) -> Bool {
    if let weather = want.weather { return self.weather == weather }
    return areaDigest == want.areaDigest && filter == want.filter
  }
}
