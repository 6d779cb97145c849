import ContrailGeodesy
import ContrailH3
import ContrailServiceSupport
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailWorld

/// Deltas of a live world that count only what arrived or expired since the delta before.
@Suite struct ArrivalIndexTests {
  private struct Tablet {
    var request: ObservationsRequest
    let area: UInt64
    var reports: Set<TurbulenceReport> = []
    var pireps: Set<PIREP> = []
  }

  /// Feeds, uploads, reports that two owners sent, restarts, and pauses of up to two hours.
  @Test(arguments: 0..<12) func aDeltaHasTheSumsOfAnAnswerThatCountsEverything(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let rig = LiveRig()
    var live = try await rig.open()
    var tablets = (0..<4).map { _ in
      let request = Samples.anyRequest(&random)
      return Tablet(request: request, area: AreaRegistry.digest(of: request.ring))
    }
    for step in 0..<50 {
      rig.advance(seconds: step % 17 == 16 ? 7200 : Int64.random(in: 0...200, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: try await rig.poll(live)
      case 1:
        if Bool.random(using: &random) { try await live.observations.roll() }
        try await live.observations.finish()
        rig.disk.restart()
        live = try await rig.open()
      case 2...4:
        let reports = LiveRig.reports(12, from: &random, at: rig.now / 1000)
        for owner in ["a", "b"].prefix(Int.random(in: 1...2, using: &random)) {
          _ = try await live.observations.store(
            ReportsUpload(reports: reports), owner: owner, key: "\(step)", bodyDigest: 0)
          rig.advance(seconds: Int64.random(in: 0...2, using: &random))
        }
      default: break
      }
      let now = rig.now / 1000
      for index in tablets.indices where Bool.random(using: &random) {
        try await Self.check(&tablets[index], live, now: now)
      }
    }
  }

  private static func check(_ tablet: inout Tablet, _ live: LiveService, now: Int64) async throws {
    var whole = tablet.request
    whole.since = nil
    let delta = try await live.observations.observations(tablet.request, now: now, area: tablet.area)
    let answer = try await live.observations.observations(whole, now: now)
    let limit = now - tablet.request.history.seconds
    tablet.reports = Set(tablet.reports.filter { Int64($0.observedAt) > limit }).union(delta.reports)
    tablet.pireps = Set(tablet.pireps.filter { $0.observedAt > limit }).union(delta.pireps)
    tablet.request.since = now
    #expect(delta.held == answer.held && delta.heldPIREPs == answer.heldPIREPs)
    #expect(tablet.reports == Set(answer.reports) && tablet.pireps == Set(answer.pireps))
    #expect(Samples.sum(answer.reports) == answer.held)
  }

  private static func observation(_ second: Int64, arrival: Int64) throws -> WorldEpoch.Observation {
    let cell = try #require(try H3Cell(Coordinate(latitude: 45, longitude: 10), resolution: 5).packed22)
    let report = TurbulenceReport(cell: cell, altitude: 36, severity: 1, edrE4: 1100, observedAt: UInt32(second))
    return try #require(WorldEpoch.Observation(report, arrival: arrival))
  }

  private static func count(
    _ index: inout ArrivalIndex<WorldEpoch.Observation>, at now: Int64,
    _ known: inout ArrivalIndex<WorldEpoch.Observation>.Known?
  ) throws -> Int {
    let corners = [(40.0, 5.0), (40, 15), (50, 15), (50, 5), (40, 5)]
    let found = index.held(
      at: now, since: known == nil ? nil : now, historySeconds: 7200, known: known,
      in: try Ring(corners.map { Coordinate(latitude: $0.0, longitude: $0.1) })
    ) { _ in true }
    known = found.known
    return found.known.sum.count
  }

  @Test func removedRecordsAreNotCounted() throws {
    var index = ArrivalIndex<WorldEpoch.Observation>()
    var known: ArrivalIndex<WorldEpoch.Observation>.Known?
    let all = try (0..<6).map { try Self.observation(10_000 + $0, arrival: 10_010 + $0) }
    all.forEach { index.add($0) }
    #expect(try Self.count(&index, at: 10_100, &known) == 6)
    index.replace(by: all.suffix(2))
    #expect(try Self.count(&index, at: 10_101, &known) == 2)
  }

  @Test func aRecordThatCameLateIsCounted() throws {
    var index = ArrivalIndex<WorldEpoch.Observation>()
    var known: ArrivalIndex<WorldEpoch.Observation>.Known?
    index.add(try Self.observation(10_000, arrival: 10_010))
    #expect(try Self.count(&index, at: 10_100, &known) == 1)
    index.add(try Self.observation(10_001, arrival: 10_050))
    #expect(try Self.count(&index, at: 10_101, &known) == 2)
  }

  @Test func onlyTheFirstOfEqualRecordsArrives() throws {
    var index = ArrivalIndex<WorldEpoch.Observation>()
    for arrival in [10_030, 10_010, 10_020] as [Int64] { index.add(try Self.observation(10_000, arrival: arrival)) }
    #expect(index.arrivals(from: 0, before: 20_000).map(\.arrival) == [10_010])
  }

  @Test func forgottenRecordsAreNotSubtracted() throws {
    var index = ArrivalIndex<WorldEpoch.Observation>()
    var known: ArrivalIndex<WorldEpoch.Observation>.Known?
    for second in 0..<600 { index.add(try Self.observation(10_000 + Int64(second), arrival: 11_000)) }
    #expect(try Self.count(&index, at: 11_100, &known) == 600)
    index.forget(through: 10_300)
    #expect(try Self.count(&index, at: 17_600, &known) == 199)
  }
}
