import ContrailWire

extension State {
  /// What follows from the state: the one place where "delta or full?" is answered.
  ///
  /// It looks at nothing but the state. When the decisions have been folded in, it has nothing more to say.
  ///
  /// - Complexity: O(scopes).
  public func decide() -> [Decision] {
    var decisions: [Decision] = rejections.map {
      .queryRejected(.init(scope: $0.scope, reason: $0.reason, place: $0.place, cause: cause))
    }
    var request = nextRequest
    for index in scopes.indices { decide(scopes[index], &request, &decisions) }
    decideUpload(request, &decisions)
    decideAirports(&decisions)
    return decisions
  }

  private func decide(_ scope: borrowing Scope, _ request: inout Int64, _ decisions: inout [Decision]) {
    let id = scope.id
    for notice in scope.notices {
      let rule: Rule =
        switch notice.code {
        case .serverInconsistent: .broken
        case .weatherRefused: .backingOff
        default: .blocked
        }
      decisions.append(
        .errorReported(.init(scope: id, rule: rule, code: notice.code, request: notice.request, cause: cause)))
    }
    let plan = plan(scope)
    if let rule = plan.cancels, let flight = scope.flight {
      decisions.append(.fetchCancelled(.init(request: flight.request, scope: id, rule: rule, cause: cause)))
    }
    if plan.rule == .guarded, let full = scope.lastFull, !full.isReported {
      decisions.append(
        .errorReported(.init(scope: id, rule: .guarded, code: .refetchLoop, request: full.request, cause: cause)))
    }
    if let fetch = plan.fetch, let want = scope.want {
      decisions.append(
        .fetchStarted(
          .init(
            request: request, scope: id, mode: fetch.mode, rule: plan.rule, reason: fetch.reason, cause: cause,
            since: fetch.since, areaDigest: want.areaDigest, types: want.types, severities: want.severities,
            altitudes: want.altitudes, history: want.history, weather: want.weather)))
      request += 1
    }
    if let expired = expiry(scope, plan) { decisions.append(.weatherExpired(expired)) }
  }

  /// The earliest time at which a scope wants to be asked again, and which scope that is; nil if none does.
  public var nextWake: (at: Int64, scope: ScopeID)? {
    var next: (at: Int64, scope: ScopeID)?
    for scope in scopes {
      let plan = plan(scope)
      guard let at = [plan.wakesAt, expiryWake(scope, plan)].compactMap(\.self).min(),
        next.map({ at < $0.at }) ?? true
      else { continue }
      next = (at, scope.id)
    }
    if let at = uploadPlan.wakesAt, next.map({ at < $0.at }) ?? true { next = (at, .outbox) }
    if let at = airportsWake, next.map({ at < $0.at }) ?? true { next = (at, .airports) }
    return next
  }
}

/// What a scope is to do, and by which rule.
public struct Plan: Sendable, Equatable {
  /// The rule that settled it.
  public var rule: Rule
  /// The request under way is given up, by this rule.
  public var cancels: Rule?
  /// A request goes out.
  public var fetch: Fetch?
  /// When to ask again if nothing happens before, in milliseconds.
  public var wakesAt: Int64?

  public struct Fetch: Sendable, Equatable {
    public var mode: FetchMode
    public var reason: Reason
    public var since: Int64?
  }
}

extension State {
  /// Asks the rules in their order what the scope is to do now.
  public func plan(_ scope: borrowing Scope) -> Plan {
    guard let want = scope.want else { return Plan(rule: .unwanted, cancels: scope.flight.map { _ in .unwanted }) }
    var cancels: Rule?
    if let flight = scope.flight {
      if flight.spec.covers(want) && Scope.Demand(flight.mode) >= scope.demand { return Plan(rule: .joined) }
      cancels = .superseded
    }
    if !isOnline { return Plan(rule: .offline, cancels: cancels) }
    if scope.block != nil { return Plan(rule: .blocked, cancels: cancels) }
    if now < scope.notBefore { return Plan(rule: .backingOff, cancels: cancels, wakesAt: scope.notBefore) }

    // What holds isn't asked for again, however often other data are.
    let due = frequency.intervalMS.map { (scope.lastSuccessAt ?? .min / 2) + max($0, scope.id.expiryMS ?? 0) }
    let isDue = due.map { now >= $0 } ?? false
    guard let (rule, fetch) = fetch(scope, want, isDue: isDue) else {
      let rule: Rule = scope.have.map { $0.spec == want } ?? true ? .fresh : .narrowed
      return Plan(rule: rule, cancels: cancels, wakesAt: due)
    }
    if rule.isGuarded, let last = scope.lastFull, !last.isVerified, last.reason == fetch.reason,
      last.spec.covers(want), now < last.notBefore
    {
      return Plan(rule: .guarded, cancels: cancels, wakesAt: last.notBefore)
    }
    return Plan(rule: rule, cancels: cancels, fetch: fetch)
  }

  private func fetch(_ scope: borrowing Scope, _ want: FetchSpec, isDue: Bool) -> (Rule, Plan.Fetch)? {
    func full(_ rule: Rule, _ reason: Reason) -> (Rule, Plan.Fetch) { (rule, .init(mode: .full, reason: reason)) }
    guard let have = scope.have else { return full(.first, .first) }
    if have.spec.area != want.area { return full(.areaChanged, .areaChanged) }
    if let wanted = want.weather, have.spec.weather?.covers(wanted) != true {
      return full(.areaChanged, .weatherChanged)
    }
    if scope.id.hasDeltas {
      if want.history > have.spec.history { return full(.historyWidened, .historyWidened) }
      if !want.types.isSubset(of: have.spec.types) { return full(.specWidened, .typesWidened) }
      if want.types.contains(.turbulence) {
        if !want.severities.isSubset(of: have.spec.severities) { return full(.specWidened, .severitiesWidened) }
        if !have.spec.altitudes.covers(want.altitudes) { return full(.specWidened, .altitudesWidened) }
      }
    }
    if scope.demand == .full { return full(.refresh, .refresh) }
    if let reason = have.broken { return full(.broken, reason) }
    guard isDue || scope.demand == .delta else { return nil }
    if scope.id.hasDeltas && serverNow / 1000 - have.token >= have.spec.history.seconds {
      return full(.expired, .expired)
    }
    return (.delta, .init(mode: .delta, reason: isDue ? .due : .requested, since: have.token))
  }
}

extension Rule {
  /// Whether its full fetch must not follow itself.
  fileprivate var isGuarded: Bool {
    switch self {
    case .first, .areaChanged, .historyWidened, .specWidened, .broken: true
    default: false
    }
  }
}
