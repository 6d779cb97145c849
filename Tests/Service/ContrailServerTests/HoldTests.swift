import ContrailGeodesy
import ContrailH3
import ContrailTestSupport
import ContrailWire
import Synchronization
import Testing

@testable import ContrailWorld

/// Held requests: a record finds those it concerns, and each is answered once.
@Suite struct HoldTests {
  private static func ring(west: Double, south: Double, size: Double = 10) throws -> Ring {
    let corners = [(0.0, 0.0), (0, 1), (1, 1), (1, 0), (0, 0)]
    return try Ring(corners.map { Coordinate(latitude: south + $0.0 * size, longitude: west + $0.1 * size) })
  }

  private static func area(
    _ ring: Ring, urgent: TurbulenceSeverity? = .moderate, by seconds: Int64 = 60, wait: Int64 = 540,
    types: DataTypeOptions = .turbulence, severities: SeveritySet = .all
  ) -> HoldRegistry.Area {
    .init(
      request: ObservationsRequest(
        ring: ring, filter: Filter(types: types, severities: severities, history: .twoHours), since: 1000),
      terms: HoldTerms(seconds: wait, urgent: urgent, ordinarySeconds: seconds))
  }

  private static func report(
    _ severity: TurbulenceSeverity, latitude: Double, longitude: Double, at second: Int64, age: Int64 = 10
  ) throws -> HoldRegistry.Arrival {
    let place = Coordinate(latitude: latitude, longitude: longitude)
    let report = try TurbulenceReport(severity, at: place, second: second - age)
    return .report(.init(report: report, centre: try #require(FixedCoordinate(place)), arrival: second))
  }

  @Test func anUrgentRecordAnswersAtTheNextSecond() throws {
    var registry = HoldRegistry()
    let id = registry.add([Self.area(try Self.ring(west: -40, south: 40))], at: 1000)
    registry.arrive(try Self.report(.moderate, latitude: 45, longitude: -35, at: 1010))
    #expect(registry.release(at: 1010) == [])
    #expect(registry.release(at: 1011) == [id] && registry.count == 0)
  }

  @Test func anOrdinaryRecordAnswersWhenItIsOldEnough() throws {
    var registry = HoldRegistry()
    let id = registry.add([Self.area(try Self.ring(west: -40, south: 40))], at: 1000)
    registry.arrive(try Self.report(.light, latitude: 45, longitude: -35, at: 1010))
    registry.arrive(try Self.report(.light, latitude: 45, longitude: -35, at: 1030))
    #expect(registry.nextDue == 1070 && registry.release(at: 1069) == [])
    #expect(registry.release(at: 1070) == [id])
  }

  /// An answer without news before the end would be taken for the end of the server.
  @Test(arguments: [(TurbulenceSeverity.light, Int64(60)), (.moderate, 1)])
  func aRecordThatLeavesTheHistoryBeforeItsAnswerIsNoNews(_ severity: TurbulenceSeverity, _ delay: Int64) throws {
    var registry = HoldRegistry()
    let second: Int64 = 10_000
    let id = registry.add([Self.area(try Self.ring(west: -40, south: 40))], at: second)
    registry.arrive(try Self.report(severity, latitude: 45, longitude: -35, at: second, age: 7200 - delay))
    #expect(registry.nextDue == second + 540)
    registry.arrive(try Self.report(severity, latitude: 45, longitude: -35, at: second, age: 7199 - delay))
    #expect(registry.nextDue == second + delay)
    // A record that arrived before the request must still be in the history when the request begins.
    let late = registry.add([Self.area(try Self.ring(west: -40, south: 40))], at: second + 100)
    let early = try Self.report(severity, latitude: 45, longitude: -35, at: second, age: 7100)
    registry.note(early, late, 0, at: second + 100)
    #expect(registry.release(at: second + 100) == [id])
    registry.note(early, late, 0, at: second + 99)
    #expect(registry.release(at: second + 100) == [late])
  }

  @Test func silenceIsAnsweredAtTheEnd() throws {
    var registry = HoldRegistry()
    let id = registry.add([Self.area(try Self.ring(west: -40, south: 40), wait: 50)], at: 1000)
    #expect(registry.release(at: 1049) == [] && registry.release(at: 1050) == [id])
  }

  @Test func aRecordTouchesOnlyThoseItConcerns() throws {
    var registry = HoldRegistry()
    let ring = try Self.ring(west: -40, south: 40)
    let near = registry.add([Self.area(ring)], at: 1000)
    _ = registry.add([Self.area(try Self.ring(west: 100, south: -30))], at: 1000)
    _ = registry.add([Self.area(ring, severities: SeveritySet([.none]))], at: 1000)
    _ = registry.add([Self.area(ring, types: .pireps)], at: 1000)
    let both = registry.add([Self.area(try Self.ring(west: 100, south: -30)), Self.area(ring)], at: 1000)
    registry.arrive(try Self.report(.moderateSevere, latitude: 45, longitude: -35, at: 1010))
    #expect(registry.release(at: 1011) == [near, both] && registry.count == 3)
  }

  @Test func allAreAnsweredWhenTheServerStops() throws {
    var registry = HoldRegistry()
    let ids = try (0..<20).map { registry.add([Self.area(try Self.ring(west: Double($0), south: 0))], at: 1000) }
    #expect(registry.releaseAll() == ids && registry.count == 0 && registry.nextDue == nil)
  }

  /// The tiles of a ring are those of all points in it.
  @Test(arguments: 0..<60) func noPointOfARingIsOutsideItsTiles(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let place = (
      latitude: Double.random(in: -85...80, using: &random), longitude: Double.random(in: -180...180, using: &random)
    )
    let (height, width) = (Double.random(in: 0.2...30, using: &random), Double.random(in: 0.2...80, using: &random))
    let tilt = Double.random(in: -8...8, using: &random)
    let corners = [(0.0, 0.0), (tilt, 1), (1 + tilt / 4, 1), (1, 0), (0, 0)]
    guard
      let ring = try? Ring(
        corners.map {
          let longitude = place.longitude + $0.1 * width
          return Coordinate(
            latitude: min(max(place.latitude + $0.0 * height, -89), 89),
            longitude: longitude > 180 ? longitude - 360 : longitude)
        })
    else { return }
    let made = RingTiles(ring)
    let tiles = Set(made.inside + made.crossed)
    for _ in 0..<2000 {
      let point = Coordinate(
        latitude: Double.random(in: -90...90, using: &random), longitude: Double.random(in: -180..<180, using: &random))
      guard let fixed = FixedCoordinate(point), ring.contains(fixed) else { continue }
      #expect(tiles.contains(RingTiles.tile(of: fixed)), "\(point)")
    }
    for corner in ring.points where ring.contains(corner) { #expect(tiles.contains(RingTiles.tile(of: corner))) }
  }

  // MARK: The service

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
      ring: Samples.rectangle(west: -179, south: -60, east: 179, north: 75), filter: Filter(history: .hour))
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

  @Test func onlyAConnectionThatCanHoldIsTold() async throws {
    let clock = TestClock(Self.second * 1000)
    let service = Self.service(clock)
    #expect(try await Self.handle(service).1 == "540")
    #expect(try await Self.handle(service, canBeHeld: false).1 == nil)
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
    #expect(plain.waited == .zero)
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
    #expect(await service.answer(to: request("a")).status == 200, "at once")
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
    let report = try TurbulenceReport(
      .moderateSevere, at: Coordinate(latitude: 50, longitude: -30), second: Self.second - 5)
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
    let report = try TurbulenceReport(
      .moderateSevere, at: Coordinate(latitude: 50, longitude: -30), second: Self.second - 5)
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

extension TurbulenceReport {
  fileprivate init(_ severity: TurbulenceSeverity, at place: Coordinate, second: Int64) throws {
    let cell = try #require(try H3Cell(place, resolution: 5).packed22)
    self.init(
      cell: cell, altitude: 35, severity: severity.rawValue, edrE4: 3000, observedAt: UInt32(second))
  }
}

extension ObservationsAnswer {
  init(compactBytes bytes: [UInt8]) throws {
    self = try bytes.withUnsafeBytes {
      try ObservationsAnswer.read(compact: $0, changing: [], and: HeldRecords()).answer
    }
  }
}
