import ContrailAirportData
import ContrailAirports
import ContrailHTTP
import Foundation
import Testing

/// Deltas over a real socket: taken if they fit, and never needed.
@Suite struct LoaderDeltaTests {
  /// Collected values.
  private final class Heard<Value: Sendable>: @unchecked Sendable {
    /// Guards `values`, which the loader's threads and the test reach.
    private let lock = NSLock()
    private var values: [Value] = []

    func append(_ value: Value) { lock.withLock { values.append(value) } }

    var all: [Value] { lock.withLock { values } }
  }

  private final class Rig {
    let scratch: Scratch
    let server: LocalServer
    let database: AirportDatabase
    let events = Heard<AirportEvent>()
    let loader: AirportLoader
    let cycles = TwoCycles(seed: 21, 400, isModelled: true)

    init(rebuildsFiles: Bool = false) throws {
      scratch = try Scratch()
      server = try LocalServer()
      database = try scratch.database()
      try database.load(cycles.before, Times.before)
      let (events, kept) = (events, scratch.path("kept"))
      loader = AirportLoader(
        database: database,
        transport: HTTPAirportTransport(
          publishedFolder: try PlatformTransport.make(server: server.address + "/data/airports")),
        folder: scratch.path("downloads"), rebuildsFiles: rebuildsFiles,
        onEvent: { event in
          // The file is deleted after the load.
          if case .downloadFinished(let summary) = event {
            try? FileManager.default.copyItem(atPath: summary.path, toPath: kept)
          }
          events.append(event)
        }, sleep: { _ in })
      server.put(
        .init(
          bytes: try AirportFile.packed(
            cycles.after, cycle: Times.cycle, sources: [AirportSource(name: "a test", asOf: 7)]), tag: "\"w\""),
        at: "/data/airports/2511.airports.xz")
    }

    func offer(_ delta: [UInt8]) {
      server.put(.init(bytes: delta, tag: "\"d\""), at: "/data/airports/2510-2511.delta.xz")
    }

    /// Loads the cycle, and checks that it is in use.
    func load() async throws -> LoadedCycle {
      let loaded = try await loader.load(at: Times.cycle.effectiveTime)
      #expect(try database.computedDigest() == AirportDigest(cycles.after))
      #expect(try database.status().current?.cycle == Times.cycle)
      #expect((try? FileManager.default.contentsOfDirectory(atPath: scratch.path("downloads"))) == [])
      return loaded
    }

    /// The names of the requested files.
    var requested: [String] { server.requests.map { String($0.path.dropFirst("/data/airports/".count)) } }

    var refusal: AirportDataError.Code? {
      for case .deltaRefused(Times.cycle, let error) in events.all { return error.code }
      return nil
    }
  }

  @Test func aDeltaIsTakenWhereItsBaseIsInUse() async throws {
    let rig = try Rig()
    try rig.offer(rig.cycles.delta(packed: true))
    let loaded = try await rig.load()
    #expect(loaded.changes == rig.cycles.changes && loaded.cycle == Times.cycle)
    #expect(rig.requested == ["2510-2511.delta.xz"])
    guard case .downloadFinished(let summary)? = rig.events.all.dropFirst().first else {
      Issue.record("no download")
      return
    }
    let bytes = try rig.cycles.delta(packed: true)
    #expect(summary.base == Times.before && summary.bytes == Int64(bytes.count))
  }

  @Test func aDeltaThatBreaksGoesOnFromWhereItBroke() async throws {
    let rig = try Rig()
    try rig.offer(rig.cycles.delta(packed: true))
    rig.server.breakConnections(after: [500, 0, 800])
    _ = try await rig.load()
    #expect(rig.server.requests.map(\.range) == [nil, "bytes=500-", "bytes=500-", "bytes=1300-"])
  }

  @Test func aLinkThatIsLostInADeltaDoesNotCostTheCompleteFile() async throws {
    let rig = try Rig()
    try rig.offer(rig.cycles.delta(packed: true))
    rig.server.breakConnections(after: [500] + Array(repeating: 0, count: 1000))
    do throws(AirportLoaderError) {
      _ = try await rig.loader.load(at: Times.cycle.effectiveTime)
      Issue.record("a file was loaded without a link")
    } catch {
      guard case .transport(let fault) = error, fault.code == .unreachable else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(Set(rig.requested) == ["2510-2511.delta.xz"])
    rig.server.breakConnections(after: [])
    _ = try await rig.load()
    #expect(rig.server.requests.last?.range == "bytes=500-")
  }

  /// A weak tag says that two files mean the same, not that their bytes are equal (RFC 9110, 8.8.1).
  @Test func aFileWithAWeakTagStartsAnew() async throws {
    let rig = try Rig()
    rig.server.put(
      .init(bytes: try rig.cycles.delta(packed: true), tag: "W/\"d\""), at: "/data/airports/2510-2511.delta.xz")
    rig.server.breakConnections(after: [500])
    _ = try await rig.load()
    #expect(rig.server.requests.map(\.range) == [nil, nil])
  }

  @Test func withoutADeltaTheCompleteFileIsTaken() async throws {
    let rig = try Rig()
    _ = try await rig.load()
    #expect(rig.requested == ["2510-2511.delta.xz", "2511.airports.xz"] && rig.refusal == nil)
  }

  enum Fault: CaseIterable {
    case cut
    case wrongBase
    case wrongDigest
    case wrongCycle
    case bomb
    case noise
  }

  @Test(arguments: Fault.allCases) func afterABadDeltaTheCompleteFileIsTaken(_ fault: Fault) async throws {
    let rig = try Rig()
    let code: [AirportDataError.Code]
    switch fault {
    case .cut:
      rig.offer(Array(try rig.cycles.delta(packed: true).dropLast(200)))
      code = [.truncated]
    case .wrongBase:
      try rig.offer(TwoCycles(seed: 5, 30).delta(packed: true))
      code = [.wrongBase]
    case .wrongDigest:
      var bytes = try rig.cycles.delta()
      bytes[bytes.count - 1] ^= 1
      rig.offer(bytes)
      code = [.wrongDigest]
    case .wrongCycle:
      try rig.offer(
        AirportDelta.packed(
          from: rig.cycles.before, of: Times.before, to: rig.cycles.after, cycle: Times.after, sources: []))
      code = [.damaged]
    case .bomb:
      // An empty block, over and over, in an .xz file of another size than it says.
      rig.offer([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 4] + [UInt8](repeating: 0, count: 5000))
      code = [.notUnpacked, .truncated, .oversized, .concatenated]
    case .noise:
      rig.offer((0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) })
      code = [.unknownFormat, .notUnpacked]
    }
    _ = try await rig.load()
    #expect(rig.requested == ["2510-2511.delta.xz", "2511.airports.xz"])
    #expect(rig.refusal.map(code.contains) == true, "\(String(describing: rig.refusal))")
  }

