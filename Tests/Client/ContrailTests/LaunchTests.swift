import Contrail
import ContrailAirports
import ContrailCore
import ContrailEngine
import ContrailHTTP
import ContrailLog
import ContrailQuery
import ContrailTestSupport
import ContrailWeather
import ContrailWire
import Foundation
import Testing

/// What an application sets in the lines after it creates a client.
@Suite struct LaunchTests {
  /// Counts requests, which all fail.
  private final class DeadLink: ClosableTransport, @unchecked Sendable {
    private let lock = NSLock()
    private var targets: [String] = []
    private var ends = 0

    var requests: [String] { lock.withLock { targets } }
    var shutdownCount: Int { lock.withLock { ends } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
      lock.withLock { targets.append(request.target) }
      throw TransportError(.network, "there is no link")
    }

    func shutdown() async { lock.withLock { ends += 1 } }
  }

  private static func client(
    _ folder: String, _ link: any ClosableTransport = DeadLink(),
    _ change: (inout ContrailClient.Configuration) -> Void = { _ in }
  ) throws -> ContrailClient {
    var configuration = ContrailClient.Configuration(server: "http://127.0.0.1:9", directory: folder + "/log")
    change(&configuration)
    return try ContrailClient(configuration, transport: link, clock: SystemClock())
  }

  private static let places = (0..<3).map { RoundedCoordinate("\($0).0000,50.0000")! }

  /// A folder in which a launch has set everything.
  private static func prepare(_ folder: String) async throws {
    let client = try client(folder)
    client.isOnline = false
    client.dataQuery = DataQuery(types: [.turbulence, .pireps], sevs: [.moderate, .moderateSevere])
    client.dataQuery.polygon = line.buffer(widthNM: 100)
    client.dataQuery.weather.places = Array(places.prefix(2))
    client.dataQuery.weather.spec = WeatherSpec(language: "ja", unit: "metric:v2", hours: 24, days: 3)
    client.dataHistoryTime = .sixHours
    try await client.opened()
    await client.stop()
  }

  @Test(arguments: [false, true]) func editsInPlaceKeepEverythingElse(isCopyLost: Bool) async throws {
    try await withFolder { folder in
      try await Self.prepare(folder)
      if isCopyLost { try FileManager.default.removeItem(atPath: folder + "/log/settings.jsonl") }
      let client = try Self.client(folder)
      client.isOnline = false
      #expect(client.dataHistoryTime == .sixHours)
      client.dataQuery.weather.places.append(Self.places[2])
      client.dataQuery.weather.spec.hours = 12
      client.dataQuery.sevs.append(.light)
      client.dataQuery.types = client.dataQuery.types.union(.traffic)
      func check() {
        let query = client.dataQuery
        #expect(query.weather.places == Self.places)
        #expect(query.weather.spec == WeatherSpec(language: "ja", unit: "metric:v2", hours: 12, days: 3))
        #expect(Set(query.sevs) == [.light, .moderate, .moderateSevere])
        #expect(query.types == [.turbulence, .pireps, .traffic] && query.polygon != nil)
      }
      check()
      try await client.opened()
      check()
      #expect(client.dataHistoryTime == .sixHours)
      await client.stop()
    }
  }

  @Test func eachSettingIsReadAsItWasSetAndAtTheNextLaunch() async throws {
    try await withFolder { folder in
      for isFirst in [true, false] {
        let client = try Self.client(folder) { $0.isOnline = false }
        if isFirst {
          client.dataHistoryTime = .hour
          client.dataUpdateFrequency = .medium
          client.listening.urgentSeverity = .light
          client.byteBudget = ByteBudget(bytes: 500, per: .flight("x"))
        }
        func check() {
          #expect(client.dataHistoryTime == .hour && client.dataUpdateFrequency == .medium)
          #expect(client.listening.urgentSeverity == .light)
          #expect(client.byteBudget == ByteBudget(bytes: 500, per: .flight("x")))
        }
        check()
        try await client.opened()
        check()
        await client.stop()
      }
    }
  }

