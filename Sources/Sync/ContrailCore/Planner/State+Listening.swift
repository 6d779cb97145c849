import ContrailWire

// Held requests: the areas share one exchange, which the server answers when there is news for any of them.

extension State {
  /// The areas, by what they do in this turn.
  private struct Listeners {
    /// Areas whose held request goes on.
    var continuing: [Int] = []
    /// Areas whose held request may begin.
    var ready: [Int] = []
    /// Whether another request of an area is under way, or begins. Its answer is awaited, so that all are held in one exchange.
    var isBusy = false
    /// Whether a held request is cancelled in this turn.
    var isBroken = false
  }

  private func listeners(_ context: Scope.Context, _ isStarted: (ScopeID) -> Bool) -> Listeners {
    var listeners = Listeners()
    for index in scopes.indices where scopes[index].id.hasDeltas {
      let plan = reading(index) { $0.plan(context) }
      if scopes[index].isInFlight {
        if case nil = plan.cancels {
          if scopes[index].isHeld { listeners.continuing.append(index) } else { listeners.isBusy = true }
          continue
        }
        if scopes[index].isHeld { listeners.isBroken = true }
      }
      if plan.fetch != nil || plan.rule == .moving || isStarted(scopes[index].id) {
        listeners.isBusy = true
      } else if plan.rule == .fresh || plan.rule == .narrowed, scopes[index].holdTerms(context) != nil {
        listeners.ready.append(index)
      }
    }
    return listeners
  }

  /// Whether an area has a server that holds requests.
  package var canListen: Bool {
    for index in scopes.indices where reading(index, { $0.handle?.canListen ?? false || $0.isHeld }) { return true }
    return false
  }

  /// Begins to listen for news of the areas that are fresh. All areas share one exchange, so a held request of another area is
  /// cancelled and begins again with them.
  func decideListening(_ request: inout Int64, _ decisions: inout [Decision]) {
    guard canListen else { return }
    let context = context
    let listeners = listeners(context) { id in
      decisions.contains { if case .fetchStarted(let it) = $0 { it.scope == id } else { false } }
    }
    guard !listeners.ready.isEmpty || listeners.isBroken else { return }
    // The answer to another request is awaited, so that all areas are held in one exchange.
    guard !listeners.isBusy, now >= listening.notBefore else { return }
    // After a lost request, the others of its exchange end first: until then, the pause isn't known.
    if listeners.isBroken, listening.exchange?.isLost ?? false { return }
    // The other answers of the exchange follow at once.
    let isEnding = !listeners.isBroken && listening.exchange?.isEnding ?? false
    guard !(isEnding && !listeners.continuing.isEmpty) else { return }
    for index in listeners.continuing {
      guard let inFlight = scopes[index].inFlight else { continue }
      decisions.append(
        .fetchCancelled(.init(request: inFlight.request, scope: scopes[index].id, rule: .together, cause: cause)))
    }
    let all = (listeners.ready + listeners.continuing).sorted()
    // A viewport that moves has no terms, and so no time.
    let times = all.compactMap { index in holdSeconds(index, context).map { (index: index, seconds: $0) } }
    guard let seconds = times.lazy.map({ $0.seconds }).min() else { return }
    guard seconds >= Listening.shortestSeconds else {
      // While a request is held, the interval doesn't count. Without it, an area may be due at once, so it is confirmed too.
      for (index, time) in times where time < Listening.shortestSeconds || scopes[index].isHeld {
        let fetch = Plan.Fetch(mode: .delta, since: scopes[index].have?.watermark)
        scopes[index].start(fetch, .unconfirmed, context, &request, &decisions)
      }
      return
    }
    for index in all {
      guard var terms = scopes[index].holdTerms(context), let have = scopes[index].have else { continue }
      terms.seconds = seconds
      let fetch = Plan.Fetch(mode: .delta, since: have.watermark, hold: terms)
      scopes[index].start(fetch, .listening, context, &request, &decisions)
    }
  }

  /// The time for which an area may be held; after a held request that is cancelled, what is left of it since the last answer.
  ///
  /// Otherwise a map that is moved again and again would put off the confirmation of the other area.
  private func holdSeconds(_ index: Int, _ context: Scope.Context) -> Int64? {
    guard let terms = scopes[index].holdTerms(context) else { return nil }
    guard scopes[index].isHeld, let success = scopes[index].lastSuccessAt else { return terms.seconds }
    return terms.seconds - (now - success) / 1000
  }

  /// The time at which the areas begin to listen, and one of them; nil if nothing but time is awaited.
  var listeningWake: (at: Int64, scope: ScopeID)? {
    guard canListen, now < listening.notBefore else { return nil }
    let listeners = listeners(context) { _ in false }
    guard let first = listeners.ready.first, !listeners.isBusy else { return nil }
    return (listening.notBefore, scopes[first].id)
  }
}
