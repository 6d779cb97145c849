import ContrailCore
import ContrailWire

/// Flies a recorded flight again under an alternative, closed-loop: the engine decides, and the reconstructed world answers.
///
/// Until something differs from the recording, requests get the recorded answers themselves. An alternative that changes nothing is
/// therefore the recording, bit for bit.
struct AlternativeFlight {
  /// The outcome of a run.
  struct Outcome: Sendable {
    var figures: FlightFigures
    var knowledge: Knowledge
    var state: State
  }

  let flight: RecordedFlight
  let alternative: Alternative
  private let seed: UInt64?
  let shapes: ShapeCache
  let server: WorldServer
  private var settings: SettingsPlan
  private(set) var state: State
  private var seq: Int64
  private var now: Int64
  private var figures = FlightFigures()
  private var knowledge = Knowledge()
  private var deliveries: [Delivery] = []
  /// The recorded exchanges, by the time at which they were sent.
  private let recordedBySentAt: [Int64: [Int]]
  /// Whether anything has differed from the recording so far.
  private var hasDeparted: Bool
  private var lineCount = 0
  /// The recorded exchanges that were found again.
  private var used: Set<Int> = []
  /// The requests of the recorded exchanges that vouched for the link.
  private var witnesses: Set<Int64> = []
  /// Receives each line and the state after it.
  private let onLine: ((Record, State) -> Void)?
  /// The trouble that is put into the flight.
  var troubles: TroublePlan

  private struct Delivery {
    var at: Int64
    var request: Int64
    var input: Input
    var bytes: PendingBytes?
    /// Whether it is the recorded result itself.
    var isReplayed = false
    /// Whether the recorded answer to the same request came although that was cancelled.
    var outlivesCancel = false
  }

  /// What a delivered exchange adds to the knowledge.
  private struct PendingBytes {
    var up: WireModel.Estimate
    var down: WireModel.Estimate
    var isRecorded: Bool
    var share: Coverage.Share
    var isLinkKnown: Bool
  }

  /// More lines than this are no flight but a loop.
  private static let maximumLines = 1_000_000

  init(
    _ flight: RecordedFlight, _ alternative: Alternative, _ server: WorldServer, shapes: ShapeCache,
    corridors: CorridorCache, recordedBySentAt: [Int64: [Int]], troubles: [Trouble] = [],
    onLine: ((Record, State) -> Void)? = nil
  ) {
    self.flight = flight
    self.alternative = alternative
    self.server = server
    seed = server.seed
    self.shapes = shapes
    self.onLine = onLine
    self.recordedBySentAt = recordedBySentAt
    settings = SettingsPlan(alternative, startMS: flight.startMS, initial: flight.initial, corridors: corridors)
    state = flight.initial
    seq = flight.initial.nextSeq
    now = flight.startMS
    let isOtherWire = alternative.offered.map { ($0 == .compact) != flight.wire.isCompact } ?? false
    hasDeparted = isOtherWire || alternative.link != nil
    self.troubles = TroublePlan(troubles, startMS: flight.startMS, isOnline: flight.initial.isOnline)
  }

  /// Runs the flight to its end.
  ///
  /// - Throws: ``WhatIfError`` if it doesn't come to one.
  mutating func run() throws(WhatIfError) -> Outcome {
    var next = 0
    var boundaries = settings.boundaries
    while true {
      let inputAt = next < flight.inputs.count ? flight.inputs[next].at : .max
      let boundaryAt = boundaries.first ?? .max
      let deliveryAt = deliveries.first?.at ?? .max
      let tick = tick
      let tickAt = tick?.at ?? .max
      let due = min(min(inputAt, boundaryAt), min(deliveryAt, tickAt), troubles.nextAt)
      guard due <= flight.endMS else { break }
      now = max(now, due)
      if inputAt == due {
        next += 1
        take(flight.inputs[next - 1].input)
      } else if boundaryAt == due {
        boundaries.removeFirst()
        applySettings()
      } else if troubles.nextAt == due {
        meet(troubles.next())
      } else if deliveryAt == due {
        deliver(deliveries.removeFirst())
      } else if let tick {
        add(.clockTicked(scope: tick.scope, due: tick.due))
      }
      guard lineCount < Self.maximumLines else { throw .endless(path: flight.path, alternative: alternative.name) }
    }
    figures.finish(state, at: flight.endMS)
    knowledge.hasDeparted = hasDeparted
    return Outcome(figures: figures, knowledge: knowledge, state: state)
  }

