import ContrailAirportData
import ContrailAirports
import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailHTTP
import ContrailServer
import ContrailTestSupport
import ContrailTesting
import ContrailWire
import ContrailWorld
import Foundation
import Logging
import Testing

@testable import Contrail

/// Airports that the client loads by itself, and the directory of the server, over real sockets.
@Suite(.timeLimit(.minutes(30)), .serialized) struct AirportDeliveryTests {
  /// An hour before cycle 2601 becomes effective.
  private static let start: Int64 = 1_769_040_000_000 - 3_600_000

  private func cycle(_ name: String) throws -> AIRACCycle { try #require(AIRACCycle(identifier: name)) }

  private func put(_ names: [String], in shelf: String) throws {
    try FileManager.default.createDirectory(atPath: shelf, withIntermediateDirectories: true)
    for name in names {
      try Data(SampleAirports.file(of: cycle(name))).write(to: URL(fileURLWithPath: "\(shelf)/\(name).airports.xz"))
    }
  }

  /// Adds the delta between two cycles to a shelf, and returns its size.
  private func putDelta(_ from: String, _ to: String, in shelf: String, isBad: Bool = false) throws -> Int {
    func airports(_ name: String) throws -> [Airport] {
      var reader = try AirportReader(SampleAirports.file(of: cycle(name)))
      var airports: [Airport] = []
      while let airport = try reader.next() { airports.append(airport) }
      return airports
    }
    var base = try airports(from)
    if isBad { base.removeLast() }
    let made = try AirportReader(SampleAirports.file(of: cycle(to))).header
    let bytes = try AirportDelta.packed(
      from: base, of: cycle(from), to: airports(to), cycle: cycle(to), sources: made.sources)
    try Data(bytes).write(to: URL(fileURLWithPath: "\(shelf)/\(from)-\(to).delta.xz"))
    return bytes.count
  }

  private func server(_ shelf: String) async throws -> ReferenceServer {
    var configuration = ServerConfiguration(seed: 3)
    configuration.airports = .directory(shelf)
    configuration.aircraft = 10
    configuration.clock = { Self.start }
    configuration.logger.logLevel = .critical
    return try await ReferenceServer.start(configuration)
  }

  private func client(
    _ folder: String, _ address: String, _ delivery: AirportDeliveryMode = .automatic
  ) throws -> (client: ContrailClient, clock: ManualClock) {
    let clock = ManualClock()
    clock.advance(by: Self.start - clock.now)
    var configuration = ContrailClient.Configuration(server: address, apiKey: nil, directory: folder + "/log")
    configuration.followsSystemLink = false
    configuration.airportDelivery = delivery
    let client = try ContrailClient(
      configuration, transport: try PlatformTransport.make(server: address), clock: clock)
    return (client, clock)
  }

  /// Returns after a condition holds for the airports in the log.
  private func wait(_ client: ContrailClient, until isMet: (AirportHoldings) -> Bool) async throws {
    try await client.opened()
    // The suite has a time limit.
    while !isMet(client.core.shown.state.airports) { await Task.yield() }
  }

  /// What the server answers, and the code that the application is told.
  @Test(arguments: [
    (401, ClientError.Code.unauthorized), (403, .unauthorized), (302, .server), (404, .server), (200, .malformedAnswer),
  ])
  func aDeliveryThatFailsIsTold(_ status: Int, _ code: ClientError.Code) async throws {
    try await withFolder { folder in
      let server = try ScriptedServer(.answer(status, ["Location": "/"], Array("<html>Sign in</html>".utf8)))
      let (client, _) = try client(folder, server.address)
      var early = client.statuses(of: .airports).makeAsyncIterator()
      for await case .failed(let error) in client.updates where error.scope == .airports {
        #expect(error.code == code && !error.message.isEmpty)
        break
      }
      var statuses = client.statuses(of: .airports).makeAsyncIterator()
      #expect(await statuses.next()?.lastError?.code == code)
      while let status = await early.next() { if status.lastError?.code == code { break } }
      let told = client.status(of: .airports)
      #expect(told.lastError?.code == code && told.phase != .unwanted)
      await client.stop()
    }
  }

  @Test func aClientLoadsAirportsByItselfAndTheNextCycleAhead() async throws {
    try await withFolder { folder in
      try put(["2513", "2601"], in: folder + "/shelf")
      let bytes = try putDelta("2513", "2601", in: folder + "/shelf")
      let server = try await server(folder + "/shelf")
      let (client, _) = try client(folder, server.address)
      try await wait(client) { $0.waiting?.edition.cycle == "2601" }
      #expect(client.core.shown.state.airports.inUse?.edition.cycle == "2513")
      await client.stop()
      await server.stop()
      // The second came as a delta, and the log has its complete file nevertheless.
      let (_, state, _) = try DirectoryLog.open(path: folder + "/log", at: Self.start)
      let waiting = try #require(state.airports.waiting)
      #expect(state.airports.delivery.isAutomatic && state.airports.delivery.request == nil)
      let log = try String(contentsOfFile: folder + "/log/" + firstSegment(folder + "/log"), encoding: .utf8)
      #expect(log.contains(#""kind":"airports.requested","rule":"delivered""#) && log.contains(#""reason":"ahead""#))
      #expect(log.contains(#""bytes":\#(bytes),"base":"2513""#))
      #expect(waiting.digest == (try digest(of: "2601")))
    }
  }

  private func firstSegment(_ folder: String) throws -> String {
    try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jsonl") }.sorted().first)
  }

  private func digest(of name: String) throws -> UInt64 {
    var reader = try AirportReader(SampleAirports.file(of: cycle(name)))
    var digest = AirportDigest()
    while let airport = try reader.next() { digest.add(airport) }
    return digest.value
  }

  @Test func afterARelaunchWithoutADatabaseTheDeltaIsNotNeededAgain() async throws {
    try await withFolder { folder in
      try put(["2513", "2601"], in: folder + "/shelf")
      _ = try putDelta("2513", "2601", in: folder + "/shelf")
      let server = try await server(folder + "/shelf")
      var first: ContrailClient? = try client(folder, server.address).client
      if let first { try await wait(first) { $0.waiting?.edition.cycle == "2601" } }
      try await release(&first)
      await server.stop()
      for suffix in ["-wal", "-shm", ""] {
        try? FileManager.default.removeItem(atPath: folder + "/log/airports.sqlite" + suffix)
      }
      let (second, _) = try client(folder, "http://127.0.0.1:9", .manual)
      let status = try await second.airports.database().status()
      #expect(status.current?.cycle.identifier == "2513" && status.pending?.cycle.identifier == "2601")
      #expect(status.pending?.digest.value == (try digest(of: "2601")))
      await second.stop()
    }
  }

  @Test func aDeltaFromOtherAirportsCostsTheCompleteFile() async throws {
    try await withFolder { folder in
      try put(["2513", "2601"], in: folder + "/shelf")
      _ = try putDelta("2513", "2601", in: folder + "/shelf", isBad: true)
      let server = try await server(folder + "/shelf")
      let (client, _) = try client(folder, server.address, .manual)
      try await client.airports.loadCurrent()
      let loaded = try await client.airports.loadNext()
      #expect(loaded.digest.value == (try digest(of: "2601")))
      await client.stop()
      await server.stop()
    }
  }

  @Test func withoutAFileTheClientAsksAgainLater() async throws {
    try await withFolder { folder in
      try put([], in: folder + "/shelf")
      let server = try await server(folder + "/shelf")
      let (client, clock) = try client(folder, server.address)
      try await wait(client) { $0.lastCheck != nil && $0.delivery.request == nil }
      #expect(client.core.shown.state.airports.inUse == nil)
      try put(["2513"], in: folder + "/shelf")
      clock.advance(by: 3_500_000)
      try await wait(client) { $0.inUse == nil && $0.delivery.request == nil }
      clock.advance(by: 200_000)
      try await wait(client) { $0.inUse?.edition.cycle == "2513" || $0.lastCheck?.at ?? 0 > Self.start + 3_600_000 }
      await client.stop()
      await server.stop()
    }
  }

  @Test func anApplicationCanLoadByItself() async throws {
    try await withFolder { folder in
      try put(["2513"], in: folder + "/shelf")
      let server = try await server(folder + "/shelf")
      let (client, _) = try client(folder, server.address, .manual)
      try await client.opened()
      #expect(client.core.shown.state.airports.isEmpty)
      try await client.airports.loadCurrent()
      #expect(try await client.airports.search("EGLL").first?.icaoID == "EGLL")
      #expect(try await client.airports.search("field egll", limit: 1).count == 1)
      await client.stop()
      await server.stop()
    }
  }

  @Test func whatIsLoadedIsNotLoadedAgain() async throws {
    try await withFolder { folder in
      try put(["2513", "2601"], in: folder + "/shelf")
      let server = try await server(folder + "/shelf")
      let (client, _) = try client(folder, server.address, .manual)
      let (current, next) = (try await client.airports.loadCurrent(), try await client.airports.loadNext())
      await server.stop()
      #expect(try await client.airports.loadCurrent() == current)
      #expect(try await client.airports.loadNext() == next)
      #expect(FileManager.default.fileExists(atPath: folder + "/log/airports"))
      #expect(try await client.airports.search("field").count == 25)
      await client.stop()
    }
  }

  @Test func aFailedLoadIsInTheLogWhenItsErrorIsThrown() async throws {
    try await withFolder { folder in
      try put([], in: folder + "/shelf")
      let server = try await server(folder + "/shelf")
      let (client, _) = try client(folder, server.address, .manual)
      try await client.opened()
      await #expect(throws: AirportLoaderError.cycleNotAvailable(try cycle("2601"))) {
        try await client.airports.loadNext()
      }
      #expect(client.core.shown.state.airports.lastCheck?.isAvailable == false)
      await client.stop()
      await server.stop()
    }
  }

  /// The errors of airports that an application is told, and their ends, until the client stops.
  private func told(_ client: ContrailClient) -> Task<[String], Never> {
    let updates = client.updates
    return Task {
      var told: [String] = []
      for await update in updates {
        switch update {
        case .failed(let error) where error.scope == .airports: told.append(error.code.rawValue)
        case .recovered(.airports): told.append("recovered")
        default: break
        }
      }
      return told
    }
  }

  @Test func theEndOfAnOutageIsTold() async throws {
    try await withFolder { folder in
      try put([], in: folder + "/shelf")
      let server = try await server(folder + "/shelf")
      let (client, clock) = try client(folder, server.address)
      let told = told(client)
      var statuses = client.statuses(of: .airports).makeAsyncIterator()
      var errors = client.errors.values().makeAsyncIterator()
      try await wait(client) { $0.lastCheck != nil && $0.delivery.request == nil }
      #expect(await errors.next()?.scope == .airports)
      while let status = await statuses.next() { if status.lastError != nil { break } }
      try put(["2513"], in: folder + "/shelf")
      clock.advance(by: 3_600_000)
      // The cycle is effective by now, and its file isn't there: the one before is loaded.
      try await wait(client) { $0.inUse?.edition.cycle == "2513" && $0.delivery.request == nil }
      while let status = await statuses.next() { if status.lastError == nil { break } }
      #expect(client.errors.value == nil)
      await client.stop()
      await server.stop()
      let all = await told.value
      #expect(all == ["server", "recovered"])
    }
  }

  /// Nothing else is told in the middle of a cycle.
  @Test func theStatusLosesItsErrorWithTheEndOfAnOutage() async throws {
    try await withFolder { folder in
      let middle = Date(timeIntervalSince1970: TimeInterval(Self.start / 1000 - 14 * 86_400))
      let world = ReferenceWorld(seed: 3, at: middle, hasAirports: true)
      try await world.fail("503 for 10m")
      let client = try world.client(directory: URL(filePath: folder + "/log"))
      let statuses = client.statuses(of: .airports)
      try await world.advance(by: .seconds(60))
      await client.airportsDelivered()
      #expect(client.status(of: .airports).lastError?.scope == .airports)
      try await world.advance(by: .seconds(7200))
      await client.airportsDelivered()
      #expect(client.core.shown.state.airports.inUse != nil)
      var newest = statuses.makeAsyncIterator()
      let status = await newest.next()
      #expect(status?.phase == .current && status?.lastError == nil)
      await client.stop()
    }
  }

  @Test func aCycleThatIsNotPublishedAheadIsNoError() async throws {
    try await withFolder { folder in
      try put(["2513"], in: folder + "/shelf")
      let server = try await server(folder + "/shelf")
      let (client, _) = try client(folder, server.address)
      let told = told(client)
      try await wait(client) {
        $0.inUse?.edition.cycle == "2513" && $0.lastCheck?.isAvailable == false && $0.delivery.request == nil
      }
      await client.stop()
      await server.stop()
      let all = await told.value
      #expect(all == [])
    }
  }

  @Test func nothingIsLoadedAfterAStop() async throws {
    try await withFolder { folder in
      try put(["2513"], in: folder + "/shelf")
      let server = try await server(folder + "/shelf")
      let (client, _) = try client(folder, server.address, .manual)
      try await client.opened()
      await client.airports.stopDelivery()
      client.airports.deliver(effectiveMS: try cycle("2513").effectiveTime * 1000)
      for _ in 0..<1000 { await Task.yield() }
      await client.airports.delivered()
      #expect(try await client.airports.database().status().current == nil)
      await client.stop()
      await server.stop()
    }
  }

  @Test func theDirectoryIsSearchedOfflineFirstAndThenOnTheServer() async throws {
    try await withFolder { folder in
      try put(["2513"], in: folder + "/shelf")
      let server = try await server(folder + "/shelf")
      let (client, _) = try client(folder, server.address, .manual)
      let manager = AirportSearchManager.createOnlineManager(context: client)
      // Nothing is loaded: the server answers.
      let heathrow = try #require(try await manager.searchByDirectoryObjectId(objectId: "egll").value)
      #expect(heathrow.icaoID == "EGLL" && heathrow.runways.count == 2)
      #expect(try await manager.searchByDirectoryObjectId(objectId: heathrow.id).value == heathrow)
      #expect(try await manager.searchByDirectoryObjectId(objectId: "no such/id?&").value == nil)
      #expect(try await manager.search("Field of EGLL").value == [heathrow])
      #expect(try await manager.search("egll").value.first == heathrow)
      #expect(try await manager.search("fiel", limit: 7).value.count == 7)
      let near = try await manager.searchNearest(to: heathrow.coordinate, count: 3).value
      #expect(near.first?.airport == heathrow && near.first?.distanceNM == 0 && near.count == 3)
      #expect(near == near.sorted { $0.distanceNM < $1.distanceNM })
      // Loaded, the same answers come without the server.
      try await client.airports.loadCurrent()
      await server.stop()
      #expect(try await manager.searchByDirectoryObjectId(objectId: "EGLL").value == heathrow)
      #expect(try await manager.searchNearest(to: heathrow.coordinate, count: 3).value == near)
      #expect(try await manager.search("no such place").value.isEmpty)
      await client.stop()
    }
  }

  @Test func withoutAirportsAndALinkASearchFails() async throws {
    try await withFolder { folder in
      let (client, _) = try client(folder, "http://127.0.0.1:9", .manual)
      let manager = AirportSearchManager.createOnlineManager(context: client)
      await #expect(throws: AirportTransportError.self) { try await manager.search("heathr").value }
      await client.stop()
    }
  }
}
