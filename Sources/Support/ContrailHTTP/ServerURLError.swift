/// An error in a server URL, or in the certificates to trust.
package struct ServerURLError: Error, Hashable, Sendable {
  /// The kind of error.
  package enum Code: Hashable, Sendable {
    /// The scheme is neither `https` nor `http`.
    case scheme
    /// The host is missing, or the text isn't a URL.
    case host
    /// The URL contains a user or a password.
    case credentials
    /// The URL contains a query or a fragment.
    case query
    /// The file of certificates at this path can't be used.
    case certificate(String)
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
    case .certificate(let path): "'\(path)' can't be read as certificates; use a PEM file, on Linux"
    }
  }
}

extension ServerURLError: CustomStringConvertible {
  package var description: String { message }
}
