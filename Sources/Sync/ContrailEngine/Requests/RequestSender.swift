import ContrailCompression
package import ContrailCore
package import ContrailHTTP
import ContrailLog
import ContrailWire

/// Sends a request to the server and converts the response to an input.
package struct RequestSender: Sendable {
  let transport: any Transport
  /// The transport to the weather service; nil if the server also provides the weather, with its key as the token.
  private let weatherTransport: (any Transport)?
  /// The answers to held requests that go on.
  let streams = HeldStreams()
  /// Additional header fields of each request, such as the simulated time.
  private var extraHeaders: [(name: String, value: String)] = []
  /// The header field that carries the key.
  private let credentialField: Connection.CredentialField

  /// The maximum size of a decompressed response, in bytes.
  static let maximumBodyBytes = 64 << 20
  /// The time limit of a request, in seconds.
  package static let timeoutSeconds = 30
  /// The time limit of the client for a held request after the end of the hold, in seconds. The rules give it up before.
  package static let holdGraceSeconds = 2 * Int(Listening.graceMS / 1000)

  package init(
    transport: any Transport, weatherTransport: (any Transport)? = nil,
    credentialField: Connection.CredentialField = .apiKey
  ) {
    self.transport = transport
    self.weatherTransport = weatherTransport
    self.credentialField = credentialField
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
    if let seconds = requests.compactMap(\.holdSeconds).min(), transport.isSecure, extraHeaders.isEmpty,
      await streams.arrive, let packed = packed(requests, with: credentials)
    {
      return await hold(requests, packed, seconds: seconds, with: credentials)
    }
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
    guard !requests.isEmpty, requests.allSatisfy({ $0.area != nil }) else { return nil }
    return packed(exchange: requests, with: credentials)
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
      guard case .answered(var response) = result else { return result }
      // All but the other parts is counted with the first.
      let isCounted = isBundle && answer.header("Content-Encoding") == nil
      let others = isCounted ? parts[1...].reduce(0) { $0 + $1.body.count } : 0
      response.headBytes = index == 0 ? answer.headBytes : 0
      response.wireBytes =
        index == 0 ? answer.wireBytes - Int64(others) : isCounted ? Int64(parts[index].body.count) : 0
      return .answered(response)
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
  func sent(_ request: TransportRequest, over transport: any Transport) -> SentBytes {
    var request = request
    request.headers.removeFirst(extraHeaders.count)
    let head = transport.headBytes(of: request)
    return SentBytes(total: Int64(head + request.body.count), head: Int64(head))
  }

  /// Returns the request for the transport, with credentials and compressed body.
  package func packed(_ request: OutgoingRequest, with credentials: Credentials) -> TransportRequest {
    packed(exchange: [request], with: credentials)
  }

  private func packed(exchange: [OutgoingRequest], with credentials: Credentials) -> TransportRequest {
    let request = exchange[0]
    let hold = exchange.compactMap(\.holdSeconds).min()
    var (target, fields) = OutgoingRequest.head(of: exchange, isSecure: transport.isSecure)
    var body = request.body
    if request.packsBody {
      if let packed = Gzip.packed(body, level: 9) {
        body = packed
      } else {
        fields.removeAll { $0.name == "Content-Encoding" }
      }
    }
    if request.scope.weatherPlace != nil {
      target = Self.target(target, token: weatherTransport == nil ? credentials.apiKey : credentials.weatherToken)
    } else if let key = credentials.apiKey {
      fields.append(credentialField.field(carrying: key))
    }
    return TransportRequest(
      method: request.method.rawValue, target: target, headers: extraHeaders + fields, body: body,
      timeoutSeconds: hold.map { Int($0) + Self.holdGraceSeconds } ?? Self.timeoutSeconds)
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
      } catch CompressionError.oversized {
        return .failed(
          .tooLarge, message: "the decompressed response is larger than \(Self.maximumBodyBytes) bytes", sent: sent)
      } catch {
        // An undecodable response is an input too. Its body is dropped if it might contain a secret.
        if !secrets.isEmpty { bytes = [] }
      }
    }
    let received = ReceivedBody(bytes, status: answer.status, to: request, masking: secrets)
    let serverTimeMS = answer.header(WireHeader.serverTime).flatMap { Int64($0) }.flatMap { Self.plausible($0) }
    let handle = answer.header(WireHeader.area).flatMap {
      AreaRequest.isHandle($0) && !secrets.finds(in: $0) ? $0 : nil
    }
    let etag = answer.header("ETag").flatMap {
      $0.utf8.count > Self.maximumTagBytes || secrets.finds(in: $0) ? nil : $0
    }
    return .answered(
      Input.Response(
        request: request.number, status: answer.status, wireBytes: answer.wireBytes, headBytes: answer.headBytes,
        sent: sent, serverTimeMS: serverTimeMS ?? received.serverTimeMS,
        retryAfterSeconds: answer.header("Retry-After").flatMap { Int64($0) }.map {
          min(max($0, 0), Input.Response.maximumRetryAfterSeconds)
        },
        etag: etag, handle: request.acceptsCompact ? handle : nil,
        repairs: request.acceptsCompact && handle != nil && answer.header(WireHeader.repairs) == "1",
        holdSeconds: request.acceptsCompact && handle != nil ? Self.holdSeconds(of: answer) : 0, form: received.form,
        body: received.body))
  }

  /// The maximum size of an ETag. The state keeps it, and each request repeats it. Without it, the whole is fetched.
  private static let maximumTagBytes = 1024

  /// Returns the longest time that the server holds a request, in seconds; 0 if it holds none.
  private static func holdSeconds(of answer: TransportAnswer) -> Int64 {
    min(max(answer.header(WireHeader.holds).flatMap { Int64($0) } ?? 0, 0), HoldTerms.maximumSeconds)
  }

  /// Returns the time; nil if the log can't represent it.
  private static func plausible(_ milliseconds: Int64) -> Int64? {
    (0...State.maximumMS).contains(milliseconds) ? milliseconds : nil
  }
}

extension Connection.CredentialField {
  /// Returns the name and the value of the field that carries a key.
  package func field(carrying key: String) -> (name: String, value: String) {
    switch self {
    case .apiKey: (WireHeader.apiKey, key)
    case .bearer: ("Authorization", "Bearer \(key)")
    case .named(let name, let prefix): (name, prefix + key)
    }
  }
}

/// The result of a request.
package enum RequestResult: Sendable {
  case answered(Input.Response)
  case failed(TransportFailure, message: String, sent: SentBytes? = nil)
}
