package import ContrailCore
import ContrailWire

// A recording instead of a log that grows: its lines are taken over as they are, and nothing is written or sent.

extension Driver {
  /// Takes over an input of a recording with the lines that follow it.
  ///
  /// - Returns: What the application is told.
  package mutating func play(_ records: [Record]) -> [Publication] {
    guard let first = records.first, let last = records.last else { return [] }
    pass(to: last.at)
    let step = engine.replayed(records)
    engine.commit(step)
    for request in step.requests { requests[request.number] = Request(scope: request.scope) }
    commit(entry(of: first.event), step)
    return takePublications()
  }

  /// Takes over the state of a recording at another time, also an earlier one.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - at: Its time in milliseconds.
  /// - Returns: The publication for the application: the difference to the shown data.
  package mutating func jump(to state: State, at: Int64) -> [Publication] {
    time = EngineTime(now: at, wall: at)
    let step = engine.jump(to: state, at: at)
    engine.commit(step)
    requests = [:]
    for scope in state.scopes {
      if let inFlight = scope.inFlight { requests[inFlight.request] = Request(scope: scope.id) }
    }
    if let number = state.outbox.upload?.request { requests[number] = Request(scope: .outbox) }
    commit(entry(of: nil), step)
    return takePublications()
  }

  /// Lets time pass.
  ///
  /// - Returns: The publication for the application: the expired data.
  package mutating func show(at now: Int64) -> [Publication] {
    pass(to: now)
    if let at = expiryTime, at <= now { publish() }
    return takePublications()
  }

  /// Sets since which second of the server's clock the expiry of data is observed; nil for no observers.
  package mutating func observe(since: Int64?) {
    if publisher.observe(since: since, at: time.now) { publish() }
  }

  private mutating func pass(to now: Int64) { time = EngineTime(now: max(now, time.now), wall: max(now, time.now)) }

  /// The entry that the driver would have written for an input.
  private func entry(of event: Event?) -> WriteQueue.Entry {
    guard publisher.shown.isOpen else { return .launch(AppTurn()) }
    switch event {
    case .input(.responseReceived(let response)): return .answer(response)
    case .input(.responseFailed(let number, let failure, let sent)):
      return .failure(number, failure, message: "the recorded request failed: \(failure.rawValue)", sent: sent)
    default: return .tick
    }
  }

  private mutating func takePublications() -> [Publication] {
    defer { actions = [] }
    return actions.compactMap { if case .publish(let publication) = $0 { publication } else { nil } }
  }
}
