import ContrailServiceSupport
import ContrailWire
import Testing

@testable import ContrailWorld

/// How a real day stands in the server's time, and that the protocol's rules hold for it as for the simulated world.
@Suite struct RecordedWorldTests {
  let day: RecordedDay
  private static let world = Samples.rectangle(west: -179, south: -80, east: 179, north: 80)
  private static let eleven = DayFixture.eleven

  /// Forty PIREPs, one a minute from eleven on, that arrive after one to ten minutes; two snapshots; one G-AIRMET.
  init() throws {
    let fixture = try DayFixture()
    let pireps = (0..<40).map { index in
      let time = Self.eleven + Int64(index) * 60
      return DayFixture.pirep([
        "obsTime": "\(time)", "receiptTime": "\(time + 60 + Int64(index * 7 % 10) * 60)", "lat": "\(20 + index)",
        "tbInt1": index % 3 == 0 ? #""""# : #""MOD""#, "tbBas1": "340", "tbTop1": "360",
      ])
    }
    let states = [
      DayFixture.states([DayFixture.state("a")]),
      DayFixture.states([DayFixture.state("b", [3: "\(Self.eleven + 50)"])], time: Self.eleven + 60),
    ]
    day = try RecordedDay(
      pireps: [try fixture.list("p.json", pireps)],
      states: [try fixture.file("s.json", states.joined(separator: "\n"))],
      sigmets: [try fixture.list("g.json", [DayFixture.gAirmet()])])
  }

  private func service(_ clock: DayClock, start: Int64 = 0, rewind: Int64 = 0) -> ObservationService {
    let (world, _) = RecordedWorld.placed(day, clock: clock, start: start, rewindSeconds: rewind)
    return ObservationService(world: world, retentionSeconds: 43_200)
  }

  private func request(since: Int64? = nil) -> ObservationsRequest {
    ObservationsRequest(ring: Self.world, filter: Filter(types: .areaTypes, history: .halfHour), since: since)
  }

  @Test func aFullAnswerIsWhatArrivedAndIsYoungEnough() async throws {
    let service = service(.recorded)
    for now in stride(from: Self.eleven, through: Self.eleven + 5400, by: 150) {
      let answer = try await service.observations(request(), now: now)
      let held = day.pireps.filter { $0.arrival < now && $0.pirep.observedAt > now - 1800 }
      #expect(Set(answer.pireps) == Set(held.map(\.pirep)))
      #expect(Set(answer.reports) == Set(held.flatMap(\.reports)))
      #expect(answer.held == Samples.sum(answer.reports) && answer.heldPIREPs?.count == held.count)
    }
  }

  @Test func deltasLeadToWhatIsHeldThen() async throws {
    let service = service(.recorded)
    var held: Set<TurbulenceReport> = []
    var pireps: Set<PIREP> = []
    var late = 0
    for now in stride(from: Self.eleven, through: Self.eleven + 4800, by: 60) {
      let delta = try await service.observations(request(since: now - 60), now: now)
      #expect(held.isDisjoint(with: delta.reports) && pireps.isDisjoint(with: delta.pireps), "everything comes once")
      late += delta.pireps.count { $0.observedAt < now - 120 }
      held.formUnion(delta.reports)
      pireps.formUnion(delta.pireps)
      held = held.filter { Int64($0.observedAt) > now - 1800 }
      #expect(delta.held == Samples.sum(held))
    }
    #expect(pireps.count == 40 && late > 20)
  }

  @Test func theRecordedClockStartsAfterTheNewestRecordAndKeepsItsTimes() {
    let (_, offset) = RecordedWorld.placed(day, clock: .recorded, start: 5000, rewindSeconds: 0)
    let newest = day.pireps.map(\.arrival).max() ?? 0
    let start = (5000 + offset) / 1000
    #expect(start > newest && start - newest <= 300 && start.isMultiple(of: 300))
    let (_, earlier) = RecordedWorld.placed(day, clock: .recorded, start: 5000, rewindSeconds: 3600)
    #expect(earlier == offset - 3_600_000)
  }

  @Test func theShiftedClockBringsTheNewestOfEachKindToTheStart() async throws {
    let now = Samples.noon + 17
    let service = service(.shifted, start: now * 1000)
    let answer = try await service.observations(request(), now: now)
    #expect(answer.pireps.map(\.updatedAt).max() == Samples.noon - 1)
    #expect(answer.traffic?.map(\.id) == ["b"])
    let document = await service.polygons(PolygonsRequest(history: .halfHour), now: now)
    #expect(String(decoding: document.body, as: UTF8.self).contains(#""advisory":"G-AIRMET TURB-HI 1W""#))
    let shift = Samples.noon - 1 - (day.pireps.map(\.arrival).max() ?? 0)
    let first = try #require(answer.pireps.first)
    #expect(day.pireps.contains { $0.pirep.observedAt == first.observedAt - shift && $0.pirep.id == first.id })
  }

  @Test func aRewoundDayIsStillToCome() async throws {
    let service = service(.shifted, start: Samples.noon * 1000, rewind: 7200)
    #expect(try await service.observations(request(), now: Samples.noon).pireps.isEmpty)
    #expect(try await service.observations(request(), now: Samples.noon + 7200).pireps.isEmpty == false)
  }

  @Test func deltasFromBeforeTheStartOfAShiftedDayAreRefused() async throws {
    let service = service(.shifted, start: Samples.noon * 1000)
    _ = try await service.observations(request(since: Samples.noon), now: Samples.noon + 60)
    let error = await #expect(throws: ServiceError.self) {
      try await service.observations(request(since: Samples.noon - 1), now: Samples.noon + 60)
    }
    #expect(error?.status == 410 && error?.code == ServiceError.deltaUnavailable)
  }

  @Test func aircraftStandWhereTheNewestSnapshotHasThem() throws {
    let (world, _) = RecordedWorld.placed(day, clock: .recorded, start: 0, rewindSeconds: 0)
    #expect(world.traffic(at: Self.eleven - 7200).map(\.id) == ["a"], "before the first there is the first")
    #expect(world.traffic(at: Self.eleven + 60).map(\.id) == ["a"])
    #expect(world.traffic(at: Self.eleven + 61).map(\.observedAt) == [Self.eleven + 50], "as it was recorded")
    #expect(world.traffic(at: Self.eleven + 86_461).map(\.observedAt) == [Self.eleven + 86_450])
  }

  @Test func advisoriesAreShownForAsLongAsTheHistoryHoldsThem() throws {
    let (world, _) = RecordedWorld.placed(day, clock: .recorded, start: 0, rewindSeconds: 0)
    func count(_ now: Int64, history: Int64) -> Int { world.advisories(after: now - history, before: now).count }
    #expect(count(Self.eleven - 600, history: 1800) == 0, "it comes now")
    #expect(count(Self.eleven - 599, history: 1800) == 1)
    #expect(count(Self.eleven + 7199, history: 1800) == 1)
    #expect(count(Self.eleven + 7200, history: 1800) == 0)
    #expect(count(Self.eleven + 7200, history: 7200) == 1)
  }
}
