import ContrailGeodesy
import ContrailH3
import ContrailServiceSupport
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailWorld

/// What DESIGN calls Held(spec, N), and that deltas lead to it.
@Suite struct ObservationServiceTests {
  static let retention: Int64 = 43_200
  /// One for all tests: what it answers doesn't depend on what it was asked before.
  static let shared = ObservationService(world: Samples.world, retentionSeconds: Self.retention)
  let service = Self.shared

  @Test(arguments: 1...8) func whatIsHeldAndADeltaMakeWhatIsHeldThen(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<4 {
      let later = Samples.noon + Int64.random(in: 0...3600, using: &random)
      let since = later - Int64.random(in: 0...9000, using: &random)
      var wide = Samples.anyRequest(&random)
      wide.severities = .all
      wide.history = DataHistoryTime.allCases.filter { $0 >= wide.history }.randomElement(using: &random) ?? .sixHours
      let before = try await service.observations(wide, now: since)

      var narrow = Samples.anyRequest(&random, ring: wide.ring)
      if narrow.history > wide.history { narrow.history = wide.history }
      if !wide.altitudes.covers(narrow.altitudes) { narrow.altitudes = wide.altitudes }
      let full = try await service.observations(narrow, now: later)
      narrow.since = since
      let delta = try await service.observations(narrow, now: later)

      let spec = FetchSpec(
        area: .ring(narrow.ring), filter: narrow.filter)
      let held = Set(before.reports).union(delta.reports).filter { spec.admits($0, asOf: later) }
      #expect(held == Set(full.reports), "seed \(seed)")
      #expect(Samples.sum(held) == delta.held && delta.held == full.held)
      #expect(delta.token == later && delta.follows == since && full.follows == nil)

      var pireps: [String: PIREP] = [:]
      for pirep in before.pireps + delta.pireps { pireps[pirep.id] = pirep }
      let heldPIREPs = pireps.values.filter { $0.observedAt > later - narrow.history.seconds }
      #expect(Set(heldPIREPs) == Set(full.pireps))
      #expect(delta.heldPIREPs == full.heldPIREPs && full.heldPIREPs?.count == heldPIREPs.count)
    }
  }

  @Test func lateReportsComeInSomeDeltaExactlyOnce() async throws {
    let ring = Samples.mostOfTheWorld
    var request = ObservationsRequest(ring: ring, filter: Filter(types: .turbulence, history: .sixHours))
    var held = Set(try await service.observations(request, now: Samples.noon - 7200).reports)
    var late = 0
    for now in stride(from: Samples.noon - 7140, through: Samples.noon, by: 60) {
      request.since = now - 60
      let delta = try await service.observations(request, now: now)
      #expect(held.isDisjoint(with: delta.reports))
      held.formUnion(delta.reports)
      late += delta.reports.count { Int64($0.observedAt) < now - 660 }
    }
    request.since = nil
    let full = try await service.observations(request, now: Samples.noon)
    #expect(held.filter { Int64($0.observedAt) > Samples.noon - 21_600 } == Set(full.reports))
    #expect(late > 0)
  }

