/// Makes the transport that suits the platform: async-http-client on Linux, URLSession elsewhere.
public enum PlatformTransport {
  /// Makes a transport to a server.
  ///
  /// - Parameter server: The server's URL, such as `https://example.com`. A path in it comes before every target.
  /// - Throws: ``ServerURLError`` if the URL is invalid.
  public static func make(server: String) throws(ServerURLError) -> any ClosableTransport {
    let origin = try Origin(server)
    #if canImport(AsyncHTTPClient)
      return AsyncHTTPTransport(origin)
    #else
      return URLSessionTransport(origin)
    #endif
  }
}
