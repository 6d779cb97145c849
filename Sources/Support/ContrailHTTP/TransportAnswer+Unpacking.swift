import ContrailCompression
package import ContrailWire

extension TransportAnswer {
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