  @Test func answersDependOnTheTimeOnly() async throws {
    let request = ObservationsRequest(ring: Samples.pacific, filter: Filter(types: .areaTypes, history: .twoHours))
    let times = [0, -9000, 3600, -20_000].map { Samples.noon + $0 }
    var answers: [Int64: ObservationsAnswer] = [:]
    for time in times { answers[time] = try await service.observations(request, now: time) }
    let other = ObservationService(world: Samples.world, retentionSeconds: Self.retention)
    for time in times.reversed() { #expect(try await other.observations(request, now: time) == answers[time]) }
  }

  @Test func heldTrafficIsRecognisedByItsChecksum() async throws {
    var request = ObservationsRequest(
      ring: Samples.atlantic, filter: Filter(types: [.turbulence, .traffic], history: .twoHours))
    let held = try #require(try await service.observations(request, now: Samples.noon - 60).traffic)
    request.since = Samples.noon - 60
    let checksum = TrafficPosition.checksum(of: held)
    #expect(!held.isEmpty)
    #expect(await service.traffic(held: checksum, in: request) == held)
    // Other traffic, an unknown watermark, or no traffic at all: the answer lists everything.
    #expect(await service.traffic(held: checksum ^ 1, in: request) == [])
    #expect(await service.traffic(held: nil, in: request) == [])
    request.types = .turbulence
    #expect(await service.traffic(held: checksum, in: request) == [])
    request.types = [.turbulence, .traffic]
    request.since = nil
    #expect(await service.traffic(held: checksum, in: request) == [])
  }

  /// What a client says it holds is answered for the time of its token only.
  @Test func heldRecordsAreRecognisedByTheirChecksum() async throws {
    var request = ObservationsRequest(
      ring: Samples.atlantic, filter: Filter(types: [.turbulence, .pireps], history: .twoHours))
    let since = Samples.noon - 60
    let full = try await service.observations(request, now: since)
    let held = HeldRecords(reports: full.reports, pireps: full.pireps)
    func known(_ since: Int64?, _ checksum: UInt32 = 0, now: Int64 = Samples.noon) async -> HeldRecords {
      request.since = since
      return await service.records(held: checksum, in: request, now: now)
    }
    #expect(!held.reports.isEmpty && !held.pireps.isEmpty)
    #expect(await known(since, held.checksum) == held)
    #expect(await known(since, held.checksum, now: since) == held)
    #expect(await known(since, held.checksum ^ 1).isEmpty)
    #expect(await known(nil, held.checksum).isEmpty)
    #expect(await known(since, held.checksum, now: since - 1).isEmpty, "from the future")
    #expect(await known(since, held.checksum, now: since + Self.retention) == held)
    #expect(await known(since, held.checksum, now: since + Self.retention + 1).isEmpty, "older than what is kept")
  }

  @Test func aPIREPIsHeldFromItsArrivalUntilItsHistoryEnds() async throws {
    let ring = Samples.mostOfTheWorld
    let request = ObservationsRequest(ring: ring, filter: Filter(types: .pireps, history: .halfHour))
    var checked = 0
    for pirep in try await service.observations(request, now: Samples.noon).pireps {
      let isHeld = try await [pirep.updatedAt, pirep.updatedAt + 1, pirep.observedAt + 1799, pirep.observedAt + 1800]
        .asyncMap { time in try await service.observations(request, now: time).pireps.contains(pirep) }
      // A correction takes the place of the first version.
      guard isHeld[2] else { continue }
      #expect(isHeld == [false, true, true, false])
      checked += 1
    }
    #expect(checked > 3)
    var delta = request
    for pirep in try await service.observations(request, now: Samples.noon).pireps.prefix(5) {
      for (since, isNew) in [(pirep.updatedAt, true), (pirep.updatedAt + 1, false)] where since <= Samples.noon {
        delta.since = since
        #expect(try await service.observations(delta, now: Samples.noon).pireps.contains(pirep) == isNew)
      }
    }
  }

  /// Areas are made of reports that arrived before the token and aren't older than the history.
  @Test func turbulenceAreasAreThoseOfTheLastFiveMinutes() async throws {
    let own = ObservationService(world: SimulatedWorld(seed: 1, aircraft: 0), retentionSeconds: Self.retention)
    func report(_ place: Coordinate, at second: Int64) throws -> TurbulenceReport {
      TurbulenceReport(
        cell: try #require(try H3Cell(place, resolution: 5).packed22), altitude: 35, severity: 2, edrE4: 1700,
        observedAt: UInt32(second))
    }
    func upload(_ latitude: Double, observed second: Int64, at arrival: Int64) async throws {
      let reports = [try report(Coordinate(latitude: latitude, longitude: 0), at: second)]
      _ = try await own.accept(ReportsUpload(reports: reports), key: "\(latitude)", bodyDigest: 1) { arrival }
    }
    func count(_ now: Int64, _ ring: Ring? = nil) async -> Int {
      let answer = await own.polygons(PolygonsRequest(history: .halfHour, ring: ring), now: now).answer
      #expect(answer.token == now - now % 300)
      return answer.areas.map(\.count).reduce(0, +)
    }
    let token = Samples.noon
    #expect(await count(token + 100) == 0)
    // Arrived before, at that time, and too old.
    try await upload(10, observed: token - 100, at: token - 1)
    try await upload(20, observed: token - 100, at: token)
    try await upload(30, observed: token - 1800, at: token - 1700)
    try await upload(40, observed: token - 1799, at: token - 1700)
    let north = Samples.rectangle(west: -5, south: 35, east: 5, north: 45)
    let counts = [
      await count(token + 299), await count(token + 299, north), await count(token + 300),
      await count(token + 300, north),
    ]
    #expect(counts == [2, 1, 2, 0])
    // The same document, until something is stored.
    let document = await own.polygons(PolygonsRequest(history: .halfHour), now: token + 10)
    #expect(await own.polygons(PolygonsRequest(history: .halfHour), now: token + 200).entityTag == document.entityTag)
    #expect(await own.polygons(PolygonsRequest(history: .hour), now: token + 10).answer.areas.count == 3)
  }

  @Test func theLatestTimeOfAnAnswerIsKnown() async throws {
    let own = ObservationService(world: SimulatedWorld(seed: 1, aircraft: 0), retentionSeconds: -1)
    let request = ObservationsRequest(ring: Samples.atlantic, filter: Filter(history: .halfHour))
    for (now, served) in [(Samples.noon, Samples.noon), (Samples.noon - 5, Samples.noon)] {
      _ = try await own.observations(request, now: now)
      #expect(await own.served == served)
    }
    _ = await own.news(from: Samples.noon, to: Samples.noon + 7)
    #expect(await own.served == Samples.noon + 7)
    // Without retention, only a delta since now is answered.
    var delta = request
    delta.since = Samples.noon
    #expect(try await own.observations(delta, now: Samples.noon).follows == Samples.noon)
    await #expect(throws: ServiceError.self) { try await own.observations(delta, now: Samples.noon + 1) }
  }

  @Test func anUploadArrivesInOneSecond() async throws {
    let own = ObservationService(world: SimulatedWorld(seed: 1, aircraft: 0), retentionSeconds: Self.retention)
    let report = TurbulenceReport(
      cell: UInt32(0x0852_8347_3fff_ffff >> 30 & 0x3F_FFFF), altitude: 38, severity: 2, edrE4: 1121,
      observedAt: UInt32(Samples.noon - 60))
    _ = try await own.accept(ReportsUpload(reports: [report]), key: "a", bodyDigest: 1, clock: { Samples.noon })
    func count(_ start: Int64, _ end: Int64) async -> Int {
      await own.arrivals(from: Samples.noon + start, to: Samples.noon + end).count {
        if case .report(let observation) = $0 { observation.report == report } else { false }
      }
    }
    let counts = await [count(0, 1), count(-1, 0), count(1, 2), count(0, 0), count(-5, 5)]
    #expect(counts == [1, 0, 0, 0, 1])
  }

  @Test func answersAreSorted() async throws {
    let answer = try await service.observations(
      ObservationsRequest(ring: Samples.atlantic, filter: Filter(types: .turbulence, history: .sixHours)),
      now: Samples.noon)
    #expect(!answer.reports.isEmpty)
    #expect(
      zip(answer.reports, answer.reports.dropFirst()).allSatisfy {
        ($0.observedAt, $0.packed) < ($1.observedAt, $1.packed)
      })
  }

