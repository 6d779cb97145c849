import ContrailGeodesy
import ContrailWire

/// The reference service: answers requests of the protocol for a simulated world or a recorded day, with faults on request.
///
/// It has no socket. The reference server carries requests and answers over HTTP; tests of applications and of the client call it in
/// the process.
///
/// ```swift
/// let service = ReferenceService(ServiceConfiguration(seed: 7, clock: { now }))
/// let answer = await observationService.answer(to: ServiceRequest(method: "GET", target: "/health"))
/// ```
package struct ReferenceService: Sendable {
  let configuration: ServiceConfiguration
  let observationService: ObservationService
  let faults: FaultSource
  let airportFiles: AirportFileStore
  let directory: AirportDirectory
  let weatherWorld: WeatherWorld
  let areas: AreaRegistry
  let rates: RateLimiter
  let holds: HoldDesk
  /// The OpenAPI document.
  private let document: [UInt8]

  /// Creates a observationService. A recorded day is placed in time by the configuration's clock.
  ///
  /// - Parameter document: The OpenAPI document, in YAML.
  package init(_ configuration: ServiceConfiguration, document: [UInt8] = []) {
    var configuration = configuration
    let world: any World
    if let day = configuration.day {
      let clock = configuration.clock
      let (recorded, offset) = RecordedWorld.placed(
        day, clock: configuration.dayClock, start: clock(), rewindSeconds: configuration.dayRewindSeconds)
      if offset != 0 { configuration.clock = { clock() + offset } }
      world = recorded
    } else {
      world = SimulatedWorld(seed: configuration.seed, aircraft: configuration.aircraft)
    }
    self.configuration = configuration
    self.document = document
    observationService =
      configuration.live?.observations
      ?? ObservationService(world: world, retentionSeconds: configuration.retentionSeconds)
    areas = configuration.live?.areas ?? AreaRegistry()
    holds = HoldDesk(observationService, maximumCount: configuration.maximumHolds)
    faults = FaultSource(
      schedules: configuration.faults, rate: configuration.faultRate, seed: configuration.seed)
    airportFiles = AirportFileStore(configuration.airports)
    directory = AirportDirectory(airportFiles)
    weatherWorld = WeatherWorld(seed: configuration.seed)
    rates = RateLimiter(configuration.keys.isEmpty && configuration.keyRing == nil ? nil : configuration.rate)
  }

  /// Fails requests from now on, until ``clearFaults()``.
  ///
  /// - Parameter schedule: The faults. Its times count from now.
  package func add(_ schedule: FaultSchedule) { faults.add(schedule, now: configuration.clock() / 1000) }

  /// Ends all scheduled faults.
  package func clearFaults() { faults.clear() }

  /// Answers the held requests that are due. To be called once a second by the clock of the configuration.
  package func advanceHolds() async {
    await releaseIfAgeing()
    await holds.advance(to: knownNow)
  }

  /// Answers all held requests, and holds none from now on.
  package func endHolds() async { await holds.close() }

  /// The next time at which a held request is due as far as the world is known, in milliseconds since 1970; nil if none is held.
  package func nextRelease() async -> Int64? { await holds.nextRelease(after: configuration.clock()) }

  /// The number of held requests.
  package var holdCount: Int { get async { await holds.count } }

  /// Returns the answer to a request. A request that may be held, and asks for it, is answered when there is news. The answer to HEAD is
  /// that to GET, with the body that mustn't be sent.
  package func answer(to request: ServiceRequest) async -> ServiceAnswer {
    guard let crossOrigin = configuration.crossOrigin else { return await ownAnswer(to: request) }
    let allowsSimulation = configuration.allowsSimulatedTime || configuration.allowsRequestedFaults
    if let preflight = crossOrigin.preflight(request, allowsSimulation: allowsSimulation) { return preflight }
    var answer = await ownAnswer(to: request)
    crossOrigin.allow(&answer, to: request)
    return answer
  }

  /// Returns the answer to a request, whatever page sent it.
  private func ownAnswer(to request: ServiceRequest) async -> ServiceAnswer {
    if let file = configuration.page?.answer(to: request) { return file }
    let now: Int64
    var reply: Reply
    var plan: [Fault] = []
    do throws(ServiceError) {
      now = try time(of: request)
    } catch {
      return Reply(error).answer(to: request.headers, plan: [])
    }
    do throws(ServiceError) {
      let route = try Route(method: request.method, path: request.path)
      if route.needsKey {
        plan = try requestedFaults(request)
        plan += faults.next(now: now / 1000)
      }
      reply = try await self.reply(to: request, on: route, timeMS: now, plan: plan)
    } catch {
      reply = Reply(error)
    }
    if plan.contains(.garble) {
      reply.hasTime = true
      reply.body = Array("{\"data\":{\"lastUpdatedAt\":17e,,,\u{FFFD}".utf8)
      reply.entityTag = nil
    }
    if plan.contains(.html) { reply = Self.portal }
    if reply.hasTime, !plan.contains(.html) { reply.fields[WireHeader.serverTime] = String(reply.timeMS ?? now) }
    if reply.status == 405, let route = Route.at(request.path) { reply.fields["Allow"] = route.allowedMethods }
    return reply.answer(to: request.headers, plan: plan)
  }

  /// Returns a short name of a path for counting, without anything that a client chooses.
  package func metricName(_ path: String) -> String {
    configuration.page?.hasFile(at: path) == true ? "page" : Route.metricName(path)
  }

  private func reply(
    to request: ServiceRequest, on route: Route, timeMS: Int64, plan: [Fault]
  ) async throws(ServiceError) -> Reply {
    let now = timeMS / 1000
    if let seconds = await secondsToWait(request) {
      return Reply(Self.tooManyRequests, retryAfterSeconds: seconds)
    }
    // The weather service has its own error format.
    if route != .weather {
      if let refusal = plan.refusal { return Reply(refusal.error, retryAfterSeconds: refusal.retryAfterSeconds) }
      if route.needsKey {
        try await checkKey(request)
        if let seconds = await secondsToWait(request.credential ?? "") {
          return Reply(Self.tooManyRequests, retryAfterSeconds: seconds)
        }
      }
    }
    switch route {
    case .observations: return try await observations(request, plan: plan, timeMS: timeMS)
    case .area: return try await area(request, plan: plan, timeMS: timeMS)
    case .repair: return try await repair(request, plan: plan, timeMS: try await knownTime(timeMS))
    case .polygons:
      let known = try await knownTime(timeMS) / 1000
      return try await polygons(request, now: max(known - plan.staleSeconds, 0), plan: plan)
    case .reports: return try await reports(request, now: now)
    case .airportCycles: return await airportCycles(now: now)
    case .airports: return try await airports(request, now: now)
    case .airportSearch: return try await airportSearch(request, now: now)
    case .airport: return try await airport(request, now: now)
    case .weather: return await weather(request, now: now, plan: plan)
    case .health: return health(now: now)
    case .openAPI: return Reply(type: "application/yaml", body: document)
    }
  }

  /// The page of a captive portal.
  private static let portal = Reply(
    type: "text/html; charset=utf-8",
    body: Array(
      "<!DOCTYPE html><html><head><title>Welcome on board</title></head><body><h1>Accept the terms to go online</h1></body></html>"
        .utf8))
}

