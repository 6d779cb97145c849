import ContrailGzip

/// The whole answer to a ``TransportRequest``.
public struct TransportAnswer: Sendable {
  /// The HTTP status, 100 to 599.
  public var status: Int
  /// The header fields, in the order in which they came.
  public var headers: [(name: String, value: String)]
  /// The body as it came over the wire, still compressed.
  public var body: [UInt8]

  public init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Returns the value of the first field with a name, compared without case.
  public func header(_ name: String) -> String? { headers.value(name) }

  /// The size of the head and the body in bytes, as HTTP/1.1 writes them.
  public var wireBytes: Int64 {
    let head = headers.reduce(17) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    return Int64(head + body.count)
  }

  /// Returns the body without its compression.
  ///
  /// - Parameter limit: The largest result that is accepted, in bytes.
  /// - Throws: ``TransportError`` with `tooLarge`, or `malformed` if the body isn't what `Content-Encoding` says.
  /// - Complexity: O(*n*) in the size of the result, and never more than the limit.
  package func unpackedBody(limit: Int) throws(TransportError) -> [UInt8] {
    switch header("Content-Encoding")?.lowercased() {
    case nil, "", "identity":
      guard body.count <= limit else { throw .tooLarge("the answer has \(body.count) bytes; the limit is \(limit)") }
      return body
    case "gzip", "x-gzip":
      do {
        return try Gzip.unpacked(body, limit: limit)
      } catch {
        switch error {
        case .tooLarge: throw .tooLarge("the answer unpacks to more than \(limit) bytes")
        case .damaged: throw TransportError(.malformed, "the answer says that it is gzip, and can't be unpacked")
        }
      }
    default: throw TransportError(.malformed, "the answer has a compression that wasn't asked for")
    }
  }
}

extension [(name: String, value: String)] {
  func value(_ name: String) -> String? {
    let name = name.lowercased()
    return first { $0.name.lowercased() == name }?.value
  }
}