  @Test func aDeltaSinceNowHoldsNothingNew() async throws {
    let request = ObservationsRequest(
      ring: Samples.atlantic, filter: Filter(types: [.turbulence, .pireps], history: .sixHours), since: Samples.noon)
    let answer = try await service.observations(request, now: Samples.noon)
    #expect(answer.reports.isEmpty && answer.pireps.isEmpty)
    #expect((answer.held?.count ?? 0) > 0)
  }

  @Test func deltasAreRefusedBeyondRetentionAndFromTheFuture() async throws {
    var request = ObservationsRequest(ring: Samples.atlantic, filter: Filter(types: .turbulence, history: .halfHour))
    request.since = Samples.noon - Self.retention
    _ = try await service.observations(request, now: Samples.noon)
    for since in [Samples.noon - Self.retention - 1, Samples.noon + 1] {
      request.since = since
      let error = await #expect(throws: ServiceError.self) {
        try await service.observations(request, now: Samples.noon)
      }
      #expect(error?.status == 410 && error?.code == ServiceError.deltaUnavailable)
    }
  }

  @Test func whatWasNotAskedForIsNotAnswered() async throws {
    var request = ObservationsRequest(ring: Samples.atlantic, filter: Filter(types: .traffic, history: .twoHours))
    let traffic = try await service.observations(request, now: Samples.noon)
    #expect(traffic.reports.isEmpty && traffic.held == HeldSum(count: 0, checksum: 0) && traffic.heldPIREPs == nil)
    #expect(traffic.traffic?.isEmpty == false)
    #expect(traffic.traffic?.allSatisfy { Samples.atlantic.contains($0.position) } == true)
    request.types = .pireps
    let pireps = try await service.observations(request, now: Samples.noon)
    #expect(pireps.traffic == nil && pireps.heldPIREPs != nil)
  }

  @Test func uploadedReportsAreHeldFromTheNextSecondOnAndCountOnce() async throws {
    let own = ObservationService(world: SimulatedWorld(seed: 1, aircraft: 0), retentionSeconds: Self.retention)
    let request = ObservationsRequest(
      ring: Samples.rectangle(west: -130, south: 30, east: -110, north: 45),
      filter: Filter(types: .turbulence, history: .twoHours))
    let report = TurbulenceReport(
      cell: UInt32(0x0852_8347_3fff_ffff >> 30 & 0x3F_FFFF), altitude: 38, severity: 2, edrE4: 1121,
      observedAt: UInt32(Samples.noon - 60))
    let json = ReportsUpload(reports: [report, report]).json
    var upload = try json.withUnsafeBytes { try ReportsUpload(json: $0, now: Samples.noon) }
    #expect(try await own.accept(upload, key: "a", bodyDigest: 1, clock: { Samples.noon }).accepted == 2)
    #expect(try await own.observations(request, now: Samples.noon).reports.isEmpty)
    #expect(try await own.observations(request, now: Samples.noon + 1).reports == [report])
    #expect(try await own.accept(upload, key: "a", bodyDigest: 1, clock: { Samples.noon + 5 }).accepted == 2)
    #expect(try await own.accept(upload, key: "b", bodyDigest: 1, clock: { Samples.noon + 5 }).accepted == 2)
    #expect(try await own.observations(request, now: Samples.noon + 9).held?.count == 1)
    let error = await #expect(throws: ServiceError.self) {
      try await own.accept(upload, key: "a", bodyDigest: 2, clock: { Samples.noon + 29 * 86_400 })
    }
    #expect(error?.status == 409)
    upload.reports = []
    let late = try await own.accept(upload, key: "a", bodyDigest: 2, clock: { Samples.noon + 31 * 86_400 })
    #expect(late == UploadAnswer(accepted: 0))
  }
}

extension Array {
  fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}
