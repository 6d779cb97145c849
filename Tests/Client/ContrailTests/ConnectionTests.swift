#if AsyncHTTPClient && os(Linux)
  import Contrail
  import ContrailServer
  import ContrailTestSupport
  import ContrailTesting
  import ContrailWorld
  import Foundation
  import Logging
  import Testing

  /// The connection of a client's configuration: against the reference server over TLS and HTTP/2, and against one that shows what it
  /// was asked.
  @Suite(.enabled(if: TestAuthority.openssl != nil, "openssl is missing")) struct ConnectionTests {
    private static let token = "t0ken-that-must-not-leak"

    private static func startServer(_ certificate: TestAuthority.Issued) async throws -> ReferenceServer {
      var configuration = ServerConfiguration(seed: 3)
      configuration.keys = [token]
      configuration.aircraft = 200
      configuration.certificate = ServerCertificate(chain: certificate.certificate, key: certificate.key)
      configuration.logger.logLevel = .critical
      return try await ReferenceServer.start(configuration)
    }

    private static func configuration(
      _ server: String, _ folder: String, trusting authority: TestAuthority? = nil
    ) -> ContrailClient.Configuration {
      var configuration = ContrailClient.Configuration(server: server, directory: folder)
      configuration.connection.trustedCertificates = authority.map { URL(filePath: $0.certificate) }
      return configuration
    }

    private static func error(_ code: ClientError.Code, of client: ContrailClient) async -> ClientError? {
      for await update in client.updates {
        if case .failed(let error) = update, error.code == code { return error }
      }
      return nil
    }

    // MARK: Credentials

    @Test func aTokenIsProvidedOnceForAllScopesAndAgainAfterARefusal() async throws {
      let authority = try TestAuthority()
      let server = try await Self.startServer(try authority.issue("server"))
      try await withFolder { folder in
        var configuration = Self.configuration(server.address, folder, trusting: authority)
        let calls = Calls()
        configuration.connection.credentials = { reason in
          calls.add(reason) == 1 ? .init("0ld-token") : .init(Self.token, expiresAt: .now + 3600)
        }
        let client = try ContrailClient(configuration)
        client.dataQuery.polygon = line.buffer(widthNM: 200)
        client.dataQuery.viewport = line.buffer(widthNM: 20)
        client.dataQuery.globalEnabled = true
        await firstData(of: .corridor, from: client)
        await firstData(of: .viewport, from: client)
        #expect(calls.all.first == .missing && calls.all.dropFirst() == [.refused])
        // A new client has no key, because none was written anywhere.
        await client.stop()
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder) {
          guard let bytes = FileManager.default.contents(atPath: folder + "/" + file) else { continue }
          #expect(bytes.range(of: Data("0ld-token".utf8)) == nil, "\(file)")
          #expect(bytes.range(of: Data(Self.token.utf8)) == nil, "\(file)")
        }
      }
      await server.stop()
    }

    @Test func aProviderThatHangsIsCancelledAndToldAndItsNextAnswerIsUsed() async throws {
      let authority = try TestAuthority()
      let server = try await Self.startServer(try authority.issue("server"))
      try await withFolder { folder in
        let clock = ManualClock(at: Int64(Date().timeIntervalSince1970 * 1000))
        var configuration = Self.configuration(server.address, folder, trusting: authority)
        let calls = Calls()
        configuration.connection.credentials = { reason in
          if calls.add(reason) == 1 { try await Task.sleep(for: .seconds(86_400)) }
          return .init(Self.token)
        }
        let client = try ContrailClient(configuration, clock: clock)
        let told = Messages()
        let watch = Task { told.add(await Self.error(.credentials, of: client)?.message ?? "") }
        let data = Task { await firstData(of: .corridor, from: client, clock) }
        client.dataQuery.polygon = line.buffer(widthNM: 200)
        // A second at a time, until the call is given up, and then until the next one.
        while told.all.isEmpty || calls.all.count < 2 {
          if !calls.all.isEmpty { clock.advance(by: 1000) }
          await Task.yield()
        }
        await watch.value
        #expect(told.all.first?.contains("30 s") == true)
        await data.value
        await client.stop()
      }
      await server.stop()
    }

    @Test func anErrorOfTheProviderIsToldByItsTypeAlone() async throws {
      try await withFolder { folder in
        struct Leaky: Error, CustomStringConvertible { var description: String { "Bearer \(ConnectionTests.token)" } }
        var configuration = Self.configuration("http://127.0.0.1:9", folder)
        let messages = Messages()
        configuration.log = { messages.add($0.text) }
        configuration.connection.credentials = { _ in throw Leaky() }
        let client = try ContrailClient(configuration)
        let error = try #require(await Self.error(.credentials, of: client))
        #expect(error.message.contains("Leaky") && !"\(error)".contains(Self.token) && error.isTransient)
        await client.stop()
        #expect(messages.all.filter { $0.contains(Self.token) } == [])
      }
    }

    @Test(arguments: [
      (Connection.CredentialField.apiKey, "x-api-key", token), (.bearer, "authorization", "Bearer \(token)"),
      (.named("X-Device", prefix: "Token "), "x-device", "Token \(token)"),
    ])
    func theKeyIsInTheFieldThatIsSetAndInNoOther(
      _ field: Connection.CredentialField, _ name: String, _ value: String
    ) async throws {
      let server = try ScriptedServer { request in
        [request.target.hasPrefix("/airports") ? .answer(404) : .answer(503)]
      }
      try await withFolder { folder in
        var configuration = Self.configuration(server.address, folder)
        configuration.connection.credentialField = field
        configuration.connection.credentials = { _ in .init(Self.token) }
        let client = try ContrailClient(configuration)
        client.dataQuery.polygon = line.buffer(widthNM: 200)
        _ = await Self.error(.server, of: client)
        _ = try? await client.airports.loadCurrent()
        await client.stop()
      }
      #expect(Set(server.requests.map(\.target)).count >= 2)
      for request in server.requests {
        #expect(request.header(name) == value, "\(request.target)")
        #expect(request.headers.count { $0.value.contains(Self.token) } == 1)
      }
    }

    // MARK: Certificates

    @Test func aPinThatDoesNotMatchIsToldAndASecondOneIsAccepted() async throws {
      let authority = try TestAuthority()
      let (first, second) = (try authority.issue("first"), try authority.issue("second"))
      let server = try await Self.startServer(second)
      try await withFolder { folder in
        var configuration = Self.configuration(server.address, folder, trusting: authority)
        configuration.apiKey = Self.token
        configuration.connection.pins = [try TestAuthority.pin(of: first.certificate)]
        let failures = Failures()
        configuration.connection.onPinFailure = { failures.add($0) }
        let client = try ContrailClient(configuration)
        client.dataQuery.polygon = line.buffer(widthNM: 200)
        let error = try #require(await Self.error(.security, of: client))
        #expect(error.message.contains("pinned"))
        await client.stop()
        #expect(failures.all.first?.presented == (try TestAuthority.pin(of: second.certificate)))

        configuration.connection.pins.append(try TestAuthority.pin(of: second.certificate))
        let pinned = try ContrailClient(configuration)
        await firstData(of: .corridor, from: pinned)
        await pinned.stop()
      }
      await server.stop()
    }

    @Test func aSettingThatIsInvalidIsToldWhenTheClientIsCreated() throws {
      var pinned = Self.configuration("https://localhost", "/tmp/none")
      pinned.connection.pins = ["sha256/none"]
      var trusting = pinned
      trusting.connection = Connection()
      trusting.connection.trustedCertificates = URL(filePath: "/none.pem")
      for configuration in [pinned, trusting] {
        let error = #expect(throws: ClientError.self) { try ContrailClient(configuration) }
        #expect(error?.code == .connection && error?.isTransient == false)
      }
    }

    @Test func thePinsOfTheServerAreNotThoseOfAnotherHost() async throws {
      let server = try ScriptedServer(.answer(401))
      try await withFolder { folder in
        var configuration = Self.configuration("https://127.0.0.1:9", folder)
        configuration.connection.pins = ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
        configuration.weather = WeatherService(server: try #require(URL(string: server.address)), token: "w3ather")
        let client = try ContrailClient(configuration)
        client.dataQuery.weather.places = [try RoundedCoordinate(Coordinate(latitude: 51.5, longitude: -0.1))]
        let error = await Self.error(.unauthorized, of: client)
        #expect(error != nil)
        await client.stop()
      }
      #expect(!server.requests.isEmpty)
    }

    // MARK: At rest

    @Test func everyFileOfAFlightIsTheUsersAlone() async throws {
      let server = try await ContrailTests.startServer()
      try await withFolder { folder in
        let directory = folder + "/above/client"
        var configuration = Self.configuration(server.address, directory)
        configuration.apiKey = "key"
        configuration.airportDelivery = .automatic
        let client = try ContrailClient(configuration)
        client.dataQuery.polygon = line.buffer(widthNM: 200)
        await firstData(of: .corridor, from: client)
        _ = try? await client.airports.loadCurrent()
        await client.stop()
        var modes: [String: Int] = [:]
        // The airports are those of everybody.
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where !name.contains("client/airports")
        {
          let path = folder + "/" + name
          let attributes = try FileManager.default.attributesOfItem(atPath: path)
          modes[name] = (attributes[.posixPermissions] as? NSNumber)?.intValue
        }
        #expect(modes.count > 5)
        for (name, mode) in modes { #expect(mode == 0o600 || mode == 0o700, "\(name): \(String(mode, radix: 8))") }
      }
      await server.stop()
    }

    private final class Calls: Sendable {
      private let reasons = Lock<[Connection.CredentialReason]>([])

      var all: [Connection.CredentialReason] { reasons.withLock { $0 } }

      /// Adds a call, and returns its number.
      func add(_ reason: Connection.CredentialReason) -> Int {
        reasons.withLock {
          $0.append(reason)
          return $0.count
        }
      }
    }

    private final class Failures: Sendable {
      private let failures = Lock<[Connection.PinFailure]>([])

      var all: [Connection.PinFailure] { failures.withLock { $0 } }

      func add(_ failure: Connection.PinFailure) { failures.withLock { $0.append(failure) } }
    }

    private final class Messages: Sendable {
      private let messages = Lock<[String]>([])

      var all: [String] { messages.withLock { $0 } }

      func add(_ message: String) { messages.withLock { $0.append(message) } }
    }
  }
#endif