// MARK: - Routes

extension ReferenceService {
  private func observations(
    _ request: ServiceRequest, plan: [Fault], timeMS: Int64
  ) async throws(ServiceError) -> Reply {
    let bytes = try await body(of: request)
    let question: ObservationsRequest
    do throws(WireError) {
      question = try bytes.withUnsafeBufferPointer { (bytes) throws(WireError) in
        try ObservationsRequest(json: UnsafeRawBufferPointer(bytes))
      }
    } catch {
      throw ServiceError(error)
    }
    let known = try await knownTime(timeMS, since: question.since)
    let hold = try await held(question, request, timeMS: known, plan: plan)
    let timeMS = hold.timeMS
    let now = timeMS / 1000
    let answer = try await answer(question, now: now, area: AreaRegistry.digest(of: question.ring), plan: plan)
    let kind: AnswerKind = hold.isHeld ? .held : question.since == nil ? .full : .delta
    guard !configuration.isPlain else {
      var reply = Reply.json(answer.json)
      reply.kind = kind
      return reply
    }
    var reply: Reply
    if Self.acceptsCompact(request) {
      let held = await held(question, now: now)
      reply = Reply(
        type: ObservationsAnswer.compactType,
        body: answer.compact(
          milliseconds: toldMilliseconds(timeMS), changing: held.traffic, and: held.records))
    } else {
      reply = .json(answer.json)
    }
    (reply.kind, reply.waited) = (kind, hold.waited)
    reply.timeMS = toldTime(timeMS)
    reply.fields[WireHeader.area] = await remember(question.ring, of: request)
    reply.fields[WireHeader.repairs] = "1"
    if mayHold(request) { reply.fields[WireHeader.holds] = "\(configuration.holdSeconds)" }
    return reply
  }

