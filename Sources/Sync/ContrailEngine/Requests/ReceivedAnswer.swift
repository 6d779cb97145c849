package import ContrailCore
package import ContrailWire

/// An answer of a transport with its body decompressed, which becomes the results of requests.
package struct ReceivedAnswer: Sendable {
  /// How the body arrived.
  package enum Coding: Sendable {
    case plain
    case compressed
    /// It can't be decompressed, and is kept as it came.
    case damaged
    /// It is larger than the limit when decompressed, and isn't kept.
    case tooLarge
  }

  /// The status, the header fields and the decompressed body.
  package var answer: TransportAnswer
  package var coding: Coding
  /// The size of the body as it arrived, in bytes.
  package var encodedBytes: Int64

  package init(_ answer: TransportAnswer, coding: Coding, encodedBytes: Int64) {
    self.answer = answer
    self.coding = coding
    self.encodedBytes = encodedBytes
  }

  /// The size of the head and the body in bytes as written in HTTP/1.1.
  private var wireBytes: Int64 { answer.headBytes + encodedBytes }

  /// Returns the results of requests that shared an exchange, or of a single one.
  ///
  /// The bytes of the heads are counted with the first. If the answer isn't for several requests, each gets it, and the rules find
  /// out what is wrong.
  package func results(
    to requests: [OutgoingRequest], with credentials: Credentials, sent: SentBytes? = nil
  ) -> [RequestResult] {
    guard requests.count > 1 else {
      return requests.map { result(to: $0, with: credentials, sent: sent) }
    }
    let parts = parts
    let isBundle = parts.count == requests.count
    return requests.indices.map { index in
      var part = self
      if isBundle {
        part.answer.status = parts[index].status
        part.answer.body = parts[index].body
        part.coding = .plain
        part.encodedBytes = Int64(parts[index].body.count)
      }
      let result = part.result(
        to: requests[index], with: credentials, sent: index == 0 || sent == nil ? sent : .zero)
      guard case .answered(var response) = result else { return result }
      // All but the other parts is counted with the first.
      let isCounted = isBundle && coding == .plain
      let others = isCounted ? parts[1...].reduce(0) { $0 + $1.body.count } : 0
      response.headBytes = index == 0 ? answer.headBytes : 0
      response.wireBytes =
        index == 0 ? wireBytes - Int64(others) : isCounted ? Int64(parts[index].body.count) : 0
      return .answered(response)
    }
  }

  /// The parts of an answer to several requests; none if it isn't one.
  private var parts: [CompactBundle.Part] {
    guard answer.status == 200, coding == .plain || coding == .compressed, answer.body.first == CompactBundle.mark
    else {
      return []
    }
    return answer.body.withUnsafeBytes { bytes in (try? CompactBundle.parts(bytes)) ?? [] }
  }

  /// Returns the result of a request.
  package func result(
    to request: OutgoingRequest, with credentials: Credentials, sent: SentBytes? = nil
  ) -> RequestResult {
    let secrets = SecretFilter(credentials)
    var bytes = answer.body
    switch coding {
    case .plain, .compressed: break
    case .damaged:
      // An undecodable response is an input too. Its body is dropped if it might contain a secret.
      if !secrets.isEmpty { bytes = [] }
    case .tooLarge:
      return .failed(
        .tooLarge, message: "the decompressed response is larger than \(RequestPacker.maximumBodyBytes) bytes",
        sent: sent)
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
        request: request.number, status: answer.status, wireBytes: wireBytes, headBytes: answer.headBytes,
        sent: sent, serverTimeMS: serverTimeMS ?? received.serverTimeMS,
        retryAfterSeconds: answer.header("Retry-After").flatMap { Int64($0) }.map {
          min(max($0, 0), Input.Response.maximumRetryAfterSeconds)
        },
        etag: etag, handle: request.acceptsCompact ? handle : nil,
        repairs: request.acceptsCompact && handle != nil && answer.header(WireHeader.repairs) == "1",
        holdSeconds: request.acceptsCompact && handle != nil ? holdSeconds : 0, form: received.form,
        body: received.body))
  }

  /// The maximum size of an ETag. The state keeps it, and each request repeats it. Without it, the whole is fetched.
  private static let maximumTagBytes = 1024

  /// The longest time that the server holds a request, in seconds; 0 if it holds none.
  private var holdSeconds: Int64 {
    min(max(answer.header(WireHeader.holds).flatMap { Int64($0) } ?? 0, 0), HoldTerms.maximumSeconds)
  }

  /// Returns the time; nil if the log can't represent it.
  private static func plausible(_ milliseconds: Int64) -> Int64? {
    (0...State.maximumMS).contains(milliseconds) ? milliseconds : nil
  }
}

/// The result of a request.
package enum RequestResult: Sendable {
  case answered(Input.Response)
  case failed(TransportFailure, message: String, sent: SentBytes? = nil)
}

extension RequestResult {
  /// Returns the results of requests whose exchange failed. The bytes are counted with the first.
  package static func failed(
    _ error: TransportError, _ requests: [OutgoingRequest], with credentials: Credentials, sent: SentBytes?
  ) -> [RequestResult] {
    let message = SecretFilter(credentials).filtered(error.message)
    return requests.indices.map {
      .failed(error.failure, message: message, sent: $0 == 0 || sent == nil ? sent : .zero)
    }
  }
}
