import ContrailLog

#if Signatures
  import Crypto

  /// The public keys of P-256 that a command was given.
  struct PublicKeys {
    private var keys: [String: P256.Signing.PublicKey] = [:]

    var isEmpty: Bool { keys.isEmpty }

    /// Reads keys from PEM files.
    ///
    /// - Throws: `Failure` if a file can't be read or contains no key.
    init(files: [String]) throws {
      for path in files {
        let bytes: [UInt8]
        do throws(StorageError) {
          bytes = try POSIXStorage().contents(of: path)
        } catch {
          throw Failure(message: "\(path): \(error.message).", exitCode: 2)
        }
        guard let key = try? P256.Signing.PublicKey(pemRepresentation: String(decoding: bytes, as: UTF8.self)) else {
          throw Failure(
            message:
              "\(path): it contains no public key of P-256 in PEM, which begins with -----BEGIN PUBLIC KEY-----.",
            exitCode: 2)
        }
        keys[LogSignature.keyName(of: [UInt8](key.x963Representation))] = key
      }
    }

    /// Checks a signature in DER of a message, by the key with a name.
    func check(_ name: String, _ message: [UInt8], _ signature: [UInt8]) -> ChainVerification.SignatureResult {
      guard let key = keys[name] else { return .otherKey }
      guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return .invalid }
      return key.isValidSignature(signature, for: message) ? .valid : .invalid
    }
  }
#else
  /// The public keys of P-256 that a command was given: none in a build without the trait `Signatures`.
  struct PublicKeys {
    var isEmpty: Bool { true }

    init(files: [String]) throws {
      guard files.isEmpty else {
        throw Failure(
          message:
            "This build checks no signatures. Use 'Scripts/replay verify --public-key', or build with the trait Signatures.",
          exitCode: 2)
      }
    }

    func check(_ name: String, _ message: [UInt8], _ signature: [UInt8]) -> ChainVerification.SignatureResult {
      .otherKey
    }
  }
#endif
