import ContrailAirportData
import ContrailAirports
import ContrailEngine
import ContrailHTTP
import ContrailLog
import ContrailWire
import ContrailWorld
import Foundation
import Testing

@testable import Contrail
@testable import ContrailCore

/// The airports beside a log that takes its time, and that says what the test wants.
@Suite(.timeLimit(.minutes(1))) struct AirportLogTests {
  /// A log.
  private final class SlowLog: Sendable {
    private struct State {
      var entries: [AirportsEntry] = []
      var holdings: AirportHoldings? = AirportHoldings()
      var told: [String] = []
      var isPaused = false
      var writerCount = 0
      var mostWriters = 0
    }

    private let state = Lock(State())

    var entries: [AirportsEntry] { state.withLock { $0.entries } }
    var told: [String] { state.withLock { $0.told } }
    var writerCount: Int { state.withLock { $0.writerCount } }
    var mostWriters: Int { state.withLock { $0.mostWriters } }
    var holdings: AirportHoldings? {
      get { state.withLock { $0.holdings } }
      set { state.withLock { $0.holdings = newValue } }
    }

    /// While it is paused, no write ends.
    func pause(_ isPaused: Bool) { state.withLock { $0.isPaused = isPaused } }

    func write(_ entries: [AirportsEntry]) async {
      state.withLock { state in
        state.writerCount += 1
        state.mostWriters = max(state.mostWriters, state.writerCount)
      }
      while state.withLock({ $0.isPaused }) { await Task.yield() }
      state.withLock { state in
        state.writerCount -= 1
        state.entries += entries
        // What is loaded is in use, as the log of an effective cycle says.
        for case .input(.airportsLoaded(let loaded)) in entries {
          state.holdings?.inUse = .init(
            edition: loaded.edition, count: loaded.count, digest: loaded.digest, blob: nil)
        }
      }
    }

    func tell(_ update: ClientUpdate) {
      let text: String? =
        switch update {
        case .failed(let error): "\(error.code.rawValue) \(error.scope?.name ?? "all")"
        case .recovered(.airports): "recovered"
        case .airportsRebuilt(let rebuild): "rebuilt \(rebuild == .missing ? "missing" : "other")"
        default: nil
        }
      if let text { state.withLock { $0.told.append(text) } }
    }
  }

  /// The files of a folder, which come when the test says so.
  private struct HeldFiles: AirportTransport {
    let files: FileAirportTransport
    let isHeld = Lock(false)
    let requestCount = Lock(0)

    func open(_ request: AirportRequest) async throws(AirportTransportError) -> AirportAnswer {
      requestCount.withLock { $0 += 1 }
      while isHeld.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
      return try await files.open(request)
    }
  }

  private struct Stage {
    let log = SlowLog()
    let files: HeldFiles
    let service: AirportService
    let current: AIRACCycle
    let next: AIRACCycle

    /// - Parameter directory: That of the log; nil for one in the folder.
    init(_ folder: String, directory: String? = nil) throws {
      current = try #require(AIRACCycle(identifier: "2513"))
      next = try #require(AIRACCycle(identifier: "2601"))
      let time = next.effectiveTime - 3600
      files = HeldFiles(files: FileAirportTransport { folder + "/\($0.identifier)" })
      let directory = directory ?? folder + "/log"
      try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      service = AirportService(
        directory: directory, storage: POSIXStorage(), transport: files,
        online: HTTPAirportSearchService(transport: NoTransport("none"), headers: { [] }), now: { time },
        report: { [log] in log.tell($0) }, write: { [log] in await log.write($0) },
        holdings: { [log] in log.holdings })
      try Data(SampleAirports.file(of: current)).write(to: URL(filePath: folder + "/2513"))
    }

    func untilAWriteBegins() async { while log.writerCount == 0 { await Task.yield() } }

    /// Returns after a cycle was loaded for the log, or couldn't be.
    func deliver(_ cycle: AIRACCycle) async {
      let count = log.entries.count
      service.deliver(effectiveMS: cycle.effectiveTime * 1000)
      // It begins in a task of its own.
      while log.entries.count == count { await Task.yield() }
      await service.delivered()
    }
  }

  private static func failures(_ entries: [AirportsEntry]) -> [String] {
    entries.compactMap {
      if case .input(.airportsFailed(let edition, let code)) = $0 { "\(edition.cycle) \(code)" } else { nil }
    }
  }

  @Test func eventsAreWrittenOneAfterTheOtherAndWhoNotesOneWaitsForAll() async throws {
    try await withFolder { folder in
      let stage = try Stage(folder)
      stage.log.pause(true)
      stage.service.note(.loadDeferred(stage.current))
      await stage.untilAWriteBegins()
      let isOver = Lock(false)
      let last = Task {
        await stage.service.deferLoad(of: stage.next)
        isOver.withLock { $0 = true }
      }
      for _ in 0..<2000 { await Task.yield() }
      #expect(!isOver.withLock { $0 } && stage.log.mostWriters == 1)
      stage.log.pause(false)
      await last.value
      let both = [stage.current, stage.next].map { AirportsEntry.input(.airportsDeferred(AirportEdition($0))) }
      #expect(stage.log.entries == both && stage.log.mostWriters == 1)
    }
  }

  @Test func whatALoaderOfTheApplicationLoadsIsWritten() async throws {
    try await withFolder { folder in
      let stage = try Stage(folder)
      let loader = try await stage.service.openLoader()
      let loaded = try await loader.load(stage.current)
      while !stage.log.entries.contains(where: \.isLoad) { await Task.yield() }
      #expect(stage.log.entries.last == .input(.airportsLoaded(.init(loaded))))
    }
  }

  @Test func anEffectiveCycleIsInUseWhenItsLoadReturns() async throws {
    try await withFolder { folder in
      let stage = try Stage(folder)
      let loaded = try await stage.service.loadCurrent()
      let status = try await stage.service.database().status()
      #expect(loaded.cycle == stage.current && status.current?.digest == loaded.digest && status.pending == nil)
    }
  }

  /// Without a log, nothing says which cycle is in use.
  @Test func withoutALogALoadedCycleWaits() async throws {
    try await withFolder { folder in
      let stage = try Stage(folder)
      stage.log.holdings = nil
      let loaded = try await stage.service.loadCurrent()
      let status = try await stage.service.database().status()
      #expect(status.current == nil && status.pending?.digest == loaded.digest)
      stage.log.holdings = AirportHoldings()
      stage.log.holdings?.inUse = .init(
        edition: AirportEdition(stage.current), count: 1, digest: loaded.digest.value, blob: nil)
      stage.service.follow()
      while try await stage.service.database().status().current == nil { await Task.yield() }
    }
  }

  @Test func aDeliveryBesideALoadOfTheApplicationIsAnsweredAndNotTold() async throws {
    try await withFolder { folder in
      let stage = try Stage(folder)
      stage.files.isHeld.withLock { $0 = true }
      let load = Task { try await stage.service.load(stage.current) }
      while stage.files.requestCount.withLock({ $0 }) == 0 { await Task.yield() }
      stage.log.pause(true)
      let isOver = Lock(false)
      stage.service.deliver(effectiveMS: stage.current.effectiveTime * 1000)
      await stage.untilAWriteBegins()
      let delivery = Task {
        await stage.service.delivered()
        isOver.withLock { $0 = true }
      }
      for _ in 0..<2000 { await Task.yield() }
      #expect(!isOver.withLock { $0 })
      stage.log.pause(false)
      await delivery.value
      #expect(Self.failures(stage.log.entries) == ["2513 alreadyLoading"])
      stage.files.isHeld.withLock { $0 = false }
      _ = try await load.value
      #expect(stage.log.told == [])
    }
  }

  @Test func aDeliveryWithoutADatabaseIsAnsweredAndToldOnce() async throws {
    try await withFolder { folder in
      let stage = try Stage(folder, directory: "/dev/null/none")
      await stage.deliver(stage.current)
      await stage.deliver(stage.current)
      #expect(Self.failures(stage.log.entries).map { $0.prefix(4) } == ["2513", "2513"])
      #expect(stage.log.told == ["disk airports"])
    }
  }

  @Test func onlyALoadEndsAnOutage() async throws {
    try await withFolder { folder in
      let stage = try Stage(folder)
      let path = folder + "/2513"
      try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
      await stage.deliver(stage.current)
      #expect(stage.log.told == ["server airports"])
      await stage.service.deferLoad(of: stage.next)
      #expect(stage.log.told == ["server airports"])
      try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
      await stage.deliver(stage.current)
      #expect(stage.log.told == ["server airports", "recovered"])
      // It is over.
      try await stage.service.load(stage.current)
      #expect(stage.log.told == ["server airports", "recovered"])
    }
  }

  @Test func aCycleThatIsNotPublishedAheadCostsNoOtherLoad() async throws {
    try await withFolder { folder in
      let stage = try Stage(folder)
      try await stage.service.loadCurrent()
      await stage.deliver(stage.next)
      #expect(stage.log.entries.count(where: \.isLoad) == 1 && stage.log.told == [])
    }
  }

  /// The cycle is that of the log, and its airports are others.
  @Test func airportsThatAreNotThoseOfTheLogAreReplaced() async throws {
    try await withFolder { folder in
      let stage = try Stage(folder)
      let loaded = try await stage.service.loadCurrent()
      let bytes = try Data(contentsOf: URL(filePath: folder + "/2513"))
      let id = try BlobStore(ofLogIn: folder + "/log", storage: POSIXStorage()).put(Array(bytes))
      stage.log.holdings?.inUse = .init(
        edition: AirportEdition(stage.current), count: 1, digest: loaded.digest.value &+ 1,
        blob: BlobName(sha256: id.digits, byteCount: bytes.count))
      stage.service.follow()
      while stage.log.told.isEmpty { await Task.yield() }
      #expect(stage.log.told == ["rebuilt other"])
    }
  }

  /// A file of the log that isn't one of airports is an error until a cycle is loaded.
  @Test func aFileOfTheLogThatCannotBeReadIsToldUntilACycleIsLoaded() async throws {
    try await withFolder { folder in
      let stage = try Stage(folder)
      let bytes = Array("no airports".utf8)
      let id = try BlobStore(ofLogIn: folder + "/log", storage: POSIXStorage()).put(bytes)
      stage.log.holdings?.inUse = .init(
        edition: AirportEdition(stage.current), count: 1, digest: 1,
        blob: BlobName(sha256: id.digits, byteCount: bytes.count))
      let database = try await stage.service.database()
      #expect(stage.log.told == ["store airports"])
      #expect(try database.status().current == nil)
      try await stage.service.loadCurrent()
      #expect(stage.log.told == ["store airports", "recovered"])
    }
  }

  private static let errors: [(AirportLoaderError, ClientError.Code)] = [
    (.transport(.init(.refused, status: 401, reason: "r")), .unauthorized),
    (.transport(.init(.refused, status: 403, reason: "r")), .unauthorized),
    (.transport(.init(.refused, status: 402, reason: "r")), .server),
    (.transport(.init(.refused, status: 404, reason: "r")), .server),
    (.transport(.init(.unreachable, reason: "r")), .network),
    (.transport(.init(.malformed, reason: "r")), .notTheService), (.folder(reason: "r"), .disk),
    (.noCycle(time: 0), .server), (.alreadyLoading, .network), (.cancelled, .network),
  ]

  @Test(arguments: errors) func onlyARefusedKeyNeedsTheApplication(
    _ error: AirportLoaderError, _ code: ClientError.Code
  ) {
    let told = ClientError(delivering: error)
    #expect(told.code == code && told.scope == .airports && told.isTransient == (code != .unauthorized))
    #expect(told.message == "No airports were loaded: \(error)" && told.advice.hasSuffix("."))
  }
}
