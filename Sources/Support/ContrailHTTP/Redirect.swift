import Foundation

/// The place to which a response redirects a request.
package struct Redirect: Equatable, Sendable {
  /// The server's URL without a path; nil for the server that redirected.
  package var server: String?
  /// The path and query.
  package var target: String

  /// The statuses that redirect a request with its method (RFC 9110, 15.4).
  package static let statuses: Set<Int> = [301, 302, 303, 307, 308]

  /// Reads a `Location` field.
  ///
  /// Returns nil if it is missing or invalid, contains credentials, or leads from TLS to a connection without.
  ///
  /// - Parameters:
  ///   - location: The value of the field: a URL, or a path that begins with a slash.
  ///   - isSecure: Whether the request went over TLS.
  package init?(_ location: String?, isSecure: Bool) {
    guard let location, !location.isEmpty, let url = URLComponents(string: location), url.user == nil,
      url.password == nil
    else {
      return nil
    }
    let path = url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath
    guard path.hasPrefix("/") else { return nil }
    target = path + (url.percentEncodedQuery.map { "?" + $0 } ?? "")
    guard let scheme = url.scheme?.lowercased() else {
      guard url.host == nil else { return nil }
      return
    }
    guard let host = url.percentEncodedHost, !host.isEmpty, scheme == "https" || scheme == "http" && !isSecure else {
      return nil
    }
    server = "\(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? "")
  }
}
