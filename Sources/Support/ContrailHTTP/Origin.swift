import ContrailWire
import Foundation

/// The server to which a transport is bound.
struct Origin: Hashable, Sendable {
  /// The scheme, host, port and path, without a trailing slash.
  let base: String
  /// The host for messages, with the port if the URL contains one.
  let host: String

  /// Whether requests go over TLS.
  var isSecure: Bool { base.lowercased().hasPrefix("https:") }

  /// The path of the server's URL, which precedes each target.
  var path: String { URLComponents(string: base)?.percentEncodedPath ?? "" }

  /// Parses a server URL.
  ///
  /// - Throws: ``ServerURLError`` if the URL is invalid.
  init(_ server: String) throws(ServerURLError) {
    guard !server.contains("@") else { throw ServerURLError(.credentials) }
    guard ["https://", "http://"].contains(where: { server.lowercased().hasPrefix($0) }) else {
      throw ServerURLError(.scheme)
    }
    guard server.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URLComponents(string: server),
      let host = url.host, !host.isEmpty, url.port.map((1...65535).contains) ?? true
    else { throw ServerURLError(.host) }
    guard url.query == nil, url.fragment == nil else { throw ServerURLError(.query) }
    var base = server
    while base.hasSuffix("/") { base.removeLast() }
    self.base = base
    self.host = url.port.map { "\(host):\($0)" } ?? host
  }

  /// Returns the URL of a request.
  ///
  /// - Throws: ``TransportError`` with `malformed` if the request is invalid.
  func url(of request: TransportRequest) throws(TransportError) -> URL {
    try request.check()
    guard let url = URL(string: base + request.target) else {
      throw TransportError(.malformed, "the target of a request to \(host) isn't a valid URL path")
    }
    return url
  }
}
