import ContrailCore
import ContrailWire

/// The budget of bytes.
extension Judge {
  /// The engine counts the bytes and drops data as the design says, and nothing begins when all is used up.
  mutating func watchBytes(_ turn: Turn) {
    savings = [bytes.saving]
    for input in turn.inputs {
      if case .sessionStarted = input {
        bytes.begin(turn.before)
        savings = [bytes.saving]
      }
      bytes.apply(input, at: turn.after.now)
      savings.append(bytes.saving)
    }
    let (counted, told) = (bytes, turn.after.byteUse)
    if counted.saving != told.saving || counted.used != told.used {
      find(.budget, "\(told.used) bytes and \(told.saving), not \(counted.used) and \(counted.saving)")
    }
    let logged = turn.decisions.compactMap { decision -> DataSaving? in
      if case .savingChanged(let it) = decision { it.saving } else { nil }
    }
    // A turn of several inputs may change it and change it back.
    if savings.first != savings.last, logged.last != savings.last {
      find(.budget, "the log doesn't say what is dropped")
    }
    if Set(savings).count > 1 { for id in Wishes.scopes { allow(id) } }
    let least = savings.min() ?? .off
    for request in turn.requests where least == .spent {
      find(.budget, "request \(request.number) begins when all bytes are used")
    }
    for request in turn.requests where least == .corridorOnly {
      if request.scope != .corridor, request.scope != .outbox {
        find(.budget, "\(request.scope.name) is fetched when only the corridor is")
      }
    }
    for case .fetchStarted(let it) in turn.decisions where it.rule == .due {
      let isSlow = least >= .slow || least == .slowSurroundings && it.scope != .corridor
      if isSlow, let last = turn.before.scope(it.scope)?.lastSuccessAt, turn.after.now < last + 900_000 {
        find(.budget, "\(it.scope.name) is due within 15 minutes")
      }
    }
    watchCancelled(turn)
    if bytes.saving == .off, turn.after.scopes.contains(where: { turn.after.plan($0.id).rule == .saving }) {
      find(.budget, "data is dropped while bytes are left")
    }
  }

  /// What a request may ask for: what is wanted, and the same without traffic if traffic was dropped at any time of the turn.
  func affordable(_ wants: [FetchSpec?]) -> [FetchSpec?] {
    guard savings.max() != .off else { return wants }
    let without = wants.map { want -> FetchSpec? in
      var want = want
      want?.filter.types.remove(.traffic)
      return want
    }
    return savings.min() == .off ? wants + without : without
  }

  /// The answers to requests under way are taken when more is dropped, also when all bytes are used. A held request may end.
  private mutating func watchCancelled(_ turn: Turn) {
    guard savings == savings.sorted(), turn.inputs.allSatisfy({ $0.isOfBytes || $0.isAnswer }) else { return }
    for scope in turn.before.scopes {
      guard let inFlight = scope.inFlight, inFlight.hold == nil, turn.cancelled.contains(inFlight.request),
        inFlight.spec.areaDigest == scope.want?.areaDigest
      else { continue }
      find(.budget, "request \(inFlight.request) of \(scope.id.name) is cancelled to save bytes")
    }
  }
}

extension Input {
  /// Whether the input says how many bytes there are.
  fileprivate var isOfBytes: Bool {
    switch self {
    case .budgetChanged, .linkChanged: true
    default: false
    }
  }
}
