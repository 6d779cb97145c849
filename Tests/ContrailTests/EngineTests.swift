import Contrail
import ContrailCore
import ContrailGeodesy
import ContrailLog
import ContrailTestSupport
import ContrailWire
import Testing

/// The engine over a log that refuses when it is told to, and over a real directory.
@Suite struct EngineTests {
  static let start = Rig.start
  static let launch: [Input] = [
    .sessionStarted(.init(engine: Engine.version, id: "test", seed: 7)), .connectivityChanged(isOnline: true),
  ]

  static var query: ResolvedQuery {
    var query = ResolvedQuery()
    query.polygon = Rig.area
    return query
  }

  @Test func aRefusedWriteChangesNeitherLogNorState() async throws {
    let folder = try TemporaryDirectory()
    let log = try RefusingLog(path: folder.path + "/log.jsonl")
    let switches = log.switches
    let engine = Engine(state: State(), log: log)
    _ = try await engine.take(Self.launch, at: Self.start)
    let before = await engine.state

    switches.refuses = true
    await #expect(throws: EngineError.self) { try await engine.take(.queryChanged(Self.query), at: Self.start) }
    #expect(await engine.state == before)

    switches.refuses = false
    let outcome = try await engine.take(.queryChanged(Self.query), at: Self.start)
    #expect(outcome.requests.map(\.scope) == [.corridor])
    let state = await engine.state
    #expect(try FileLog.open(path: folder.path + "/log.jsonl", policy: .everyEvent).state == state)
  }

  @Test func severalChangesInOneTurnCostOneRequest() async throws {
    let folder = try TemporaryDirectory()
    let log = try FileLog.create(path: folder.path + "/log.jsonl", at: Self.start, policy: .everyEvent)
    let engine = Engine(state: State(), log: log)
    var settings = ClientSettings()
    settings.dataQuery.polygon = Rig.area.compactMap { $0?.coordinate }
    _ = try await engine.take(Self.launch + settings.drain(), at: Self.start)

    settings.dataQuery.types = [.turbulence, .pireps]
    settings.dataHistoryTime = .sixHours
    settings.dataQuery.polygon = Rig.otherArea.compactMap { $0?.coordinate }
    let outcome = try await engine.take(settings.drain(), at: Self.start)
    #expect(outcome.requests.count == 1)
    #expect(outcome.requests.first?.number == (await engine.state).scope(.corridor)?.flight?.request)
    #expect(settings.drain().isEmpty)
  }

  @Test func aNewSegmentGoesOnWhereTheOldOneEnded() async throws {
    let folder = try TemporaryDirectory()
    var rig = Rig.flying()
    var expected = State()
    do {
      let (log, state, _) = try DirectoryLog.open(path: folder.path + "/log", at: Self.start, segmentBytes: 20_000)
      let engine = Engine(state: state, log: log)
      // The rig decides the same: its answers are the engine's.
      _ = try await engine.take(Self.launch, at: rig.now)
      _ = try await engine.take(.queryChanged(Self.query), at: rig.now)
      for _ in 0..<40 {
        guard let flight = await engine.state.scope(.corridor)?.flight else { break }
        let (status, body) = rig.server.answer(flight.spec, since: flight.since, atMS: rig.now)
        let response = Input.Response(
          request: flight.request, status: status, wireBytes: 1, serverTimeMS: rig.now, body: .inline(body))
        _ = try await engine.take(.responseReceived(response), at: rig.now)
        rig.now += 60_000
        guard let wake = await engine.wake else { break }
        _ = try await engine.take(.clockTicked(scope: wake.scope, due: wake.at), at: rig.now)
      }
      try await engine.close(at: rig.now)
      expected = await engine.state
    }
    #expect(expected.scope(.corridor)?.reports.count ?? 0 > 100)
    let (log, state, _) = try DirectoryLog.open(path: folder.path + "/log", at: rig.now)
    #expect(state.digest == expected.digest)
    #expect(state.scopes == expected.scopes)
    #expect(state.nextSeq == expected.nextSeq)
    _ = log
    let reader = try LogReader(path: folder.path + "/log")
    var segments = 0
    while let line = try reader.next() { if line.isKind(LogKind.segmentOpened) { segments += 1 } }
    #expect(segments > 1)
  }

  /// Simulated flight 38.
  @Test func theLogsTimeGoesOnWhereTheDevicesClockWasSetBackBeforeALaunch() async throws {
    let folder = try TemporaryDirectory()
    do {
      let log = try FileLog.create(path: folder.path + "/log.jsonl", at: Self.start, policy: .everyEvent)
      let engine = Engine(state: State(), log: log)
      _ = try await engine.take(Self.launch + [.queryChanged(Self.query)], at: Self.start)
      try await engine.close(at: Self.start + 1000)
    }
    let (log, state) = try FileLog.open(path: folder.path + "/log.jsonl", policy: .everyEvent)
    let engine = Engine(state: state, log: log)
    let launched = Self.start - 7_200_000
    _ = try await engine.take(Self.launch, at: launched)
    #expect(await engine.state.now == Self.start + 1000)
    let outcome = try await engine.take(
      .responseFailed(request: (await engine.state.nextRequest) - 1, failure: .network), at: launched + 5000)
    #expect(await engine.state.now == Self.start + 6000)
    // The wait is by the device's clock, and so is the tick; the log has both by its own.
    let wake = try #require(outcome.wake)
    #expect((launched + 6000...launched + 8000).contains(wake.at))
    let next = try await engine.take(.clockTicked(scope: wake.scope, due: wake.at), at: wake.at)
    #expect(next.requests.count == 1)
    #expect(await engine.state.now == Self.start + 1000 + wake.at - launched)
  }

  @Test func aClosedEngineTakesNothing() async throws {
    let folder = try TemporaryDirectory()
    let log = try FileLog.create(path: folder.path + "/log.jsonl", at: Self.start, policy: .everyEvent)
    let engine = Engine(state: State(), log: log)
    try await engine.close(at: Self.start)
    await #expect { try await engine.take(Self.launch, at: Self.start) } throws: {
      ($0 as? EngineError)?.code == .closed
    }
  }
}

/// What a test tells the log that the engine owns.
private final class Switches: @unchecked Sendable {
  var refuses = false
}

/// A log whose writes fail when they are told to, as on a full disk.
private final class RefusingLog: EngineLog {
  let switches = Switches()
  private let log: FileLog

  init(path: String) throws {
    log = try FileLog.create(path: path, at: EngineTests.start, policy: .everyEvent)
  }

  var needsRoll: Bool { false }
  var tail: LogTail { log.tail }
  func batch() -> LogBatch { log.batch() }
  func isSyncDue(at now: Int64) -> Bool { log.isSyncDue(at: now) }
  func sync(at now: Int64) throws(LogError) { try log.sync(at: now) }
  func putBlob(_ bytes: [UInt8]) throws(LogError) -> BlobName { try log.putBlob(bytes) }
  func roll(at now: Int64, snapshot: [Event]) throws(LogError) { try log.roll(at: now, snapshot: snapshot) }

  func append(_ batch: LogBatch) throws(LogError) {
    guard !switches.refuses else { throw LogError(.writeFailed, file: "log", reason: "the disk is full") }
    try log.append(batch)
  }
}
