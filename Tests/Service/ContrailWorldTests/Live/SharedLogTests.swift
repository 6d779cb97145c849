import ContrailGeodesy
import ContrailLog
import ContrailServiceSupport
import ContrailTestSupport
import ContrailWire
import Foundation
import Testing

@testable import ContrailWorld

/// A log in memory that services share, with the rules of the database: a line's time isn't before a time that was told.
private final class MemoryLog: SharedLog, @unchecked Sendable {
  private let lock = NSLock()
  private var rows: [SharedPage.Row] = []
  private var told: Int64 = 0
  private var stored: SharedStart
  private var clock: Int64
  /// The services that are cut off.
  private var isAway = false
  /// Whether the next line is stored, and its service never learns it.
  private var losesAnswer = false

  init(at time: Int64) {
    clock = time
    stored = SharedStart(beginning: time / 1000, position: 0, snapshot: [])
  }

  func set(isAway: Bool? = nil, losesAnswer: Bool? = nil, advancing milliseconds: Int64 = 0) {
    lock.withLock {
      self.isAway = isAway ?? self.isAway
      self.losesAnswer = losesAnswer ?? self.losesAnswer
      clock += milliseconds
    }
  }

  var now: Int64 { lock.withLock { clock } }
  var count: Int { lock.withLock { rows.count } }
  var snapshot: SharedStart { lock.withLock { stored } }

  private static let away = ServiceLogError.away(database: "memory", reason: "cut off")

  func start() async throws(ServiceLogError) -> SharedStart { lock.withLock { stored } }

  func append(_ entry: ServiceLine) async throws(ServiceLogError) -> Int64 {
    let position: Int64? = lock.withLock {
      guard !isAway else { return nil }
      let at = max(clock, told, rows.last?.at ?? 0)
      let position = Int64(rows.count + 1)
      rows.append(.init(position: position, at: at, entry: entry, bytes: entry.payload.count))
      defer { losesAnswer = false }
      return losesAnswer ? nil : position
    }
    guard let position else { throw Self.away }
    return position
  }

  func next(after position: Int64, waits: Bool) async throws(ServiceLogError) -> SharedPage {
    let page: SharedPage? = lock.withLock {
      guard !isAway else { return nil }
      // Few at a time.
      let next = Array(rows.dropFirst(Int(position)).prefix(3))
      let hasMore = Int(position) + next.count < rows.count
      told = max(told, clock / 1000 * 1000)
      return SharedPage(
        rows: next, time: hasMore ? nil : .init(now: max(clock, told), horizon: told), isPoller: true)
    }
    guard let page else { throw Self.away }
    return page
  }

  func store(_ parts: [[UInt8]], through position: Int64) async throws(ServiceLogError) {
    lock.withLock { stored = SharedStart(beginning: stored.beginning, position: position, snapshot: parts) }
  }

  func retain(_ rule: LogRetention, at now: Int64) async throws(ServiceLogError) -> Int { 0 }
  func close() async {}
}

/// An instance of the service.
private struct Instance {
  let live: LiveService
  let service: ReferenceService

  init(_ log: MemoryLog, uptime: @escaping @Sendable () -> Int64) async throws {
    live = try await LiveService.join(log, uptime: uptime, retentionSeconds: 43_200, reader: FeedReader())
    var configuration = ServiceConfiguration(clock: live.observations.clock)
    configuration.live = live
    service = ReferenceService(configuration)
  }

  /// Reads the log to its end.
  func follow() async throws {
    guard let log = await live.observations.sharedLog else { return }
    while true {
      let page = try await log.next(after: await live.observations.position, waits: true)
      try await live.receive(page, FeedReader())
      if page.time != nil { return }
    }
  }

  /// Answers a request while the log is read whenever the answer waits for it.
  func following<Answer: Sendable>(_ answer: () async throws -> Answer) async throws -> Answer {
    let follower = Task {
      while !Task.isCancelled {
        if await live.observations.waiterCount > 0 { try await follow() }
        await Task.yield()
      }
    }
    defer { follower.cancel() }
    return try await answer()
  }

