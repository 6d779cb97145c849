import ContrailGeodesy
import ContrailH3
import ContrailServiceSupport
import ContrailTestSupport
import ContrailWire
import Synchronization
import Testing

@testable import ContrailWorld

/// Held requests of a service: each is answered once, with what a delta would say.
@Suite struct HoldTests {
  private static let second = Samples.noon

  private static func service(_ clock: TestClock, keys: KeyRing? = nil) -> ReferenceService {
    var configuration = ServiceConfiguration(seed: 11, clock: { clock.now })
    configuration.aircraft = 80
    configuration.keyRing = keys
    return ReferenceService(configuration)
  }

  private static func request(
    _ handle: String, since: Int64, wait: Int64, urgent: Int, by: Int64, key: String? = nil
  ) -> ServiceRequest {
    var headers = HeaderFields([(HoldTerms.field, "wait=\(wait)")])
    headers[WireHeader.apiKey] = key
    return ServiceRequest(
      method: "GET", target: "/areas/\(handle)?since=\(since)&urgent=\(urgent)&by=\(by)",
      headers: headers, canBeHeld: true)
  }

  private static func handle(
    _ service: ReferenceService, canBeHeld: Bool = true, key: String? = nil
  ) async throws -> (String, String?) {
    let question = ObservationsRequest(
      ring: Samples.mostOfTheWorld, filter: Filter(history: .hour))
    let answer = await service.answer(
      to: ServiceRequest(
        method: "POST", target: ObservationsRequest.path,
        headers: HeaderFields(key.map { [(WireHeader.apiKey, $0)] } ?? []), canBeHeld: canBeHeld, body: question.json))
    return (try #require(answer.headers[WireHeader.area]), answer.headers[WireHeader.holds])
  }

  /// Sends a request that is held, and waits until it is.
  private static func holding(
    _ service: ReferenceService, _ handle: String, urgent: Int = 0, by: Int64 = 60
  ) async -> Task<ServiceAnswer, Never> {
    let held = Task {
      await service.answer(to: request(handle, since: second, wait: 500, urgent: urgent, by: by))
    }
    while await service.holdCount == 0 { await Task.yield() }
    return held
  }

  private static func severeReport() throws -> TurbulenceReport {
    try TurbulenceReport(.moderateSevere, at: Coordinate(latitude: 50, longitude: -30), second: second - 5)
  }

  @Test func onlyAConnectionThatCanHoldIsTold() async throws {
    let clock = TestClock(Self.second * 1000)
    let service = Self.service(clock)
    #expect(try await Self.handle(service).1 == "540")
    #expect(try await Self.handle(service, canBeHeld: false).1 == nil)
    for (seconds, told) in [(Int64(0), nil), (1, "1")] as [(Int64, String?)] {
      var configuration = ServiceConfiguration(clock: { clock.now })
      (configuration.aircraft, configuration.holdSeconds) = (0, seconds)
      #expect(try await Self.handle(ReferenceService(configuration)).1 == told)
    }
  }

  @Test func theAnswerIsThatOfADeltaAtItsTime() async throws {
    let clock = TestClock(Self.second * 1000)
    let service = Self.service(clock)
    let (handle, _) = try await Self.handle(service)
    let held = await Self.holding(service, handle)
    let due = try #require(await service.nextRelease())
    clock.now = due - 1
    await service.advanceHolds()
    #expect(await service.holdCount == 1)
    clock.now = due
    await service.advanceHolds()
    let answer = try ObservationsAnswer(compactBytes: await held.value.body)
    #expect(answer.token == due / 1000 && answer.follows == Self.second && !answer.reports.isEmpty)
    let plain = await service.answer(
      to: ServiceRequest(method: "GET", target: "/areas/\(handle)?since=\(Self.second)"))
    #expect(try ObservationsAnswer(compactBytes: plain.body) == answer)
  }

  /// Latencies don't contain the time for which a request was held.
  @Test func anAnswerSaysHowLongItWasHeld() async throws {
    let clock = TestClock(Self.second * 1000)
    let service = Self.service(clock)
    let (handle, _) = try await Self.handle(service)
    let held = await Self.holding(service, handle)
    let start = ContinuousClock.now
    clock.now = try #require(await service.nextRelease())
    let least = ContinuousClock.now - start
    await service.advanceHolds()
    let answer = await held.value
    #expect(answer.kind == .held && answer.waited >= least)
    let plain = await service.answer(
      to: ServiceRequest(method: "GET", target: "/areas/\(handle)?since=\(Self.second)"))
    #expect(plain.waited == .zero && plain.kind == .handle)
  }

  /// The first answer at or after the end of a stream is its last.
  @Test func aStreamEnds() async throws {
    let terms = HoldTerms(seconds: 500, urgent: TurbulenceSeverity.none, ordinarySeconds: 60)
    /// Returns what follows the first part of a stream, and when that part came after the request.
    func next(endingAfter milliseconds: Int64) async throws -> (stream: HeldStream?, after: Int64) {
      let clock = TestClock(Self.second * 1000)
      let service = Self.service(clock)
      let question = AreaRequest(
        handle: try await Self.handle(service).0, filter: Filter(types: .turbulence, history: .hour),
        since: Self.second, hold: terms)
      let end = clock.now + milliseconds
      let part = Task { await service.next(of: HeldStream(questions: [question], endsMS: end, caller: nil)) }
      while await service.holdCount == 0 { await Task.yield() }
      clock.now = try #require(await service.nextRelease())
      await service.advanceHolds()
      return (try #require(await part.value).next, clock.now - Self.second * 1000)
    }
    let (first, due) = try await next(endingAfter: 500_000)
    let stream = try #require(first)
    #expect(stream.endsMS == Self.second * 1000 + 500_000 && stream.questions.count == 1)
    #expect(stream.questions[0].since == Self.second + due / 1000 && stream.questions[0].hold == terms)
    #expect(try await next(endingAfter: due).stream == nil)
    #expect(try await next(endingAfter: due + 1).stream != nil)
    // An area that the server doesn't know ends it at once.
    let unknown = AreaRequest(handle: "AAAAAAAAAAA", since: Self.second, hold: terms)
    let service = Self.service(TestClock(Self.second * 1000))
    #expect(await service.next(of: HeldStream(questions: [unknown], endsMS: .max, caller: nil)) == nil)
  }

  /// Without news, an answer comes at the end of what the server allows, and that of a stream a little later.
  @Test func withoutNewsAServerAnswersAtTheEnd() async throws {
    let clock = TestClock(Self.second * 1000)
    var configuration = ServiceConfiguration(seed: 11, clock: { clock.now })
    (configuration.aircraft, configuration.holdSeconds) = (0, 100)
    let service = ReferenceService(configuration)
    let (handle, _) = try await Self.handle(service)
    func wait(_ seconds: Int64) async throws -> Int64 {
      let held = Task {
        await service.answer(to: Self.request(handle, since: Self.second, wait: seconds, urgent: 4, by: 3600))
      }
      while await service.holdCount == 0 { await Task.yield() }
      let due = try #require(await service.nextRelease())
      held.cancel()
      _ = await held.value
      return due / 1000 - Self.second
    }
    let waits = try await [wait(50), wait(100), wait(500)]
    #expect(waits == [50, 100, 100])
    func part(_ seconds: Int64) async throws -> Int64 {
      let question = AreaRequest(
        handle: handle, since: Self.second,
        hold: HoldTerms(seconds: seconds, urgent: .moderateSevere, ordinarySeconds: 3600))
      let part = Task { await service.next(of: HeldStream(questions: [question], endsMS: .max, caller: nil)) }
      while await service.holdCount == 0 { await Task.yield() }
      let due = try #require(await service.nextRelease())
      part.cancel()
      _ = await part.value
      return due / 1000 - Self.second
    }
    let parts = try await [part(50), part(500)]
    #expect(parts == [53, 103])
  }

  /// Each part equals the answer to its request alone. A failed request doesn't fail the others.
  @Test func anExchangeHasAPartForEachArea() async throws {
    let service = Self.service(TestClock(Self.second * 1000))
    let (handle, _) = try await Self.handle(service)
    let known = AreaRequest(handle: handle, filter: Filter(types: .areaTypes, history: .hour), since: Self.second - 300)
    let unknown = AreaRequest(handle: "AAAAAAAAAAA", since: Self.second - 300)
    let now = Self.second * 1000
    let alone = try await service.areas([known], timeMS: now, plan: [])
    let both = try await service.areas([known, known], timeMS: now, plan: [])
    let parts = try both.body.withUnsafeBytes { try CompactBundle.parts($0) }
    #expect(parts == Array(repeating: CompactBundle.Part(status: 200, body: alone.body), count: 2))
    #expect(alone.next?.map(\.since) == [Self.second] && both.next?.map(\.since) == [Self.second, Self.second])
    let failed = try await service.areas([unknown, known], timeMS: now, plan: [])
    let rest = try failed.body.withUnsafeBytes { try CompactBundle.parts($0) }
    #expect(rest == [.init(status: 404), .init(status: 200, body: alone.body)] && failed.next == nil)
    // Traffic that is held as of the token comes as changes.
    var held = known
    let traffic = try await service.areas([held], timeMS: (Self.second - 300) * 1000, plan: [])
    held.heldTraffic = try #require(traffic.next?.first?.heldTraffic)
    let changes = try await service.areas([held], timeMS: now, plan: [])
    #expect(changes.body.count < alone.body.count && changes.next == alone.next)
  }

  /// A request with its area is held as one by handle, with the terms of its query; a plain server holds none.
  @Test(arguments: [false, true]) func aRequestWithItsAreaIsHeld(isPlain: Bool) async throws {
    let clock = TestClock(Self.second * 1000)
    var configuration = ServiceConfiguration(seed: 11, clock: { clock.now })
    (configuration.aircraft, configuration.isPlain) = (0, isPlain)
    let service = ReferenceService(configuration)
    let retention = configuration.retentionSeconds
    func ask(since: Int64) async -> Task<ServiceAnswer, Never> {
      let question = ObservationsRequest(
        ring: Samples.atlantic, filter: Filter(types: [.turbulence, .traffic], history: .hour), since: since)
      return Task {
        await service.answer(
          to: ServiceRequest(
            method: "POST", target: ObservationsRequest.path + "?by=70",
            headers: HeaderFields([(HoldTerms.field, "wait=90")]),
            canBeHeld: true, body: question.json))
      }
    }
    guard !isPlain else { return #expect(await ask(since: Self.second).value.status == 200) }
    // Traffic answers as an ordinary record, which the query gives a time. The oldest token that is kept has had it.
    let held = await ask(since: Self.second)
    while await service.holdCount == 0 { await Task.yield() }
    #expect(await service.nextRelease() == (Self.second + 70) * 1000)
    clock.now += 70_000
    await service.advanceHolds()
    #expect(await held.value.kind == .held)
    #expect(await ask(since: clock.now / 1000 - retention).value.kind == .held)
    #expect(await ask(since: clock.now / 1000 - retention - 1).value.status == 410)
  }

  /// Only a delta that can be answered is held.
  @Test func aTokenThatIsNotKeptIsAnsweredAtOnce() async throws {
    let clock = TestClock(Self.second * 1000)
    let service = Self.service(clock)
    let (handle, _) = try await Self.handle(service)
    let retention = ServiceConfiguration(clock: { 0 }).retentionSeconds
    for (since, status) in [(Self.second + 1, 410), (Self.second - retention - 1, 410)] {
      let answer = await service.answer(to: Self.request(handle, since: since, wait: 500, urgent: 4, by: 3600))
      #expect(answer.status == status)
    }
    let oldest = Self.request(handle, since: Self.second - retention, wait: 500, urgent: 4, by: 3600)
    #expect(await service.answer(to: oldest).status == 200, "there is news, and it can be answered")
  }

  @Test func whatWaitsAlreadyIsAnsweredAtOnce() async throws {
    let clock = TestClock(Self.second * 1000)
    let service = Self.service(clock)
    let (handle, _) = try await Self.handle(service)
    clock.now += 120_000
    let answer = await service.answer(
      to: Self.request(handle, since: Self.second, wait: 500, urgent: 4, by: 60))
    #expect(try ObservationsAnswer(compactBytes: answer.body).token == Self.second + 120)
    #expect(await service.holdCount == 0)
  }

  @Test func aStoppingServerAnswersAllAndHoldsNoMore() async throws {
    let clock = TestClock(Self.second * 1000)
    let service = Self.service(clock)
    let (handle, _) = try await Self.handle(service)
    let request = Self.request(handle, since: Self.second, wait: 500, urgent: 4, by: 3600)
    async let held = service.answer(to: request)
    while await service.holdCount == 0 { await Task.yield() }
    await service.endHolds()
    let last = await held
    let next = await service.answer(to: request)
    #expect(last.status == 200 && next.status == 200)
  }

  /// Beyond its limit, a request is answered at once, so that its client polls. Other keys aren't touched, and an answer frees a place.
  @Test func aKeyHoldsAsManyRequestsAsItMay() async throws {
    let clock = TestClock(Self.second * 1000)
    let keys = KeyRing(
      try KeyRing.keys("few \(KeyRing.hash("a")) holds=2\nmany \(KeyRing.hash("b"))", path: "keys"))
    let service = Self.service(clock, keys: keys)
    let (handle, _) = try await Self.handle(service, key: "a")
    func request(_ key: String) -> ServiceRequest {
      Self.request(handle, since: Self.second, wait: 500, urgent: 4, by: 3600, key: key)
    }
    async let first = service.answer(to: request("a"))
    async let second = service.answer(to: request("a"))
    while await service.holdCount < 2 { await Task.yield() }
    let extra = await service.answer(to: request("a"))
    #expect(extra.status == 200 && extra.kind == .handle, "at once")
    async let other = service.answer(to: request("b"))
    while await service.holdCount < 3 { await Task.yield() }
    clock.now += 540_000
    await service.advanceHolds()
    let answers = await [first, second, other]
    #expect(answers.allSatisfy { $0.status == 200 })
    async let again = service.answer(
      to: Self.request(handle, since: Self.second + 540, wait: 500, urgent: 4, by: 3600, key: "a"))
    while await service.holdCount < 1 { await Task.yield() }
    await service.endHolds()
    #expect(await again.status == 200)
  }

  @Test func aClientThatGivesUpIsForgotten() async throws {
    let clock = TestClock(Self.second * 1000)
    let service = Self.service(clock)
    let (handle, _) = try await Self.handle(service)
    let task = Task {
      await service.answer(to: Self.request(handle, since: Self.second, wait: 500, urgent: 4, by: 3600))
    }
    while await service.holdCount == 0 { await Task.yield() }
    task.cancel()
    _ = await task.value
    let (count, next) = (await service.holdCount, await service.nextRelease())
    #expect(count == 0 && next == nil)
  }

  @Test func anUploadAnswersThoseItConcerns() async throws {
    let clock = TestClock(Self.second * 1000)
    let service = Self.service(clock)
    let (handle, _) = try await Self.handle(service)
    let held = await Self.holding(service, handle, urgent: 4, by: 3600)
    let report = try Self.severeReport()
    let upload = await service.answer(
      to: ServiceRequest(
        method: "POST", target: ReportsUpload.path, headers: HeaderFields([(WireHeader.idempotencyKey, "one")]),
        body: ReportsUpload(reports: [report]).json))
    #expect(upload.status == 200)
    clock.now += 1000
    await service.advanceHolds()
    let answer = try await ObservationsAnswer(compactBytes: held.value.body)
    #expect(answer.reports.contains(report))
  }

  /// A record counts from the second of its storage on: answers until then don't contain it.
  @Test func anUploadThatTakesSecondsAnswersThoseItConcerns() async throws {
    let clock = TestClock(Self.second * 1000)
    let service = Self.service(clock)
    let (handle, _) = try await Self.handle(service)
    let held = await Self.holding(service, handle, urgent: 4, by: 3600)
    let report = try Self.severeReport()
    let body = ReportsUpload(reports: [report]).json
    let upload = await service.answer(
      to: ServiceRequest(
        method: "POST", target: ReportsUpload.path, headers: HeaderFields([(WireHeader.idempotencyKey, "one")])
      ) { _ in
        clock.now += 3000
        await service.advanceHolds()
        return body
      })
    #expect(upload.status == 200)
    let early = await service.answer(to: ServiceRequest(method: "GET", target: "/areas/\(handle)?since=\(Self.second)"))
    let token = try ObservationsAnswer(compactBytes: early.body).token
    clock.now += 1000
    await service.advanceHolds()
    if await service.holdCount > 0 {
      Issue.record("the record isn't told")
      await service.endHolds()
    }
    #expect(try await ObservationsAnswer(compactBytes: held.value.body).reports.contains(report))
    let late = await service.answer(to: ServiceRequest(method: "GET", target: "/areas/\(handle)?since=\(token)"))
    #expect(try ObservationsAnswer(compactBytes: late.body).reports.contains(report))
  }

  @Test func anInvalidTermIsRefused() async throws {
    let service = Self.service(TestClock(Self.second * 1000))
    let (handle, _) = try await Self.handle(service)
    for query in ["urgent=7", "by=-1", "urgentAlts=40-30"] {
      let answer = await service.answer(
        to: ServiceRequest(method: "GET", target: "/areas/\(handle)?\(query)", canBeHeld: true))
      #expect(answer.status == 400, "\(query)")
    }
  }
}

/// A clock that a test sets.
private final class TestClock: Sendable {
  private let time: Mutex<Int64>

  init(_ time: Int64) { self.time = Mutex(time) }

  var now: Int64 {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
}

extension ObservationsAnswer {
  init(compactBytes bytes: [UInt8]) throws {
    self = try bytes.withUnsafeBytes {
      try ObservationsAnswer.read(compact: $0, changing: [], and: HeldRecords()).answer
    }
  }
}
