import ContrailAirportData
import ContrailAirports
import ContrailHTTP
import Foundation
import Testing

/// What a loader told, in order.
private final class Journal: @unchecked Sendable {
  /// Guards `events`, which the loader's threads and the test reach.
  private let lock = NSLock()
  private var events: [AirportEvent] = []

  func append(_ event: AirportEvent) { lock.withLock { events.append(event) } }

  var all: [AirportEvent] { lock.withLock { events } }

  /// The events in short.
  var words: [String] {
    all.map { event in
      switch event {
      case .cycleChecked(let wanted, let current, let need): "checked \(wanted) \(current?.identifier ?? "-") \(need)"
      case .cycleNotAvailable(let cycle): "not available \(cycle)"
      case .downloadFinished(let summary): "downloaded \(summary.cycle) resumed \(summary.resumeCount)"
      case .loadFinished(let loaded): "loaded \(loaded.cycle) \(loaded.changes.added) added"
      case .cycleActivated(let cycle, _): "activated \(cycle)"
      case .loadDeferred(let cycle): "deferred \(cycle)"
      case .deltaRefused(let cycle, let error): "delta refused \(cycle) \(error.code)"
      case .loadFailed(let cycle, let error): "failed \(cycle) \(error.code)"
      }
    }
  }
}

@Suite struct LoaderTests {
  private final class Rig {
    let scratch: Scratch
    let server: LocalServer
    let database: AirportDatabase
    let journal = Journal()
    let loader: AirportLoader
    let airports: [Airport]

    init(count: Int = 350) throws {
      scratch = try Scratch()
      let server = try LocalServer()
      self.server = server
      database = try scratch.database()
      var random = RandomAirports(seed: 51)
      airports = random.make(count)
      let journal = journal
      loader = AirportLoader(
        database: database,
        transport: HTTPAirportTransport(transport: try PlatformTransport.make(server: server.address)),
        folder: scratch.path("downloads"), onEvent: { journal.append($0) }, sleep: { _ in })
    }

    func file(_ cycle: AIRACCycle, _ airports: [Airport]? = nil) throws -> [UInt8] {
      try AirportFile.packed(airports ?? self.airports, cycle: cycle, sources: [], preset: 0)
    }

    func offer(_ cycle: AIRACCycle, _ bytes: [UInt8]? = nil, tag: String? = "\"one\"") throws {
      server.put(.init(bytes: try bytes ?? file(cycle), tag: tag), at: "/airports/v1/\(cycle)")
    }