  func upload(_ reports: [TurbulenceReport], key: String, owner: String = "a") async throws -> ServiceAnswer {
    try await following { await service.upload(reports, key: key, owner: owner) }
  }

  func everything(since: Int64? = nil) async throws -> ObservationsAnswer {
    try await following { try await service.everything(since: since) }
  }

  var digest: UInt64? { get async { await live.observations.state?.digest(at: 0) } }
}

extension ObservationService {
  fileprivate var waiterCount: Int { (shared?.waiters.count ?? 0) + (shared?.horizonWaiters.count ?? 0) }
}

@Suite struct SharedLogTests {
  private let log = MemoryLog(at: Samples.noon * 1000 + 300)

  private func instance() async throws -> Instance { try await Instance(log) { [log] in log.now } }

  private func reports(_ seed: UInt64) throws -> [TurbulenceReport] {
    var random = SplitMix64(seed: seed)
    return LiveRig.reports(3, from: &random, at: log.now / 1000)
  }

  @Test func instancesFoldTheSameLinesToTheSameAnswers() async throws {
    let (a, b) = (try await instance(), try await instance())
    for step in 0..<12 {
      let answer = try await (step % 2 == 0 ? a : b).upload(
        try reports(UInt64(step)), key: "k\(step)", owner: "o\(step % 3)")
      #expect(answer.status == 200)
      log.set(advancing: 700)
      try await a.follow()
      try await b.follow()
      let (left, right) = (try await a.everything(), try await b.everything())
      #expect(left == right)
    }
    #expect(await a.digest == b.digest)
    // One that joins later has the same world, also from a snapshot.
    #expect(await (try await instance()).digest == a.digest)
    #expect(try await a.live.observations.storeSnapshot(every: 1))
    #expect(try await !a.live.observations.storeSnapshot(every: 1), "nothing has come since")
    #expect(log.snapshot.position == Int64(log.count))
    #expect(await (try await instance()).digest == a.digest)
  }

  @Test func aDeltaFromAnotherInstanceLacksNothing() async throws {
    let (a, b) = (try await instance(), try await instance())
    var held: Set<TurbulenceReport> = []
    var token: Int64?
    var random = SplitMix64(seed: 4)
    for step in 0..<60 {
      let instances = Bool.random(using: &random) ? (a, b) : (b, a)
      _ = try await instances.0.upload(try reports(UInt64(step)), key: "k\(step)", owner: "o\(step)")
      log.set(advancing: Int64.random(in: 0...900, using: &random))
      try await instances.1.follow()
      let delta = try await instances.1.everything(since: token)
      #expect(held.isDisjoint(with: delta.reports), "nothing comes twice")
      #expect(delta.token >= token ?? 0)
      held.formUnion(delta.reports)
      #expect(Samples.sum(Array(held)) == delta.held)
      token = delta.token
      // The other one may know less than the token. It then waits.
    }
  }

  @Test func anInstanceThatKnowsLessThanTheTokenWaits() async throws {
    let (a, b) = (try await instance(), try await instance())
    _ = try await a.everything()
    try await b.follow()
    log.set(advancing: 2000)
    try await a.follow()
    let token = try await a.service.everything().token
    #expect(try await b.service.everything().token < token)
    async let delta = b.service.everything(since: token)
    await eventually { await b.live.observations.waiterCount > 0 }
    try await b.follow()
    #expect(try await delta.token >= token)
  }

  @Test func aHandleOfAnotherInstanceIsWaitedFor() async throws {
    let (a, b) = (try await instance(), try await instance())
    let question = ObservationsRequest(ring: Samples.atlantic, filter: Filter(types: .areaTypes, history: .sixHours))
    async let first = a.service.ask(
      ObservationsRequest.path, body: question.json, fields: [("Accept", ObservationsAnswer.compactType)])
    await eventually { await a.live.observations.waiterCount > 0 }
    try await a.follow()
    let handle = try #require(await first.headers[WireHeader.area])
    let token = try await b.everything().token
    log.set(advancing: 100)
    async let delta = b.service.ask("/areas/\(handle)?since=\(token)&types=7")
    await eventually { await b.live.observations.waiterCount > 0 }
    log.set(advancing: 1000)
    try await b.follow()
    #expect(await delta.status == 200)
  }

