package import ContrailCore
import ContrailGzip
package import ContrailHTTP
import ContrailLog
import ContrailWire

/// Sends a request to the server and reads from the answer what the log will say about it.
package struct RequestSender: Sendable {
  private let transport: any Transport
  /// To the weather service; nil where the server itself answers for the weather, with its key as the token.
  private let weatherTransport: (any Transport)?
  /// Fields that are added to each request: the simulated time, faults to be played.
  private var extraHeaders: [(name: String, value: String)] = []

  /// The largest answer that is taken, in bytes, once it is unpacked.
  static let maximumBodyBytes = 64 << 20
  /// How long a request may take in all, in seconds.
  static let timeoutSeconds = 30
  /// Bodies below this aren't worth compressing, in bytes.
  private static let compressionThreshold = 256

  package init(transport: any Transport, weatherTransport: (any Transport)? = nil) {
    self.transport = transport
    self.weatherTransport = weatherTransport
  }

  /// The same sender with more fields in each request.
  package func adding(_ headers: [(name: String, value: String)]) -> RequestSender {
    var sender = self
    sender.extraHeaders += headers
    return sender
  }

  /// Sends the request. Never throws: whatever happens is an input.
  package func send(_ request: OutgoingRequest, with credentials: Credentials) async -> RequestResult {
    let isWeather = request.scope.weatherPlace != nil
    let transport = isWeather ? weatherTransport ?? transport : transport
    do throws(TransportError) {
      return result(of: try await transport.send(packed(request, with: credentials)), to: request, with: credentials)
    } catch {
      return .failed(error.failure, message: SecretFilter(credentials).filtered(error.message))
    }
  }

  /// The request as it goes to the transport.
  package func packed(_ request: OutgoingRequest, with credentials: Credentials) -> TransportRequest {
    var headers = extraHeaders
    headers.append(("Accept", "application/json"))
    headers.append(("Accept-Encoding", "gzip"))
    var target = request.target
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
      headers.append(("Content-Type", "application/json"))
      if body.count >= Self.compressionThreshold, let packed = Gzip.packed(body, level: 9) {
        headers.append(("Content-Encoding", "gzip"))
        body = packed
      }
    }
    return TransportRequest(
      method: request.method.rawValue, target: target, headers: headers, body: body,
      timeoutSeconds: Self.timeoutSeconds)
  }

  /// The path to the weather service, with the token where it goes. A path has no empty parts.
  private static func target(_ target: String, token: String?) -> String {
    let token = token.flatMap { $0.isEmpty ? nil : $0 } ?? "-"
    return target.split(separator: WeatherSpec.tokenMark, maxSplits: 1, omittingEmptySubsequences: false)
      .joined(separator: WeatherSpec.encoded(token))
  }

  /// What an answer of the transport is to the request.
  package func result(
    of answer: TransportAnswer, to request: OutgoingRequest, with credentials: Credentials
  ) -> RequestResult {
    let secrets = SecretFilter(credentials)
    var bytes = answer.body
    if answer.header("Content-Encoding")?.lowercased() == "gzip" {
      do {
        bytes = try Gzip.unpacked(bytes, limit: Self.maximumBodyBytes)
      } catch Gzip.Fault.tooLarge {
        return .failed(.tooLarge, message: "the answer unpacks to more than \(Self.maximumBodyBytes) bytes")
      } catch {
        // Kept as it came: an answer that can't be read is an input too. But a secret can't be found in it.
        if !secrets.isEmpty { bytes = [] }
      }
    }
    let etag = answer.header("ETag").flatMap { secrets.finds(in: $0) ? nil : $0 }
    let response = Input.Response(
      request: request.number, status: answer.status, wireBytes: answer.wireBytes,
      serverTimeMS: answer.header(WireHeader.serverTime).flatMap { Int64($0) }.flatMap { Self.plausible($0) },
      retryAfterSeconds: answer.header("Retry-After").flatMap { Int64($0) }.map {
        min(max($0, 0), Input.Response.maximumRetryAfterSeconds)
      },
      etag: etag)
    return .answered(Answer(response: response, body: secrets.isEmpty ? bytes : secrets.filtered(bytes)))
  }

  /// A time that the log can hold, or nil.
  private static func plausible(_ milliseconds: Int64) -> Int64? {
    (0...State.maximumMS).contains(milliseconds) ? milliseconds : nil
  }
}

/// What became of a request.
package enum RequestResult: Sendable {
  case answered(Answer)
  case failed(TransportFailure, message: String)
}

/// An answer of the server, before it is decided where the log keeps its body.
package struct Answer: Sendable {
  /// What the log will say of it; its body is still `none`.
  package var response: Input.Response
  /// The body, unpacked; as it came if it couldn't be unpacked.
  package var body: [UInt8]

  package init(response: Input.Response, body: [UInt8]) {
    self.response = response
    self.body = body
  }

  /// The input that the answer is, and the bytes that the log has to keep as a blob for it.
  func input() -> (input: Input, blob: [UInt8]?) {
    var response = response
    if body.isEmpty {
      response.body = .none
    } else if Input.Body.standsInLine(body) {
      response.body = .inline(body)
    } else {
      response.body = .blob(BlobName(of: body), body)
      return (.responseReceived(response), body)
    }
    return (.responseReceived(response), nil)
  }
}

extension Input.Body {
  /// The largest body that stands in a line, in bytes.
  package static let maximumInlineBytes = 8 << 20

  /// Whether the bytes are JSON on one line, small enough to stand in the log as they are.
  package static func standsInLine(_ bytes: [UInt8]) -> Bool {
    !bytes.isEmpty && bytes.count <= maximumInlineBytes && !bytes.contains(0x0A) && !bytes.contains(0x0D)
      && isJSON(bytes)
  }

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
