/// The complete response to a ``TransportRequest``.
package struct TransportAnswer: Sendable {
  /// The HTTP status, from 100 to 599.
  package var status: Int
  /// The header fields in the received order.
  package var headers: [(name: String, value: String)]
  /// The body as received, possibly compressed.
  package var body: [UInt8]

  package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Returns the value of the first header field with a name, ignoring case.
  package func header(_ name: String) -> String? { headers.value(name) }

  /// The size of the head in bytes as written in HTTP/1.1, with the reason `OK`.
  package var headBytes: Int64 {
    Int64(headers.reduce(19) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 })
  }

  /// The size of the head and the body in bytes as written in HTTP/1.1.
  package var wireBytes: Int64 { headBytes + Int64(body.count) }
}

extension [(name: String, value: String)] {
  /// Returns the value of the first header field with a name, ignoring case.
  package func value(_ name: String) -> String? {
    first { $0.name.isSame(fieldName: name) }?.value
  }
}

extension String {
  /// Whether two names of header fields are equal, ignoring case.
  package func isSame(fieldName other: String) -> Bool {
    utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { Self.folded($0) == Self.folded($1) }
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
  }
}
