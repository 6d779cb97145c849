import ContrailCompression
import ContrailWire
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Converts HTTP requests to service calls and results to HTTP responses, including faults.
struct ServerResponder: HTTPResponder {
  typealias Context = ServerContext

  let configuration: ServerConfiguration
  let service: ObservationService
  let faults: FaultSource
  let airports: AirportFileStore
  let directory: AirportDirectory
  let weatherWorld: WeatherWorld
  let areas = AreaRegistry()

  func respond(to request: Request, context: ServerContext) async -> Response {
    let now: Int64
    let reply: Reply
    var plan: [Fault] = []
    do throws(ServiceError) {
      now = try time(of: request)
    } catch {
      return Reply(error).response(to: request.headers, plan: [])
    }
    do throws(ServiceError) {
      let route = try Route(method: request.method, path: request.uri.path)
      if route.needsKey {
        plan = try requestedFaults(request)
        plan += await faults.next(now: now / 1000)
      }
      reply = try await self.reply(to: request, on: route, timeMS: now, plan: plan)
    } catch {
      reply = Reply(error)
    }
    return await send(reply, to: request, now: now, plan: plan, context: context)
  }

  private func reply(
    to request: Request, on route: Route, timeMS: Int64, plan: [Fault]
  ) async throws(ServiceError) -> Reply {
    let now = timeMS / 1000
    // The weather service has its own error format.
    if route != .weather {
      if let refusal = plan.refusal { return Reply(refusal.error, retryAfterSeconds: refusal.retryAfterSeconds) }
      if route.needsKey { try checkKey(request) }
    }
    switch route {
    case .observations: return try await observations(request, now: now, plan: plan, timeMS: timeMS)
    case .area: return try await area(request, now: now, plan: plan, timeMS: timeMS)
    case .repair: return try await repair(request, now: now, plan: plan, timeMS: timeMS)
    case .polygons: return try await polygons(request, now: max(now - plan.staleSeconds, 0), plan: plan)
    case .reports: return try await reports(request, now: now)
    case .airportCycles: return await airportCycles()
    case .airports: return try await airports(request)
    case .airportSearch: return try await airportSearch(request, now: now)
    case .airport: return try await airport(request, now: now)
    case .weather: return weather(request, now: now, plan: plan)
    case .health: return health(now: now)
    case .openAPI: return Reply(type: "application/yaml", body: PackageResources.openapi_yaml)
    }
  }

  private func send(
    _ reply: Reply, to request: Request, now: Int64, plan: [Fault], context: ServerContext
  ) async -> Response {
    var reply = reply
    if plan.contains(.garble) {
      reply.hasTime = true
      reply.body = Array("{\"data\":{\"lastUpdatedAt\":17e,,,\u{FFFD}".utf8)
      reply.entityTag = nil
    }
    if plan.contains(.html) { reply = Self.portal }
    let wait = plan.latencyMilliseconds
    let isGone = wait > 0 ? await context.wait(milliseconds: wait) : false
    if isGone || plan.contains(.drop) { context.channel.close(promise: nil) }
    if reply.hasTime, !plan.contains(.html) { reply.fields[.contrailTime] = String(now) }
    if reply.status == .methodNotAllowed, let allowed = Route.at(request.uri.path) {
      reply.fields[.allow] = allowed.method.rawValue
    }
    let response = reply.response(to: request.headers, plan: plan)
    context.logger.debug(
      "answered",
      metadata: [
        "method": "\(request.method.rawValue)", "path": "\(Route.logged(request.uri.path))",
        "status": "\(response.status.code)",
        "bytes": "\(response.body.contentLength ?? -1)", "faults": "\(plan)",
      ])
    return response
  }

  /// The page of a captive portal.
  private static let portal = Reply(
    type: "text/html; charset=utf-8",
    body: Array(
      "<!DOCTYPE html><html><head><title>Welcome on board</title></head><body><h1>Accept the terms to go online</h1></body></html>"
        .utf8))
}

// MARK: - Routes

extension ServerResponder {
  private func observations(
    _ request: Request, now: Int64, plan: [Fault], timeMS: Int64
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
    let answer = try await answer(question, now: now, plan: plan)
    guard !configuration.isPlain else { return .json(answer.json) }
    var reply: Reply
    if Self.acceptsCompact(request) {
      let held = await held(question, now: now)
      reply = Reply(
        type: ObservationsAnswer.compactType,
        body: answer.compact(milliseconds: timeMS % 1000, changing: held.traffic, and: held.records))
    } else {
      reply = .json(answer.json)
    }
    reply.fields[.contrailArea] = await areas.remember(question.ring)
    reply.fields[.contrailRepairs] = "1"
    return reply
  }

