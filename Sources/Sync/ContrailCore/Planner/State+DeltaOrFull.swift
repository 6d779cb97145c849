import ContrailWire

extension State {
  /// Returns the decisions that follow from the state.
  ///
  /// This is the only place that chooses between delta and full fetches. The result depends only on the state. After
  /// the decisions are folded into the state, there are no further ones.
  ///
  /// - Complexity: O(scopes).
  package func decide() -> [Decision] {
    var decisions: [Decision] = rejections.map {
      .queryRejected(.init(scope: $0.scope, reason: $0.reason, place: $0.place, cause: cause))
    }
    var request = nextRequest
    for index in scopes.indices { decide(index, &request, &decisions) }
    decideTogether(&request, &decisions)
    decideUpload(request, &decisions)
    decideAirports(&decisions)
    decideDelivery(&decisions)
    return decisions
  }

  // Scopes are accessed by index: passing one as a value copies it, with a dozen retains and releases.

  private func decide(_ index: Int, _ request: inout Int64, _ decisions: inout [Decision]) {
    let id = scopes[index].id
    for notice in scopes[index].notices {
      decisions.append(
        .errorReported(.init(scope: id, rule: notice.rule, code: notice.code, request: notice.request, cause: cause)))
    }
    let plan = plan(at: index)
    if let rule = plan.cancels, let inFlight = scopes[index].inFlight {
      decisions.append(.fetchCancelled(.init(request: inFlight.request, scope: id, rule: rule, cause: cause)))
    }
    if plan.rule == .guarded, let full = scopes[index].lastFull, !full.isReported {
      decisions.append(
        .errorReported(.init(scope: id, rule: .guarded, code: .refetchLoop, request: full.request, cause: cause)))
    }
    if let fetch = plan.fetch { start(fetch, plan.rule, index, &request, &decisions) }
    if let expired = expiry(at: index, plan) { decisions.append(.weatherExpired(expired)) }
  }

  private func start(
    _ fetch: Plan.Fetch, _ rule: Rule, _ index: Int, _ request: inout Int64, _ decisions: inout [Decision]
  ) {
    guard let want = scopes[index].want else { return }
    decisions.append(
      .fetchStarted(
        .init(
          request: request, scope: scopes[index].id, mode: fetch.mode, rule: rule, cause: cause,
          since: fetch.since,
          handle: fetch.mode == .full ? nil : scopes[index].handle(for: want.areaDigest), cells: fetch.cells,
          areaDigest: want.areaDigest, types: want.types, severities: want.severities,
          altitudes: want.altitudes, history: want.history, weather: want.weather)))
    request += 1
  }

  /// Requests the deltas of other areas with one that is due, if more than half of their interval has passed: requests by handle
  /// share an exchange. From then on they are due together.
  private func decideTogether(_ request: inout Int64, _ decisions: inout [Decision]) {
    guard let intervalMS = frequency.intervalMS, let due = decisions.lazy.compactMap({ $0.areaDueByHandle }).first
    else { return }
    for index in scopes.indices where scopes[index].id.hasDeltas && scopes[index].id != due {
      guard let want = scopes[index].want, scopes[index].handle(for: want.areaDigest) != nil,
        let have = scopes[index].have, let lastSuccessAt = scopes[index].lastSuccessAt,
        now > lastSuccessAt + intervalMS / 2, plan(at: index).rule == .fresh
      else { continue }
      start(.init(mode: .delta, since: have.watermark), .together, index, &request, &decisions)
    }
  }

  /// The next time at which a scope must plan again, and that scope; nil if none.
  package var nextWake: (at: Int64, scope: ScopeID)? {
    var next: (at: Int64, scope: ScopeID)?
    for index in scopes.indices {
      let plan = plan(at: index)
      guard let at = [plan.wakesAt, expiryWake(at: index, plan)].compactMap({ $0 }).min(),
        next.map({ at < $0.at }) ?? true
      else { continue }
      next = (at, scopes[index].id)
    }
    if let at = uploadPlan.wakesAt, next.map({ at < $0.at }) ?? true { next = (at, .outbox) }
    if let at = [airportsWake, deliveryWake].compactMap({ $0 }).min(), next.map({ at < $0.at }) ?? true {
      next = (at, .airports)
    }
    return next
  }
}

/// The next action of a scope and the rule that determines it.
package struct Plan: Sendable, Equatable {
  /// The rule that determines the action.
  package var rule: Rule
  /// The rule by which the in-flight request is cancelled; nil if it isn't.
  package var cancels: Rule?
  /// The request to send; nil if none.
  package var fetch: Fetch?
  /// The time to plan again if no event occurs before, in milliseconds.
  package var wakesAt: Int64?

  package struct Fetch: Sendable, Equatable {
    package var mode: FetchMode
    package var since: Int64?
    /// The size of a repair's sketch.
    package var cells: Int64?
  }
}

