#if Signatures
  import Contrail
  import ContrailLog
  import ContrailServer
  import Crypto
  import Foundation
  import Testing

  /// The log of a client whose application signs.
  @Suite struct SignedLogTests {
    /// A signer as the guide shows it for systems without CryptoKit.
    private struct Signer: LogSigner {
      let key = P256.Signing.PrivateKey()
      var publicKey: Data { key.publicKey.x963Representation }
      func signature(for message: Data) async throws -> Data { try key.signature(for: message).derRepresentation }
    }

    @Test func whatAClientWroteIsSignedWhenItHasStopped() async throws {
      try await withFolder { folder in
        let server = try await startServer()
        let signer = Signer()
        var configuration = ContrailClient.Configuration(
          server: server.address, apiKey: "key", directory: folder + "/log")
        configuration.logSigner = signer
        let client = try ContrailClient(configuration)
        client.dataQuery.route = line
        client.dataQuery.routeWidth = 100
        await firstData(of: .corridor, from: client)
        await client.stop()
        await server.stop()

        let name = LogSignature.keyName(of: [UInt8](signer.publicKey))
        let log = try ChainVerification(path: folder + "/log") { key, statement, signature in
          guard key == name else { return .otherKey }
          let given = try? P256.Signing.ECDSASignature(derRepresentation: signature)
          return given.map { signer.key.publicKey.isValidSignature($0, for: statement) } == true ? .valid : .invalid
        }
        #expect(log.fault == nil && log.otherKeys.isEmpty && log.keys == [name])
        let signed = try #require(log.signedThrough)
        // All but the mark that has the signature.
        #expect(signed >= (log.chained?.upperBound ?? 0) - 1 && log.lineCount > 5)
      }
    }

    @Test func aKeyOfAnotherFormIsRefusedAtOnce() async throws {
      struct Compressed: LogSigner {
        var publicKey: Data { P256.Signing.PrivateKey().publicKey.compressedRepresentation }
        func signature(for message: Data) async throws -> Data { message }
      }
      try await withFolder { folder in
        var configuration = ContrailClient.Configuration(server: "http://127.0.0.1:9", directory: folder + "/log")
        configuration.logSigner = Compressed()
        let error = #expect(throws: ClientError.self) { try ContrailClient(configuration) }
        #expect(error?.code == .signing && error?.message.contains("33 bytes") == true)
        #expect(!FileManager.default.fileExists(atPath: folder + "/log"))
      }
    }
  }
#endif
