import Contrail
import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailHTTP
import ContrailLog
import ContrailQuery
import ContrailServer
import ContrailStore
import ContrailTestSupport
import ContrailTesting
import ContrailWire
import ContrailWorld
import Foundation
import Logging
import Testing

/// The client of an application, over a real server, a real disk and a real database.
@Suite(.timeLimit(.minutes(30))) struct ClientTests {
  private func configuration(_ folder: String, _ server: String = "http://127.0.0.1:9")
    -> ContrailClient.Configuration
  {
    .init(server: server, apiKey: "key", directory: folder + "/log")
  }

  /// A client that has fetched six hours of turbulence and PIREPs along the line.
  private func flying(_ folder: String, _ server: ReferenceServer) async throws -> ContrailClient {
    let client = try ContrailClient(configuration(folder, server.address))
    client.dataQuery.types = [.turbulence, .pireps]
    client.dataQuery.route = line
    client.dataQuery.routeWidth = 100
    client.dataHistoryTime = .sixHours
    await firstData(of: .corridor, from: client)
    return client
  }

  @Test func whatWasFetchedIsThereAtTheNextLaunchWithoutAServer() async throws {
    try await withFolder { folder in
      let server = try await startServer()
      let client = try await flying(folder, server)
      let held = client.data(of: .corridor)
      #expect(!held.turbulence.isEmpty && !held.isEmpty)
      await client.stop()
      await server.stop()

      let next = try ContrailClient(configuration(folder))
      var first: HeldData?
      for await held in next.updates(for: .corridor) {
        first = held
        break
      }
      #expect(next.dataQuery.types == [.turbulence, .pireps])
      #expect(next.dataHistoryTime == .sixHours)
      #expect(first?.asOf == held.asOf && first?.turbulence.count ?? 0 >= held.turbulence.count / 2)
      await next.stop()
    }
  }

  @Test func aSecondClientOnOneFolderIsTold() async throws {
    try await withFolder { folder in
      let first = try ContrailClient(configuration(folder))
      await opening(of: first)
      let second = try ContrailClient(configuration(folder))
      for await update in second.updates {
        guard case .failed(let error) = update else { continue }
        #expect(error.code == .inUse && !error.advice.isEmpty)
        break
      }
      await #expect(throws: ClientError.self) {
        try await second.report(at: line[0], altitudeFeet: 31_000, severity: .light, edr: 0.1)
      }
      await second.stop()
      await first.stop()
    }
  }

  @Test func anAddressWithCredentialsIsRefused() {
    for server in ["https://user:secret@example.com", "ftp://example.com", "", "example.com"] {
      #expect {
        try ContrailClient(.init(server: server, apiKey: nil, directory: "/nowhere"))
      } throws: {
        guard let error = $0 as? ClientError else { return false }
        return error.code == .server && !error.message.contains("secret")
      }
    }
  }

  // MARK: Three ways to be told

  @Test @MainActor func theDelegateIsToldOnTheMainActorInOrder() async throws {
    try await withFolder { folder in
      let server = try await startServer()
      let client = try ContrailClient(configuration(folder, server.address))
      let delegate = Notes()
      client.delegate = delegate
      client.dataQuery = DataQuery(types: [.turbulence, .pireps, .traffic, .turbulencePolygons])
      client.dataQuery.polygon = line.buffer(widthNM: 80)
      client.dataQuery.viewport = Array(line.dropLast())
      while !delegate.lines.contains("polygons") || !delegate.lines.contains("traffic polygon") {
        _ = await delegate.next()
      }
      #expect(delegate.lines.first == "open")
      #expect(delegate.lines.contains("turbulence polygon") && delegate.lines.contains("pireps polygon"))
      #expect(delegate.lines.contains("failed invalidQuery viewport"))
      await client.stop()
      await server.stop()
    }
  }

  @Test @MainActor func bothFormsOfADelegateMethodAreCalled() async throws {
    try await withFolder { folder in
      let server = try await startServer()
      let client = try ContrailClient(configuration(folder, server.address))
      let delegate = PlainNotes()
      client.delegate = delegate
      client.dataQuery.polygon = line.buffer(widthNM: 80)
      client.dataQuery.viewport = Array(line.dropLast())
      while !delegate.lines.contains("turbulence") || !delegate.lines.contains("failed viewport") {
        _ = await delegate.next()
      }
      await client.stop()
      await server.stop()
    }
  }

  @Test func aDirectoryThatIsNotOnTheDeviceIsRejected() throws {
    let directory = try #require(URL(string: "https://example.com/logs"))
    let server = try #require(URL(string: "https://example.com"))
    let error = try #require(throws: ClientError.self) {
      try ContrailClient(.init(server: server, directory: directory))
    }
    #expect(error.code == .disk && error.message.contains("https://example.com/logs") && !error.isTransient)
    #expect(error.recoverySuggestion?.contains("file URL") == true)
  }

  @Test func aChannelTellsWhatAScopeHoldsNowAndLater() async throws {
    try await withFolder { folder in
      let server = try await startServer()
      let client = try ContrailClient(configuration(folder, server.address))
      let channel = client.channel(for: .corridor)
      client.dataQuery.polygon = line.buffer(widthNM: 80)
      var counts: [Int] = []
      for await held in channel.values() {
        counts.append(held.turbulence.count)
        if !held.isEmpty { break }
      }
      #expect(counts.last ?? 0 > 0 && channel.value?.turbulence.count == counts.last)
      await client.stop()
      await server.stop()
    }
  }

  // MARK: Questions

  @Test func everyQuestionIsAnsweredOffline() async throws {
    try await withFolder { folder in
      let server = try await startServer()
      // Time stands still, so that nothing grows old between two questions.
      let clock = ManualClock()
      let client = try ContrailClient(
        configuration(folder), transport: try PlatformTransport.make(server: server.address), clock: clock)
      client.dataQuery = DataQuery(types: [.turbulence, .pireps, .traffic, .turbulencePolygons])
      client.dataQuery.globalTurbulencePolygonsUpToEnabled = true
      client.dataQuery.route = line
      client.dataQuery.routeWidth = 200
      client.dataHistoryTime = .fourHours
      await firstData(of: .corridor, from: client, clock)
      await firstData(of: .global(.fourHours), from: client, clock)
      await firstData(of: .global(.hour), from: client, clock)
      client.isOnline = false
      await server.stop()

      let all = try client.turbulence(with: TurbulenceQuery(aggregate: false))
      let hexagons = try client.turbulence()
      #expect(all.count == client.data(of: .corridor).turbulence.count && hexagons.count <= all.count)
      #expect(
        hexagons.allSatisfy { $0.ring.count >= 6 } && hexagons.geoJSON().hasPrefix(#"{"type":"FeatureCollection""#))
      #expect(try client.pireps().count == client.data(of: .corridor).pireps.count)
      #expect(try client.traffic().count == client.data(of: .corridor).traffic.count)
      #expect(client.turbulencePolygonTimes.contains(.hour))
      #expect(try client.turbulencePolygons(with: .init(dataHistoryTime: .fourHours))?.areas.isEmpty == false)
      #expect(try await client.turbulenceFuture().value == hexagons)

      // Narrower is answered at once, without a request.
      client.dataQuery.sevs = [.moderate, .moderateSevere]
      let moderate = all.filter { $0.sev >= .moderate }
      for await held in client.updates(for: .corridor) where held.state.query.severities.severities.count == 2 {
        break
      }
      #expect(try client.turbulence(with: TurbulenceQuery(aggregate: false)).count == moderate.count)

      let aircraft = AircraftPosition(
        coordinate: line[0], altitudeFeet: 35_000, trackDegrees: 288, groundSpeedKnots: 480)
      var profile = ProfileQuery(along: line, widthNM: 40)
      profile.aircraft = aircraft
      #expect(try client.profile(along: line, at: aircraft) == client.profile(with: profile))
      let query = AlertQuery(distanceNM: 1000, widthNM: 200, altitudeSpanFeet: 20_000)
      let alerts = try client.alerts(with: query, at: aircraft)
      #expect(alerts.allSatisfy { $0.phase == .new && $0.mode == .route })
      #expect(try client.alerts(with: query, at: aircraft).allSatisfy { $0.phase == .unchanged })
      // Another part of the app has its own memory.
      var tracker = AlertTracker(query: query)
      #expect(try client.alerts(at: aircraft, with: &tracker) == alerts)
      #expect(tracker.query == query)
      #expect { try client.alerts(with: AlertQuery(distanceNM: -1), at: aircraft) } throws: {
        ($0 as? ClientError)?.code == .invalidQuery
      }
      await client.stop()
    }
  }

  @Test(.enabled(if: SharedData.folder != nil, "CONTRAIL_DATA names no folder of real data"))
  func aRealDayIsSyncedLikeAnyOther() async throws {
    let data = try #require(SharedData.folder)
    try await withFolder { folder in
      var settings = ServerConfiguration(seed: 1)
      settings.port = 0
      settings.logger.logLevel = .critical
      settings.day = try RecordedDay(
        pireps: [data + "/pireps/awc-pireps-2026-05-30.json"],
        states: [data + "/traffic/opensky-states-2021-10-17T1149Z.json.xz"],
        sigmets: [data + "/sigmet/awc-gairmet-2026-05-30.json"])
      let server = try await ReferenceServer.start(settings)
      let client = try ContrailClient(.init(server: server.address, apiKey: nil, directory: folder + "/log"))
      client.dataQuery = DataQuery(types: [.turbulence, .pireps, .traffic, .turbulencePolygons])
      // The contiguous states.
      client.dataQuery.polygon = [(50, -126), (50, -66), (24, -66), (24, -126), (50, -126)].map {
        Coordinate(latitude: $0, longitude: $1)
      }
      client.dataHistoryTime = .sixHours
      await firstData(of: .corridor, from: client)
      await firstData(of: .global(.sixHours), from: client)
      #expect(try client.turbulence(with: TurbulenceQuery(aggregate: false)).count > 150)
      #expect(try client.pireps().count > 200)
      #expect(try client.traffic().count > 1000)
      let polygons = try #require(try client.turbulencePolygons(with: .init(dataHistoryTime: .sixHours)))
      #expect(polygons.areas.count > 5)
      await client.stop()
      await server.stop()
    }
  }

  // MARK: The outbox

  @Test func aReportIsKeptThroughALaunchAndReachesEveryone() async throws {
    try await withFolder { folder in
      let offline = try ContrailClient(configuration(folder))
      try await offline.report(at: line[0], altitudeFeet: 34_600, severity: .moderate, edr: 0.31)
      #expect(offline.pendingReportCount == 1)
      await #expect {
        try await offline.report(at: line[0], altitudeFeet: 99_000, severity: .light, edr: 0.1)
      } throws: {
        ($0 as? ClientError)?.code == .invalidReport
      }
      await offline.stop()

      let server = try await startServer()
      let client = try ContrailClient(configuration(folder, server.address))
      for await update in client.updates {
        if case .data(.outbox) = update, client.pendingReportCount == 0 { break }
      }
      client.dataQuery.polygon = line.buffer(widthNM: 60)
      await firstData(of: .corridor, from: client)
      // The server's answers are as of the second before.
      for await update in client.updates {
        guard [.data(.corridor), .stored(.corridor), .confirmed(.corridor)].contains(update) else { continue }
        if client.data(of: .corridor).turbulence.contains(where: { $0.edrE4 == 3100 && $0.altitude == 35 }) { break }
        client.fetchData(refresh: false)
      }
      #expect(client.data(of: .corridor).turbulence.count { $0.edrE4 == 3100 } == 1)
      await client.stop()
      await server.stop()
    }
  }

  // MARK: The database

  private func rebuild(_ folder: String, _ harm: (String) throws -> Void) async throws -> StoreRebuild? {
    let server = try await startServer()
    let client = try await flying(folder, server)
    await client.stop()
    await server.stop()
    let path = folder + "/log/projections.sqlite"
    let before = try ProjectionReader(path: path).contents()
    #expect(before.scopes.contains { $0.reports.count > 0 })
    try harm(path)

    let next = try ContrailClient(configuration(folder))
    let updates = next.updates
    try await next.opened()
    await next.stop()
    var rebuild: StoreRebuild?
    for await update in updates { if case .rebuilt(let reason) = update { rebuild = reason } }
    #expect(try ProjectionReader(path: path).contents().scopes == before.scopes)
    let made = try ProjectionStore(path: path)
    #expect(try made.verify().isEmpty)
    return rebuild
  }

  @Test func theDatabaseHoldsWhatMemoryHoldsAndIsLeftAloneWhenItIsLevel() async throws {
    try await withFolder { folder in
      let reason = try await rebuild(folder) { _ in }
      #expect(reason == nil)
    }
  }

  @Test func aDatabaseThatWasDeletedIsMadeAnewAndTold() async throws {
    try await withFolder { folder in
      let reason = try await rebuild(folder) { path in
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      }
      #expect(reason == .missing)
    }
  }

  @Test func aDatabaseThatIsDamagedIsSetAsideAndMadeAnew() async throws {
    try await withFolder { folder in
      let reason = try await rebuild(folder) { path in
        var bytes = try Data(contentsOf: URL(filePath: path))
        for index in stride(from: 100, to: bytes.count, by: 50) { bytes[index] ^= 0x5A }
        try bytes.write(to: URL(filePath: path))
      }
      guard case .damaged(let movedTo, _) = reason else {
        Issue.record("not told: \(String(describing: reason))")
        return
      }
      #expect(FileManager.default.fileExists(atPath: movedTo))
    }
  }

  @Test func aDatabaseOfAnotherLogIsMadeAnew() async throws {
    try await withFolder { folder in
      let reason = try await rebuild(folder) { path in
        let store = try ProjectionStore(path: path)
        let position = try #require(try store.position())
        var state = State()
        state.evolve(Record(seq: 0, at: 1, event: .input(.connectivityChanged(isOnline: true))))
        try store.rebuild(from: state, through: .init(seq: position.seq - 3, crc: 12))
        try store.close()
      }
      #expect(reason == .fromAnotherLog)
    }
  }

  // MARK: In the background

  @Test func inTheBackgroundAllIsOnDiskAndTheProcessMayDie() async throws {
    try await withFolder { folder in
      let server = try await startServer()
      let client = try await flying(folder, server)
      client.dataQuery.sevs = [.moderate, .moderateSevere]
      for await _ in client.updates(for: .corridor)
      where client.data(of: .corridor).state.query.severities.severities.count == 2 {
        break
      }
      await client.enterBackground()
      // What a process that ends without a word would leave.
      try FileManager.default.createDirectory(atPath: folder + "/copy", withIntermediateDirectories: true)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder + "/log") where name != "lock" {
        try FileManager.default.copyItem(atPath: folder + "/log/" + name, toPath: folder + "/copy/" + name)
      }
      let copy = try DirectoryLog.open(path: folder + "/copy", at: 0)
      #expect(copy.recovery.torn == nil)
      #expect(copy.state.scope(.corridor)?.digest == client.data(of: .corridor).state.scope(.corridor)?.digest)
      await client.stop()
      await server.stop()
    }
  }

  // MARK: Privacy

  @Test func nothingOfTheKeysIsLeftInAnyFile() async throws {
    try await withFolder { folder in
      let server = try await startServer()
      let keys = ["k3y-that-must-not-leak", "an0ther-one", "key"]
      var settings = configuration(folder, server.address)
      settings.apiKey = keys[0]
      let client = try ContrailClient(settings)
      client.dataQuery.polygon = line.buffer(widthNM: 60)
      for await update in client.updates {
        guard case .failed(let error) = update else { continue }
        #expect(error.code == .unauthorized && !error.description.contains(keys[0]))
        break
      }
      client.setAPIKey(keys[1])
      try await client.report(at: line[0], altitudeFeet: 34_600, severity: .moderate, edr: 0.31)
      client.setAPIKey("key")
      await firstData(of: .corridor, from: client)
      await client.stop()
      await server.stop()
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      #expect(files.contains("log/projections.sqlite") && files.contains { $0.hasSuffix(".jsonl") })
      for file in files {
        guard let bytes = FileManager.default.contents(atPath: folder + "/" + file) else { continue }
        for key in keys.dropLast() { #expect(bytes.range(of: Data(key.utf8)) == nil, "\(file)") }
      }
    }
  }
}

