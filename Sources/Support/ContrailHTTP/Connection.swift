public import Foundation

#if canImport(Security)
  import Security
#endif

/// How a client connects to its server: credentials, certificates, pins and a proxy.
///
/// ```swift
/// configuration.connection.credentialField = .bearer
/// configuration.connection.credentials = { reason in try await tokens.token(renewing: reason != .missing) }
/// configuration.connection.pins = ["sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=", backupPin]
/// ```
///
/// The proxy is used for every host. Everything else is only for the server: neither its pins nor the client's certificate apply to
/// another host, such as that of a weather service of its own.
///
/// Pins, certificates and the proxy need `URLSession` of Apple's platforms, or on Linux the trait `AsyncHTTPClient`. Where they aren't
/// possible, creating a client throws an error.
public struct Connection: Sendable {
  /// The header field that carries the key or token. The default is `X-API-Key`.
  public var credentialField = CredentialField.apiKey
  /// Provides the key or token; nil for a key that only the application changes.
  ///
  /// The client calls it when it has no key, before the key expires, and after the server refused it. There is one call at a time, for
  /// all requests. A call that takes more than 30 seconds is cancelled, and calls that fail are repeated with increasing delays, up to
  /// five minutes. A thrown error isn't written anywhere; only its type is told.
  public var credentials: (@Sendable (CredentialReason) async throws -> Credential)?
  /// A PEM file with certificates to trust besides the system's, such as that of a company; nil for none.
  public var trustedCertificates: URL?
  /// The pins of the server: if there are any, its certificate must have one of these public keys. Empty for no pinning.
  ///
  /// A pin is the SHA-256 of the public key of the server's own certificate, in the form `sha256/…`, with 44 characters of Base64. Use at
  /// least two, the second of a key that is kept in reserve: if the only pinned key is lost, no client connects any more. `openssl x509
  /// -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64` prints that of a certificate.
  ///
  /// A pinned certificate is also checked as any other: name, dates, and an authority that is trusted.
  public var pins: [String] = []
  /// Called with each connection that was refused because of the pins. It must return soon.
  public var onPinFailure: (@Sendable (PinFailure) -> Void)?
  /// The certificate by which the server recognizes the client; nil for none.
  public var clientCertificate: ClientCertificate?
  /// The HTTP proxy; nil for that of the system, if it has one.
  public var proxy: Proxy?

  /// Creates a connection with the defaults.
  public init() {}

  /// Creates a connection that trusts the certificates of a PEM file besides the system's.
  package init(trusting certificate: String?) {
    trustedCertificates = certificate.map { URL(fileURLWithPath: $0) }
  }

  /// The connection to another host, by the same proxy.
  package var toOtherHosts: Connection {
    var connection = Connection()
    connection.proxy = proxy
    return connection
  }

  /// The header field that carries a key or token.
  public enum CredentialField: Sendable, Hashable {
    /// `X-API-Key: …`
    case apiKey
    /// `Authorization: Bearer …`
    case bearer
    /// Another field, whose value is the prefix and the key.
    case named(String, prefix: String = "")
  }

  /// Why a key or token is requested.
  public enum CredentialReason: String, Sendable, Hashable, CaseIterable {
    /// There is none.
    case missing
    /// It expires soon, or has expired.
    case expiring
    /// The server refused it. The same one again is no answer.
    case refused
  }

  /// A key or token for the server.
  public struct Credential: Sendable, Hashable {
    /// The key or token, without a prefix such as `Bearer`. It is never written to a file or a message.
    public var secret: String
    /// When it expires, by the device's clock; nil if that isn't known. The client requests the next one up to two minutes before.
    public var expiresAt: Date?

    /// Creates a key or token.
    public init(_ secret: String, expiresAt: Date? = nil) {
      self.secret = secret
      self.expiresAt = expiresAt
    }
  }

  /// A connection that was refused because of the pins.
  public struct PinFailure: Sendable, Hashable {
    /// The host, and the port if the URL contains one.
    public var host: String
    /// The pin of the presented certificate; nil if it can't be read.
    public var presented: String?
    /// The pins of the client.
    public var pins: [String]

    package init(host: String, presented: String?, pins: [String]) {
      self.host = host
      self.presented = presented
      self.pins = pins
    }
  }

  /// A certificate with its private key, by which a server recognizes a client.
  public struct ClientCertificate: Sendable {
    enum Form: @unchecked Sendable {
      case pkcs12(Data, passphrase: String)
      #if canImport(Security)
        case identity(SecIdentity, intermediates: [SecCertificate])
      #endif
    }

    let form: Form

    /// Creates a certificate from the contents of a PKCS #12 file.
    public init(pkcs12: Data, passphrase: String) {
      form = .pkcs12(pkcs12, passphrase: passphrase)
    }
  }

  /// An HTTP proxy, through which requests are tunnelled by `CONNECT`.
  public struct Proxy: Sendable, Hashable {
    public var host: String
    public var port: Int
    /// The user and the password; nil if the proxy requires none.
    public var user: String?
    public var password: String?

    /// Creates a proxy.
    public init(host: String, port: Int, user: String? = nil, password: String? = nil) {
      self.host = host
      self.port = port
      self.user = user
      self.password = password
    }
  }
}

// Secrets are in no text of these values.

extension Connection: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String {
    let parts: [(String, Bool)] = [
      ("credentials", credentials != nil), ("trusted certificates", trustedCertificates != nil),
      ("\(pins.count) pins", !pins.isEmpty), ("client certificate", clientCertificate != nil), ("proxy", proxy != nil),
    ]
    return "Connection(\(parts.filter(\.1).map(\.0).joined(separator: ", ")))"
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Connection.Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "Credential(expires \(expiresAt.map { "\($0)" } ?? "at an unknown time"))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Connection.ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "ClientCertificate" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Connection.Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "Proxy(\(host):\(port), user \(user == nil ? "none" : "set"))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
