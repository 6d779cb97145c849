import ContrailWire

/// Creates the transport of the platform: async-http-client on Linux, URLSession elsewhere.
package enum PlatformTransport {
  /// Creates a transport to a server.
  ///
  /// - Parameters:
  ///   - server: The server URL, such as `https://example.com`. If it contains a path, targets are appended to it.
  ///   - connection: The certificates, pins and proxy. The transport doesn't use its credentials.
  /// - Returns: The transport.
  /// - Throws: ``ServerURLError`` if the URL or the connection is invalid, or the platform lacks a part of it.
  package static func make(
    server: String, connection: Connection = Connection()
  ) throws(ServerURLError) -> any ClosableTransport {
    #if AsyncHTTPClient && os(Linux)
      return try AsyncHTTPTransport(server: server, connection: connection)
    #else
      return try URLSessionTransport(server: server, connection: connection)
    #endif
  }

  /// Creates a transport to a server that trusts the certificates of a PEM file besides the system's, as of a test server.
  ///
  /// - Throws: ``ServerURLError`` if the URL or the file is invalid.
  package static func make(
    server: String, trusting certificate: String?
  ) throws(ServerURLError) -> any ClosableTransport {
    try make(server: server, connection: Connection(trusting: certificate))
  }
}

extension Connection {
  /// Checks what is checked the same way on all platforms.
  func check(_ origin: Origin) throws(ServerURLError) {
    if let proxy {
      guard !proxy.host.isEmpty, proxy.host.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x2F && $0 != 0x40 }),
        (1...65_535).contains(proxy.port)
      else { throw ServerURLError(.proxy) }
    }
    if clientCertificate != nil, !origin.isSecure { throw ServerURLError(.withoutTLS) }
    if case .named(let name, let prefix) = credentialField {
      guard !name.isEmpty, name.utf8.allSatisfy(TransportRequest.isToken),
        prefix.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
      else { throw ServerURLError(.field(name)) }
    }
  }
}