  private static func acceptsCompact(_ request: ServiceRequest) -> Bool {
    request.headers["Accept"]?.contains(ObservationsAnswer.compactType) == true
  }

  /// Returns what the client of a full fetch holds of another area; nothing if the server can't know it.
  private func held(
    _ question: ObservationsRequest, now: Int64
  ) async -> (records: HeldRecords, traffic: [TrafficPosition]) {
    guard let held = question.held, question.since == nil, let ring = areas.ring(held.handle) else {
      return (HeldRecords(), [])
    }
    var before = question
    before.ring = ring
    before.since = held.since
    let records = await observationService.records(held: held.records, in: before, now: now)
    return (records, await observationService.traffic(held: held.traffic, in: before))
  }

  private func area(_ request: ServiceRequest, plan: [Fault], timeMS: Int64) async throws(ServiceError) -> Reply {
    let questions: [AreaRequest]
    let wait = HoldTerms.wait(request.headers[HoldTerms.field])
    var items = request.parameters
    for (name, field) in [("since", WireHeader.since), ("traffic", WireHeader.traffic)] {
      guard let value = request.headers[field] else { continue }
      guard !items.contains(where: { $0.name == name }) else {
        throw ServiceError(
          status: 400, code: "PARAMETER_TWICE",
          message: "'\(name)' is in the query and in \(field): send it once")
      }
      items.append((name, value))
    }
    do throws(WireError) {
      questions = try AreaRequest.requests(
        handles: String(request.path.dropFirst(AreaRequest.prefix.count)), items: items, wait: wait)
    } catch {
      throw ServiceError(error)
    }
    let known = try await knownTime(timeMS, since: questions.compactMap(\.since).max())
    let hold = await held(questions, request, timeMS: known, plan: plan)
    let (heldMS, isHeld) = (hold.timeMS, hold.isHeld)
    let answer = try await areas(questions, timeMS: heldMS, plan: plan)
    var reply = Reply(compact: answer.body)
    (reply.kind, reply.waited) = (isHeld ? .held : .handle, hold.waited)
    tellAge(heldMS, in: &reply)
    if isHeld, HoldTerms.asksForStream(request.headers[HoldTerms.field]), let next = answer.next {
      reply.body = CompactStream.head + CompactStream.part(answer.body)
      reply.stream = HeldStream(
        questions: next, endsMS: timeMS + configuration.streamSeconds * 1000, caller: await holdCaller(of: request))
    }
    return reply
  }

  /// Returns a request by handle as one with the area.
  ///
  /// - Throws: 404 if the area isn't remembered.
  func whole(_ question: AreaRequest, plan: [Fault]) async throws(ServiceError) -> ObservationsRequest {
    if plan.contains(.forget) { areas.forget(question.handle) }
    guard !configuration.isPlain, let ring = await ring(question.handle) else { throw Self.areaUnknown }
    return Self.whole(question, ring)
  }

  static func whole(_ question: AreaRequest, _ ring: Ring) -> ObservationsRequest {
    ObservationsRequest(ring: ring, filter: question.filter, since: question.since)
  }

  static let areaUnknown = ServiceError(
    status: 404, code: ServiceError.areaUnknown, message: "the area isn't known here: send it again")

  func answer(
    _ question: ObservationsRequest, now: Int64, area: UInt64? = nil, plan: [Fault]
  ) async throws(ServiceError) -> ObservationsAnswer {
    var question = question
    let since = question.since
    if plan.contains(.gone), since != nil {
      throw ServiceError(
        status: 410, code: ServiceError.deltaUnavailable, message: "a fault was asked for: ask for everything")
    }
    let asOf = max(now - plan.staleSeconds, 0)
    // Like a cached response: the old state of the server, for the current request.
    if plan.staleSeconds > 0, let since { question.since = min(since, asOf) }
    var answer = try await observationService.observations(question, now: asOf, area: area)
    if plan.staleSeconds > 0 { answer.follows = since }
    plan.spoil(&answer)
    return answer
  }

