import ContrailCompression
package import ContrailCore
package import ContrailHTTP
import ContrailLog
import ContrailWire

/// Sends a request to the server and converts the response to an input.
package struct RequestSender: Sendable {
  private let transport: any Transport
  /// The transport to the weather service; nil if the server also provides the weather, with its key as the token.
  private let weatherTransport: (any Transport)?
  /// Additional header fields of each request, such as the simulated time.
  private var extraHeaders: [(name: String, value: String)] = []

  /// The maximum size of a decompressed response, in bytes.
  static let maximumBodyBytes = 64 << 20
  /// The time limit of a request, in seconds.
  package static let timeoutSeconds = 30
  /// The minimum size of a body that is compressed, in bytes.
  private static let compressionThreshold = 256

  package init(transport: any Transport, weatherTransport: (any Transport)? = nil) {
    self.transport = transport
    self.weatherTransport = weatherTransport
  }

  /// Returns a sender with additional header fields.
  package func adding(_ headers: [(name: String, value: String)]) -> RequestSender {
    var sender = self
    sender.extraHeaders += headers
    return sender
  }

  /// Sends a request. Never throws, because a failure is an input too.
  package func send(_ request: OutgoingRequest, with credentials: Credentials) async -> RequestResult {
    let isWeather = request.scope.weatherPlace != nil
    let transport = isWeather ? weatherTransport ?? transport : transport
    let packed = packed(request, with: credentials)
    do throws(TransportError) {
      return result(
        of: try await transport.send(packed), to: request, with: credentials, sent: sent(packed, over: transport))
    } catch {
      return .failed(
        error.failure, message: SecretFilter(credentials).filtered(error.message), sent: sent(packed, over: transport))
    }
  }

  /// Sends requests in one exchange, and returns their results in the same order. Several must be requests by handle.
  package func send(_ requests: [OutgoingRequest], with credentials: Credentials) async -> [RequestResult] {
    guard requests.count > 1, let packed = packed(requests, with: credentials) else {
      var results: [RequestResult] = []
      for request in requests { results.append(await send(request, with: credentials)) }
      return results
    }
    let sent = sent(packed, over: transport)
    do throws(TransportError) {
      return results(of: try await transport.send(packed), to: requests, with: credentials, sent: sent)
    } catch {
      let message = SecretFilter(credentials).filtered(error.message)
      return requests.indices.map { .failed(error.failure, message: message, sent: $0 == 0 ? sent : .zero) }
    }
  }

  /// Returns the request for the transport that carries several requests by handle; nil if one of them is another.
  package func packed(_ requests: [OutgoingRequest], with credentials: Credentials) -> TransportRequest? {
    let areas = requests.compactMap { $0.area }
    guard var request = requests.first, areas.count == requests.count else { return nil }
    request.target = AreaRequest.target(of: areas)
    return packed(request, areas: areas, with: credentials)
  }

  /// Returns the results of requests that shared an exchange.
  ///
  /// The bytes of the heads are counted with the first. If the answer isn't for several requests, each gets it, and the rules find
  /// out what is wrong.
  package func results(
    of answer: TransportAnswer, to requests: [OutgoingRequest], with credentials: Credentials, sent: SentBytes? = nil
  ) -> [RequestResult] {
    let parts = Self.parts(of: answer)
    let isBundle = parts.count == requests.count
    return requests.indices.map { index in
      var part = answer
      if isBundle {
        part.headers.removeAll { $0.name.lowercased() == "content-encoding" }
        part.status = parts[index].status
        part.body = parts[index].body
      }
      let result = result(
        of: part, to: requests[index], with: credentials, sent: index == 0 || sent == nil ? sent : .zero)
      guard case .answered(var single) = result else { return result }
      // All but the other parts is counted with the first.
      let isCounted = isBundle && answer.header("Content-Encoding") == nil
      let others = isCounted ? parts[1...].reduce(0) { $0 + $1.body.count } : 0
      single.response.headBytes = index == 0 ? answer.headBytes : 0
      single.response.wireBytes =
        index == 0 ? answer.wireBytes - Int64(others) : isCounted ? Int64(parts[index].body.count) : 0
      return .answered(single)
    }
  }

  /// Returns the parts of an answer to several requests; none if it isn't one.
  private static func parts(of answer: TransportAnswer) -> [CompactBundle.Part] {
    guard answer.status == 200, let body = try? answer.unpackedBody(limit: maximumBodyBytes),
      body.first == CompactBundle.mark
    else { return [] }
    return body.withUnsafeBytes { bytes in (try? CompactBundle.parts(bytes)) ?? [] }
  }

  /// Returns the bytes of a request on the wire, without the additional header fields.
  private func sent(_ request: TransportRequest, over transport: any Transport) -> SentBytes {
    var request = request
    request.headers.removeFirst(extraHeaders.count)
    let head = transport.headBytes(of: request)
    return SentBytes(total: Int64(head + request.body.count), head: Int64(head))
  }

  /// Returns the request for the transport, with credentials and compressed body.
  package func packed(_ request: OutgoingRequest, with credentials: Credentials) -> TransportRequest {
    packed(request, areas: request.area.map { [$0] } ?? [], with: credentials)
  }

  private func packed(
    _ request: OutgoingRequest, areas: [AreaRequest], with credentials: Credentials
  ) -> TransportRequest {
    var headers = extraHeaders
    // A request by handle is answered in the compact form, which needs no other encoding.
    let isRepair = request.mode == .repair
    if !isRepair, areas.isEmpty {
      let isCompact = request.acceptsCompact
      headers.append(("Accept", isCompact ? "\(ObservationsAnswer.compactType), application/json" : "application/json"))
      headers.append(("Accept-Encoding", "gzip"))
    }
    var target = request.target
    if !areas.isEmpty, transport.isSecure {
      // Over TLS, no cache on the way takes the answers to one path for the same.
      let (path, fields) = AreaRequest.targetAndFields(of: areas)
      target = path
      headers += fields
    }
    if request.scope.weatherPlace != nil {
      target = Self.target(
        request.target, token: weatherTransport == nil ? credentials.apiKey : credentials.weatherToken)
    } else if let key = credentials.apiKey {
      headers.append((WireHeader.apiKey, key))
    }
    if let etag = request.ifNoneMatch { headers.append(("If-None-Match", etag)) }
    if let key = request.idempotencyKey { headers.append((WireHeader.idempotencyKey, key)) }
    var body = request.body
    if !body.isEmpty {
      headers.append(("Content-Type", isRepair ? ObservationsAnswer.compactType : "application/json"))
      if !isRepair, body.count >= Self.compressionThreshold, let packed = Gzip.packed(body, level: 9) {
        headers.append(("Content-Encoding", "gzip"))
        body = packed
      }
    }
    return TransportRequest(
      method: request.method.rawValue, target: target, headers: headers, body: body,
      timeoutSeconds: Self.timeoutSeconds)
  }

  /// Returns the path for the weather service with the token inserted. A missing token becomes `-`, so that no part is empty.
  private static func target(_ target: String, token: String?) -> String {
    let token = token.flatMap { $0.isEmpty ? nil : $0 } ?? "-"
    return target.split(separator: WeatherSpec.tokenMark, maxSplits: 1, omittingEmptySubsequences: false)
      .joined(separator: WeatherSpec.encoded(token))
  }

  /// Returns the result of a request from the response of the transport.
  package func result(
    of answer: TransportAnswer, to request: OutgoingRequest, with credentials: Credentials, sent: SentBytes? = nil
  ) -> RequestResult {
    let secrets = SecretFilter(credentials)
    var bytes = answer.body
    if answer.header("Content-Encoding")?.lowercased() == "gzip" {
      do {
        bytes = try Gzip.unpacked(bytes, limit: Self.maximumBodyBytes)
      } catch GzipError.tooLarge {
        return .failed(
          .tooLarge, message: "the decompressed response is larger than \(Self.maximumBodyBytes) bytes", sent: sent)
      } catch {
        // An undecodable response is an input too. Its body is dropped if it might contain a secret.
        if !secrets.isEmpty { bytes = [] }
      }
    }
    var serverTimeMS = answer.header(WireHeader.serverTime).flatMap { Int64($0) }.flatMap { Self.plausible($0) }
    var form: Input.BodyForm?
    if request.acceptsCompact, answer.status == 200, bytes.first == Self.compactMark(of: request) {
      form = .compact
      // An unreadable answer is logged as it came. The fold rejects it.
      if let (json, time) = Self.json(compact: bytes, to: request) {
        bytes = json
        serverTimeMS = serverTimeMS ?? time
      }
    }
    let handle = answer.header(WireHeader.area).flatMap {
      AreaRequest.isHandle($0) && !secrets.finds(in: $0) ? $0 : nil
    }
    let etag = answer.header("ETag").flatMap {
      $0.utf8.count > Self.maximumTagBytes || secrets.finds(in: $0) ? nil : $0
    }
    let response = Input.Response(
      request: request.number, status: answer.status, wireBytes: answer.wireBytes, headBytes: answer.headBytes,
      sent: sent, serverTimeMS: serverTimeMS,
      retryAfterSeconds: answer.header("Retry-After").flatMap { Int64($0) }.map {
        min(max($0, 0), Input.Response.maximumRetryAfterSeconds)
      },
      etag: etag, handle: request.acceptsCompact ? handle : nil,
      repairs: request.acceptsCompact && handle != nil && answer.header(WireHeader.repairs) == "1", form: form)
    return .answered(Answer(response: response, body: secrets.isEmpty ? bytes : secrets.filtered(bytes)))
  }

  /// The maximum size of an ETag. The state keeps it, and each request repeats it. Without it, the whole is fetched.
  private static let maximumTagBytes = 1024

  private static func compactMark(of request: OutgoingRequest) -> UInt8 {
    request.scope.hasDeltas ? ObservationsAnswer.compactMark : PolygonsAnswer.compactMark
  }

  /// Returns a compact answer as JSON, and the server's time in milliseconds if it contains that; nil if the answer is invalid.
  private static func json(
    compact bytes: [UInt8], to request: OutgoingRequest
  ) -> (json: [UInt8], serverTimeMS: Int64?)? {
    bytes.withUnsafeBytes { bytes in
      guard request.scope.hasDeltas else { return (try? PolygonsAnswer(compact: bytes)).map { ($0.json, nil) } }
      guard
        let (answer, milliseconds) = try? ObservationsAnswer.read(
          compact: bytes, changing: request.heldTraffic, and: request.heldRecords)
      else { return nil }
      return (answer.json, answer.token * 1000 + milliseconds)
    }
  }

  /// Returns the time; nil if the log can't represent it.
  private static func plausible(_ milliseconds: Int64) -> Int64? {
    (0...State.maximumMS).contains(milliseconds) ? milliseconds : nil
  }
}