/// Notes what the client says, with the methods that have fewer details.
@MainActor private final class PlainNotes: ContrailClientDelegate {
  private(set) var lines: [String] = []
  private let (stream, continuation) = AsyncStream.makeStream(of: String.self)
  private lazy var iterator = stream.makeAsyncIterator()

  func next() async -> String? {
    var iterator = self.iterator
    defer { self.iterator = iterator }
    return await iterator.next(isolation: MainActor.shared)
  }

  private func note(_ line: String) {
    lines.append(line)
    continuation.yield(line)
  }

  func didReceiveNewTurbulenceData() { note("turbulence") }
  func didFailToFetchNewData(with error: any Error, type: ScopeID?) { note("failed \(type?.name ?? "all")") }
}

/// Notes what the client says.
@MainActor private final class Notes: ContrailClientDelegate {
  private(set) var lines: [String] = []
  private let (stream, continuation) = AsyncStream.makeStream(of: String.self)
  private lazy var iterator = stream.makeAsyncIterator()

  func next() async -> String? {
    var iterator = self.iterator
    defer { self.iterator = iterator }
    return await iterator.next(isolation: MainActor.shared)
  }

  private func note(_ line: String) {
    lines.append(line)
    continuation.yield(line)
  }

  func didOpen() { note("open") }
  func didReceiveNewTurbulenceData(areaType: AreaType) { note("turbulence \(areaType.rawValue)") }
  func didReceiveNewPireps(areaType: AreaType) { note("pireps \(areaType.rawValue)") }
  func didReceiveNewTraffic(areaType: AreaType) { note("traffic \(areaType.rawValue)") }
  func didReceiveNewTurbulencePolygons() { note("polygons") }
  func didFailToFetchNewData(with error: ClientError, type: ScopeID?) {
    note("failed \(error.code.rawValue) \(type?.name ?? "all")")
  }
}