  @Test func withoutTheLogUploadsAreRefusedAndAnswersAge() async throws {
    let a = try await instance()
    _ = try await a.upload(try reports(1), key: "k1")
    log.set(advancing: 1000)
    try await a.follow()
    let before = try await a.everything()
    log.set(isAway: true, advancing: 60_000)
    await a.live.observations.lose("cut off")
    #expect(await a.service.upload(try reports(2), key: "k2").status == 503)
    let after = await a.service.ask(
      ObservationsRequest.path,
      body: ObservationsRequest(ring: Samples.mostOfTheWorld, filter: Filter(types: .areaTypes, history: .sixHours))
        .json)
    let answer = try after.body.withUnsafeBytes { try ObservationsAnswer(json: $0) }
    #expect(answer == before, "the token is the time as of which the data is")
    let time = try #require(after.headers[WireHeader.serverTime].flatMap { Int64($0) })
    #expect(time / 1000 - answer.token == 60, "the time goes on")
    #expect(try await a.service.everything(since: before.token).reports == [], "the client's own token is valid")
    #expect(!a.live.shared!.isPoller && a.live.shared!.isAgeing)
    // A token of an instance that knows more is neither refused for good nor answered wrongly.
    let question = { (since: Int64) in
      var question = ObservationsRequest(ring: Samples.mostOfTheWorld, filter: Filter(types: .areaTypes))
      question.since = since
      return question.json
    }
    #expect(await a.service.ask(ObservationsRequest.path, body: question(before.token + 2)).status == 503)
    #expect(await a.service.ask(ObservationsRequest.path, body: question(before.token + 7200)).status == 410)
    log.set(isAway: false)
    try await a.follow()
    #expect(try await a.upload(try reports(2), key: "k2").status == 200)
  }

  @Test func anUploadWhoseAnswerWasLostIsHeldOnce() async throws {
    let (a, b) = (try await instance(), try await instance())
    let reports = try reports(7)
    log.set(losesAnswer: true)
    #expect(await a.service.upload(reports, key: "k").status == 503)
    #expect(try await b.upload(reports, key: "k").status == 200, "sent again, to another instance")
    log.set(advancing: 1000)
    try await a.follow()
    #expect(log.count == 2)
    let answer = try await a.everything()
    #expect(log.count == 3, "the area")
    #expect(Set(answer.reports) == Set(reports) && answer.reports.count == reports.count)
    #expect(await a.service.upload(reports, key: "k").status == 200, "known without a line")
    #expect(await a.service.upload([], key: "k").status == 409)
    #expect(log.count == 3)
  }

  @Test func aCopyIsALogOfItsOwn() async throws {
    let a = try await instance()
    for step in 0..<7 { _ = try await a.upload(try reports(UInt64(step)), key: "k\(step)") }
    let disk = MemoryDisk()
    #expect(try await log.copy(to: "/log", storage: disk) == log.count)
    disk.restart()
    let rig = LiveRig(at: log.now, disk: disk)
    let live = try await rig.open()
    #expect(await live.observations.state?.digest(at: 0) == a.digest)
    await #expect(throws: ServiceLogError.self) { try await log.copy(to: "/log", storage: disk) }
  }

  @Test func linesThatWereRemovedAreNoticed() async throws {
    let a = try await instance()
    let page = SharedPage(
      rows: [.init(position: 5, at: log.now, entry: .started(version: "", sources: []), bytes: 1)], time: nil,
      isPoller: false)
    await #expect(throws: ServiceLogError.self) { try await a.live.receive(page, FeedReader()) }
  }
}
