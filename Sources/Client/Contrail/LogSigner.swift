import ContrailEngine
import ContrailLog
public import Foundation

/// Signs the log, so that it can be shown later that nobody changed it. The key stays with the application.
///
/// ```swift
/// let key = try SecureEnclave.P256.Signing.PrivateKey()
/// configuration.logSigner = P256LogSigner(key)
/// ```
///
/// The client asks for a signature after it has written lines to stable storage, one at a time and at most once for each of these
/// syncs. Nothing waits for it except ``ContrailClient/enterBackground()`` and ``ContrailClient/stop()``, for at most five seconds. If a
/// signature fails or takes longer, the client reports an error with ``ClientError/Code/signing`` once, and asks again later. A
/// signature covers all earlier lines.
///
/// `replay verify --public-key` checks the signatures.
public protocol LogSigner: Sendable {
  /// The public key of P-256 in X9.63 form: 65 bytes, beginning with 4. It must not change.
  var publicKey: Data { get }

  /// Returns the signature of a message: ECDSA over P-256 with SHA-256, in DER.
  func signature(for message: Data) async throws -> Data
}

extension LogSigner {
  /// The name of the public key in the log.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/signing`` if the key isn't in X9.63 form.
  func keyName() throws(ClientError) -> String {
    let bytes = [UInt8](publicKey)
    guard bytes.count == 65, bytes.first == 4 else {
      throw ClientError(
        .signing, message: "The signer's public key isn't one of P-256 in X9.63 form: it has \(bytes.count) bytes",
        advice: "Use the x963Representation of the key.", isTransient: false)
    }
    return LogSignature.keyName(of: bytes)
  }

  /// Signs the statement of a head.
  func sign(_ statement: [UInt8]) async -> Result<[UInt8], SigningFailure> {
    do {
      return .success([UInt8](try await signature(for: Data(statement))))
    } catch {
      return .failure(.failed(String("\(error)".escapingControls(keepsLines: false).prefix(200))))
    }
  }
}