  @Test func aDamagedCopyOfTheSettingsIsMadeAgain() async throws {
    try await withFolder { folder in
      try await Self.prepare(folder)
      let path = folder + "/log/settings.jsonl"
      let whole = try Data(contentsOf: URL(filePath: path))
      for damaged in [Data(), Data(whole.prefix(whole.count / 2)), Data([0, 10, 10]), whole + whole] {
        try damaged.write(to: URL(filePath: path))
        let client = try Self.client(folder)
        client.isOnline = false
        #expect(client.dataQuery.weather.places.count == 2 && client.dataHistoryTime == .sixHours)
        try await client.opened()
        await client.stop()
        // The first line tells the line of the log that followed.
        let lines = try Data(contentsOf: URL(filePath: path)).split(separator: 10)
        #expect(lines.dropFirst().elementsEqual(whole.split(separator: 10).dropFirst()))
      }
    }
  }

  @Test @MainActor func aLaunchThatIsSwitchedOffAtOnceSendsNothing() async throws {
    try await withFolder { folder in
      try await Self.prepare(folder)
      for number in 0..<6 {
        let link = DeadLink()
        // In the line after, or in the configuration.
        let client = try Self.client(folder, link) { $0.isOnline = number % 2 == 0 }
        client.isOnline = false
        try await client.report(at: line[0], altitudeFeet: 31_000, severity: .light, edr: 0.1)
        try await client.opened()
        #expect(!client.isOnline && client.pendingReportCount == number + 1)
        await client.stop()
        #expect(link.requests.isEmpty)
      }
    }
  }

