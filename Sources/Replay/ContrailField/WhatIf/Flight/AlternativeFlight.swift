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
  private(set) var seed: UInt64?
  let shapes: ShapeCache
  private(set) var server: WorldServer
  private var settings: SettingsPlan
  private(set) var state: State
  private var seq: Int64
  private(set) var now: Int64
  private var figures = FlightFigures()
  private(set) var knowledge = Knowledge()
  var deliveries = PlannedDeliveries()
  /// The recorded exchanges, by the time at which they were sent.
  private let recordedBySentAt: [Int64: [Int]]
  /// Whether a request has differed from the recording so far.
  private var hasDeparted: Bool
  /// Whether a setting has differed from the recorded one.
  private var hasOtherSettings = false
  /// The number of lines so far.
  private(set) var lineCount = 0
  /// The index of the next recorded input.
  private(set) var nextInput = 0
  /// The times at which the settings of the alternative begin and end.
  private var boundaries: [Int64]
  /// The recorded exchanges that were found again.
  private var used: Set<Int> = []
  /// The requests of the recorded exchanges that vouched for the link.
  var witnesses: Set<Int64> = []
  /// Receives each line and the state after it.
  private var onLine: ((Record, State) -> Void)?
  /// The trouble that is put into the flight.
  var troubles: TroublePlan
  /// The link of a future; nil for the recorded link, or that of the alternative.
  private(set) var course: LinkCourse?

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
    boundaries = settings.boundaries
    state = flight.initial
    seq = flight.initial.nextSeq
    now = flight.startMS
    let isOtherWire = alternative.offered.map { ($0 == .compact) != flight.wire.isCompact } ?? false
    hasDeparted = isOtherWire || alternative.link != nil
    self.troubles = TroublePlan(troubles, startMS: flight.startMS, isOnline: flight.initial.isOnline)
    for result in flight.underWay { deliveries.insert(result) }
  }

  /// Runs the flight to its end.
  ///
  /// - Throws: ``WhatIfError`` if it doesn't come to one.
  mutating func run() throws(WhatIfError) -> Outcome {
    while try step(until: flight.endMS) {}
    figures.finish(state, at: flight.endMS)
    knowledge.hasDeparted = hasDeparted || hasOtherSettings
    return Outcome(figures: figures, knowledge: knowledge, state: state)
  }

  /// The time of the next event; `Int64.max` without one.
  var nextEventAt: Int64 {
    let inputAt = nextInput < flight.inputs.count ? flight.inputs[nextInput].at : .max
    return min(min(inputAt, boundaries.first ?? .max), min(deliveries.nextAt, tick?.at ?? .max), troubles.nextAt)
  }

  /// Receives each line and the state after it from now on.
  mutating func watchLines(_ onLine: ((Record, State) -> Void)?) { self.onLine = onLine }

  /// Takes the next event and the decisions that follow from it.
  ///
  /// - Returns: Whether there was an event by the time.
  /// - Throws: ``WhatIfError`` if the flight has too many lines.
  mutating func step(until limit: Int64) throws(WhatIfError) -> Bool {
    let due = nextEventAt
    guard due <= limit else { return false }
    now = max(now, due)
    if nextInput < flight.inputs.count, flight.inputs[nextInput].at == due {
      nextInput += 1
      take(flight.inputs[nextInput - 1].input)
    } else if boundaries.first == due {
      boundaries.removeFirst()
      applySettings(insteadOf: nil)
    } else if troubles.nextAt == due {
      meet(troubles.next())
    } else if deliveries.nextAt == due {
      deliver(deliveries.removeFirst())
    } else if let tick {
      add(.clockTicked(scope: tick.scope, due: tick.due))
    }
    guard lineCount < Self.maximumLines else { throw .endless(path: flight.path, alternative: alternative.name) }
    return true
  }

  /// Leaves out the next recorded input.
  mutating func skipInput() {
    hasDeparted = true
    nextInput += 1
  }

  /// Lets the flight go on in a world of its own.
  ///
  /// - Parameters:
  ///   - course: The link from now on.
  ///   - server: The server, whose reports arrive at other times than recorded.
  ///   - time: The time, if it is later than that of the last event.
  ///   - onLine: Receives each line and the state after it.
  mutating func depart(
    on course: LinkCourse, _ server: WorldServer, at time: Int64 = 0, onLine: ((Record, State) -> Void)? = nil
  ) {
    now = max(now, time)
    (self.course, self.server, seed, self.onLine) = (course, server, course.seed, onLine)
    troubles = TroublePlan(course.outages(of: flight), startMS: flight.startMS, isOnline: true)
    guard course.isFree(at: now) else { return }
    // A request that is under way is answered as if it were sent now: its recorded answer lies in the future.
    let underWay = state.scopes.map(\.id) + [.outbox]
    let requests = underWay.compactMap { id in
      state.outgoingRequest(id).flatMap { deliveries.contains($0.number) ? $0 : nil }
    }
    for request in requests { deliveries.cancel(request.number) }
    for exchange in OutgoingRequest.exchanges(requests) { send(exchange) }
    if state.session != nil, !state.isOnline, !troubles.isDown { add(.connectivityChanged(isOnline: true)) }
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
    if case .connectivityChanged(let isOnline) = input, let course, course.isFree(at: now) {
      // Other outages are drawn. A launch learns that there is a link.
      guard isOnline else { return }
      troubles.isRecordedOnline = true
      if !state.isOnline, !troubles.isDown { add(input) }
      return
    }
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
      let settings = Settings(state)
      add(.sessionStarted(session))
      // The application shows its map again, and is told what its link costs. A session begins offline.
      for input in settings.inputs(from: Settings(state)) { add(input) }
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
      if case .fetchCancelled(let cancelled) = decision { deliveries.cancel(cancelled.request) }
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

    /// The terms of a held request.
    var hold: HoldTerms? { inFlight?.hold?.terms }
  }

  private mutating func send(_ exchange: [OutgoingRequest]) {
    var parts: [Part] = []
    let isFree = course?.isFree(at: now) ?? false
    if isFree { hasDeparted = true }
    for request in exchange {
      let inFlight = state.scope(request.scope)?.inFlight
      parts.append(Part(request: request, inFlight: inFlight, same: isFree ? nil : recorded(request, inFlight)))
    }
    if troubles.fault(at: now) != nil { hasDeparted = true }
    for part in parts { if let same = part.same { witnesses.insert(same.leader) } }
    if !hasDeparted, parts.contains(where: { $0.same == nil }) { hasDeparted = true }
    size(&parts)
    if !hasDeparted {
      replay(parts.filter { $0.same?.hasResult ?? false })
      parts.removeAll { $0.same?.hasResult ?? false }
      guard !parts.isEmpty else { return }
      size(&parts)
    }
    if isFree, let course { return send(parts, on: course) }
    if let link = alternative.link { send(parts, over: link) } else { send(parts) }
  }

  /// Sets the bytes of the requests, which are counted with the first.
  private func size(_ parts: inout [Part]) {
    let leaders = Set(parts.map { $0.same?.leader })
    // A full answer may contain the changes to the records that are held of the area before.
    let isSameExchange =
      leaders.count == 1
      && parts.allSatisfy { part in
        part.same?.sharing == parts.count && part.same?.heldTraffic == part.request.heldTraffic
          && part.same?.heldRecords == part.request.heldRecords
      }
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
      guard other.spec == inFlight.spec, other.since == inFlight.since, other.handle == inFlight.handle,
        other.hold == inFlight.hold?.terms
      else { continue }
      used.insert(index)
      return other
    }
    return nil
  }

  /// Delivers the recorded results of an exchange. In an exchange of fewer requests, heads and bodies have other sizes.
  private mutating func replay(_ parts: [Part]) {
    guard let first = parts.first else { return }
    let sized =
      first.isSameExchange ? [] : answers(parts, serverMS: first.same?.response?.serverTimeMS ?? now).map(\.down)
    for (place, part) in parts.enumerated() {
      guard let exchange = part.same else { continue }
      var (up, down) = (WireModel.Estimate.none, WireModel.Estimate.none)
      let input: Input
      switch exchange.result {
      case .answered:
        guard var response = exchange.response(in: flight.world) else { continue }
        response.request = part.request.number
        down.bytes = response.wireBytes
        if !sized.isEmpty {
          (up, response.sent) = (part.up, part.up.sent)
          if response.status == 200 { (down, response.wireBytes) = (sized[place], sized[place].bytes) }
        } else {
          // Older logs don't count the bytes of requests.
          let sent =
            response.sent
            ?? exchange.size.map { flight.wire.upBytes($0, isWeather: exchange.scope.weatherPlace != nil).sent }
            ?? .zero
          response.sent = sent
          up.bytes = sent.total
        }
        input = .responseReceived(response)
      case .failed(let failure, var sent):
        // Without a connection, nothing was sent.
        if sent != nil, !sized.isEmpty { sent = part.up.sent }
        up.bytes = sent?.total ?? 0
        input = .responseFailed(request: part.request.number, failure: failure, sent: sent)
      case .none: continue
      }
      deliveries.insert(
        .init(
          at: exchange.endedAtMS, request: part.request.number, input: input,
          bytes: .init(up: up, down: down, isRecorded: sized.isEmpty, share: .whole, isLinkKnown: true),
          outlivesCancel: exchange.isCancelled))
    }
  }
}
