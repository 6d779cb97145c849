package import ContrailWire

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
    decideSaving(&decisions)
    var request = nextRequest
    let context = context
    for index in scopes.indices { reading(index) { $0.decide(context, &request, &decisions) } }
    decideTogether(&request, &decisions)
    decideListening(&request, &decisions)
    decideUpload(request, &decisions)
    decideAirports(&decisions)
    decideDelivery(&decisions)
    return decisions + confirmations(after: decisions)
  }

  /// Returns the decisions that follow because these end the exchange of held requests: the confirmation of an area whose own was lost waits
  /// for the others.
  private func confirmations(after decisions: [Decision]) -> [Decision] {
    guard listening.exchange != nil, scopes.contains(where: { $0.confirmAt != nil }) else { return [] }
    var after = self
    for decision in decisions { after.evolve(decision, seq: after.nextSeq, at: now) }
    return after.listening.exchange == nil ? after.decide() : []
  }

  /// Requests the deltas of other areas with one that is due, if more than half of their interval has passed: requests by handle
  /// share an exchange. From then on they are due together.
  private func decideTogether(_ request: inout Int64, _ decisions: inout [Decision]) {
    guard let due = decisions.lazy.compactMap({ $0.areaDueByHandle }).first
    else { return }
    let context = context
    for index in scopes.indices {
      reading(index) { scope in
        guard scope.id.hasDeltas, scope.id != due, let want = scope.want,
          scope.handles.name(for: want.areaDigest) != nil, let have = scope.have,
          let lastSuccessAt = scope.lastSuccessAt, let intervalMS = scope.intervalMS(context),
          now > lastSuccessAt + intervalMS / 2,
          scope.plan(context).rule == .fresh
        else { return }
        scope.start(.init(mode: .delta, since: have.watermark), .together, context, &request, &decisions)
      }
    }
  }

  /// The next time at which a scope must plan again, and that scope; nil if none, as in the background.
  package var nextWake: (at: Int64, scope: ScopeID)? {
    guard !isInBackground else { return nil }
    let context = context
    var next: (at: Int64, scope: ScopeID)?
    for index in scopes.indices {
      let wake = reading(index) { scope -> (at: Int64, scope: ScopeID)? in
        let plan = scope.plan(context)
        return [plan.wakesAt, scope.expiryWake(plan)].compactMap { $0 }.min().map { ($0, scope.id) }
      }
      if let wake, next.map({ wake.at < $0.at }) ?? true { next = wake }
    }
    if let wake = listeningWake, next.map({ wake.at < $0.at }) ?? true { next = wake }
    if let at = uploadPlan.wakesAt, next.map({ at < $0.at }) ?? true { next = (at, .outbox) }
    if let at = [airportsWake, deliveryWake].compactMap({ $0 }).min(), next.map({ at < $0.at }) ?? true {
      next = (at, .airports)
    }
    if let at = byteUse.wakesAt, next.map({ at < $0.at }) ?? true { next = (at, .corridor) }
    return next
  }

  /// Evaluates the rules in order and returns the next action of a scope.
  ///
  /// - Complexity: O(scopes), to find the scope.
  package func plan(_ id: ScopeID) -> Plan {
    let context = context
    return index(of: id).map { reading($0) { $0.plan(context) } } ?? Plan(rule: .unwanted)
  }

  /// Returns what the next action of a scope would be online.
  package func planOnline(_ id: ScopeID) -> Plan {
    var context = context
    context.isOnline = true
    return index(of: id).map { reading($0) { [context] in $0.plan(context) } } ?? Plan(rule: .unwanted)
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
    /// How long the server may hold the request.
    package var hold: HoldTerms?
  }
}

// Scopes are borrowed: a copy of one would take a dozen retains and releases.

extension Scope {
  /// Adds the decisions about the scope.
  func decide(_ context: Context, _ request: inout Int64, _ decisions: inout [Decision]) {
    for notice in notices {
      decisions.append(
        .errorReported(
          .init(scope: id, rule: notice.rule, code: notice.code, request: notice.request, cause: context.cause)))
    }
    let plan = plan(context)
    if let rule = plan.cancels, let number = requestInFlight {
      decisions.append(.fetchCancelled(.init(request: number, scope: id, rule: rule, cause: context.cause)))
    }
    if plan.rule == .guarded, let full = lastFull, !full.isReported {
      decisions.append(
        .errorReported(
          .init(scope: id, rule: .guarded, code: .refetchLoop, request: full.request, cause: context.cause)))
    }
    if let fetch = plan.fetch, !context.isResting { start(fetch, plan.rule, context, &request, &decisions) }
    if let expired = expiry(plan, context) { decisions.append(.weatherExpired(expired)) }
  }

  /// Adds the decision to send a request.
  func start(
    _ fetch: Plan.Fetch, _ rule: Rule, _ context: Context, _ request: inout Int64, _ decisions: inout [Decision]
  ) {
    guard let want = want.flatMap({ affordable($0, context.saving) }) else { return }
    decisions.append(
      .fetchStarted(
        .init(
          request: request, scope: id, mode: fetch.mode, rule: rule, cause: context.cause, since: fetch.since,
          handle: fetch.mode == .full ? nil : handles.name(for: want.areaDigest), cells: fetch.cells, hold: fetch.hold,
          areaDigest: want.areaDigest, filter: want.filter, weather: want.weather)))
    request += 1
  }

