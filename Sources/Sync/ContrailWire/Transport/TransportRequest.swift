/// A request for a ``Transport``, with the limits for its response.
package struct TransportRequest: Sendable {
  /// The default size limit of a body: 64 MiB.
  package static let defaultMaximumBodyBytes = 64 << 20

  /// The HTTP method, such as `GET`.
  package var method: String
  /// The path and query, which begin with a slash.
  package var target: String
  /// The header fields in the order in which they are sent.
  package var headers: [(name: String, value: String)]
  /// The body, or an empty array for none.
  package var body: [UInt8]
  /// The time limit from sending the request to the last byte of the response, in seconds.
  package var timeoutSeconds: Int
  /// The maximum size of the response body in bytes, as delivered by the transport.
  package var maximumBodyBytes: Int

  package init(
    method: String, target: String, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
    timeoutSeconds: Int, maximumBodyBytes: Int = TransportRequest.defaultMaximumBodyBytes
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.timeoutSeconds = timeoutSeconds
    self.maximumBodyBytes = maximumBodyBytes
  }
}

extension TransportRequest {
  /// The size of the head in bytes as written in HTTP/1.1, to a host and a server's path.
  package func headBytes(host: String, path: String) -> Int {
    // "GET /target HTTP/1.1", "Host: …", an empty line; and each with its line end.
    var count = method.utf8.count + 1 + path.utf8.count + target.utf8.count + 11 + 6 + host.utf8.count + 2 + 2
    for (name, value) in headers { count += name.utf8.count + value.utf8.count + 4 }
    // A request without a body says so, unless its method has none anyway (RFC 9110, 8.6).
    if !body.isEmpty || !["GET", "HEAD", "DELETE", "CONNECT", "TRACE"].contains(method) {
      count += "Content-Length: \(body.count)\r\n".utf8.count
    }
    return count
  }

  /// Validates the request for all platforms.
  ///
  /// - Throws: ``TransportError`` with `malformed`. The message doesn't contain values of header fields.
  package func check() throws(TransportError) {
    guard !method.isEmpty, method.utf8.allSatisfy(Self.isToken) else {
      throw TransportError(.malformed, "the request method '\(method)' is invalid; use a method such as GET")
    }
    guard target.utf8.first == UInt8(ascii: "/"),
      target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
    else {
      throw TransportError(
        .malformed, "the request target is invalid; it must begin with a slash and be percent-encoded ASCII")
    }
    for (name, value) in headers {
      guard !name.isEmpty, name.utf8.allSatisfy(Self.isToken) else {
        throw TransportError(.malformed, "the name of a request header field is invalid; use letters and hyphens")
      }
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw TransportError(
          .malformed, "the value of the request header field \(name) contains a control character; remove it")
      }
    }
  }

  /// Returns whether a byte is allowed in a token (RFC 9110, 5.6.2).
  package static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
