/// Why a server URL is invalid.
public struct ServerURLError: Error, Hashable, Sendable {
  /// The kind of fault. The names are stable: scripts and tests may rely on them.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    /// The scheme is neither `https` nor `http`.
    case scheme
    /// There is no host, or no URL can be made of the text.
    case host
    /// The URL has a user or a password.
    case credentials
    /// The URL has a query or a fragment.
    case query
  }

  /// The kind of fault.
  public let code: Code

  init(_ code: Code) {
    self.code = code
  }

  /// What is wrong and what to do, without the URL, which may hold a credential.
  public var message: String {
    switch code {
    case .scheme: "the server URL must begin with https:// or http://"
    case .host: "the server URL has no valid host; write one such as https://example.com"
    case .credentials: "the server URL holds a user or a password; remove it and pass the key separately"
    case .query: "the server URL has a query or a fragment; remove what follows the path"
    }
  }
}

extension ServerURLError: CustomStringConvertible {
  public var description: String { message }
}
