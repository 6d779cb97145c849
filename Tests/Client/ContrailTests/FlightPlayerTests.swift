import Contrail
import ContrailReplay
import ContrailTestSupport
import ContrailTesting
import Foundation
import Testing

/// The client fed by a recording, and by a world under a test's clock.
@Suite(.timeLimit(.minutes(30))) struct FlightPlayerTests {
  private static func recording(_ name: String) -> Recording {
    Recording(PackageFolder.file("Recordings/\(name).jsonl"))
  }

  private static func count(_ player: FlightPlayer) -> Int { player.client.data(of: .corridor).turbulence.count }

  @Test func theClientShowsWhatTheRecordedOneShowed() async throws {
    let player = try FlightPlayer(Self.recording("atlantic"))
    try await player.client.opened()
    try await player.seek(to: .seconds(7200))
    #expect(player.position == .seconds(7200))
    #expect(Self.count(player) > 0)
    #expect(await player.dataQuery.route != nil)
    let age = try #require(player.client.lastUpdateTime(of: .corridor))
    #expect(Date().timeIntervalSince(age) > 86_400)
    await player.client.stop()
  }

  @Test func aTimeShowsTheSameFromBothSidesAndWhenPlayed() async throws {
    let (jumper, runner) = (
      try FlightPlayer(Self.recording("atlantic")), try FlightPlayer(Self.recording("atlantic"))
    )
    try await jumper.seek(to: jumper.length)
    try await jumper.seek(to: .seconds(5400))
    try await runner.seek(to: .seconds(1200))
    try await runner.play(speed: 1e8, until: .seconds(5400))
    #expect(runner.position == jumper.position)
    #expect(Set(jumper.client.data(of: .corridor).turbulence) == Set(runner.client.data(of: .corridor).turbulence))
    #expect(jumper.client.status(of: .corridor).phase == runner.client.status(of: .corridor).phase)
    try await jumper.seek(to: .zero)
    #expect(Self.count(jumper) == 0)
  }

  @Test func playingTellsEachChangeAndEndsAtTheEnd() async throws {
    let player = try FlightPlayer(Self.recording("ocean-offline"))
    let updates = player.client.updates
    try await player.play(speed: 1e9)
    #expect(player.position == player.length)
    await player.client.stop()
    var (data, failures, recoveries) = (0, 0, 0)
    for await update in updates {
      switch update {
      case .data(.corridor): data += 1
      case .failed: failures += 1
      case .recovered: recoveries += 1
      default: break
      }
    }
    #expect(data > 5)
    #expect(failures == recoveries)
  }

  @Test func whatTheAppDoesChangesNothing() async throws {
    let player = try FlightPlayer(Self.recording("atlantic"))
    try await player.client.opened()
    try await player.seek(to: .seconds(3600))
    let before = Self.count(player)
    player.client.dataQuery.types = []
    player.client.fetchData(refresh: true)
    await player.client.enterBackground()
    #expect(Self.count(player) == before)
    await player.client.stop()
  }

  @Test(arguments: ["atlantic", "relaunch-in-flight", "airports-delivered"])
  func aRecordingIsVerifiedInOneLine(_ name: String) throws { try Self.recording(name).verify() }

  @Test func aRecordingThatDivergesIsAnErrorWithItsPlace() throws {
    let folder = try TemporaryDirectory()
    let url = URL(filePath: folder.path).appending(path: "a.jsonl")
    var text = try String(contentsOf: Self.recording("atlantic").url, encoding: .utf8)
    text = text.replacingOccurrences(of: #""rule":"first""#, with: #""rule":"areaChanged""#)
    try text.write(to: url, atomically: true, encoding: .utf8)
    let error = #expect(throws: TestingError.self) { try Recording(url).verify() }
    #expect(error?.place?.contains("a.jsonl:") == true, "\(String(describing: error))")
    try Data().write(to: url)
    #expect(throws: TestingError.self) { try FlightPlayer(Recording(url)) }
    #expect(throws: TestingError.self) { try FlightPlayer(Recording(url.appending(path: "missing"))) }
    withExtendedLifetime(folder) {}
  }

  @Test func aWorldAnswersUnderTheClockOfTheTest() async throws {
    var held: [[TurbulenceReport]] = []
    for _ in 0..<2 {
      // Both see the world at the same times.
      let folder = try TemporaryDirectory()
      let twin = ReferenceWorld(seed: 3)
      let client = try twin.client(directory: URL(filePath: folder.path))
      try await client.opened()
      client.dataQuery.polygon = Self.atlantic
      try await twin.advance(by: .seconds(600))
      #expect(client.status(of: .corridor).lastError == nil)
      #expect(twin.date == Date(timeIntervalSince1970: 1_740_000_600))
      held.append(client.data(of: .corridor).turbulence.sorted { $0.observedAt < $1.observedAt })
      await client.stop()
      withExtendedLifetime(folder) {}
    }
    #expect(!held[0].isEmpty)
    #expect(Set(held[0]) == Set(held[1]))
  }

  @Test func aWorldFailsAsItIsAsked() async throws {
    let folder = try TemporaryDirectory()
    let world = ReferenceWorld(seed: 3)
    let client = try world.client(directory: URL(filePath: folder.path))
    try await client.opened()
    client.dataQuery.polygon = Self.atlantic
    try await world.fail("503 for 10m")
    try await world.advance(by: .seconds(60))
    #expect(client.status(of: .corridor).lastError != nil)
    await world.recover()
    try await world.advance(by: .seconds(1200))
    #expect(client.status(of: .corridor).lastError == nil && !client.data(of: .corridor).turbulence.isEmpty)
    // Latency passes by the world's clock.
    try await world.fail("latency=5000")
    try await world.advance(by: .seconds(1200))
    #expect(client.status(of: .corridor).lastError == nil)
    await #expect(throws: TestingError.self) { try await world.fail("fire") }
    await client.stop()
    withExtendedLifetime(folder) {}
  }

  @Test func aClientListensToAWorldThatHoldsRequests() async throws {
    let folder = try TemporaryDirectory()
    let world = ReferenceWorld(seed: 3, holdsRequests: true)
    let client = try world.client(directory: URL(filePath: folder.path))
    try await client.opened()
    client.dataQuery.polygon = Self.atlantic
    try await world.advance(by: .seconds(5))
    #expect(client.status(of: .corridor).phase == .listening)
    client.dataUpdateFrequency = .minimal
    client.listening.confirmationMinutes = 5
    for _ in 0..<12 {
      try await world.advance(by: .seconds(100))
      let status = client.status(of: .corridor)
      #expect(status.lastError == nil && [.listening, .current].contains(status.phase))
      let confirmed = try #require(status.lastUpdateTime)
      #expect(world.date.timeIntervalSince(confirmed) <= 301)
    }
    #expect(!client.data(of: .corridor).turbulence.isEmpty)
    client.fetchData(refresh: false)
    try await world.advance(by: .seconds(1))
    let refreshed = try #require(client.status(of: .corridor).lastUpdateTime)
    #expect(world.date.timeIntervalSince(refreshed) <= 1)
    await client.stop()
    withExtendedLifetime(folder) {}
  }

  /// What becomes due in the background waits, and doesn't hold up the others.
  @Test func aWorldGoesOnWhileAClientIsInTheBackground() async throws {
    let folder = try TemporaryDirectory()
    let world = ReferenceWorld(seed: 3)
    let client = try world.client(directory: URL(filePath: folder.path))
    try await client.opened()
    client.dataQuery.polygon = Self.atlantic
    try await world.advance(by: .seconds(600))
    let asOf = try #require(client.data(of: .corridor).asOf)
    await client.enterBackground()
    try await world.advance(by: .seconds(3600))
    #expect(client.data(of: .corridor).asOf == asOf)
    client.enterForeground()
    try await world.advance(by: .seconds(600))
    #expect(try #require(client.data(of: .corridor).asOf) > asOf.addingTimeInterval(3600))
    await client.stop()
    withExtendedLifetime(folder) {}
  }

  @Test func aWorldHasKeysAndAirports() async throws {
    let folder = try TemporaryDirectory()
    let world = ReferenceWorld(seed: 3, keys: ["key"], hasAirports: true)
    let client = try world.client(directory: URL(filePath: folder.path).appending(path: "a"), apiKey: "key")
    let stranger = try world.client(directory: URL(filePath: folder.path).appending(path: "b"))
    try await client.opened()
    try await stranger.opened()
    for client in [client, stranger] { client.dataQuery.polygon = Self.atlantic }
    try await world.advance(by: .seconds(600))
    #expect(client.status(of: .corridor).lastError == nil && !client.data(of: .corridor).turbulence.isEmpty)
    #expect(
      stranger.status(of: .corridor).lastError?.code == .unauthorized && stranger.data(of: .corridor).turbulence.isEmpty
    )
    #expect(try await client.airports.search("EGLL").first?.icaoID == "EGLL")
    // A stopped client that is still referenced holds nothing up: waiting for it would throw.
    await stranger.stop()
    try await world.advance(by: .seconds(600))
    await client.stop()
    withExtendedLifetime(folder) {}
  }

  private static let atlantic = [(60, -60), (60, 0), (40, 0), (40, -60), (60, -60)].map {
    Coordinate(latitude: $0.0, longitude: $0.1)
  }
}
