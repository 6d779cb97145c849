/// A request for a ``Transport``, with the limits of its answer.
public struct TransportRequest: Sendable {
  /// The body limit where the caller sets none: 64 MiB.
  public static let defaultMaximumBodyBytes = 64 << 20

  /// The HTTP method, such as `GET`.
  public var method: String
  /// Path and query, beginning with a slash.
  public var target: String
  /// The header fields, in the order in which they are sent.
  public var headers: [(name: String, value: String)]
  /// The body; empty for none.
  public var body: [UInt8]
  /// The total time from sending to the last byte of the answer's body, in seconds.
  public var timeoutSeconds: Int
  /// The largest body that is accepted, in bytes as the transport delivers them.
  public var maximumBodyBytes: Int

  public init(
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
  /// Checks what a caller could get wrong, so that no platform has to.
  ///
  /// - Throws: ``TransportError`` with `malformed`; its message has no value of a header field.
  func check() throws(TransportError) {
    guard !method.isEmpty, method.utf8.allSatisfy(Self.isToken) else {
      throw TransportError(.malformed, "the request's method '\(method)' is invalid; use one such as GET")
    }
    guard target.utf8.first == UInt8(ascii: "/"),
      target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
    else {
      throw TransportError(
        .malformed, "the request's target is invalid; it must begin with a slash and be percent-encoded ASCII")
    }
    for (name, value) in headers {
      guard !name.isEmpty, name.utf8.allSatisfy(Self.isToken) else {
        throw TransportError(.malformed, "the request has a header field with an invalid name; use letters and hyphens")
      }
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw TransportError(
          .malformed, "the value of the request's header field \(name) has a control character; remove it")
      }
    }
  }

  /// RFC 9110, 5.6.2.
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
