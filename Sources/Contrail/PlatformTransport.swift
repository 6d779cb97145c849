/// The transport that suits the platform.
public enum PlatformTransport {
  /// Makes a transport to a server such as `https://example.com`.
  ///
  /// - Throws: ``EngineError`` with ``EngineError/Code/server`` for an address that is none.
  public static func make(server: String) throws(EngineError) -> any ClosableTransport {
    var server = server
    while server.hasSuffix("/") { server.removeLast() }
    guard server.hasPrefix("https://") || server.hasPrefix("http://"), !server.contains("@") else {
      throw EngineError(
        code: .server, message: "the server's address must begin with https:// or http:// and hold no credentials")
    }
    #if canImport(AsyncHTTPClient)
      return AsyncHTTPTransport(server: server)
    #else
      return URLSessionTransport(server: server)
    #endif
  }
}

/// A transport that holds connections open until it is told to close them.
public protocol ClosableTransport: Transport {
  /// Closes the connections; requests after it fail.
  func shutdown() async
}