  private func polygons(_ request: ServiceRequest, now: Int64, plan: [Fault]) async throws(ServiceError) -> Reply {
    var question: PolygonsRequest
    do throws(WireError) {
      question = try PolygonsRequest(
        hours: request.parameter("hours"), area: request.parameter("area"), handle: request.parameter("handle"))
    } catch {
      throw ServiceError(error)
    }
    if let handle = question.handle {
      if plan.contains(.forget) { areas.forget(handle) }
      guard !configuration.isPlain, let ring = await ring(handle) else { throw Self.areaUnknown }
      question.ring = ring
    }
    let document = await observationService.polygons(question, now: now)
    let isCompact = !configuration.isPlain && Self.acceptsCompact(request)
    var reply =
      isCompact
      ? Reply(type: ObservationsAnswer.compactType, body: document.answer.compact)
      : Reply(type: "application/geo+json", body: document.body)
    reply.entityTag = document.entityTag
    reply.representation = isCompact ? "-compact" : ""
    reply.varies = "Accept, Accept-Encoding"
    if isCompact, question.handle == nil, let ring = question.ring {
      reply.fields[WireHeader.area] = await remember(ring, of: request)
    }
    reply.fields["Cache-Control"] = "no-cache"
    return reply
  }

  private func reports(_ request: ServiceRequest, now: Int64) async throws(ServiceError) -> Reply {
    guard let key = request.headers[WireHeader.idempotencyKey], (1...255).contains(key.utf8.count) else {
      throw ServiceError(
        status: 400, code: "IDEMPOTENCY_KEY_MISSING",
        message: "send an Idempotency-Key of 1 to 255 characters, the same when the same upload is sent again")
    }
    if let seconds = await secondsToWait(.upload, request) {
      return Reply(Self.tooManyRequests, retryAfterSeconds: seconds)
    }
    let bytes = try await body(of: request)
    let upload: ReportsUpload
    do throws(WireError) {
      upload = try bytes.withUnsafeBufferPointer { (bytes) throws(WireError) in
        try ReportsUpload(json: UnsafeRawBufferPointer(bytes), now: now)
      }
    } catch {
      throw ServiceError(error)
    }
    return .json(try await accept(upload, of: request, key: key, bodyDigest: Digest.hash(bytes), now: now).json)
  }

  private func health(now: Int64) -> Reply {
    var json = JSONWriter()
    json.object { json in
      json.member("status", "ok")
      json.member("time", now)
    }
    return .json(json.bytes)
  }
}

// Repairs: the client describes what it holds, and the answer contains the changes to that.

extension ReferenceService {
  func repair(
    _ request: ServiceRequest, plan: [Fault], timeMS: Int64
  ) async throws(ServiceError) -> Reply {
    let question: AreaRequest
    do throws(WireError) {
      question = try AreaRequest(
        handle: String(request.path.dropFirst(AreaRequest.repairPrefix.count)),
        items: request.parameters)
    } catch {
      throw ServiceError(error)
    }
    let bytes = try await body(of: request)
    let sketch: RecordSketch
    do throws(CompactError) {
      sketch = try bytes.withUnsafeBytes { bytes in
        Result { () throws(CompactError) in try RecordSketch(bytes) }
      }.get()
    } catch {
      throw ServiceError(
        status: 400, code: "SKETCH_INVALID", message: "byte \(error.offset) of the sketch: \(error.reason)")
    }
    var whole = try await whole(question, plan: plan)
    // The handle may be that of another area.
    guard Area.ring(whole.ring).digest == sketch.areaDigest else { throw Self.areaUnknown }
    let traffic = await observationService.traffic(held: question.heldTraffic, in: whole)
    whole.since = nil
    // A repair compares all that is held, and so finds what a delta loses.
    let answer = try await answer(whole, now: timeMS / 1000, plan: plan.withoutLosses)
    guard let body = answer.compact(repairing: sketch, milliseconds: toldMilliseconds(timeMS), changing: traffic) else {
      throw ServiceError(
        status: 409, code: ServiceError.differenceTooLarge,
        message: "more differs than \(sketch.cellCount) cells show: send more, or fetch everything")
    }
    var reply = Reply(compact: body)
    tellAge(timeMS, in: &reply)
    return reply
  }
}
