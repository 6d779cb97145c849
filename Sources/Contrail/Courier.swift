public import ContrailCore
import ContrailGzip
public import ContrailHTTP
import ContrailLog
import ContrailWire

/// Credentials that are to be used from now on, each of which may be none; nil for one that stays. They are never logged.
struct Credentials: Sendable {
  var apiKey: String??
  var weatherToken: String??

  var isEmpty: Bool { apiKey == nil && weatherToken == nil }
}

/// Takes a request to the server and brings back what the log is to say about it.
public struct Courier: Sendable {
  let transport: any Transport
  /// The application's key. Never logged.
  private(set) var apiKey: String?
  /// Where the weather comes from; nil for the server itself, with its key as the token.
  var weather: WeatherRoute?
  /// Fields that are added to each request: the simulated time, faults that are wanted.
  var extraHeaders: [(name: String, value: String)] = []

  /// The largest answer that is taken, in bytes, once it is unpacked.
  static let maximumBodyBytes = 64 << 20
  /// How long a request may take, in seconds.
  static let timeoutSeconds = 30
  /// Bodies below this aren't worth compressing.
  private static let compressionThreshold = 256

  public init(transport: any Transport, apiKey: String?) {
    self.transport = transport
    self.apiKey = apiKey
  }

  /// The same courier with other credentials.
  func with(_ credentials: Credentials) -> Courier {
    var courier = self
    if let key = credentials.apiKey { courier.apiKey = key }
    if let token = credentials.weatherToken { courier.weather?.token = token }
    return courier
  }

  /// The same courier with more fields in each request.
  public func adding(_ headers: [(name: String, value: String)]) -> Courier {
    var courier = self
    courier.extraHeaders += headers
    return courier
  }

  /// What became of a request, before it is known where the log keeps the body.
  public enum Outcome: Sendable {
    case answered(Answer)
    case failed(TransportFailure, message: String)
  }

  public struct Answer: Sendable {
    public var response: Input.Response
    /// The body, unpacked; as it came if it couldn't be unpacked.
    public var body: [UInt8]
  }

  /// Sends the request. Never throws: whatever happens is an input.
  public func carry(_ request: OutgoingRequest) async -> Outcome {
    let way = way(request)
    do {
      return outcome(of: try await way.transport.send(packed(request)), to: request)
    } catch {
      let isTold = way.secret.map { Self.holds($0, Array(error.message.utf8)) } ?? false
      return .failed(error.failure, message: isTold ? "the weather service could not be asked" : error.message)
    }
  }

  /// The request as it goes to the transport.
  package func packed(_ request: OutgoingRequest) -> TransportRequest {
    var headers = extraHeaders
    headers.append(("Accept", "application/json"))
    headers.append(("Accept-Encoding", "gzip"))
    let way = way(request)
    if let key = way.key { headers.append((WireHeader.apiKey, key)) }
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
      method: request.method.rawValue, target: way.target, headers: headers, body: body,
      timeoutSeconds: Self.timeoutSeconds)
  }

  /// What an answer of the transport is to the request.
  package func outcome(of answer: TransportAnswer, to request: OutgoingRequest) -> Outcome {
    let way = way(request)
    var bytes = answer.body
    if answer.header("Content-Encoding")?.lowercased() == "gzip" {
      do {
        bytes = try Gzip.unpacked(bytes, limit: Self.maximumBodyBytes)
      } catch Gzip.Fault.tooLarge {
        return .failed(.tooLarge, message: "the answer unpacks to more than \(Self.maximumBodyBytes) bytes")
      } catch {
        // Kept as it came: an answer that can't be read is an input too.
      }
    }
    let etag = answer.header("ETag")
    if let secret = way.secret, Self.holds(secret, bytes) { bytes = [] }
    let isTold = way.secret.map { Self.holds($0, Array((etag ?? "").utf8)) } ?? false
    let response = Input.Response(
      request: request.number, status: answer.status, wireBytes: answer.wireBytes,
      serverTimeMS: answer.header(WireHeader.serverTime).flatMap { Int64($0) }.flatMap { Self.plausible($0) },
      retryAfterSeconds: answer.header("Retry-After").flatMap { Int64($0) }.map {
        min(max($0, 0), Input.Response.maximumRetryAfterSeconds)
      },
      etag: isTold ? nil : etag)
    return .answered(Answer(response: response, body: bytes))
  }

  /// A time that the log can hold, or nil.
  private static func plausible(_ milliseconds: Int64) -> Int64? {
    (0...State.maximumMS).contains(milliseconds) ? milliseconds : nil
  }
}

extension Input.Body {
  /// The largest body that stands in a line.
  public static let maximumInlineBytes = 8 << 20

  /// Whether the bytes are JSON on one line, small enough to stand in the log as they are.
  public static func standsInLine(_ bytes: [UInt8]) -> Bool {
    guard !bytes.isEmpty, bytes.count <= maximumInlineBytes, !bytes.contains(0x0A), !bytes.contains(0x0D) else {
      return false
    }
    return bytes.withUnsafeBytes { bytes in
      var json = JSONReader(bytes)
      do throws(JSONFault) {
        try json.skipValue()
        try json.end()
        return true
      } catch {
        return false
      }
    }
  }
}
