/// Creates the transport of the platform: async-http-client on Linux, URLSession elsewhere.
package enum PlatformTransport {
  /// Creates a transport to a server.
  ///
  /// - Parameter server: The server URL, such as `https://example.com`. If it contains a path, targets are appended to
  ///   it.
  /// - Returns: The transport.
  /// - Throws: ``ServerURLError`` if the URL is invalid.
  package static func make(server: String) throws(ServerURLError) -> any ClosableTransport {
    let origin = try Origin(server)
    #if AsyncHTTPClient && os(Linux)
      return AsyncHTTPTransport(origin)
    #else
      return URLSessionTransport(origin)
    #endif
  }
}
