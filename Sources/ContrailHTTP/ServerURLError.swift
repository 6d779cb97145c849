/// An error in a server URL.
package struct ServerURLError: Error, Hashable, Sendable {
  /// The kind of error. The raw values are stable, so scripts and tests can rely on them.
  package enum Code: String, CaseIterable, Hashable, Sendable {
    /// The scheme is neither `https` nor `http`.
    case scheme
    /// The host is missing, or the text isn't a URL.
    case host
    /// The URL contains a user or a password.
    case credentials
    /// The URL contains a query or a fragment.
    case query
  }

  /// The kind of error.
  package let code: Code

  init(_ code: Code) {
    self.code = code
  }

  /// The problem and the suggested action. The message doesn't contain the URL, which may include a credential.
  package var message: String {
    switch code {
    case .scheme: "the server URL must begin with https:// or http://"
    case .host: "the server URL has no valid host; use a URL such as https://example.com"
    case .credentials: "the server URL contains a user or a password; remove it and pass the API key separately"
    case .query: "the server URL contains a query or a fragment; remove everything after the path"
    }
  }
}

extension ServerURLError: CustomStringConvertible {
  package var description: String { message }
}
