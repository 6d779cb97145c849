import ContrailCore
import ContrailWire

// The answers: which data they may change, and what follows from a failure.

extension FlightJudge {
  mutating func watch(_ response: Input.Response, _ state: State) {
    if outbox.open?.request == response.request { return watchUpload(response, state) }
    let open = close(response.request)
    watchTouched(by: response.request, open: open?.scope, state)
    guard let open, let scope = state.scope(open.scope) else { return }
    let isApplied =
      response.isSuccess && scope.have?.broken == nil && scope.lastSuccessAt == state.now && scope.retry.failures == 0
    if isApplied { return watchApplied(open, scope, state) }
    if open.lostAt != nil, [408, 502, 504].contains(response.status) { return loseHold() }
    scopes[open.scope]?.budget.allow()
    if open.isRepair, response.status != 401, response.status != 403 { scopes[open.scope]?.repairs += 1 }
    switch response.status {
    case 200 where !open.isFull && !open.isRepair && scope.have?.broken != nil: scopes[open.scope]?.wait.succeed()
    case 401 where open.hasOldCredentials, 403 where open.hasOldCredentials: break
    case 401, 403: refuse(.unauthorized, open.scope, response.request)
    case 410 where !open.isFull && !open.isRepair && open.scope.hasDeltas: scopes[open.scope]?.wait.succeed()
    case 404 where open.handle != nil: break
    case 408, 410, 425, 429, 500...599: fail(open.scope, response.retryAfterSeconds)
    case 400...499 where open.isRepair: scopes[open.scope]?.wait.succeed()
    case 400...499: refuse(.badRequest, open.scope, response.request)
    default: fail(open.scope, response.retryAfterSeconds)
    }
  }

  /// A held request that ends without an answer is no failed attempt.
  private mutating func loseHold() { holdsAgainAt = max(holdsAgainAt, at + Self.shortestPauseMS) }

  /// The shortest time between a held request that is lost and the next: the jitter is in the upper half of 16 s or more.
  private static let shortestPauseMS: Int64 = 8_000

  mutating func watchFailure(of request: Int64, _ failure: TransportFailure, _ state: State) {
    if outbox.open?.request == request {
      outbox.open = nil
      outbox.wait.fail(at: at, retryAfterSeconds: nil)
      return
    }
    let open = close(request)
    watchTouched(by: request, open: nil, state)
    guard let open else { return }
    scopes[open.scope]?.budget.allow()
    if open.lostAt != nil, [.network, .timeout].contains(failure) { return loseHold() }
    if open.isRepair { scopes[open.scope]?.repairs += 1 }
    fail(open.scope, nil)
  }

  /// Closes a request and returns it if it was open.
  private mutating func close(_ request: Int64) -> Sent? {
    guard let known = sent[request] else {
      // A request of an earlier process may be answered late, and one before the start of the log is unknown.
      if isWhole, request > (lastRequest ?? .max) || request < 0 {
        find(
          .accounting, nil, nil, "an answer to request \(request), which wasn't sent",
          "an answer to a request in the log")
      }
      return nil
    }
    sent[request]?.isOpen = false
    return known.isOpen ? known : nil
  }

  private mutating func watchTouched(by request: Int64, open: ScopeID?, _ state: State) {
    for index in state.scopes.indices where state.scopes[index].id != open {
      let scope = state.scopes[index]
      guard scope.have != nil, let before = scopes[scope.id], isChanged(before, scope) else { continue }
      // Without the start of the log, its request is unknown.
      if !isWhole, sent[request] == nil { continue }
      find(
        .staleness, nil, scope.id, "an answer to request \(request), which isn't open, changed \(scope.id.name)",
        "the answer dropped")
    }
  }

  private mutating func watchApplied(_ open: Sent, _ scope: Scope, _ state: State) {
    guard let have = scope.have else { return }
    let id = open.scope
    if have.spec != open.spec {
      find(.staleness, nil, id, "\(id.name) holds something that its request didn't ask for", "the data of the request")
    }
    var want = scope.want
    // Traffic that is wanted later, while bytes are saved, isn't asked for either.
    if open.savesTraffic || state.byteUse.saving != .off { want?.filter.types.remove(.traffic) }
    let isWanted = want.map { open.spec.covers($0) } ?? false
    if !isWanted, scopes[id]?.isMoving != true {
      find(
        .staleness, nil, id, "\(id.name) applied the answer to an old query",
        "the request cancelled when the query changed")
    }
    if id.hasDeltas {
      var oldest = Int64.max
      scope.reports.forEach { oldest = min(oldest, Int64($0.observedAt)) }
      for pirep in scope.pireps.sorted { oldest = min(oldest, pirep.observedAt) }
      if oldest <= have.watermark - have.spec.history.seconds {
        find(
          .window, nil, id, "\(id.name) holds a record of \(have.watermark - oldest) s before its watermark",
          "records of less than \(have.spec.history.seconds) s")
      }
    }
    scopes[id]?.budget.apply(fullBy: open.isFull ? open.rule : nil, open.spec, at: at)
    scopes[id]?.budget.takeBackCauses()
    // The query changed while the request was in flight, so another full fetch has a cause.
    if !isWanted { scopes[id]?.budget.allow() }
    scopes[id]?.repairs = 0
    scopes[id]?.wait.succeed()
    scopes[id]?.isRefusalTold = false
  }

  private mutating func fail(_ id: ScopeID, _ retryAfterSeconds: Int64?) {
    scopes[id]?.wait.fail(at: at, retryAfterSeconds: retryAfterSeconds)
  }

  private mutating func refuse(_ refusal: Refusal, _ id: ScopeID, _ request: Int64) {
    scopes[id]?.refusal = refusal
    turn.owed = (id, request, place, seq)
  }
}

extension Input.Response {
  /// Whether the status can bring data, or confirm them.
  fileprivate var isSuccess: Bool { status == 200 || status == 304 }
}
