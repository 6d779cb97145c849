/// Creates the transport of the platform: async-http-client on Linux, URLSession elsewhere.
package enum PlatformTransport {
  /// Creates a transport to a server.
  ///
  /// - Parameters:
  ///   - server: The server URL, such as `https://example.com`. If it contains a path, targets are appended to it.
  ///   - certificate: The path of a PEM file with certificates to trust besides the system's, as of a test server; `nil` for
  ///     none. URLSession trusts the system's only.
  /// - Returns: The transport.
  /// - Throws: ``ServerURLError`` if the URL or the file is invalid.
  package static func make(
    server: String, trusting certificate: String? = nil
  ) throws(ServerURLError) -> any ClosableTransport {
    #if AsyncHTTPClient && os(Linux)
      return try AsyncHTTPTransport(server: server, trusting: certificate)
    #else
      if let certificate { throw ServerURLError(.certificate(certificate)) }
      return try URLSessionTransport(server: server)
    #endif
  }
}
