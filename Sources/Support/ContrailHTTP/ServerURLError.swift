/// An error in a server URL, or in the settings of the connection to it.
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
    /// The client's certificate can't be used.
    case clientCertificate
    /// This text is no pin.
    case pin(String)
    /// Pins or a client's certificate for a server without TLS.
    case withoutTLS
    /// The proxy's host or port is invalid.
    case proxy
    /// The name of the credential's header field is invalid.
    case field(String)
    /// The platform's URLSession lacks this.
    case unsupported(String)
  }

  /// The kind of error.
  package let code: Code

  init(_ code: Code) {
    self.code = code
  }

  /// Whether the error is in the settings of the connection rather than in the URL.
  package var isOfConnection: Bool {
    switch code {
    case .scheme, .host, .credentials, .query: false
    case .certificate, .clientCertificate, .pin, .withoutTLS, .proxy, .field, .unsupported: true
    }
  }

  /// The problem and the suggested action. The message doesn't contain the URL, which may include a credential.
  package var message: String {
    switch code {
    case .scheme: "the server URL must begin with https:// or http://"
    case .host: "the server URL has no valid host; use a URL such as https://example.com"
    case .credentials: "the server URL contains a user or a password; remove it and pass the API key separately"
    case .query: "the server URL contains a query or a fragment; remove everything after the path"
    case .certificate(let path): "'\(path)' can't be read as certificates; use a PEM file"
    case .clientCertificate:
      "the client's certificate can't be read; use a PKCS #12 file with a certificate and its key, and its passphrase"
    case .pin(let text): "the pin '\(text)' is invalid; use sha256/ and the Base64 of 32 bytes"
    case .withoutTLS: "pins and a client's certificate need a server URL that begins with https://"
    case .proxy: "the proxy is invalid; use a host name or an address, and a port from 1 to 65535"
    case .field(let name): "'\(name)' is no name of a header field; use letters and hyphens"
    case .unsupported(let what):
      "URLSession can't use \(what) on this platform; build the package with the trait AsyncHTTPClient"
    }
  }
}

extension ServerURLError: CustomStringConvertible {
  package var description: String { message }
}
