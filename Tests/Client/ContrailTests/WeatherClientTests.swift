import Contrail
import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailHTTP
import ContrailServer
import ContrailTestSupport
import ContrailWeather
import ContrailWire
import ContrailWorld
import Foundation
import Logging
import Testing

/// The weather through the client, the log and the reference server.
@Suite(.timeLimit(.minutes(30))) struct WeatherClientTests {
  private static let place = RoundedCoordinate(longitudeE4: -737_800, latitudeE4: 406_400)
  private static let scope = ScopeID.weather(place)
  private static let token = "tok/en+s3cret"
  private static let encodedToken = "tok%2Fen%2Bs3cret"

  private struct Stage {
    let client: ContrailClient
    let transport: CountingTransport
    let clock: HandClock
  }

  private func server() async throws -> ReferenceServer {
    var configuration = ServerConfiguration(seed: 3)
    configuration.keys = [Self.token]
    configuration.aircraft = 10
    configuration.allowsRequestedFaults = true
    configuration.logger.logLevel = .critical
    return try await ReferenceServer.start(configuration)
  }

  private func stage(_ folder: String, _ address: String, token: String = token) throws -> Stage {
    let transport = CountingTransport(try PlatformTransport.make(server: address))
    let clock = HandClock(1_768_471_200_000)
    var configuration = ContrailClient.Configuration(
      server: "http://127.0.0.1:9", apiKey: "other", directory: folder + "/log")
    configuration.weather = WeatherService(server: try #require(URL(string: address)), token: token)
    #expect(!"\(configuration)".contains(token) || token.isEmpty)
    let client = try ContrailClient(configuration, transport: transport, clock: clock, weatherTransport: transport)
    return Stage(client: client, transport: transport, clock: clock)
  }

  @Test func theSamePlaceWithinFiveMinutesCostsOneRequest() async throws {
    try await withFolder { folder in
      let server = try await server()
      let stage = try stage(folder, server.address)
      stage.client.dataQuery.weather = .init(
        places: [Self.place], spec: .init(language: .englishUS, unit: .metricV2, hours: 6, days: 2))
      await firstData(of: Self.scope, from: stage.client)
      let first = try #require(try stage.client.weather(at: Self.place))
      #expect(first.response.unit == .metricV2 && first.response.isFor(Self.place) && !first.isExpired)
      #expect(first.response.result.hourly?.temperature?.count == 6)
      // The place of a coordinate nearby is the same.
      let nearby = try stage.client.weather(at: Coordinate(latitude: 40.64001, longitude: -73.77998))
      #expect(nearby?.place == Self.place && nearby?.response == first.response)
      #expect(try stage.client.weather(at: Coordinate(latitude: 40.5, longitude: -73.78)) == nil)
      #expect(throws: WeatherError.self) { try stage.client.weather(at: Coordinate(latitude: 91, longitude: 0)) }
      stage.clock.advance(290_000)
      stage.client.fetchData(refresh: false)
      stage.client.dataQuery.weather.spec.hours = 3
      await settle(stage.client)
      let second = try #require(try stage.client.weather(at: Self.place))
      #expect(second.age == .seconds(290) && !second.isExpired && second.response == first.response)
      #expect(stage.transport.targets.count == 1, "\(stage.transport.targets.count) requests")
      await stage.client.stop()
      await server.stop()
    }
  }

  @Test func offlineAfterSixMinutesTheAgeIsToldAndTheWeatherIsStillThere() async throws {
    try await withFolder { folder in
      let server = try await server()
      let stage = try stage(folder, server.address)
      stage.client.dataQuery.weather.places = [Self.place]
      await firstData(of: Self.scope, from: stage.client)
      let fresh = try #require(try stage.client.weather(at: Self.place))
      stage.client.isOnline = false
      await settle(stage.client)
      // The expiry comes by itself.
      let updates = stage.client.updates
      stage.clock.advance(300_000)
      let expiring = try #require(try stage.client.weather(at: Self.place))
      #expect(expiring.isExpired && expiring.age == .seconds(300) && !fresh.isExpired)
      stage.clock.advance(60_000)
      for await update in updates { if case .expired(Self.scope) = update { break } }
      let old = try #require(try stage.client.weather(at: Self.place))
      #expect(old.isExpired && old.age == .seconds(360) && old.response == fresh.response)
      await stage.client.stop()
      await server.stop()
      let log = try Self.contents(of: folder)
      #expect(log.contains(#""kind":"weather.expired","scope":"weather.-73.7800,40.6400","rule":"expired""#))

      // A cache that is lost is made anew from the log.
      let next = try self.stage(folder, "http://127.0.0.1:9")
      await opening(of: next.client)
      let store = WeatherStore(directory: URL(fileURLWithPath: folder + "/cache", isDirectory: true))
      try next.client.storeWeather(in: store)
      let stored = try #require(try store.read(Self.place))
      #expect(try WeatherResponse(json: stored) == fresh.response)
      await next.client.stop()
    }
  }

  @Test(arguments: WeatherUnit.allCases) func everyUnitSystemComesThrough(unit: WeatherUnit) async throws {
    try await withFolder { folder in
      let server = try await server()
      let stage = try stage(folder, server.address)
      stage.client.dataQuery.weather = .init(
        places: [Self.place], spec: .init(language: .japanese, unit: unit, hours: 2, days: 1))
      await firstData(of: Self.scope, from: stage.client)
      let held = try #require(try stage.client.weather(at: Self.place))
      #expect(held.response.unit == unit && held.response.language == "ja")
      let celsius = try #require(held.response.measured.realtime?.temperature?.converted(to: .celsius).value)
      #expect((-60...50).contains(celsius))
      await stage.client.stop()
      await server.stop()
    }
  }

  @Test func theQueryKnowsWhatTheServiceDocuments() {
    #expect(Set(WeatherSpec.languages) == Set(WeatherLanguage.allCases.map(\.rawValue)))
    #expect(Set(WeatherSpec.units) == Set(WeatherUnit.allCases.map(\.rawValue)))
    #expect(WeatherSpec.versions == WeatherEndpoint.versions)
    var endpoint = WeatherEndpoint()
    endpoint.version = "v2.6"
    endpoint.file = "realtime.json"
    #expect(WeatherSpec(endpoint).version == "v2.6" && WeatherSpec(endpoint).file == "realtime.json")
    // What isn't named is what the service has by default.
    let usual = WeatherSpec(language: .japanese, unit: .metricV2)
    #expect(usual == WeatherSpec(language: "ja", unit: "metric:v2", includesAlerts: true, hours: 48, days: 5))
  }

  @Test func aRequestOfTheAppsOwnIsALineOfTheLogWithoutItsToken() async throws {
    try await withFolder { folder in
      let server = try await server()
      let stage = try stage(folder, server.address)
      try await stage.client.opened()
      var endpoint = WeatherEndpoint(
        token: Self.token, coordinate: Coordinate(latitude: 40.64, longitude: -73.78), language: .englishUS)
      endpoint.service = try #require(URL(string: server.address))
      let request = WeatherRequest(
        endpoint: endpoint, localContentURL: URL(filePath: folder + "/cache"),
        transport: stage.client.loggedWeatherTransport())
      let answer = try await request.perform(from: .remote)
      // The service refuses another token, and echoes nothing of it.
      request.endpoint.token = "0ther/token"
      await #expect(throws: WeatherError.self) { try await request.perform(from: .remote) }
      // Nobody listens there.
      request.endpoint.service = try #require(URL(string: "http://127.0.0.1:9"))
      await #expect(throws: WeatherError.self) { try await request.perform(from: .remote) }
      await stage.client.stop()
      await server.stop()
      // The transport goes on without the client.
      request.endpoint.token = Self.token
      await #expect(throws: WeatherError.self) { try await request.perform(from: .remote) }

      let lines = try Self.contents(of: folder).split(separator: "\n").filter { $0.contains(#""kind":"weather."#) }
      #expect(lines.count == 3)
      #expect(
        lines.allSatisfy {
          $0.contains(#""place":"-73.7800,40.6400","version":"v2.5","spec":{"language":"en_US","unit":"metric""#)
        })
      let first = try #require(lines.first)
      #expect(first.contains(#""kind":"weather.received""#) && first.contains(#""status":200,"bytes":"#))
      let time = try #require(answer.response.serverTime).time.timeIntervalSince1970
      #expect(first.contains("\"server_time\":\(Int64(time))"))
      #expect(lines[1].contains(#""kind":"weather.received""#) && !lines[1].contains(#""status":200"#))
      #expect(lines[2].contains(#""kind":"weather.failed""#) && lines[2].contains(#""error":"network""#))
      let written = try Self.contents(of: folder)
      for secret in [Self.token, Self.encodedToken, "s3cret", "0ther"] { #expect(!written.contains(secret)) }
    }
  }

  @Test func noFileAndNoMessageOfASessionHoldsTheToken() async throws {
    try await withFolder { folder in
      let server = try await server()
      let stage = try stage(folder, server.address)
      stage.client.dataQuery.weather.places = [Self.place]
      await firstData(of: Self.scope, from: stage.client)
      #expect(stage.transport.targets.first?.hasPrefix("/v2.5/\(Self.encodedToken)/-73.7800,40.6400/") == true)
      #expect(stage.transport.headers.allSatisfy { !$0.contains("other") && !$0.contains("s3cret") })
      stage.transport.fault = "drop"
      var messages: [String] = []
      let updates = stage.client.updates
      stage.client.fetchData(refresh: true)
      for await update in updates {
        guard case .failed(let error) = update else { continue }
        messages.append("\(error) \(error.message)")
        break
      }
      await stage.client.stop()
      await server.stop()
      let written = try Self.contents(of: folder)
      #expect(written.contains("weather.-73.7800,40.6400"))
      for secret in [Self.token, Self.encodedToken, "s3cret"] {
        #expect(!written.contains(secret) && !messages.joined().contains(secret))
      }
    }
  }

  @Test func anotherTokenIsTakenWhileTheClientRuns() async throws {
    try await withFolder { folder in
      let server = try await server()
      let stage = try stage(folder, server.address, token: "0ld-token")
      let updates = stage.client.updates
      stage.client.dataQuery.weather.places = [Self.place]
      for await update in updates {
        guard case .failed(let error) = update else { continue }
        #expect(error.code == .unauthorized && error.scope == Self.scope && !"\(error)".contains("0ld-token"))
        break
      }
      // The server's own key is no token of the weather's.
      stage.client.setAPIKey(Self.token)
      await settle(stage.client)
      stage.client.enterForeground()
      #expect(try stage.client.weather(at: Self.place) == nil)
      stage.client.setWeatherToken(Self.token)
      await firstData(of: Self.scope, from: stage.client)
      #expect(try stage.client.weather(at: Self.place)?.isExpired == false)
      #expect(stage.transport.targets.last?.hasPrefix("/v2.5/\(Self.encodedToken)/") == true)
      await stage.client.stop()
      await server.stop()
      let written = try Self.contents(of: folder)
      #expect(!written.contains("0ld-token") && !written.contains(Self.token))
    }
  }

  @Test func aTokenThatTheServiceEchoesIsOverwritten() async throws {
    let body = Array(#"{"status":"ok","result":{},"path":"/v2.5/\#(Self.encodedToken)/"}"#.utf8)
    let transport = AnsweringTransport(body: body, etag: "\"\(Self.token)\"")
    let sender = RequestSender(transport: transport)
    let request = OutgoingRequest(
      number: 1, scope: Self.scope, mode: .full, method: .get, target: WeatherSpec().target(Self.place))
    guard case .answered(let response) = await sender.send(request, with: Credentials(apiKey: Self.token)) else {
      Issue.record("no answer")
      return
    }
    let stars = String(repeating: "*", count: Self.encodedToken.utf8.count)
    #expect(
      String(decoding: response.body.bytes, as: UTF8.self) == #"{"status":"ok","result":{},"path":"/v2.5/\#(stars)/"}"#)
    #expect(response.etag == nil && response.status == 200)
  }

  @Test func aServiceIsPrintedWithoutItsToken() {
    for (token, word) in [(Self.token, "set"), (nil, "none")] {
      let service = WeatherService(token: token)
      #expect("\(service)" == "WeatherService(https://api.caiyunapp.com, token \(word))")
      #expect(String(reflecting: service) == "\(service)")
      var dumped = ""
      dump(service, to: &dumped)
      #expect(dumped.contains(#"token: "\#(word)""#) && dumped.contains("https://api.caiyunapp.com"))
      #expect(!dumped.contains(Self.token))
    }
  }

  @Test func aRefusalIsReportedWithWhatToDo() async throws {
    try await withFolder { folder in
      let server = try await server()
      let stage = try stage(folder, server.address)
      stage.transport.fault = "failed"
      let updates = stage.client.updates
      stage.client.dataQuery.weather.places = [Self.place]
      for await update in updates {
        guard case .failed(let error) = update else { continue }
        #expect(error.code == .weatherRefused && error.scope == Self.scope && !error.advice.isEmpty)
        break
      }
      #expect(try stage.client.weather(at: Self.place) == nil)
      await stage.client.stop()
      await server.stop()
    }
  }

  /// Returns when what was set before has reached the engine.
  private func settle(_ client: ContrailClient) async {
    await MainActor.run {}
    await client.enterBackground()
    client.enterForeground()
  }

  /// All that stands in the files of a folder.
  private static func contents(of folder: String) throws -> String {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    return names.compactMap { FileManager.default.contents(atPath: folder + "/" + $0) }
      .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
  }
}

/// Another transport, and what went over it.
private final class CountingTransport: ClosableTransport, @unchecked Sendable {
  private let inner: any ClosableTransport
  private let lock = NSLock()
  /// Guarded by `lock`.
  private var requests: [TransportRequest] = []
  private var wantedFault: String?

  init(_ inner: any ClosableTransport) {
    self.inner = inner
  }

  var targets: [String] { lock.withLock { requests.map(\.target) } }
  var headers: [String] { lock.withLock { requests.flatMap { $0.headers.map { "\($0.name): \($0.value)" } } } }
  var fault: String? {
    get { lock.withLock { wantedFault } }
    set { lock.withLock { wantedFault = newValue } }
  }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
    var request = request
    lock.withLock {
      requests.append(request)
      if let wantedFault { request.headers.append((WireHeader.fault, wantedFault)) }
    }
    return try await inner.send(request)
  }

  func shutdown() async { await inner.shutdown() }
}

/// A server that always says the same.
private struct AnsweringTransport: Transport {
  let body: [UInt8]
  let etag: String

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
    TransportAnswer(status: 200, headers: [("ETag", etag)], body: body)
  }
}

/// A clock that stands where it is set.
private final class HandClock: EngineClock, @unchecked Sendable {
  private let lock = NSLock()
  /// Guarded by `lock`.
  private var milliseconds: Int64
  private var sleepers: [UUID: (until: Int64, continuation: CheckedContinuation<Void, any Error>)] = [:]
  private var isCancelled: Set<UUID> = []

  init(_ milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  var now: Int64 { lock.withLock { milliseconds } }

  func advance(_ by: Int64) {
    let due = lock.withLock {
      milliseconds += by
      let due = sleepers.filter { $0.value.until <= milliseconds }
      due.keys.forEach { sleepers[$0] = nil }
      return due.values.map(\.continuation)
    }
    due.forEach { $0.resume() }
  }

  func sleep(until time: Int64) async throws {
    let id = UUID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Void, any Error>? = lock.withLock {
          if isCancelled.remove(id) != nil { return .failure(CancellationError()) }
          if time <= milliseconds { return .success(()) }
          sleepers[id] = (time, continuation)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let sleeper = lock.withLock { () -> CheckedContinuation<Void, any Error>? in
        guard let sleeper = sleepers.removeValue(forKey: id) else {
          isCancelled.insert(id)
          return nil
        }
        return sleeper.continuation
      }
      sleeper?.resume(throwing: CancellationError())
    }
  }
}