  @Test func anApplicationThatKeepsFilesGetsTheCompleteOne() async throws {
    let rig = try Rig(rebuildsFiles: true)
    try rig.offer(rig.cycles.delta(packed: true))
    _ = try await rig.load()
    let kept = try Data(contentsOf: URL(fileURLWithPath: rig.scratch.path("kept")))
    let other = try AirportDatabase(path: rig.scratch.path("other.sqlite"))
    var unpacked = try AirportReader(Array(kept))
    #expect(unpacked.header.cycle == Times.cycle && unpacked.header.sources == [AirportSource(name: "a test", asOf: 7)])
    try other.load(try AirportReader(Array(kept)), fingerprint: "kept", at: Times.cycle.effectiveTime)
    #expect(try other.computedDigest() == AirportDigest(rig.cycles.after))
    #expect(try unpacked.next() != nil)
  }

  @Test func bytesAreToldAsTheyArrive() async throws {
    let rig = try Rig()
    var random = RandomAirports(seed: 3)
    let many = random.make(4000)
    let bytes = try AirportFile.packed(many, cycle: Times.cycle, sources: [], preset: 0)
    #expect(bytes.count > 1 << 18)
    rig.server.put(.init(bytes: bytes, tag: "\"w\""), at: "/data/airports/2511.airports.xz")
    let (heard, states) = (Heard<AirportDownloadProgress>(), Heard<AirportLoader.State>())
    let connections = [rig.loader.downloads.sink { heard.append($0) }, rig.loader.states.sink { states.append($0) }]
    rig.server.breakConnections(after: [100_000])
    _ = try await rig.loader.load(at: Times.cycle.effectiveTime)
    for connection in connections { connection.cancel() }
    let counts = heard.all.map(\.receivedBytes)
    #expect(counts == counts.sorted() && counts.last == Int64(bytes.count))
    #expect(Set(counts).count > 4, "\(counts)")
    #expect(heard.all.allSatisfy { $0.totalBytes == Int64(bytes.count) })
    let steps = states.all.filter {
      if case .downloading(let progress) = $0 { progress > 0 && progress < 1 } else { false }
    }
    #expect(steps.count > 3)
  }

  @Test func anErrorNamesTheWantedCycleAndNotTheOneBeforeIt() async throws {
    let scratch = try Scratch()
    let server = try LocalServer()
    let loader = AirportLoader(
      database: try scratch.database(),
      transport: HTTPAirportTransport(transport: try PlatformTransport.make(server: server.address)),
      folder: scratch.path("downloads"))
    await #expect(throws: AirportLoaderError.cycleNotAvailable(Times.cycle)) {
      try await loader.load(at: Times.cycle.effectiveTime)
    }
    #expect(server.requests.map(\.path) == ["/airports/v1/2511", "/airports/v1/2510"])
  }

  @Test func noCallNeedsATime() async throws {
    let scratch = try Scratch()
    let cycle = try #require(AIRACCycle(at: AirportLoader.deviceTime()))
    let path = scratch.path("file")
    let airports = RandomAirports.made(20)
    try Data(AirportFile.packed(airports, cycle: cycle, sources: [])).write(to: URL(fileURLWithPath: path))
    let loader = AirportLoader(
      database: try scratch.database(), transport: FileAirportTransport(path: { _ in path }),
      folder: scratch.path("downloads"))
    #expect(try await loader.load().cycle == cycle)
    #expect(try await loader.activatePending().current?.cycle == cycle)
    #expect(AirportLoadNeed(try loader.database.status()) == .none)
    let viewModel = await AirportLoaderViewModel(loader: loader)
    try await viewModel.refresh()
    #expect(await !viewModel.showLoader)
    try loader.database.load(AirportReader(of: airports, cycle: cycle), fingerprint: "again")
  }
}