  /// Evaluates the rules in order and returns the next action.
  func plan(_ context: Context) -> Plan {
    guard let wanted = want else { return Plan(rule: .unwanted, cancels: isInFlight ? .unwanted : nil) }
    let affordable = affordable(wanted, context.saving)
    // When nothing may be fetched any more, a request under way goes on. It may have been sent without traffic.
    let want = affordable ?? self.affordable(wanted, .noTraffic) ?? wanted
    var cancels: Rule?
    if case .inFlight(let inFlight) = request {
      if let hold = inFlight.hold {
        if !context.isOnline { return Plan(rule: .offline, cancels: .offline) }
        if context.now < hold.deadline, inFlight.spec.covers(want), isHeldAsWanted(inFlight, hold, context) {
          return Plan(rule: .joined, wakesAt: hold.deadline)
        }
        cancels = context.now < hold.deadline ? .superseded : .silent
      } else if inFlight.spec.covers(want) && PendingRefresh(inFlight.mode) >= pendingRefresh {
        return Plan(rule: .joined)
      } else {
        cancels = .superseded
      }
    }
    if !context.isOnline { return Plan(rule: .offline, cancels: cancels) }
    if case nil = affordable { return Plan(rule: .saving, cancels: cancels) }
    if case .blocked = request { return Plan(rule: .blocked, cancels: cancels) }
    if context.now < retry.notBefore {
      return Plan(rule: .backingOff, cancels: cancels, wakesAt: retry.notBefore)
    }

    // Unexpired data isn't fetched again, even if the frequency is higher.
    let expiryMS = id.expiryMS ?? 0
    let due = intervalMS(context).map { (lastSuccessAt ?? .min / 2) + max($0, expiryMS) }
    // After a lost request, the confirmation counts: clients of a server that restarts mustn't be due at once.
    let confirmsAt = cancels == .silent ? context.now : confirmsAt(context)
    let confirms = confirmsAt.map { context.now >= $0 } ?? false
    let isDue = confirmsAt.map { context.now >= $0 } ?? true && due.map { context.now >= $0 } ?? false
    guard let (rule, fetch) = fetch(want, isDue: isDue, confirms: confirms, context) else {
      let rule: Rule = have.map { $0.spec == want } ?? true ? .fresh : .narrowed
      return Plan(rule: rule, cancels: cancels, wakesAt: confirmsAt.map { $0 == .max ? nil : $0 } ?? due)
    }
    // Until then, the answer to an earlier area is better than none.
    if rule == .first || rule == .areaChanged, let restsAt = motion?.fetchedAt, context.now < restsAt {
      return Plan(rule: .moving, wakesAt: restsAt)
    }
    if fetch.mode == .full, rule.isGuarded, let last = lastFull, !last.isVerified, !last.isRepair,
      last.rule == rule, last.spec.covers(want), context.now < last.notBefore
    {
      return Plan(rule: .guarded, cancels: cancels, wakesAt: last.notBefore)
    }
    return Plan(rule: rule, cancels: cancels, fetch: fetch)
  }

  private func fetch(
    _ want: FetchSpec, isDue: Bool, confirms: Bool, _ context: Context
  ) -> (Rule, Plan.Fetch)? {
    func full(_ rule: Rule) -> (Rule, Plan.Fetch) { (rule, .init(mode: .full)) }
    guard let have else { return full(.first) }
    if have.spec.area != want.area { return full(.areaChanged) }
    if let wanted = want.weather, have.spec.weather?.covers(wanted) != true { return full(.weatherChanged) }
    if id.hasDeltas {
      let (wanted, held) = (want.filter, have.spec.filter)
      if wanted.history > held.history { return full(.historyWidened) }
      if !wanted.types.isSubset(of: held.types) { return full(.typesWidened) }
      if wanted.types.contains(.turbulence) {
        if !wanted.severities.isSubset(of: held.severities) { return full(.severitiesWidened) }
        if !held.altitudes.covers(wanted.altitudes) { return full(.altitudesWidened) }
      }
    }
    if pendingRefresh == .full { return full(.refresh) }
    switch have.condition {
    case .sound: break
    case .repairable(let rule, let repair) where handles.name(for: want.areaDigest) != nil:
      return (rule, .init(mode: .repair, cells: repair.cells))
    case .broken(let rule), .repairable(let rule, _): return full(rule)
    }
    let isRequested = pendingRefresh == .delta
    guard isDue || isRequested || confirms else { return nil }
    if id.hasDeltas, context.serverSecond - have.watermark >= have.spec.filter.history.seconds {
      return full(.expired)
    }
    return (isDue ? .due : isRequested ? .requested : .unconfirmed, .init(mode: .delta, since: have.watermark))
  }
}

extension Decision {
  /// The scope, if the decision requests a delta of an area by handle because it is due.
  fileprivate var areaDueByHandle: ScopeID? {
    guard case .fetchStarted(let it) = self, it.rule == .due, it.handle != nil, it.scope.hasDeltas else { return nil }
    return it.scope
  }
}