  /// The next timer: at the recorded time if the same one was recorded.
  private var tick: (at: Int64, due: Int64, scope: ScopeID)? {
    guard let wake = state.nextWake else { return nil }
    let recorded = flight.ticks[.init(scope: wake.scope, due: wake.at)]
    return (max(recorded ?? wake.at, now), wake.at, wake.scope)
  }

  // MARK: Inputs

  private mutating func take(_ input: Input) {
    if case .sessionStarted(let session) = input {
      troubles.isRecordedOnline = false
      deliveries = []
      settings.launch()
      add(.sessionStarted(session))
      if settings.isActive { applySettings() }
      return
    }
    if settings.isActive, settings.note(input) { return applySettings() }
    if case .connectivityChanged(let isOnline) = input {
      // A link of its own has outages of its own. Only the launch itself tells that there is one.
      if alternative.link != nil, !isOnline || state.isOnline { return }
      troubles.isRecordedOnline = isOnline
      if troubles.isDown { return }
      add(input)
      if !isOnline { dropDeliveries() }
      return
    }
    add(input)
  }

  /// Adds the inputs that the alternative makes of the recorded settings.
  private mutating func applySettings() {
    for input in settings.inputs(for: state, at: now) { add(input) }
  }

  /// Puts trouble into the flight.
  private mutating func meet(_ event: TroublePlan.Event) {
    hasDeparted = true
    switch event {
    case .linkDown:
      guard state.isOnline else { return }
      add(.connectivityChanged(isOnline: false))
      dropDeliveries()
    case .linkUp:
      guard !troubles.isDown, troubles.isRecordedOnline, !state.isOnline else { return }
      add(.connectivityChanged(isOnline: true))
    case .kill:
      guard var session = state.session else { return }
      session.id += "-again"
      deliveries = []
      let query = state.query
      add(.sessionStarted(session))
      // The application shows its map again. A session begins offline.
      if query != state.query { add(.queryChanged(query)) }
      if troubles.isRecordedOnline, !troubles.isDown { add(.connectivityChanged(isOnline: true)) }
    }
  }

  /// Requests everything in full after a change, by the policy that does so.
  private mutating func refetch(after input: Input) {
    guard alternative.policy == .seed else { return }
    switch input {
    case .queryChanged, .historyChanged:
      hasDeparted = true
      write(.input(.refreshRequested(full: true)))
      carryOut(state.decide())
    default: break
    }
  }

  /// Without a link, requests in flight fail immediately.
  private mutating func dropDeliveries() {
    // The recorded failures of the same requests come at their recorded times.
    guard hasDeparted else { return }
    for index in deliveries.indices {
      deliveries[index].at = now
      deliveries[index].input = .responseFailed(
        request: deliveries[index].request, failure: .network, sent: deliveries[index].bytes.map { $0.up.sent })
    }
    deliveries.sort { $0.request < $1.request }
  }

  private mutating func deliver(_ delivery: Delivery) {
    add(delivery.input)
    guard let bytes = delivery.bytes else { return }
    note(bytes)
  }

  /// Adds an input and the decisions that follow.
  private mutating func add(_ input: Input) {
    write(.input(input))
    carryOut(state.decide())
    refetch(after: input)
  }

  private mutating func carryOut(_ decisions: [Decision]) {
    for decision in decisions { write(.decision(decision)) }
    for decision in decisions {
      if case .fetchCancelled(let cancelled) = decision { cancel(cancelled.request) }
      guard let number = decision.startedRequest, let request = state.outgoingRequest(decision.scope),
        request.number == number
      else { continue }
      send(request, decision)
    }
  }

  private mutating func write(_ event: Event) {
    figures.beforeLine(state, at: now)
    let record = Record(seq: seq, at: now, event: event)
    state.evolve(record)
    seq += 1
    lineCount += 1
    figures.afterLine(event, state)
    onLine?(record, state)
  }

  private mutating func cancel(_ number: Int64) {
    // A recorded answer that came all the same comes again.
    deliveries.removeAll { $0.request == number && !$0.outlivesCancel && (hasDeparted || !$0.isReplayed) }
  }

  // MARK: Requests

