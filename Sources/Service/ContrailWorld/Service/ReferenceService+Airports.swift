import ContrailAirportData
import ContrailGeodesy
import ContrailWeather
import ContrailWire
import Foundation

extension ReferenceService {
  /// Returns the list of available cycles.
  func airportCycles(now: Int64) async -> Reply {
    let cycles = await airportFiles.cycles(at: now)
    var json = JSONWriter()
    json.object { json in
      json.key("data")
      json.object { json in
        json.key("cycles")
        json.array { json in cycles.forEach { $0.write(to: &json) } }
      }
      for key in ["meta", "links", "warnings"] {
        json.key(named: key)
        json.object { _ in }
      }
    }
    var reply = Reply.json(json.bytes)
    reply.entityTag = Hex.string(Digest.hash(json.bytes))
    reply.fields["Cache-Control"] = "no-cache"
    return reply
  }

  /// Returns the file of a cycle, or a part of it to resume a download.
  func airports(_ request: ServiceRequest, now: Int64) async throws(ServiceError) -> Reply {
    let cycle = Route.airports.parameter(of: request.path) ?? ""
    guard let file = await airportFiles.file(of: cycle, at: now) else {
      throw ServiceError(
        status: 404, code: "CYCLE_NOT_AVAILABLE",
        message: "there are no airports of this cycle yet: /airports/v1/cycles lists those that there are")
    }
    let tag = String(file.sha256.prefix(32))
    // If the file has changed since the beginning of the download, the whole file is sent (RFC 9110, 13.1.5).
    let isSame = request.headers["If-Range"].map { $0 == "\"\(tag)\"" } ?? true
    let isKnown = Reply.matches(request.headers["If-None-Match"], tag: tag)
    let range = isSame && !isKnown ? ByteRange(request.headers["Range"], count: file.size) : .whole
    let wanted: Range<Int>
    switch range {
    case .whole: wanted = 0..<(isKnown ? 0 : file.size)
    case .part(let part): wanted = part
    case .unsatisfiable:
      var reply = Reply(
        ServiceError(
          status: 416, code: "RANGE_NOT_SATISFIABLE", message: "the file has \(file.size) bytes: ask for some of them"
        ))
      reply.fields["Content-Range"] = "bytes */\(file.size)"
      return reply
    }
    guard let bytes = file.bytes(in: wanted) else {
      throw ServiceError(
        status: 503, code: "CYCLE_CHANGING", message: "the file of this cycle is being replaced: ask again")
    }
    var reply = Reply(type: "application/x-xz", body: bytes)
    if case .part(let part) = range {
      reply.status = 206
      reply.fields["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)"
    }
    reply.isPackable = false
    reply.entityTag = tag
    reply.fields["Accept-Ranges"] = "bytes"
    reply.fields["Cache-Control"] = "no-cache"
    return reply
  }
}

extension ReferenceService {
  /// Returns the airports that match words or are near a point.
  func airportSearch(_ request: ServiceRequest, now: Int64) async throws(ServiceError) -> Reply {
    let limit = request.parameter("limit").map { Int($0) ?? 0 } ?? 25
    guard (1...AirportDirectory.maximumCount).contains(limit) else {
      throw ServiceError(
        status: 400, code: "LIMIT_OUT_OF_RANGE", message: "limit must be from 1 to \(AirportDirectory.maximumCount)")
    }
    if let near = request.parameter("near") {
      let numbers = near.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
      let point = Coordinate(latitude: numbers.first ?? .nan, longitude: numbers.last ?? .nan)
      guard numbers.count == 2, point.isValid else {
        throw ServiceError(
          status: 400, code: "PLACE_INVALID", message: "near must be latitude and longitude, such as 51.47,-0.46")
      }
      let contents = try await contents(now: now)
      return try list(contents.airports(nearest: point, limit: limit), of: contents)
    }
    guard let text = request.parameter("text") else {
      throw ServiceError(status: 400, code: "QUERY_MISSING", message: "text or near must be given")
    }
    let contents = try await contents(now: now)
    return try list(contents.airports(matching: text, limit: limit), of: contents)
  }

  /// Returns the airport with an identifier.
  func airport(_ request: ServiceRequest, now: Int64) async throws(ServiceError) -> Reply {
    let given = Route.airport.parameter(of: request.path) ?? ""
    let contents = try await contents(now: now)
    guard let airport = contents.airport(identifier: given.removingPercentEncoding ?? given) else {
      throw ServiceError(status: 404, code: "AIRPORT_UNKNOWN", message: "no airport has this identifier")
    }
    return try list([airport], of: contents)
  }

  private func contents(now: Int64) async throws(ServiceError) -> AirportDirectory.Contents {
    guard let contents = await directory.contents(at: now) else {
      throw ServiceError(status: 503, code: "NO_AIRPORTS", message: "the server has no airports")
    }
    return contents
  }

  /// A response in the format of an airport file, which keeps every number exactly.
  private func list(
    _ airports: [ContrailAirportData.Airport], of contents: AirportDirectory.Contents
  ) throws(ServiceError) -> Reply {
    do throws(AirportDataError) {
      let bytes = try AirportFile.encoded(
        airports, cycle: contents.header.cycle, sources: contents.header.sources)
      return Reply(type: "application/x-contrail-airports", body: bytes)
    } catch {
      throw ServiceError(status: 503, code: "NO_AIRPORTS", message: "the airports of the server can't be sent")
    }
  }
}

extension ReferenceService {
  /// Responds like the weather service, including its errors.
  ///
  /// The token is a part of the path. If no keys are configured, any token is valid.
  func weather(_ request: ServiceRequest, now: Int64, plan: [Fault]) async -> Reply {
    let version = WeatherEndpoint.versions.first { request.path.hasPrefix("/\($0)/") } ?? "v2.5"
    func refused(_ refusal: WeatherQuestion.Refusal) -> Reply {
      Reply(
        status: refusal.status, type: "application/json",
        body: refusal.json(version: version))
    }
    do throws(WeatherQuestion.Refusal) {
      if let refusal = plan.refusal {
        var reply = refused(.init(status: refusal.error.status, reason: "a fault was asked for"))
        if let seconds = refusal.retryAfterSeconds { reply.fields["Retry-After"] = String(seconds) }
        return reply
      }
      // The service also reports a failure with status 200.
      if plan.contains(.failed) { throw .init(status: 200, reason: "a fault was asked for") }
      let path = request.path
      let key = WeatherQuestion.token(inPath: path) ?? ""
      guard await isKnown(key: key) else { throw .init(status: 401, reason: "token is invalid") }
      if let seconds = await secondsToWait(key) {
        var reply = refused(.init(status: 429, reason: "the token sends too many requests"))
        reply.fields["Retry-After"] = String(seconds)
        return reply
      }
      let question = try WeatherQuestion(path: path) { request.parameter($0) }
      let asOf = max(now - plan.staleSeconds, 0)
      let response = weatherWorld.answer(question, now: asOf)
      guard let data = try? response.json() else { throw .init(status: 500, reason: "a number isn't finite") }
      var reply = Reply.json(JSONRounding.rounded(Array(data)))
      reply.entityTag = weatherWorld.entityTag(for: question, now: asOf)
      // The time in the response differs even if the weather is the same.
      reply.isEntityTagWeak = true
      reply.fields["Cache-Control"] = "no-cache"
      return reply
    } catch {
      return refused(error)
    }
  }
}