  private static func acceptsCompact(_ request: Request) -> Bool {
    request.headers[.accept]?.contains(ObservationsAnswer.compactType) == true
  }

  /// Returns what the client of a full fetch holds of another area; nothing if the server can't know it.
  private func held(
    _ question: ObservationsRequest, now: Int64
  ) async -> (records: HeldRecords, traffic: [TrafficPosition]) {
    guard let held = question.held, question.since == nil, let ring = await areas.ring(held.handle) else {
      return (HeldRecords(), [])
    }
    var before = question
    before.ring = ring
    before.since = held.since
    let records = await service.records(held: held.records, in: before, now: now)
    return (records, await service.traffic(held: held.traffic, in: before))
  }

  private func area(_ request: Request, now: Int64, plan: [Fault], timeMS: Int64) async throws(ServiceError) -> Reply {
    let questions: [AreaRequest]
    var items = request.uri.queryParameters.map { (name: String($0.key), value: String($0.value)) }
    for (name, field) in [("since", HTTPField.Name.contrailSince), ("traffic", .contrailTraffic)] {
      guard let value = request.headers[field] else { continue }
      guard !items.contains(where: { $0.name == name }) else {
        throw ServiceError(
          status: 400, code: "PARAMETER_TWICE",
          message: "'\(name)' is in the query and in \(field.rawName): send it once")
      }
      items.append((name, value))
    }
    do throws(WireError) {
      questions = try AreaRequest.requests(
        handles: String(request.uri.path.dropFirst(AreaRequest.prefix.count)), items: items)
    } catch {
      throw ServiceError(error)
    }
    if let question = questions.first, questions.count == 1 {
      return Reply(compact: try await area(question, now: now, plan: plan, timeMS: timeMS))
    }
    var parts: [CompactBundle.Part] = []
    for question in questions {
      do throws(ServiceError) {
        let body = try await area(question, now: now, plan: plan, timeMS: timeMS)
        parts.append(.init(status: 200, body: body))
      } catch {
        parts.append(.init(status: error.status))
      }
    }
    return Reply(compact: CompactBundle.bytes(parts))
  }

  /// Returns the compact answer to a request by handle.
  private func area(
    _ question: AreaRequest, now: Int64, plan: [Fault], timeMS: Int64
  ) async throws(ServiceError) -> [UInt8] {
    let whole = try await whole(question, plan: plan)
    let answer = try await answer(whole, now: now, plan: plan)
    let traffic = await service.traffic(held: question.heldTraffic, in: whole)
    return answer.compact(milliseconds: timeMS % 1000, changing: traffic)
  }

  /// Returns a request by handle as one with the area.
  ///
  /// - Throws: 404 if the area isn't remembered.
  func whole(_ question: AreaRequest, plan: [Fault]) async throws(ServiceError) -> ObservationsRequest {
    if plan.contains(.forget) { await areas.forget(question.handle) }
    guard !configuration.isPlain, let ring = await areas.ring(question.handle) else { throw Self.areaUnknown }
    return ObservationsRequest(
      ring: ring, types: question.types, severities: question.severities, altitudes: question.altitudes,
      history: question.history, since: question.since)
  }

  static let areaUnknown = ServiceError(
    status: 404, code: ServiceError.areaUnknown, message: "the area isn't known here: send it again")

  func answer(
    _ question: ObservationsRequest, now: Int64, plan: [Fault]
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
    var answer = try await service.observations(question, now: asOf)
    if plan.staleSeconds > 0 { answer.follows = since }
    plan.spoil(&answer)
    return answer
  }

  private func polygons(_ request: Request, now: Int64, plan: [Fault]) async throws(ServiceError) -> Reply {
    var question: PolygonsRequest
    do throws(WireError) {
      let parameters = request.uri.queryParameters
      question = try PolygonsRequest(
        hours: parameters["hours"].map(String.init), area: parameters["area"].map(String.init),
        handle: parameters["handle"].map(String.init))
    } catch {
      throw ServiceError(error)
    }
    if let handle = question.handle {
      if plan.contains(.forget) { await areas.forget(handle) }
      guard !configuration.isPlain, let ring = await areas.ring(handle) else { throw Self.areaUnknown }
      question.ring = ring
    }
    let document = await service.polygons(question, now: now)
    let isCompact = !configuration.isPlain && Self.acceptsCompact(request)
    var reply =
      isCompact
      ? Reply(type: ObservationsAnswer.compactType, body: document.answer.compact)
      : Reply(type: "application/geo+json", body: document.body)
    reply.entityTag = document.entityTag
    reply.representation = isCompact ? "-compact" : ""
    reply.varies = "Accept, Accept-Encoding"
    if isCompact, question.handle == nil, let ring = question.ring {
      reply.fields[.contrailArea] = await areas.remember(ring)
    }
    reply.fields[.cacheControl] = "no-cache"
    return reply
  }

