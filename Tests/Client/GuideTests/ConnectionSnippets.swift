import Contrail
import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#elseif Signatures
  import Crypto
#endif

struct Identity: Sendable {
  struct Token {
    var value: String
    var expiresAt: Date
  }

  func token(isFresh: Bool) async throws -> Token { Token(value: "token", expiresAt: .now + 3600) }
}

func provideCredentials(_ configuration: inout ContrailClient.Configuration, _ identity: Identity) {
  configuration.connection.credentialField = .bearer
  configuration.connection.credentials = { reason in
    let token = try await identity.token(isFresh: reason == .refused)
    return .init(token.value, expiresAt: token.expiresAt)
  }
}

func useCorridorService(_ configuration: inout ContrailClient.Configuration) {
  configuration.service = .corridorV5()
  configuration.connection.credentialField = .bearer
}

func pin(_ configuration: inout ContrailClient.Configuration, currentPin: String, reservePin: String) {
  configuration.connection.pins = [currentPin, reservePin]
  configuration.connection.onPinFailure = { failure in
    say("\(failure.host) presented \(failure.presented ?? "no key").")
  }
}

func identify(
  _ configuration: inout ContrailClient.Configuration, companyAuthority: URL, file: Data, passphrase: String
) {
  configuration.connection.trustedCertificates = companyAuthority
  configuration.connection.clientCertificate = .init(pkcs12: file, passphrase: passphrase)
}

func useProxy(_ configuration: inout ContrailClient.Configuration, user: String, password: String) {
  configuration.connection.proxy = .init(host: "proxy.example.com", port: 3128, user: user, password: password)
}

func protectFiles(_ configuration: inout ContrailClient.Configuration) {
  configuration.fileProtection = .unlessOpen
  configuration.isExcludedFromBackup = false
}

#if canImport(CryptoKit)
  func signLog(_ configuration: inout ContrailClient.Configuration) throws {
    let key = try SecureEnclave.P256.Signing.PrivateKey()
    configuration.logSigner = P256LogSigner(key)
  }
#elseif Signatures
  struct FileKeySigner: LogSigner {
    private let key: P256.Signing.PrivateKey

    init(pemFile: String) throws {
      key = try P256.Signing.PrivateKey(pemRepresentation: String(contentsOfFile: pemFile, encoding: .utf8))
    }

    var publicKey: Data { key.publicKey.x963Representation }
    func signature(for message: Data) async throws -> Data { try key.signature(for: message).derRepresentation }
  }
#endif