extension State {
  /// Evaluates the rules in order and returns the next action of a scope.
  ///
  /// - Complexity: O(scopes), to find the scope.
  package func plan(_ id: ScopeID) -> Plan {
    index(of: id).map { plan(at: $0) } ?? Plan(rule: .unwanted)
  }

  /// Returns what the next action of a scope would be online.
  package func planOnline(_ id: ScopeID) -> Plan {
    var online = self
    online.isOnline = true
    return online.plan(id)
  }

  private func plan(at index: Int) -> Plan {
    guard let want = scopes[index].want else {
      return Plan(rule: .unwanted, cancels: scopes[index].isInFlight ? .unwanted : nil)
    }
    var cancels: Rule?
    if let inFlight = scopes[index].inFlight {
      if inFlight.spec.covers(want) && Scope.PendingRefresh(inFlight.mode) >= scopes[index].pendingRefresh {
        return Plan(rule: .joined)
      }
      cancels = .superseded
    }
    if !isOnline { return Plan(rule: .offline, cancels: cancels) }
    if scopes[index].block != nil { return Plan(rule: .blocked, cancels: cancels) }
    let notBefore = scopes[index].retry.notBefore
    if now < notBefore { return Plan(rule: .backingOff, cancels: cancels, wakesAt: notBefore) }

    // Unexpired data isn't fetched again, even if the frequency is higher.
    let expiryMS = scopes[index].id.expiryMS ?? 0
    let lastSuccessAt = scopes[index].lastSuccessAt ?? .min / 2
    let due = frequency.intervalMS.map { lastSuccessAt + max($0, expiryMS) }
    let isDue = due.map { now >= $0 } ?? false
    guard let (rule, fetch) = fetch(index, want, isDue: isDue) else {
      let rule: Rule = scopes[index].have.map { $0.spec == want } ?? true ? .fresh : .narrowed
      return Plan(rule: rule, cancels: cancels, wakesAt: due)
    }
    // Until then, the answer to an earlier area is better than none.
    if rule == .first || rule == .areaChanged, let restsAt = scopes[index].motion?.fetchedAt, now < restsAt {
      return Plan(rule: .moving, wakesAt: restsAt)
    }
    if fetch.mode == .full, rule.isGuarded, let last = scopes[index].lastFull, !last.isVerified, !last.isRepair,
      last.rule == rule,
      last.spec.covers(want), now < last.notBefore
    {
      return Plan(rule: .guarded, cancels: cancels, wakesAt: last.notBefore)
    }
    return Plan(rule: rule, cancels: cancels, fetch: fetch)
  }

  private func fetch(_ index: Int, _ want: FetchSpec, isDue: Bool) -> (Rule, Plan.Fetch)? {
    func full(_ rule: Rule) -> (Rule, Plan.Fetch) { (rule, .init(mode: .full)) }
    guard let have = scopes[index].have else { return full(.first) }
    let hasDeltas = scopes[index].id.hasDeltas
    if have.spec.area != want.area { return full(.areaChanged) }
    if let wanted = want.weather, have.spec.weather?.covers(wanted) != true { return full(.weatherChanged) }
    if hasDeltas {
      if want.history > have.spec.history { return full(.historyWidened) }
      if !want.types.isSubset(of: have.spec.types) { return full(.typesWidened) }
      if want.types.contains(.turbulence) {
        if !want.severities.isSubset(of: have.spec.severities) { return full(.severitiesWidened) }
        if !have.spec.altitudes.covers(want.altitudes) { return full(.altitudesWidened) }
      }
    }
    if scopes[index].pendingRefresh == .full { return full(.refresh) }
    if let rule = have.broken {
      guard let repair = scopes[index].repair, scopes[index].handle(for: want.areaDigest) != nil else {
        return full(rule)
      }
      return (rule, .init(mode: .repair, cells: repair.cells))
    }
    guard isDue || scopes[index].pendingRefresh == .delta else { return nil }
    if hasDeltas && serverNow / 1000 - have.watermark >= have.spec.history.seconds { return full(.expired) }
    return (isDue ? .due : .requested, .init(mode: .delta, since: have.watermark))
  }
}

extension Decision {
  /// The scope, if the decision requests a delta of an area by handle because it is due.
  fileprivate var areaDueByHandle: ScopeID? {
    guard case .fetchStarted(let it) = self, it.rule == .due, it.handle != nil, it.scope.hasDeltas else { return nil }
    return it.scope
  }
}
