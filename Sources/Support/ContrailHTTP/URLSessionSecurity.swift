#if canImport(Security)
  import ContrailWire
  import Foundation
  public import Security

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif
  #if canImport(Network)
    import Network
  #endif

  extension Connection.ClientCertificate {
    /// Creates a certificate from an identity of the keychain, such as one that the device's management installed.
    ///
    /// - Parameter intermediates: The certificates between the identity's and the authority that the server trusts.
    public init(identity: SecIdentity, intermediates: [SecCertificate] = []) {
      form = .identity(identity, intermediates: intermediates)
    }
  }

  /// Answers the challenges of TLS for the server of a connection: certificates to trust, pins, and the client's certificate.
  final class URLSessionSecurity: @unchecked Sendable {
    private let host: String
    private let pins: PinnedKeys?
    private let anchors: [SecCertificate]
    private let credential: URLCredential?

    init(_ connection: Connection, _ origin: Origin) throws(ServerURLError) {
      host = origin.host
      pins = try PinnedKeys(connection, origin)
      anchors = try Self.anchors(connection.trustedCertificates)
      credential = try Self.credential(connection.clientCertificate)
    }

    private static func anchors(_ file: URL?) throws(ServerURLError) -> [SecCertificate] {
      guard let file else { return [] }
      let certificates = (try? String(contentsOf: file, encoding: .utf8)).map(PEM.certificates) ?? []
      let anchors = certificates.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
      guard !anchors.isEmpty, anchors.count == certificates.count else { throw ServerURLError(.certificate(file.path)) }
      return anchors
    }

    private static func credential(_ certificate: Connection.ClientCertificate?) throws(ServerURLError)
      -> URLCredential?
    {
      guard let certificate else { return nil }
      switch certificate.form {
      case .identity(let identity, let intermediates):
        return URLCredential(identity: identity, certificates: intermediates, persistence: .forSession)
      case .pkcs12(let file, let passphrase):
        var items: CFArray?
        let options = [kSecImportExportPassphrase as String: passphrase]
        guard SecPKCS12Import(file as CFData, options as CFDictionary, &items) == errSecSuccess,
          let item = (items as? [[String: AnyObject]])?.first, let identity = item[kSecImportItemIdentity as String],
          CFGetTypeID(identity) == SecIdentityGetTypeID()
        else { throw ServerURLError(.clientCertificate) }
        let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        return URLCredential(
          // Swift has no checked cast to a type of Core Foundation: the type's number was compared.
          identity: unsafeDowncast(identity, to: SecIdentity.self), certificates: Array(chain.dropFirst()),
          persistence: .forSession)
      }
    }

    /// Answers a challenge.
    ///
    /// - Returns: The answer, and the error if the connection is refused because of the pins.
    func answer(
      _ challenge: URLAuthenticationChallenge
    ) -> (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?, refusal: TransportError?) {
      let space = challenge.protectionSpace
      switch space.authenticationMethod {
      case NSURLAuthenticationMethodServerTrust:
        guard let trust = space.serverTrust, pins != nil || !anchors.isEmpty else { break }
        if !anchors.isEmpty {
          SecTrustSetAnchorCertificates(trust, anchors as CFArray)
          SecTrustSetAnchorCertificatesOnly(trust, false)
        }
        // The system refuses what isn't trusted here, and says why.
        guard SecTrustEvaluateWithError(trust, nil) else { break }
        if let pins {
          let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
          let certificate = chain?.first.map { Array(SecCertificateCopyData($0) as Data) }
          if let refusal = pins.refusal(ofCertificate: certificate) {
            return (.cancelAuthenticationChallenge, nil, refusal)
          }
        }
        return (.useCredential, URLCredential(trust: trust), nil)
      case NSURLAuthenticationMethodClientCertificate:
        if let credential { return (.useCredential, credential, nil) }
      default: break
      }
      return (.performDefaultHandling, nil, nil)
    }

    /// Sets the proxy of a session.
    static func set(_ proxy: Connection.Proxy, of configuration: URLSessionConfiguration) throws(ServerURLError) {
      #if canImport(Network)
        guard let port = UInt16(exactly: proxy.port).flatMap(NWEndpoint.Port.init(rawValue:)) else {
          throw ServerURLError(.proxy)
        }
        var tunnel = ProxyConfiguration(
          httpCONNECTProxy: .hostPort(host: NWEndpoint.Host(proxy.host), port: port), tlsOptions: nil)
        if let user = proxy.user { tunnel.applyCredential(username: user, password: proxy.password ?? "") }
        configuration.proxyConfigurations = [tunnel]
      #else
        throw ServerURLError(.unsupported("a proxy"))
      #endif
    }
  }

  /// Reads PEM (RFC 7468).
  enum PEM {
    /// Returns the certificates of a text in DER.
    static func certificates(_ text: String) -> [Data] {
      text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().compactMap { part in
        guard let end = part.range(of: "-----END CERTIFICATE-----") else { return nil }
        return Data(base64Encoded: String(part[..<end.lowerBound]), options: .ignoreUnknownCharacters)
      }
    }
  }
#endif
