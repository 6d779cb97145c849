import ContrailCompression

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

  /// Returns the decompressed body.
  ///
  /// - Parameter limit: The maximum size of the result in bytes.
  /// - Returns: The body.
  /// - Throws: ``TransportError`` with `tooLarge`, or with `malformed` if the body doesn't match its
  ///   `Content-Encoding`.
  /// - Complexity: O(*n*) in the size of the result, which never exceeds the limit.
  package func unpackedBody(limit: Int) throws(TransportError) -> [UInt8] {
    switch header("Content-Encoding")?.lowercased() {
    case nil, "", "identity":
      guard body.count <= limit else { throw .tooLarge("the response has \(body.count) bytes; the limit is \(limit)") }
      return body
    case "gzip", "x-gzip":
      do {
        return try Gzip.unpacked(body, limit: limit)
      } catch {
        if case .oversized = error { throw .tooLarge("the decompressed response has more than \(limit) bytes") }
        throw TransportError(.malformed, "the gzip response can't be decompressed")
      }
    default: throw TransportError(.malformed, "the response has an unsupported Content-Encoding")
    }
  }
}

extension [(name: String, value: String)] {
  func value(_ name: String) -> String? {
    let name = name.lowercased()
    return first { $0.name.lowercased() == name }?.value
  }
}