/// The result of a request.
package enum RequestResult: Sendable {
  case answered(Answer)
  case failed(TransportFailure, message: String, sent: SentBytes? = nil)
}

/// A response of the server, before its body is assigned to a line or a blob.
package struct Answer: Sendable {
  /// The input, with `none` as its body.
  package var response: Input.Response
  /// The decompressed body; as received if it can't be decompressed.
  package var body: [UInt8]

  package init(response: Input.Response, body: [UInt8]) {
    self.response = response
    self.body = body
  }

  /// Returns the input of the response, and the bytes of its blob, if any.
  func input() -> (input: Input, blob: [UInt8]?) {
    var response = response
    let blob: [UInt8]?
    (response.body, blob) = Input.Body.placed(body)
    return (.responseReceived(response), blob)
  }
}

extension Input.Body {
  /// Returns a body within its line or as a blob, and the bytes of the blob, if any.
  static func placed(_ bytes: [UInt8]) -> (body: Input.Body, blob: [UInt8]?) {
    if bytes.isEmpty { return (.none, nil) }
    if bytes.count <= maximumInlineBytes, !bytes.contains(0x0A), !bytes.contains(0x0D) {
      if let document = try? JSONDocument(bytes) { return (.document(document), nil) }
      if isJSON(bytes) { return (.inline(bytes), nil) }
    }
    return (.blob(BlobName(of: bytes), bytes), bytes)
  }

  /// The maximum size of a body within a log line, in bytes.
  package static let maximumInlineBytes = 8 << 20

  /// Whether the bytes are one JSON value.
  package static func isJSON(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var json = JSONReader(bytes)
      do throws(JSONError) {
        try json.skipValue()
        try json.end()
        return true
      } catch {
        return false
      }
    }
  }
}
