import ContrailCompression
import ContrailWire

/// A response before compression.
struct Reply: Sendable {
  var status: Int
  var fields = HeaderFields()
  var body: [UInt8]
  /// The ETag without quotes. Every representation gets its own.
  var entityTag: String?
  /// The end of the ETag for a representation that isn't the usual one.
  var representation = ""
  /// Whether responses with the same tag can differ in their bytes.
  var isEntityTagWeak = false
  /// Whether the head contains the server's time. A compact body contains it.
  var hasTime = true
  /// The time of a held answer in milliseconds since 1970; nil for the time of the request.
  var timeMS: Int64?
  /// The header fields of a request that choose the representation.
  var varies = "Accept-Encoding"
  /// The request that is held again after the answer.
  var stream: HeldStream?
  /// The kind of an answer with records.
  var kind: AnswerKind?
  /// The time for which the request was held.
  var waited = Duration.zero
  /// Whether the body should be compressed. Compressed data shouldn't.
  var isPackable = true
  /// The compressed body, if it is known.
  var packedBody: [UInt8]?

  init(status: Int = 200, type: String, body: [UInt8]) {
    self.status = status
    self.body = body
    fields["Content-Type"] = type
  }

  /// Creates a response in the compact form to a request by handle, with the smallest head.
  init(compact body: [UInt8]) {
    status = 200
    self.body = body
    isPackable = false
    hasTime = false
  }

  static func json(_ body: [UInt8]) -> Reply {
    Reply(type: "application/json", body: body)
  }

  /// Creates a response for an error, in the error format of the protocol.
  init(_ error: ServiceError, retryAfterSeconds: Int? = nil) {
    self.init(
      status: error.status, type: "application/json", body: error.json(reason: Self.reason(error.status)))
    if let retryAfterSeconds { fields["Retry-After"] = String(retryAfterSeconds) }
    if error.status == 401 { fields["WWW-Authenticate"] = "ApiKey" }
  }
}

extension Reply {
  /// Returns the reason phrase of a status (RFC 9110, 15).
  private static func reason(_ status: Int) -> String {
    switch status {
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 413: "Content Too Large"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    default: status < 500 ? "Client Error" : "Server Error"
    }
  }

  /// The minimum size of a body for compression.
  private static let smallestPacked = 256

  /// Returns the answer: compressed if the client accepts gzip, 304 if its copy is current, cut or dropped if a fault requires it.
  func answer(to request: HeaderFields, plan: [Fault]) -> ServiceAnswer {
    var answer = packed(for: request)
    answer.faults = plan
    (answer.stream, answer.kind, answer.waited) = (stream, kind, waited)
    if plan.contains(.drop) { answer.ending = .dropped }
    let sent = plan.breakBytes ?? answer.body.count / 2
    guard let cut = plan.cut, sent < answer.body.count else { return answer }
    let length = answer.body.count
    answer.body.removeLast(length - sent)
    if plan.contains(.drop) { return answer }
    switch cut {
    case .body: break
    case .length: answer.ending = .cut(announcing: length)
    case .chunked: answer.ending = .cut(announcing: nil)
    }
    return answer
  }

  private func packed(for request: HeaderFields) -> ServiceAnswer {
    var (fields, bytes) = (fields, body)
    if isPackable { fields["Vary"] = varies }
    let isPacked =
      isPackable && Self.accepts(gzip: request["Accept-Encoding"]) && bytes.count >= Self.smallestPacked
    if isPacked, let packed = packedBody ?? Gzip.packed(bytes) {
      bytes = packed
      fields["Content-Encoding"] = "gzip"
    }
    if let entityTag {
      // A strong ETag identifies exact bytes (RFC 9110, 8.8.3), so each representation has another one.
      let encoding = fields["Content-Encoding"] == nil ? "" : "-gzip"
      fields["ETag"] = isEntityTagWeak ? "W/\"\(entityTag)\"" : "\"\(entityTag)\(representation)\(encoding)\""
      if Self.matches(request["If-None-Match"], tag: entityTag) {
        fields["Content-Type"] = nil
        fields["Content-Encoding"] = nil
        return ServiceAnswer(status: 304, headers: fields, body: [])
      }
    }
    return ServiceAnswer(status: status, headers: fields, body: bytes)
  }

  /// Returns whether `Accept-Encoding` allows gzip (RFC 9110, 12.5.3).
  static func accepts(gzip field: String?) -> Bool {
    guard let field else { return false }
    var isAccepted = false
    for part in field.lowercased().split(separator: ",") {
      let pieces = part.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
      guard let name = pieces.first, name == "gzip" || name == "x-gzip" || name == "*" else { continue }
      let isRefused = pieces.dropFirst().contains { $0.hasPrefix("q=0") && Double($0.dropFirst(2)) == 0 }
      if name != "*" { return !isRefused }
      isAccepted = !isRefused
    }
    return isAccepted
  }

  /// Returns whether `If-None-Match` contains the tag, of any representation.
  static func matches(_ field: String?, tag: String) -> Bool {
    guard let field else { return false }
    return field.split(separator: ",").contains { part in
      var text = part.filter { !$0.isWhitespace }
      if text.hasPrefix("W/") { text.removeFirst(2) }
      let ends = ["", "-gzip", "-compact", "-compact-gzip"]
      return text == "*" || ends.contains { text == "\"\(tag)\($0)\"" }
    }
  }
}
