#if os(macOS) || os(Linux)
  import ContrailHTTP
  import ContrailServer
  import ContrailTestSupport
  import ContrailWire
  import ContrailWorld
  import Foundation
  import Testing

  /// The reference server over TLS, with a certificate of its own.
  @Suite struct SecureServerTests {
    static let openssl = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl", "/usr/local/bin/openssl"]
      .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Makes a certificate for 127.0.0.1 that is valid for a day.
    static func certificate(in folder: TemporaryDirectory) throws -> ServerCertificate {
      let files = ServerCertificate(chain: folder.file("certificate.pem"), key: folder.file("key.pem"))
      let process = Process()
      process.executableURL = URL(fileURLWithPath: try #require(openssl))
      process.arguments = [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", files.key,
        "-out", files.chain,
      ]
      process.standardError = Pipe()
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      return files
    }

    private static func health(
      _ server: ReferenceServer, trusting certificate: String?
    ) async throws -> Result<TransportAnswer, TransportError> {
      let transport = try PlatformTransport.make(server: server.address, trusting: certificate)
      let result: Result<TransportAnswer, TransportError>
      do throws(TransportError) {
        result = .success(try await transport.send(.init(method: "GET", target: "/health", timeoutSeconds: 20)))
      } catch {
        result = .failure(error)
      }
      await transport.shutdown()
      return result
    }

    #if AsyncHTTPClient && os(Linux)
      @Test(.enabled(if: openssl != nil, "openssl is missing"))
      func aTrustedCertificateIsAcceptedAndAnotherIsNot() async throws {
        let folder = try TemporaryDirectory()
        var configuration = ServerConfiguration(seed: 3)
        configuration.aircraft = 4
        configuration.certificate = try Self.certificate(in: folder)
        let server = try await ReferenceServer.start(configuration)
        #expect(server.address.hasPrefix("https://"))
        let trusted = try await Self.health(server, trusting: configuration.certificate?.chain)
        #expect(try trusted.get().status == 200)
        switch try await Self.health(server, trusting: nil) {
        case .success: Issue.record("a certificate that nobody issued is trusted")
        case .failure(let error): #expect(error.code == .security)
        }
        await server.stop()
      }

      @Test(.enabled(if: openssl != nil, "openssl is missing"))
      func aSilentConnectionIsGivenUpAfterOneRequest() async throws {
        let folder = try TemporaryDirectory()
        var configuration = ServerConfiguration(seed: 3)
        configuration.aircraft = 4
        configuration.certificate = try Self.certificate(in: folder)
        let server = try await ReferenceServer.start(configuration)
        let port = try #require(server.address.split(separator: ":").last.flatMap { Int($0) })
        let relay = try await CountingRelay.start(to: port)
        let transport = try AsyncHTTPTransport(
          server: "https://127.0.0.1:\(relay.port)", connection: Connection(trusting: configuration.certificate?.chain),
          silenceMS: 1)
        func status(within timeoutSeconds: Int, wait: Int? = nil) async throws(TransportError) -> Int {
          var request = TransportRequest(method: "GET", target: "/health", timeoutSeconds: timeoutSeconds)
          if let wait { request.headers.append(("Prefer", "wait=\(wait)")) }
          return try await transport.send(request).status
        }
        #expect(try await status(within: 20) == 200)
        #expect(try await status(within: 20) == 200)
        #expect(relay.connections == 1)
        relay.forgetConnections()
        // The server may hold the first request for an hour, so its silence proves nothing.
        for wait in [3600, nil] {
          let error = await #expect(throws: TransportError.self) { try await status(within: 1, wait: wait) }
          #expect(error?.code == .timeout)
          #expect(relay.connections == 1)
        }
        // Until the connection is closed, further requests fail at once.
        var next: Int?
        for _ in 0..<10_000 where next == nil {
          do throws(TransportError) {
            next = try await status(within: 20)
          } catch {
            #expect(error.code != .timeout)
            await Task.yield()
          }
        }
        #expect(next == 200)
        #expect(relay.connections == 2)
        await transport.shutdown()
        await relay.stop()
        await server.stop()
      }

      @Test func filesThatAreNoCertificatesAreNamed() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("none.pem")
        let error = #expect(throws: ServerURLError.self) {
          try PlatformTransport.make(server: "https://localhost", trusting: path)
        }
        #expect(error?.message.contains(path) == true)
        var configuration = ServerConfiguration(seed: 3)
        configuration.certificate = ServerCertificate(chain: path, key: path)
        let refusal = await #expect(throws: ServerError.self) { try await ReferenceServer.start(configuration) }
        #expect(refusal?.code == "certificate" && refusal?.description.contains(path) == true)
      }
    #endif
  }
#endif
