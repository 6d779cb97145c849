#if AsyncHTTPClient && os(Linux)
  import ContrailHTTP
  import ContrailTestSupport
  import ContrailWire
  import Foundation
  import Testing

  /// Certificates, pins and proxies, against servers with real certificates.
  @Suite(.enabled(if: TestAuthority.openssl != nil, "openssl is missing")) struct CertificateTests {
    /// An authority for all tests, because openssl takes a while.
    private static let authority = Result { try TestAuthority() }
    /// An authority that no client trusts.
    private static let stranger = Result { try TestAuthority() }

    private static func transport(
      _ server: TLSServer, _ change: (inout Connection) -> Void = { _ in }
    ) throws -> any ClosableTransport {
      var connection = Connection(trusting: try authority.get().certificate)
      change(&connection)
      return try PlatformTransport.make(server: server.address, connection: connection)
    }

    // MARK: Certificates

    @Test func certificatesThatAreWrongAreRefusedBeforeAnythingIsSent() async throws {
      let authority = try Self.authority.get()
      for certificate in [
        try authority.issue("expired", days: -1), try authority.issue("elsewhere", host: "example.com"),
        try Self.stranger.get().issue("other-authority"),
      ] {
        let server = try await TLSServer.start(certificate)
        let error = try #require(await Self.transport(server).failure(get()))
        #expect(error.code == .security, "\(certificate.certificate): \(error)")
        #expect(server.requests.isEmpty)
        await server.stop()
      }
    }

    @Test func aRevokedCertificateIsRefusedOnlyByPins() async throws {
      // Neither lists of revoked certificates nor OCSP are asked: on a slow link, they cost a connection of their own.
      let authority = try Self.authority.get()
      let (revoked, next) = (try authority.issue("revoked"), try authority.issue("next"))
      let server = try await TLSServer.start(revoked)
      #expect(try await Self.transport(server).only(get()).get().status == 200)
      let pin = try TestAuthority.pin(of: next.certificate)
      let error = try #require(await Self.transport(server) { $0.pins = [pin] }.failure(get()))
      #expect(error.code == .security)
      await server.stop()
    }

    // MARK: Pins

    @Test func aPinnedKeyIsAcceptedAndItsSuccessorToo() async throws {
      let authority = try Self.authority.get()
      let (first, second) = (try authority.issue("first"), try authority.issue("second"))
      let pins = try [first, second].map { try TestAuthority.pin(of: $0.certificate) }
      // The same key with another certificate, and the second key.
      for certificate in [first, try authority.issue("renewed", keyOf: first), second] {
        let server = try await TLSServer.start(certificate)
        #expect(try await Self.transport(server) { $0.pins = pins }.only(get()).get().status == 200)
        await server.stop()
      }
    }

    @Test func anotherKeyIsRefusedAndReportedBeforeAnythingIsSent() async throws {
      let authority = try Self.authority.get()
      let (pinned, other) = (try authority.issue("pinned"), try authority.issue("other"))
      let server = try await TLSServer.start(other)
      let pin = try TestAuthority.pin(of: pinned.certificate)
      let presented = try TestAuthority.pin(of: other.certificate)
      let reports = Reports()
      let transport = try Self.transport(server) {
        $0.pins = [pin]
        $0.onPinFailure = { reports.add($0) }
      }
      let host = "127.0.0.1:\(server.port)"
      for _ in 0..<3 {
        let error = await #expect(throws: TransportError.self) { try await transport.send(get()) }
        #expect(error?.code == .security)
        #expect(error?.message.hasSuffix("has none of the pinned public keys; its key is \(presented)") == true)
      }
      await transport.shutdown()
      let failure = Connection.PinFailure(host: host, presented: presented, pins: [pin])
      #expect(reports.all == [failure, failure, failure])
      #expect(server.requests.isEmpty)
      await server.stop()
    }

    @Test func aPinDoesNotReplaceTheAuthority() async throws {
      let other = try Self.stranger.get().issue("self-made")
      let server = try await TLSServer.start(other)
      let pin = try TestAuthority.pin(of: other.certificate)
      let error = try #require(await Self.transport(server) { $0.pins = [pin] }.failure(get()))
      #expect(error.code == .security && !error.message.contains("pinned"))
      await server.stop()
    }

    @Test func publicKeysAreReadAsOpenSSLReadsThem() throws {
      let folder = try TemporaryDirectory()
      let path = folder.file("certificate.pem")
      for key in [["rsa:2048"], ["rsa:3072"], ["ec", "-pkeyopt", "ec_paramgen_curve:P-384"], ["ed25519"]] {
        _ = try TestAuthority.output(
          [
            "req", "-x509", "-days", "1", "-subj", "/CN=a", "-nodes", "-keyout", folder.file("key"), "-out", path,
            "-newkey",
          ]
            + key)
        let der = try TestAuthority.der(of: path)
        #expect(Connection.pin(ofCertificate: der) == (try TestAuthority.pin(of: path)))
        // Whatever is cut or changed, it is no trap.
        for count in 0..<der.count { #expect(Connection.pin(ofCertificate: Array(der[..<count])) == nil) }
        for index in der.indices {
          var changed = der
          changed[index] ^= 0xFF
          _ = Connection.pin(ofCertificate: changed)
        }
      }
    }

    // MARK: The client's certificate

    @Test func aServerThatAsksForACertificateGetsIt() async throws {
      let authority = try Self.authority.get()
      let server = try await TLSServer.start(try authority.issue("asking"), clientsOf: authority)
      let file = try authority.pkcs12(try authority.issue("tablet"), passphrase: "p4ss")
      let transport = try Self.transport(server) { $0.clientCertificate = .init(pkcs12: file, passphrase: "p4ss") }
      #expect(try await transport.only(get()).get().status == 200)
      await server.stop()
    }

    @Test func certificatesOfClientsThatAreMissingWrongOrExpiredAreRefused() async throws {
      let authority = try Self.authority.get()
      let server = try await TLSServer.start(try authority.issue("strict"), clientsOf: authority)
      let stranger = try TestAuthority()
      let files = [
        try stranger.pkcs12(try stranger.issue("stranger"), passphrase: "p"),
        try authority.pkcs12(try authority.issue("old", days: -1), passphrase: "p"),
      ]
      for file in [nil] + files.map(Optional.some) {
        let transport = try Self.transport(server) { connection in
          connection.clientCertificate = file.map { .init(pkcs12: $0, passphrase: "p") }
        }
        let error = try #require(await transport.failure(get()))
        #expect(error.code == .security && error.message.contains("client's certificate"), "\(error)")
      }
      #expect(server.requests.isEmpty)
      await server.stop()
    }

    @Test func aFileThatCannotBeReadAsACertificateIsRefusedAtOnce() throws {
      let authority = try Self.authority.get()
      let file = try authority.pkcs12(try authority.issue("locked"), passphrase: "right")
      for (file, passphrase) in [(file, "wrong"), (file.prefix(100), "right"), (Data(), ""), (Data("text".utf8), "")] {
        var connection = Connection()
        connection.clientCertificate = .init(pkcs12: file, passphrase: passphrase)
        let error = #expect(throws: ServerURLError.self) {
          try PlatformTransport.make(server: "https://localhost", connection: connection)
        }
        #expect(error?.code == .clientCertificate)
      }
    }

    // MARK: Proxies

    @Test func requestsGoThroughTheProxyAndStayInTLS() async throws {
      let authority = try Self.authority.get()
      let certificate = try authority.issue("behind-proxy")
      let pin = try TestAuthority.pin(of: certificate.certificate)
      let server = try await TLSServer.start(certificate)
      for login in [nil, "user:p:4"] {
        let proxy = try await ConnectProxy.start(login: login)
        let transport = try Self.transport(server) { connection in
          connection.proxy = .init(
            host: "127.0.0.1", port: proxy.port, user: login.map { _ in "user" }, password: login.map { _ in "p:4" })
          connection.pins = [pin]
        }
        var request = get()
        request.headers = [("X-API-Key", "secret")]
        #expect(try await transport.only(request).get().status == 200)
        #expect(proxy.requests.count == 1 && proxy.requests[0].hasPrefix("CONNECT 127.0.0.1:\(server.port) "))
        #expect(!proxy.requests[0].contains("secret"))
        await proxy.stop()
      }
      #expect(server.requests.count == 2 && server.requests.allSatisfy { !$0.lowercased().contains("proxy-auth") })
      await server.stop()
    }

    @Test func aProxyThatRefusesIsNamedAndNothingIsSent() async throws {
      let server = try await TLSServer.start(try Self.authority.get().issue("unreached"))
      let proxy = try await ConnectProxy.start(login: "user:right")
      for password in [nil, "wrong"] {
        let transport = try Self.transport(server) {
          $0.proxy = .init(
            host: "127.0.0.1", port: proxy.port, user: password.map { _ in "user" }, password: password)
        }
        let error = try #require(await transport.failure(get()))
        #expect(error.code == .network && error.message.contains("proxy"), "\(error)")
        #expect(!error.message.contains("wrong"))
      }
      #expect(server.requests.isEmpty)
      await proxy.stop()
      let gone = try Self.transport(server) { $0.proxy = .init(host: "127.0.0.1", port: 9) }
      #expect(try #require(await gone.failure(get())).isTransient)
      await server.stop()
    }

    private final class Reports: @unchecked Sendable {
      private let lock = NSLock()
      private var failures: [Connection.PinFailure] = []

      var all: [Connection.PinFailure] { lock.withLock { failures } }

      func add(_ failure: Connection.PinFailure) { lock.withLock { failures.append(failure) } }
    }
  }
#endif
