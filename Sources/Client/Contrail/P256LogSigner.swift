#if canImport(CryptoKit)
  public import CryptoKit
  public import Foundation

  /// Signs the log by a key of the Secure Enclave or of CryptoKit.
  ///
  /// Keep the key's `dataRepresentation` in the keychain, so that later launches sign by the same key.
  public struct P256LogSigner: LogSigner, @unchecked Sendable {
    // A key is a value, and can be used by any thread.
    private let sign: (Data) throws -> P256.Signing.ECDSASignature
    public let publicKey: Data

    /// Creates a signer by a key that doesn't leave the Secure Enclave.
    public init(_ key: SecureEnclave.P256.Signing.PrivateKey) {
      publicKey = key.publicKey.x963Representation
      sign = { try key.signature(for: $0) }
    }

    /// Creates a signer by a key in memory, for devices without a Secure Enclave.
    public init(_ key: P256.Signing.PrivateKey) {
      publicKey = key.publicKey.x963Representation
      sign = { try key.signature(for: $0) }
    }

    public func signature(for message: Data) async throws -> Data { try sign(message).derRepresentation }
  }
#endif