  private mutating func send(_ request: OutgoingRequest, _ decision: Decision) {
    let index = state.index(of: request.scope)
    let inFlight = index.flatMap { state.scopes[$0].inFlight }
    let same = recorded(request, inFlight)
    if troubles.fault(at: now) != nil { hasDeparted = true }
    if let same { witnesses.insert(same.request) }
    if !hasDeparted {
      if let same, same.hasResult { return replay(same, request) }
      if same == nil { hasDeparted = true }
    }
    let up =
      same?.response?.sent.map { WireModel.Estimate(bytes: $0.total, deviation: 0, isRecorded: true) }
      ?? flight.wire.upBytes(
        request,
        plain: shapes.sizes.plainBytes(request, inFlight, handle: index.flatMap { state.scopes[$0].handle?.name }))
    if let link = alternative.link {
      send(request, inFlight, over: link, up: up)
    } else {
      send(request, inFlight, same, up: up)
    }
  }

  /// Returns the recorded exchange with the same request at the same time; nil if there is none.
  private mutating func recorded(_ request: OutgoingRequest, _ inFlight: Scope.InFlightRequest?) -> RecordedExchange? {
    guard let indexes = recordedBySentAt[now] else { return nil }
    for index in indexes where !used.contains(index) {
      let other = flight.exchanges[index]
      guard other.scope == request.scope, other.mode == request.mode else { continue }
      guard let inFlight else {
        guard other.plainBytes == WireModel.plainBytes(request) else { continue }
        used.insert(index)
        return other
      }
      guard other.spec == inFlight.spec, other.since == inFlight.since, other.handle == inFlight.handle else {
        continue
      }
      used.insert(index)
      return other
    }
    return nil
  }

  /// Delivers a recorded result.
  private mutating func replay(_ exchange: RecordedExchange, _ request: OutgoingRequest) {
    let input: Input
    var down: Int64 = 0
    var up: Int64 = 0
    switch exchange.result {
    case .answered(var response):
      response.request = request.number
      if response.sent == nil {
        // Logs of before don't count requests; the figures do.
        let bytes = flight.wire.upBytes(of: exchange)
        response.sent = SentBytes(total: bytes, head: 0)
      }
      (up, down) = (response.sent?.total ?? 0, response.wireBytes)
      input = .responseReceived(response)
    case .failed(let failure, let sent):
      up = sent?.total ?? 0
      input = .responseFailed(request: request.number, failure: failure, sent: sent)
    case .none: return
    }
    plan(
      Delivery(
        at: exchange.endedAtMS, request: request.number, input: input,
        bytes: PendingBytes(
          up: .init(bytes: up, deviation: 0, isRecorded: true),
          down: .init(bytes: down, deviation: 0, isRecorded: true),
          isRecorded: true, share: .whole, isLinkKnown: true),
        isReplayed: true, outlivesCancel: exchange.isCancelled))
  }

  /// Sends a request over the recorded link.
  private mutating func send(
    _ request: OutgoingRequest, _ inFlight: Scope.InFlightRequest?, _ same: RecordedExchange?, up: WireModel.Estimate
  ) {
    var conditions = flight.trace.conditions(at: now, request: request.number, seed: seed)
    if let same {
      // The same moment has the same link. Until it was given up, no answer had come.
      conditions.durationMS = same.hasResult ? same.durationMS : max(conditions.durationMS, same.durationMS + 1)
      if same.hasResult { conditions.fault = same.isService ? nil : same }
    }
    let witness = same?.request ?? flight.trace.witness(at: now, excluding: witnesses)
    if let witness { witnesses.insert(witness) }
    if let fault = conditions.fault { return fail(request, like: fault, up: up, isKnown: witness != nil) }
    let answered = answer(request, inFlight, serverMS: conditions.serverMS, up: up, same)
    let (input, durationMS) = troubled(answered.response, inFlight, durationMS: max(conditions.durationMS, 1))
    plan(
      Delivery(
        at: now + durationMS, request: request.number, input: input,
        bytes: PendingBytes(
          up: up, down: answered.down, isRecorded: answered.isRecorded, share: answered.share,
          isLinkKnown: witness != nil),
        outlivesCancel: same.map { $0.isCancelled && $0.hasResult } ?? false))
  }