    var downloads: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: scratch.path("downloads"))) ?? []).sorted()
    }

    func fails(
      _ body: () async throws(AirportLoaderError) -> LoadedCycle
    ) async -> AirportLoaderError? {
      do throws(AirportLoaderError) {
        _ = try await body()
        return nil
      } catch {
        return error
      }
    }
  }

  @Test func aCycleIsDownloadedAndLoaded() async throws {
    let rig = try Rig()
    try rig.offer(Times.cycle)
    let heard = Journal2()
    let connection = rig.loader.states.sink { heard.append($0) }
    let loaded = try await rig.loader.load(at: Times.cycle.effectiveTime + 60)
    connection.cancel()
    #expect(loaded.cycle == Times.cycle)
    #expect(loaded.digest == AirportDigest(rig.airports))
    #expect(try rig.database.computedDigest() == AirportDigest(rig.airports))
    #expect(
      rig.journal.words == [
        "checked 2511 - noData", "downloaded 2511 resumed 0", "loaded 2511 350 added", "activated 2511",
      ])
    #expect(rig.downloads.isEmpty)
    #expect(rig.loader.state == .finished)
    let states = heard.all
    #expect(states.first == .idle)
    #expect(states.last == .finished)
    #expect(heard.order == ["idle", "downloading", "extracting", "loading", "finished"])
    #expect(heard.progressNeverGoesBack)
    // The same again looks, and has nothing to do.
    try await rig.loader.load(at: Times.cycle.effectiveTime + 120)
    #expect(rig.journal.words.last == "checked 2511 2511 none")
    #expect(rig.server.requests.count == 1)
  }

  @Test func aDownloadThatBreaksGoesOnFromWhereItBroke() async throws {
    let rig = try Rig()
    let bytes = try rig.file(Times.cycle)
    try rig.offer(Times.cycle)
    rig.server.breakConnections(after: [5000, 0, 3000])
    try await rig.loader.load(at: Times.cycle.effectiveTime)
    #expect(rig.journal.words.contains("downloaded 2511 resumed 3"))
    #expect(rig.server.requests.map(\.range) == [nil, "bytes=5000-", "bytes=5000-", "bytes=8000-"])
    #expect(rig.server.requests.dropFirst().allSatisfy { $0.ifRange == "\"one\"" })
    #expect(try rig.database.computedDigest() == AirportDigest(rig.airports))
    guard case .downloadFinished(let summary)? = rig.journal.all.dropFirst().first else {
      Issue.record("no download")
      return
    }
    #expect(summary.bytes == Int64(bytes.count))
    #expect(summary.sha256.count == 64)
  }

  @Test func aDownloadThatWasGivenUpGoesOnTheNextTime() async throws {
    let rig = try Rig()
    try rig.offer(Times.cycle)
    rig.server.breakConnections(after: [4000, 0, 0])
    let error = await rig.fails { () throws(AirportLoaderError) in
      try await rig.loader.load(at: Times.cycle.effectiveTime)
    }
    #expect(error?.code == "unreachable")
    #expect(error?.isTransient == true)
    #expect(rig.loader.state == .idle)
    #expect(rig.journal.words.last == "failed 2511 unreachable")
    #expect(rig.downloads.count == 2)
    try await rig.loader.load(at: Times.cycle.effectiveTime)
    #expect(rig.server.requests.last?.range == "bytes=4000-")
    #expect(rig.downloads.isEmpty)
  }

  @Test func aFileThatIsAnotherByNowComesWhole() async throws {
    let rig = try Rig()
    try rig.offer(Times.cycle)
    rig.server.breakConnections(after: [4000, 0, 0])
    _ = await rig.fails { () throws(AirportLoaderError) in try await rig.loader.load(at: Times.cycle.effectiveTime) }
    let other = Array(rig.airports.dropLast(5))
    try rig.offer(Times.cycle, rig.file(Times.cycle, other), tag: "\"two\"")
    try await rig.loader.load(at: Times.cycle.effectiveTime)
    #expect(try rig.database.computedDigest() == AirportDigest(other))
  }

  @Test func aFileThatChangesAllTheTimeIsGivenUp() async throws {
    let rig = try Rig()
    try rig.offer(Times.cycle)
    rig.server.alternateTags()
    rig.server.breakConnections(after: (1...100).map { $0 * 1000 })
    let error = await rig.fails { () throws(AirportLoaderError) in
      try await rig.loader.load(at: Times.cycle.effectiveTime)
    }
    #expect("\(try #require(error))".contains("the file on the server changed 3 times during the download"))
    #expect(rig.server.requests.count == 4)
  }

  @Test func withoutATagADownloadBeginsAnew() async throws {
    let rig = try Rig()
    try rig.offer(Times.cycle, tag: nil)
    rig.server.breakConnections(after: [4000])
    try await rig.loader.load(at: Times.cycle.effectiveTime)
    #expect(rig.server.requests.map(\.range) == [nil, nil])
    #expect(try rig.database.computedDigest() == AirportDigest(rig.airports))
  }

  @Test func aCycleThatIsNotThereYetLeavesTheCurrentOneInUse() async throws {
    let rig = try Rig()
    try rig.offer(Times.before)
    try await rig.loader.load(at: Times.before.effectiveTime)
    let error = await rig.fails { () throws(AirportLoaderError) in
      try await rig.loader.load(at: Times.cycle.effectiveTime)
    }
    #expect(error == .cycleNotAvailable(Times.cycle))
    #expect(error?.isTransient == true)
    #expect(try rig.database.status().current?.cycle == Times.before)
    #expect(rig.journal.words.suffix(2) == ["checked 2511 2510 cycleExpired", "not available 2511"])
    try rig.offer(Times.cycle)
    #expect(try await rig.loader.load(at: Times.cycle.effectiveTime + 3600).cycle == Times.cycle)
  }

  @Test func withNoneInUseTheCycleBeforeIsBetterThanNothing() async throws {
    let rig = try Rig()
    try rig.offer(Times.before)
    #expect(try await rig.loader.load(at: Times.cycle.effectiveTime).cycle == Times.before)
    #expect(try rig.database.status().current?.cycle == Times.before)
  }

  @Test func theNextCycleIsFetchedAheadAndSwitchedToAtItsInstant() async throws {
    let rig = try Rig()
    try rig.offer(Times.before)
    try rig.offer(Times.cycle, rig.file(Times.cycle, Array(rig.airports.dropLast(9))))
    try await rig.loader.load(at: Times.before.effectiveTime)
    let early = Times.cycle.effectiveTime - 3 * 86_400
    #expect(try await rig.loader.loadNext(at: early, leadDays: 2) == nil)
    #expect(try await rig.loader.loadNext(at: early, leadDays: 3)?.cycle == Times.cycle)
    #expect(try await rig.loader.loadNext(at: early + 1, leadDays: 3)?.cycle == Times.cycle)
    #expect(
      rig.server.requests.map(\.path) == ["/airports/v1/2510", "/airports/v1/2510-2511", "/airports/v1/2511"])
    #expect(try rig.database.status().current?.cycle == Times.before)
    #expect(try await rig.loader.activatePending(at: Times.cycle.effectiveTime - 1).current?.cycle == Times.before)
    #expect(try await rig.loader.activatePending(at: Times.cycle.effectiveTime).current?.cycle == Times.cycle)
    #expect(rig.journal.words.last == "activated 2511")
    #expect(try rig.database.computedDigest() == AirportDigest(rig.airports.dropLast(9)))
  }

  @Test func aFileOfAnotherCycleIsRefusedAndForgotten() async throws {
    let rig = try Rig()
    try rig.offer(Times.cycle, rig.file(Times.before))
    let error = await rig.fails { () throws(AirportLoaderError) in
      try await rig.loader.load(at: Times.cycle.effectiveTime)
    }
    #expect(error == .wrongCycle(expected: Times.cycle, found: Times.before))
    #expect(rig.downloads.isEmpty)
  }

  @Test func aDamagedFileIsRefusedAndForgotten() async throws {
    let rig = try Rig()
    var bytes = try rig.file(Times.cycle)
    bytes[bytes.count / 2] ^= 1
    try rig.offer(Times.cycle, bytes)
    let error = await rig.fails { () throws(AirportLoaderError) in
      try await rig.loader.load(at: Times.cycle.effectiveTime)
    }
    #expect(error?.code == "notUnpacked")
    #expect(error?.isTransient == false)
    #expect(rig.downloads.isEmpty)
    try rig.offer(Times.cycle)
    try await rig.loader.load(at: Times.cycle.effectiveTime)
  }

  @Test func aLoadThatIsCancelledBetweenBatchesIsTakenUp() async throws {
    let rig = try Rig(count: 900)
    try rig.offer(Times.cycle)
    let loader = rig.loader
    let task = Task { () -> AirportLoaderError? in
      do throws(AirportLoaderError) {
        _ = try await loader.load(at: Times.cycle.effectiveTime)
        return nil
      } catch {
        return error
      }
    }
    let connection = loader.states.sink { state in
      if case .loading(let progress) = state, progress > 0.2 { task.cancel() }
    }
    #expect(await task.value == .cancelled)
    connection.cancel()
    #expect(loader.state == .idle)
    #expect(try rig.database.status().current == nil)
    #expect(try rig.database.status().unfinished == Times.cycle)
    let staged = try rig.database.read(table: "airports")
    #expect((100..<900).contains(staged))
    try await loader.load(at: Times.cycle.effectiveTime)
    #expect(try rig.database.computedDigest() == AirportDigest(rig.airports))
    // The file was there already: the second time nothing of it came again.
    #expect(rig.server.requests.count == 2)
    #expect(rig.server.requests.last?.range != nil)
  }

  @Test func oneLoadAtATime() async throws {
    let rig = try Rig()
    try rig.offer(Times.cycle)
    let loader = rig.loader
    async let first = loader.load(Times.cycle, at: Times.cycle.effectiveTime)
    async let second = loader.load(Times.cycle, at: Times.cycle.effectiveTime)
    var errors: [any Error] = []
    do { _ = try await first } catch { errors.append(error) }
    do { _ = try await second } catch { errors.append(error) }
    #expect(errors.map { ($0 as? AirportLoaderError)?.code } == ["alreadyLoading"])
    #expect(try rig.database.computedDigest() == AirportDigest(rig.airports))
  }

  @Test func aFileOfThisMachineIsLoadedWithoutADownload() async throws {
    let rig = try Rig()
    let path = rig.scratch.path("any name")
    try Data(rig.file(Times.cycle)).write(to: URL(fileURLWithPath: path))
    #expect(try await rig.loader.load(contentsOf: path, at: Times.cycle.effectiveTime).cycle == Times.cycle)
    #expect(try rig.database.status().current?.cycle == Times.cycle)
    let transport = FileAirportTransport(path: { _ in path })
    let other = AirportLoader(database: rig.database, transport: transport, folder: rig.scratch.path("other"))
    #expect(try await other.load(Times.cycle, at: Times.cycle.effectiveTime).changes.unchanged == rig.airports.count)
  }

  @Test func aSequenceHearsHowItEnds() async throws {
    let rig = try Rig(count: 50)
    try rig.offer(Times.cycle)
    let loader = rig.loader
    async let loaded = loader.load(at: Times.cycle.effectiveTime)
    for await state in loader.states.values() where state == .finished { break }
    #expect(try await loaded.cycle == Times.cycle)
  }

  /// States as they were heard.
  private final class Journal2: @unchecked Sendable {
    /// Guards `states`.
    private let lock = NSLock()
    private var states: [AirportLoader.State] = []

    func append(_ state: AirportLoader.State) { lock.withLock { states.append(state) } }

    var all: [AirportLoader.State] { lock.withLock { states } }

    private static func parts(_ state: AirportLoader.State) -> (String, Double) {
      switch state {
      case .idle: ("idle", 0)
      case .downloading(let progress): ("downloading", progress)
      case .extracting(let progress): ("extracting", progress)
      case .loading(let progress): ("loading", progress)
      case .finished: ("finished", 1)
      }
    }

    /// The kinds of states, each once.
    var order: [String] {
      all.map { Self.parts($0).0 }.reduce(into: []) { kinds, kind in
        if kinds.last != kind { kinds.append(kind) }
      }
    }

    var progressNeverGoesBack: Bool {
      let parts = all.map(Self.parts)
      return zip(parts, parts.dropFirst()).allSatisfy { a, b in
        (0...1).contains(b.1) && (a.0 != b.0 || a.1 <= b.1)
      }
    }
  }
}
