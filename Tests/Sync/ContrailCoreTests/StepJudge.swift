import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailCore

/// Compares each step of a random flight with the guarantees that only the state and the server show.
///
/// `FlightJudge` of ContrailField judges a log alone; this judge also knows what the server holds.
struct StepJudge {
  private(set) var faults: [String] = []
  private var lastRequest: Int64 = 0
  private var open: [ScopeID: Int64] = [:]
  private var fullCauses: Set<String> = []
  private var applied: [ScopeID: Applied] = [:]
  /// Scopes that have been given nothing wrong since their last full answer.
  private var sound: Set<ScopeID> = []

  /// A full answer that was taken over, with nothing verified since.
  private struct Applied {
    var rule: Rule
    var spec: FetchSpec
    var at: Int64
  }

  private mutating func fault(_ text: String) { faults.append(text) }

  mutating func watch(_ input: Input, before: State, inFlight: RandomFlight, decisions: [Decision]) {
    let after = inFlight.rig.state
    watchAnswer(input, before: before, after: after)
    watchRecords(input, before: before, inFlight)
    for decision in decisions {
      switch decision {
      case .fetchStarted(let started): watchStart(started, after: after)
      case .fetchCancelled(let cancelled):
        if open[cancelled.scope] != cancelled.request { fault("cancelled \(cancelled.request), which isn't open") }
        open[cancelled.scope] = nil
      case .queryRejected, .errorReported, .uploadStarted, .weatherExpired, .airportsSwitched,
        .airportsRequested, .savingChanged:
        break
      }
      if decision.cause != before.nextSeq { fault("cause \(decision.cause) is not the input \(before.nextSeq)") }
    }
    for id in applied.keys where after.scope(id) == nil || after.scope(id)?.have == nil { applied[id] = nil }
    for scope in after.scopes where scope.inFlight?.request != open[scope.id] {
      fault(
        "\(scope.id.name) flies \(String(describing: scope.inFlight?.request)), not \(String(describing: open[scope.id]))"
      )
    }
    if after.scopes.map(\.id) != after.scopes.map(\.id).sorted()
      || Set(after.scopes.map(\.id)).count < after.scopes.count
    {
      fault("scopes out of order")
    }
    if let wake = after.nextWake, wake.at <= after.now { fault("wants to be woken at \(wake.at), which has passed") }
  }

  private mutating func watchStart(_ started: Decision.FetchStarted, after: State) {
    if started.request <= lastRequest { fault("request \(started.request) after \(lastRequest)") }
    lastRequest = started.request
    if open[started.scope] != nil { fault("a second flight of \(started.scope.name)") }
    open[started.scope] = started.request
    guard let scope = after.scope(started.scope) else { return fault("a fetch for no scope") }
    if !after.isOnline { fault("a fetch while offline") }
    if scope.block != nil { fault("a fetch while blocked") }
    if after.now < scope.retry.notBefore || after.now < scope.retry.requestedUntil { fault("a fetch before its time") }
    if started.mode == .delta, started.since != scope.have?.watermark { fault("a delta since another token") }
    guard started.mode == .full else { return }
    if !fullCauses.insert("\(started.scope.name) \(started.cause)").inserted { fault("two full fetches for one cause") }
    guard ![Rule.refresh, .expired].contains(started.rule), let applied = applied[started.scope] else { return }
    if applied.rule == started.rule, applied.spec == scope.want, after.now < applied.at + 1000 {
      fault("full by \(started.rule) again \(after.now - applied.at) ms after it was answered")
    }
  }

  private mutating func watchAnswer(_ input: Input, before: State, after: State) {
    if case .sessionStarted = input { open = [:] }
    let request: Int64
    switch input {
    case .responseReceived(let response): request = response.request
    case .responseFailed(let failed, _, _): request = failed
    default: return
    }
    guard let scope = before.scopes.first(where: { $0.inFlight?.request == request }), let inFlight = scope.inFlight
    else {
      return watchLate(input, before)
    }
    open[scope.id] = nil
    guard let now = after.scope(scope.id), let have = now.have, have.broken == nil, now.lastSuccessAt == after.now
    else {
      return
    }
    if scope.id.hasDeltas {
      var oldest = Int64.max
      now.reports.forEach { oldest = min(oldest, Int64($0.observedAt)) }
      now.pireps.sorted.forEach { oldest = min(oldest, $0.observedAt) }
      if oldest <= have.watermark - have.spec.history.seconds { fault("holds what is older than its history") }
    }
    if inFlight.mode == .full {
      applied[scope.id] = Applied(rule: inFlight.rule, spec: inFlight.spec, at: after.now)
    } else if now.lastFull?.isVerified ?? true {
      applied[scope.id] = nil
    }
  }

  /// After a right answer exactly what the server says is held, record by record.
  private mutating func watchRecords(_ input: Input, before: State, _ inFlight: RandomFlight) {
    sound = sound.filter { inFlight.rig.state.scope($0)?.have != nil }
    guard case .responseReceived(let response) = input,
      let scope = before.scopes.first(where: { $0.inFlight?.request == response.request }), scope.id.hasDeltas,
      let now = inFlight.rig.state.scope(scope.id)
    else { return }
    guard inFlight.isRightAnswer else {
      if !now.holdsSame(as: scope) || now.digest != scope.digest { sound.remove(scope.id) }
      return
    }
    guard response.status == 200 else { return }
    if scope.inFlight?.mode == .full {
      sound.insert(scope.id)
    } else if !sound.contains(scope.id) {
      return
    }
    guard let have = now.have, have.broken == nil, have.watermark == inFlight.rig.now / 1000 else {
      return fault("a right answer was not taken over")
    }
    if now.reports != inFlight.rig.server.held(have.spec, asOf: have.watermark) {
      fault("holds other reports than the server says")
    }
    if now.pireps != inFlight.rig.server.heldPIREPs(have.spec, asOf: have.watermark) {
      fault("holds other PIREPs than the server says")
    }
  }

  /// An answer that nobody waits for is counted, and changes no more than a tick at the same time would.
  private mutating func watchLate(_ input: Input, _ before: State) {
    var answered = before
    var ticked = before
    let seq = before.nextSeq
    answered.evolve(Record(seq: seq, at: before.now, event: .input(input)))
    ticked.evolve(Record(seq: seq, at: before.now, event: .input(.clockTicked(scope: .corridor, due: 0))))
    if case .responseReceived = input { ticked.droppedAnswers += 1 }
    if answered != ticked { fault("a late answer changed something") }
  }
}