  private func reports(_ request: Request, now: Int64) async throws(ServiceError) -> Reply {
    guard let key = request.headers[.idempotencyKey], (1...255).contains(key.utf8.count) else {
      throw ServiceError(
        status: 400, code: "IDEMPOTENCY_KEY_MISSING",
        message: "send an Idempotency-Key of 1 to 255 characters, the same when the same upload is sent again")
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
    let accepted = try await service.accept(upload, key: key, bodyDigest: Digest.hash(bytes), now: now)
    var json = JSONWriter()
    json.object { json in
      json.key("data")
      json.object { json in
        json.key("accepted")
        json.value(accepted)
      }
      for key in ["meta", "links", "warnings"] {
        json.key(named: key)
        json.object { _ in }
      }
    }
    return .json(json.bytes)
  }

  private func health(now: Int64) -> Reply {
    var json = JSONWriter()
    json.object { json in
      json.key("status")
      json.value("ok")
      json.key("time")
      json.value(now)
    }
    return .json(json.bytes)
  }
}

// MARK: - Request headers and bodies

extension ServerResponder {
  /// Returns the time of a request in milliseconds since 1970.
  private func time(of request: Request) throws(ServiceError) -> Int64 {
    guard configuration.allowsSimulatedTime, let text = request.headers[.contrailSimulatedTime] else {
      return configuration.clock?() ?? WallClock.milliseconds()
    }
    guard let time = Int64(text), (0...Int64(UInt32.max) * 1000).contains(time) else {
      throw ServiceError(
        status: 400, code: "SIMULATED_TIME_INVALID",
        message: "\(WireHeader.simulatedTime) is a time in milliseconds since 1970")
    }
    return time
  }

  private func requestedFaults(_ request: Request) throws(ServiceError) -> [Fault] {
    guard configuration.allowsRequestedFaults, let text = request.headers[.contrailFault] else { return [] }
    do throws(FaultSyntaxError) {
      return try Fault.list(text)
    } catch {
      throw ServiceError(status: 400, code: "FAULT_UNKNOWN", message: error.description)
    }
  }

  private func checkKey(_ request: Request) throws(ServiceError) {
    guard !configuration.keys.isEmpty else { return }
    guard let key = request.headers[.apiKey] else {
      throw ServiceError(status: 401, code: "KEY_MISSING", message: "send your key in \(WireHeader.apiKey)")
    }
    guard isKnown(key: key) else {
      throw ServiceError(status: 401, code: "KEY_UNKNOWN", message: "this key is not known: send a valid one")
    }
  }

  /// Returns whether a key is valid. Every key is valid if none is configured.
  func isKnown(key: String) -> Bool {
    configuration.keys.isEmpty || configuration.keys.reduce(false) { Self.areEqual($1, key) || $0 }
  }

  /// Compares two keys in constant time.
  private static func areEqual(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Returns the whole decompressed body.
  func body(of request: Request) async throws(ServiceError) -> [UInt8] {
    let limit = configuration.maximumBodyBytes
    let tooLarge = ServiceError(
      status: 413, code: "BODY_TOO_LARGE", message: "a body may have at most \(limit) bytes, unpacked")
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
    let bytes: [UInt8]
    do {
      bytes = try await collected(request.body, limit: limit)
    } catch is NIOTooManyBytesError {
      throw tooLarge
    } catch {
      throw ServiceError(status: 408, code: "BODY_INCOMPLETE", message: "the body did not come in time")
    }
    switch request.headers[.contentEncoding]?.lowercased() {
    case nil, "identity": return bytes
    case "gzip", "x-gzip":
      do throws(GzipError) {
        return try Gzip.unpacked(bytes, limit: limit)
      } catch {
        switch error {
        case .tooLarge: throw tooLarge
        case .damaged: throw ServiceError(status: 400, code: "GZIP_DAMAGED", message: "the body is no intact gzip")
        }
      }
    case let other?:
      throw ServiceError(
        status: 415, code: "CONTENT_ENCODING_UNKNOWN", message: "'\(other)' is not understood: send gzip or nothing")
    }
  }

  private func collected(_ body: RequestBody, limit: Int) async throws -> [UInt8] {
    let timeout = configuration.bodyTimeoutSeconds
    return try await withThrowingTaskGroup(of: [UInt8].self) { group in
      group.addTask { Array(buffer: try await body.collect(upTo: limit)) }
      group.addTask {
        try await Task.sleep(for: .seconds(timeout))
        throw CancellationError()
      }
      defer { group.cancelAll() }
      return try await group.next() ?? []
    }
  }
}
