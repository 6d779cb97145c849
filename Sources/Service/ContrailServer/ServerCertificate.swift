import ContrailHTTP
import NIOCore
import NIOSSL

/// A certificate and its private key, in PEM files.
package struct ServerCertificate: Hashable, Sendable {
  /// The path of the file with the certificates. The server's own is the first, and those of its issuers follow.
  package var chain: String
  /// The path of the private key.
  package var key: String

  package init(chain: String, key: String) {
    self.chain = chain
    self.key = key
  }

  /// Checks that the files can be read, and that the key is that of the certificate.
  ///
  /// - Throws: ``ServerError/certificate(_:reason:)``.
  package func check() throws(ServerError) { _ = try configuration() }

  func configuration() throws(ServerError) -> TLSConfiguration {
    let certificates: [NIOSSLCertificate]
    let privateKey: NIOSSLPrivateKey
    do {
      certificates = try NIOSSLCertificate.fromPEMFile(chain)
      guard !certificates.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
    } catch {
      throw ServerError.certificate(self, reason: "'\(chain)' has no certificate: \(error)")
    }
    do {
      privateKey = try NIOSSLPrivateKey(file: key, format: .pem)
    } catch {
      throw ServerError.certificate(self, reason: "'\(key)' has no private key: \(error)")
    }
    var tls = TLSConfiguration.makeServerConfiguration(
      certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(privateKey))
    // RFC 8996 deprecates TLS 1.0 and 1.1, which NIO accepts by default.
    tls.minimumTLSVersion = .tlsv12
    do {
      _ = try NIOSSLContext(configuration: tls)
      return tls
    } catch {
      // Both files are intact.
      throw ServerError.certificate(self, reason: "the key isn't that of the certificate (\(error))")
    }
  }
}

/// The certificate of a running server, which can be read again: connections that begin later have the new one.
package final class CertificateRenewal: Sendable {
  private let files: ServerCertificate
  /// The certificate and the key that were read last, if they were read again.
  private let renewed = Lock(NIOSSLContextConfigurationOverride.noChanges)

  package init(_ files: ServerCertificate) { self.files = files }

  /// Reads the files again. If they are invalid, the certificate so far remains.
  ///
  /// - Throws: ``ServerError/certificate(_:reason:)``.
  package func renew() throws(ServerError) {
    let configuration = try files.configuration()
    var next = NIOSSLContextConfigurationOverride()
    next.certificateChain = configuration.certificateChain
    next.privateKey = configuration.privateKey
    renewed.withLock { $0 = next }
  }

  func configuration() throws(ServerError) -> TLSConfiguration {
    var tls = try files.configuration()
    tls.sslContextCallback = { [renewed] _, promise in promise.succeed(renewed.withLock { $0 }) }
    return tls
  }
}
