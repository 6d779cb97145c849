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
  private var deliveries = PlannedDeliveries()
  /// The recorded exchanges, by the time at which they were sent.
  private let recordedBySentAt: [Int64: [Int]]
  /// Whether a request has differed from the recording so far.
  private var hasDeparted: Bool
  /// Whether a setting has differed from the recorded one.
  private var hasOtherSettings = false
  private var lineCount = 0
  /// The recorded exchanges that were found again.
  private var used: Set<Int> = []
  /// The requests of the recorded exchanges that vouched for the link.
  private var witnesses: Set<Int64> = []
  /// Receives each line and the state after it.
  private let onLine: ((Record, State) -> Void)?
  /// The trouble that is put into the flight.
  var troubles: TroublePlan

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
      let deliveryAt = deliveries.nextAt
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
        applySettings(insteadOf: nil)
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
    knowledge.hasDeparted = hasDeparted || hasOtherSettings
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
      deliveries.removeAll()
      settings.launch()
      add(.sessionStarted(session))
      if settings.isActive { applySettings(insteadOf: nil) }
      return
    }
    if settings.isActive, settings.note(input) { return applySettings(insteadOf: input) }
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
  private mutating func applySettings(insteadOf recorded: Input?) {
    let inputs = settings.inputs(for: state, at: now)
    if inputs != (recorded.map { [$0] } ?? []) { hasOtherSettings = true }
    for input in inputs { add(input) }
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
      deliveries.removeAll()
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
    deliveries.failAll(at: now)
  }

  private mutating func deliver(_ delivery: PlannedDeliveries.Delivery) {
    add(delivery.input)
    if let bytes = delivery.bytes { knowledge.add(bytes) }
  }

  /// Adds an input and the decisions that follow.
  private mutating func add(_ input: Input) {
    write(.input(input))
    carryOut(state.decide())
    refetch(after: input)
  }

  private mutating func carryOut(_ decisions: [Decision]) {
    for decision in decisions { write(.decision(decision)) }
    var requests: [OutgoingRequest] = []
    for decision in decisions {
      if case .fetchCancelled(let cancelled) = decision { deliveries.cancel(cancelled.request, replayed: hasDeparted) }
      guard let number = decision.startedRequest, let request = state.outgoingRequest(decision.scope),
        request.number == number
      else { continue }
      requests.append(request)
    }
    for exchange in OutgoingRequest.exchanges(requests) { send(exchange) }
  }

  private mutating func write(_ event: Event) {
    figures.beforeLine(state, at: now)
    let record = Record(seq: seq, at: now, event: event)
    state.evolve(record)
    seq += 1
    lineCount += 1
    figures.afterLine(event, state, in: flight.world)
    onLine?(record, state)
  }

  // MARK: Requests

  /// A request of an exchange.
  struct Part {
    var request: OutgoingRequest
    /// Nil for an upload.
    var inFlight: Scope.InFlightRequest?
    /// The recorded exchange with the same request at the same time.
    var same: RecordedExchange?
    /// Whether the same requests shared the recorded exchange.
    var isSameExchange = false
    var up = WireModel.Estimate.none
  }

  private mutating func send(_ exchange: [OutgoingRequest]) {
    var parts: [Part] = []
    for request in exchange {
      let inFlight = state.scope(request.scope)?.inFlight
      parts.append(Part(request: request, inFlight: inFlight, same: recorded(request, inFlight)))
    }
    if troubles.fault(at: now) != nil { hasDeparted = true }
    for part in parts { if let same = part.same { witnesses.insert(same.leader) } }
    if !hasDeparted, parts.contains(where: { $0.same == nil }) { hasDeparted = true }
    if !hasDeparted {
      for part in parts { if let same = part.same, same.hasResult { replay(same, part.request) } }
      parts.removeAll { $0.same?.hasResult ?? false }
      guard !parts.isEmpty else { return }
    }
    size(&parts)
    if let link = alternative.link { send(parts, over: link) } else { send(parts) }
  }

  /// Sets the bytes of the requests, which are counted with the first.
  private func size(_ parts: inout [Part]) {
    let leaders = Set(parts.map { $0.same?.leader })
    let isSameExchange =
      leaders.count == 1 && parts.allSatisfy { $0.same.map { $0.sharing == parts.count } ?? false }
    for index in parts.indices { parts[index].isSameExchange = isSameExchange }
    let request = parts[0].request
    if isSameExchange, let sent = parts.first(where: { $0.same?.size != nil })?.same?.sent {
      parts[0].up = .init(bytes: sent.total, deviation: 0, isRecorded: true)
      return
    }
    let handle = state.scope(request.scope)?.handle?.name
    let body = shapes.sizes.bodyBytes(request, parts[0].inFlight, handle: handle)
    parts[0].up = flight.wire.upBytes(
      WireModel.size(parts.map(\.request), bodyBytes: body), isWeather: request.scope.weatherPlace != nil)
  }

  /// Returns the recorded exchange with the same request at the same time; nil if there is none.
  private mutating func recorded(_ request: OutgoingRequest, _ inFlight: Scope.InFlightRequest?) -> RecordedExchange? {
    guard let indexes = recordedBySentAt[now] else { return nil }
    for index in indexes where !used.contains(index) {
      let other = flight.exchanges[index]
      guard other.scope == request.scope, other.mode == request.mode else { continue }
      guard let inFlight else {
        guard other.size == WireModel.size([request], bodyBytes: WireModel.bodyBytes(request)) else { continue }
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
    case .answered:
      guard var response = exchange.response(in: flight.world) else { return }
      response.request = request.number
      if response.sent == nil {
        // Logs of before don't count requests; the figures do.
        response.sent =
          exchange.size.map { flight.wire.upBytes($0, isWeather: exchange.scope.weatherPlace != nil).sent } ?? .zero
      }
      (up, down) = (response.sent?.total ?? 0, response.wireBytes)
      input = .responseReceived(response)
    case .failed(let failure, let sent):
      up = sent?.total ?? 0
      input = .responseFailed(request: request.number, failure: failure, sent: sent)
    case .none: return
    }
    deliveries.insert(
      .init(
        at: exchange.endedAtMS, request: request.number, input: input,
        bytes: .init(
          up: .init(bytes: up, deviation: 0, isRecorded: true),
          down: .init(bytes: down, deviation: 0, isRecorded: true),
          isRecorded: true, share: .whole, isLinkKnown: true),
        isReplayed: true, outlivesCancel: exchange.isCancelled))
  }

  private func isUpKnown(_ part: Part) -> Bool {
    guard let spec = part.inFlight?.spec, spec.types.contains(.traffic) else { return true }
    return !flight.world.traffic.isEmpty
  }

  /// Sends requests in one exchange over the recorded link.
  private mutating func send(_ parts: [Part]) {
    var conditions = flight.trace.conditions(at: now, request: parts[0].request.number, seed: seed)
    let same = parts.lazy.compactMap(\.same).first
    if let same {
      // The same moment has the same link. Until it was given up, no answer had come.
      conditions.durationMS = same.hasResult ? same.durationMS : max(conditions.durationMS, same.durationMS + 1)
      if same.hasResult { conditions.fault = same.isService ? nil : same }
    }
    let witness = same?.leader ?? flight.trace.witness(at: now, excluding: witnesses)
    if let witness { witnesses.insert(witness) }
    if let fault = conditions.fault {
      for (place, part) in parts.enumerated() { fail(part, like: fault, isFirst: place == 0, isKnown: witness != nil) }
      return
    }
    let breaksSums = same?.breaksSum ?? flight.trace.breaksSums(at: now, seed: seed)
    let answered = answers(parts, serverMS: conditions.serverMS, breaksSums: breaksSums)
    for (place, (part, answered)) in zip(parts, answered).enumerated() {
      if let refusal = refusal(of: part) {
        fail(part, like: refusal, isFirst: place == 0, isKnown: witness != nil)
        continue
      }
      let (input, durationMS) = troubled(
        answered.response, part.inFlight, durationMS: max(conditions.durationMS, 1))
      deliveries.insert(
        .init(
          at: now + durationMS, request: part.request.number, input: input,
          bytes: .init(
            up: part.up, down: answered.down, isRecorded: answered.isRecorded, share: answered.share,
            isLinkKnown: witness != nil, isUpKnown: isUpKnown(part)),
          outlivesCancel: part.same.map { $0.isCancelled && $0.hasResult } ?? false))
    }
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

  /// Returns the recorded refusal that says something about the request: of its handle or its watermark.
  private func refusal(of part: Part) -> RecordedExchange? {
    if let same = part.same, same.hasResult {
      return same.response.flatMap { [404, 410].contains($0.status) ? same : nil }
    }
    return part.inFlight.flatMap { flight.trace.refusal(of: $0, at: now, seed: seed) }
  }

  private mutating func fail(_ part: Part, like fault: RecordedExchange, isFirst: Bool, isKnown: Bool) {
    let (number, sent) = (part.request.number, part.up.sent)
    let input: Input
    var down: Int64 = 0
    switch fault.result {
    case .answered(var response):
      response.request = number
      response.sent = sent
      response.serverTimeMS = response.serverTimeMS.map { $0 + now - fault.sentAtMS }
      if !isFirst { (response.wireBytes, response.headBytes) = (0, 0) }
      down = response.wireBytes
      input = .responseReceived(response)
    case .failed(let failure, _): input = .responseFailed(request: number, failure: failure, sent: sent)
    case .none: return
    }
    deliveries.insert(
      .init(
        at: now + max(fault.durationMS, 1), request: number, input: input,
        bytes: .init(
          up: part.up, down: .init(bytes: down, deviation: 0, isRecorded: true), isRecorded: false, share: .whole,
          isLinkKnown: isKnown)))
  }

  /// Sends requests in one exchange over a modelled link.
  private mutating func send(_ parts: [Part], over link: LinkModel) {
    let lead = flight.trace.clockLeadMS ?? 0
    // The size of the answer hardly depends on the time by which it is made.
    let draftMS = now + lead + link.roundTripMS.lowerBound / 2
    var answered = answers(parts, serverMS: draftMS)
    switch link.passage(
      at: now, request: parts[0].request.number, upBytes: parts[0].up.bytes,
      downBytes: answered.reduce(0) { $0 + $1.down.bytes }, seed: seed ?? 0)
    {
    case .timedOut(let after):
      for part in parts {
        deliveries.insert(
          .init(
            at: now + after, request: part.request.number,
            input: .responseFailed(request: part.request.number, failure: .timeout, sent: part.up.sent),
            bytes: .init(
              up: part.up, down: .none, isRecorded: false, share: .whole, isLinkKnown: true)))
      }
    case .passed(let upMS, let totalMS):
      let serverMS = now + lead + upMS
      if serverMS / 1000 != draftMS / 1000 { answered = answers(parts, serverMS: serverMS) }
      for (part, var answer) in zip(parts, answered) {
        answer.response.serverTimeMS = serverMS
        deliveries.insert(
          .init(
            at: now + max(totalMS, 1), request: part.request.number, input: .responseReceived(answer.response),
            bytes: .init(
              up: part.up, down: answer.down, isRecorded: false, share: answer.share, isLinkKnown: true,
              isUpKnown: isUpKnown(part))))
      }
    }
  }
}
