package import ContrailLog
package import ContrailWorld
import Foundation
package import Logging
import ServiceLifecycle
import UnixSignals

/// The files of keys that a service accepts.
package struct KeyFiles: Sendable {
  /// The path of a file of hashed keys.
  package var keys: String?
  /// The path of a file of keys by which tokens are verified, and the audience of the service.
  package var tokens: (path: String, audience: String)?

  package init(keys: String?, tokens: (path: String, audience: String)? = nil) {
    (self.keys, self.tokens) = (keys, tokens)
  }

  fileprivate func read() throws(InputError) -> (keys: [KeyRing.Key], verifier: TokenKeys?) {
    var verifier: TokenKeys?
    if let tokens { verifier = try TokenKeys(path: tokens.path, audience: tokens.audience) }
    guard let keys else { return ([], verifier) }
    return (try KeyReload.keys(keys), verifier)
  }

  /// Reads the files.
  package func ring() throws(InputError) -> KeyRing {
    let (keys, verifier) = try read()
    return KeyRing(keys, verifier: verifier)
  }
}

/// Reads the files of keys and the certificate again when the process receives SIGHUP.
package struct KeyReload: Service {
  private let keys: (files: KeyFiles, ring: KeyRing)?
  private let certificate: CertificateRenewal?
  private let logger: Logger

  /// - Parameters:
  ///   - keys: The files of keys, and the ring that gets them; nil for none.
  ///   - certificate: The certificate; nil without TLS.
  package init(_ keys: (files: KeyFiles, ring: KeyRing)?, certificate: CertificateRenewal? = nil, logger: Logger) {
    (self.keys, self.certificate, self.logger) = (keys, certificate, logger)
  }

  package func run() async {
    await cancelWhenGracefulShutdown {
      for await _ in await UnixSignalsSequence(trapping: .sighup) { await reload() }
    }
  }

  /// Reads the files again. If one is invalid, the keys or the certificate so far remain.
  func reload() async {
    if keys == nil, certificate == nil {
      logger.warning("SIGHUP: there is nothing to read again, neither files of keys nor a certificate")
    }
    if let keys { await reload(keys.files, into: keys.ring) }
    guard let certificate else { return }
    do throws(ServerError) {
      try certificate.renew()
      logger.notice("the certificate was read again")
    } catch {
      logger.error("the certificate can't be read again", metadata: ["error": "\(error)"])
    }
  }

  private func reload(_ files: KeyFiles, into ring: KeyRing) async {
    do throws(InputError) {
      let (keys, verifier) = try files.read()
      await ring.replace(keys, verifier: verifier)
      logger.notice("keys read again", metadata: ["count": "\(keys.count)"])
    } catch {
      logger.error("the keys can't be read again", metadata: ["error": "\(error)"])
    }
  }

  /// Reads a file of keys, which only its owner may read or write.
  package static func keys(_ path: String) throws(InputError) -> [KeyRing.Key] {
    let (data, mode) = try contents(path)
    guard mode & 0o077 == 0 else {
      throw InputError(.keyFile, at: path, "other users may read or write the file; run: chmod 600 \(path)")
    }
    return try KeyRing.keys(String(decoding: data, as: UTF8.self), path: path)
  }

  /// Reads a file, and its permissions.
  static func contents(_ path: String) throws(InputError) -> (data: Data, mode: Int) {
    func fault(_ reason: String) -> InputError { InputError(.keyFile, at: path, reason) }
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      attributes[.type] as? FileAttributeType == .typeRegular, let size = attributes[.size] as? Int, size <= 16 << 20
    else { throw fault("the file doesn't exist, or is larger than 16 MiB") }
    guard let data = FileManager.default.contents(atPath: path) else { throw fault("the file can't be read") }
    return (data, attributes[.posixPermissions] as? Int ?? 0)
  }
}
