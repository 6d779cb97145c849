import ContrailCompression
import ContrailWire
import HTTPTypes
import Hummingbird

/// A response before compression.
struct Reply: Sendable {
  var status: HTTPResponse.Status
  var fields = HTTPFields()
  var body: [UInt8]
  /// The ETag without quotes. Every representation gets its own.
  var entityTag: String?
  /// The end of the ETag for a representation that isn't the usual one.
  var representation = ""
  /// Whether responses with the same tag can differ in their bytes.
  var isEntityTagWeak = false
  /// Whether the head contains the server's time. A compact body contains it.
  var hasTime = true
  /// The header fields of a request that choose the representation.
  var varies = "Accept-Encoding"
  /// Whether the body should be compressed. Compressed data shouldn't.
  var isPackable = true

  init(status: HTTPResponse.Status = .ok, type: String, body: [UInt8]) {
    self.status = status
    self.body = body
    fields[.contentType] = type
  }

  /// Creates a response in the compact form to a request by handle, with the smallest head.
  init(compact body: [UInt8]) {
    status = .ok
    self.body = body
    isPackable = false
    hasTime = false
  }

  static func json(_ body: [UInt8]) -> Reply {
    Reply(type: "application/json", body: body)
  }

  /// Creates a response for an error, in the error format of the protocol.
  init(_ error: ServiceError, retryAfterSeconds: Int? = nil) {
    let status = HTTPResponse.Status(code: error.status)
    self.init(status: status, type: "application/json", body: error.json(reason: Self.reason(error.status)))
    if let retryAfterSeconds { fields[.retryAfter] = String(retryAfterSeconds) }
    if error.status == 401 { fields[.wwwAuthenticate] = "ApiKey" }
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

  /// Returns the HTTP response: compressed if the client accepts gzip, 304 if its copy is current, truncated if a
  /// fault requires it.
  func response(to request: HTTPFields, plan: [Fault]) -> Response {
    var (fields, bytes) = (fields, body)
    if isPackable { fields[.vary] = varies }
    let isPacked =
      isPackable && Self.accepts(gzip: request[.acceptEncoding]) && bytes.count >= Self.smallestPacked
    if isPacked, let packed = Gzip.packed(bytes) {
      bytes = packed
      fields[.contentEncoding] = "gzip"
    }
    if let entityTag {
      // A strong ETag identifies exact bytes (RFC 9110, 8.8.3), so each representation has another one.
      let encoding = fields[.contentEncoding] == nil ? "" : "-gzip"
      fields[.eTag] = isEntityTagWeak ? "W/\"\(entityTag)\"" : "\"\(entityTag)\(representation)\(encoding)\""
      if Self.matches(request[.ifNoneMatch], tag: entityTag) {
        fields[.contentType] = nil
        fields[.contentEncoding] = nil
        return Response(status: .notModified, headers: fields)
      }
    }
    let sent = plan.breakBytes ?? bytes.count / 2
    guard let cut = plan.cut, sent < bytes.count else {
      return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
    let beginning = ByteBuffer(bytes: bytes[..<sent])
    switch cut {
    case .body: return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: beginning))
    case .length, .chunked:
      let length = cut == .length ? bytes.count : nil
      return Response(
        status: status, headers: fields,
        body: ResponseBody(contentLength: length) { writer in
          try await writer.write(beginning)
          throw CutShort()
        })
    }
  }

  /// An error that ends a response early. The server then closes the connection.
  private struct CutShort: Error {}

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