  @Test func aReportOfAnotherTimeOrBelowTheGroundIsRefused() async throws {
    try await withFolder { folder in
      let client = try Self.client(folder) { $0.isOnline = false }
      let now = Date()
      for (feet, seconds) in [(-1.0, 0.0), (31_000, 7200), (31_000, -3 * 86_400)] {
        let error = await #expect(throws: ClientError.self) {
          try await client.report(
            at: line[0], altitudeFeet: feet, severity: .light, edr: 0.1, observedAt: now.addingTimeInterval(seconds))
        }
        #expect(error?.code == .invalidReport)
      }
      try await client.report(
        at: line[0], altitudeFeet: 0, severity: .light, edr: 0.1, observedAt: now.addingTimeInterval(-3600))
      #expect(client.pendingReportCount == 1)
      await client.stop()
    }
  }

  @Test func aStoppedClientHasClosedItsTransport() async throws {
    try await withFolder { folder in
      let link = DeadLink()
      let client = try Self.client(folder, link)
      try await client.opened()
      #expect(link.shutdownCount == 0)
      await client.stop()
      #expect(link.shutdownCount == 1)
    }
  }

  @Test func aStoppedClientPlansNothingAndAnOutboxIsNoArea() async throws {
    try await withFolder { folder in
      try await Self.prepare(folder)
      let client = try Self.client(folder)
      try await client.opened()
      #expect(client.status(of: .corridor).phase != .stopped)
      var earlier = client.statuses(of: .corridor).makeAsyncIterator()
      #expect(throws: ClientError.self) { try client.turbulence(with: TurbulenceQuery(scope: .outbox)) }
      #expect(throws: ClientError.self) { try client.pireps(with: PIREPQuery(scope: .outbox)) }
      #expect(try client.traffic(with: TrafficQuery(scope: .corridor)).isEmpty)
      await client.stop()
      let status = client.status(of: .corridor)
      #expect(status.phase == .stopped && status.nextAttempt == nil)
      var later = client.statuses(of: .corridor).makeAsyncIterator()
      #expect(await later.next()?.phase == .stopped)
      #expect(await earlier.next()?.phase == .stopped)
    }
  }

  @Test @MainActor func aLaunchRequestsOnlyWhatTheFirstTurnLeftWanted() async throws {
    try await withFolder { folder in
      try await Self.prepare(folder)
      let link = DeadLink()
      let client = try Self.client(folder, link)
      client.dataQuery.polygon = nil
      client.dataQuery.weather.places = []
      try await client.opened()
      await client.stop()
      #expect(link.requests.isEmpty)
    }
  }

  @Test func offlineCoversEveryByte() async throws {
    try await withFolder { folder in
      let link = DeadLink()
      let client = try Self.client(folder, link) { $0.isOnline = false }
      let search = AirportSearchManager.createOnlineManager(context: client)
      await #expect(throws: (any Error).self) { try await search.searchByDirectoryObjectId(objectId: "EGLL").value }
      await #expect(throws: AirportLoaderError.self) { try await client.airports.loadCurrent() }
      #expect(link.requests.isEmpty)
      await #expect(throws: (any Error).self) {
        try await client.loggedWeatherTransport().get(URL(filePath: "/nowhere"))
      }
      client.isOnline = true
      await #expect(throws: (any Error).self) { try await search.searchByDirectoryObjectId(objectId: "EGLL").value }
      #expect(!link.requests.isEmpty)
      await client.stop()
    }
  }

  /// Nothing begins behind a closed gate, also if other threads use the gate, so that the answer whether it is open takes time.
  @Test func aClosedGateLetsNothingBegin() async throws {
    let (gate, begun, isOver) = (LinkGate(isOpen: false), Lock(0), Lock(false))
    for _ in 0..<4 {
      Thread.detachNewThread {
        while !isOver.withLock({ $0 }) { for _ in 0..<1000 { gate.set(isOpen: false) } }
      }
    }
    for _ in 0..<4000 {
      await #expect(throws: LinkGate.error) { try await gate.run { begun.withLock { $0 += 1 } } }
    }
    isOver.withLock { $0 = true }
    #expect(begun.withLock { $0 } == 0)
  }

  /// Airport files may be at a host to which the server redirects.
  @Test func aRedirectedDownloadEndsWhenTheApplicationGoesOffline() async throws {
    let other = try ScriptedServer(.text("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n12345"), .hold)
    let server = try ScriptedServer(.answer(302, ["Location": other.address + "/file"]))
    let gate = LinkGate()
    let transport = HTTPAirportTransport(
      publishedFolder: GatedTransport(try PlatformTransport.make(server: server.address), gate), gate: gate)
    let cycle = try #require(AIRACCycle(identifier: "2601"))
    guard case .body(let body) = try await transport.open(AirportRequest(cycle: cycle)) else {
      Issue.record("no body")
      return
    }
    var blocks = body.blocks.makeAsyncIterator()
    #expect(try await blocks.next() != nil)
    gate.set(isOpen: false)
    await #expect(throws: (any Error).self) { try await blocks.next() }
  }

  @Test func aDownloadEndsWhenTheApplicationGoesOffline() async throws {
    let server = try ScriptedServer(.text("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n12345"), .hold)
    let gate = LinkGate()
    let transport = GatedTransport(try PlatformTransport.make(server: server.address), gate)
    let stream = try await transport.open(.init(method: "GET", target: "/", timeoutSeconds: 3600))
    #expect(try await stream.body.next() != nil)
    gate.set(isOpen: false)
    let error = await #expect(throws: TransportError.self) { try await stream.body.next() }
    #expect(error == LinkGate.error)
    await #expect(throws: LinkGate.error) {
      try await transport.send(.init(method: "GET", target: "/", timeoutSeconds: 1))
    }
    await transport.shutdown()
  }

  @Test func anOutageThatIsOverIsNotToldToNewListeners() async throws {
    let source = ChannelSource<Int>()
    source.send(1)
    source.clear { $0 == 2 }
    #expect(source.channel.value == 1)
    source.clear { $0 == 1 }
    #expect(source.channel.value == nil)
    var iterator = source.channel.values().makeAsyncIterator()
    source.send(3)
    #expect(await iterator.next() == 3)
  }

  /// A query that is invalid for a moment isn't told to those who come later, and an outage that lasts is.
  @Test func aNewListenerReceivesErrorsThatLast() async throws {
    try await withFolder { folder in
      let client = try Self.client(folder)
      var errors = client.errors.values().makeAsyncIterator()
      client.dataQuery.polygon = line.buffer(widthNM: 100)
      #expect(await errors.next()?.code == .network)
      client.dataQuery.viewport = [line[0], line[1]]
      #expect(await errors.next()?.code == .invalidQuery)
      #expect(client.errors.value?.code == .network)
      await client.stop()
    }
  }

  @Test func aReportOfAnotherTimeIsRefused() async throws {
    try await withFolder { folder in
      let client = try Self.client(folder) { $0.isOnline = false }
      let now = Int64(Date().timeIntervalSince1970)
      for time in [now + 7200, now - 3 * 86_400] {
        let report = try TurbulenceReport(
          at: line[0], altitudeFeet: 34_000, severity: .light, edr: 0.1, observedAt: time)
        await #expect { try await client.report(report) } throws: { ($0 as? ClientError)?.code == .invalidReport }
      }
      await client.stop()
    }
  }
}