  /// Returns a response as a fault spoils it, and the time until it arrives.
  private mutating func troubled(
    _ response: Input.Response, _ inFlight: Scope.InFlightRequest?, durationMS: Int64
  ) -> (Input, Int64) {
    guard let (index, fault) = troubles.fault(at: now),
      let (input, longer) = fault.spoiling(
        response, isDelta: inFlight?.since != nil, since: inFlight?.since, durationMS: durationMS)
    else { return (.responseReceived(response), durationMS) }
    troubles.use(index)
    return (input, longer)
  }

  private mutating func fail(
    _ request: OutgoingRequest, like fault: RecordedExchange, up: WireModel.Estimate, isKnown: Bool
  ) {
    let input: Input
    var down: Int64 = 0
    switch fault.result {
    case .answered(var response):
      response.request = request.number
      response.sent = up.sent
      response.serverTimeMS = response.serverTimeMS.map { $0 + now - fault.sentAtMS }
      down = response.wireBytes
      input = .responseReceived(response)
    case .failed(let failure, _): input = .responseFailed(request: request.number, failure: failure, sent: up.sent)
    case .none: return
    }
    plan(
      Delivery(
        at: now + max(fault.durationMS, 1), request: request.number, input: input,
        bytes: PendingBytes(
          up: up, down: .init(bytes: down, deviation: 0, isRecorded: true), isRecorded: false, share: .whole,
          isLinkKnown: isKnown)))
  }

  /// Sends a request over a modelled link.
  private mutating func send(
    _ request: OutgoingRequest, _ inFlight: Scope.InFlightRequest?, over link: LinkModel, up: WireModel.Estimate
  ) {
    let lead = flight.trace.clockLeadMS ?? 0
    let key = UInt64(bitPattern: request.number)
    let seed = (seed ?? 0) ^ Digest.mix(key)
    // The size of the answer hardly depends on the time by which it is made.
    let draftMS = now + lead + link.roundTripMS.lowerBound / 2
    let draft = answer(request, inFlight, serverMS: draftMS, up: up, nil)
    switch link.passage(
      at: now, request: request.number, upBytes: up.bytes, downBytes: draft.down.bytes, seed: seed)
    {
    case .timedOut(let after):
      plan(
        Delivery(
          at: now + after, request: request.number,
          input: .responseFailed(request: request.number, failure: .timeout, sent: up.sent),
          bytes: PendingBytes(
            up: up, down: .init(bytes: 0, deviation: 0, isRecorded: true), isRecorded: false, share: .whole,
            isLinkKnown: true)))
    case .passed(let upMS, let totalMS):
      let serverMS = now + lead + upMS
      var answered = draft
      if request.scope.hasDeltas, serverMS / 1000 == draftMS / 1000 {
        // An answer for an area depends on the second in which it is made.
        answered.response.serverTimeMS = serverMS
      } else {
        answered = answer(request, inFlight, serverMS: serverMS, up: up, nil)
      }
      plan(
        Delivery(
          at: now + max(totalMS, 1), request: request.number, input: .responseReceived(answered.response),
          bytes: PendingBytes(
            up: up, down: answered.down, isRecorded: false, share: answered.share, isLinkKnown: true)))
    }
  }

  private mutating func plan(_ delivery: Delivery) {
    let index = deliveries.firstIndex { ($0.at, $0.request) > (delivery.at, delivery.request) } ?? deliveries.count
    deliveries.insert(delivery, at: index)
  }

  // MARK: Knowledge

  private mutating func note(_ bytes: PendingBytes) {
    if bytes.isRecorded {
      knowledge.up.recorded += Double(bytes.up.bytes)
      knowledge.down.recorded += Double(bytes.down.bytes)
      knowledge.recordedExchanges += 1
      return
    }
    knowledge.up.add(bytes.up, known: 1, isLinkKnown: bytes.isLinkKnown)
    knowledge.down.add(bytes.down, known: bytes.share.known, isLinkKnown: bytes.isLinkKnown)
    if let gap = bytes.share.gap { knowledge.gaps[gap, default: 0] += 1 - bytes.share.known }
    if bytes.isLinkKnown {
      knowledge.derivableExchanges += 1
    } else {
      knowledge.unknownExchanges += 1
      knowledge.gaps[.link, default: 0] += 1
    }
  }
}

extension WireModel.Estimate {
  var sent: SentBytes { SentBytes(total: bytes, head: 0) }
}
