import ContrailServiceSupport
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailWorld

private let data = SharedData.folder

/// What public files hold, counted by other means too.
@Suite(.enabled(if: data != nil, "CONTRAIL_DATA names no folder of shared data"))
struct RealDayTests {
  private func path(_ name: String) -> String { "\(data ?? "")/\(name)" }

  @Test func pireps() throws {
    let day = try RecordedDay(pireps: [path("pireps/awc-pireps-2026-05-30.json")])
    let file = try #require(day.report.files.first)
    #expect(file.records == 247 && file.served == 247)
    #expect(file.notes.map(\.oddity) == [.levelZero, .turbulenceWithoutLevel])
    #expect(file.count(of: .levelZero) == 15 && file.count(of: .turbulenceWithoutLevel) == 1)
    #expect(day.pireps.count { $0.pirep.severity != nil } == 161 && day.pireps.count { $0.pirep.isUrgent } == 4)
    #expect(day.pireps.allSatisfy { (120...3600).contains($0.arrival - $0.pirep.observedAt) })
    let severities = Dictionary(grouping: day.pireps.compactMap(\.pirep.severity)) { $0 }.mapValues(\.count)
    #expect(severities == [.none: 55, .light: 64, .lightModerate: 13, .moderate: 29])
  }

  @Test func polls() throws {
    let day = try RecordedDay(pireps: [path("pireps/hawaii-polls-early.jsonl.xz")])
    let file = try #require(day.report.files.first)
    // 566 differ, of which 13 by a blank at the end.
    #expect(file.records == 769 && file.served == 553 && file.count(of: .double) == 216)
  }

  @Test func states() throws {
    let day = try RecordedDay(states: [path("traffic/opensky-states-2021-10-17T1149Z.json.xz")])
    let file = try #require(day.report.files.first)
    #expect(file.records == 5485 && file.count(of: .withoutPosition) == 101 && file.count(of: .onGround) == 379)
    #expect(file.count(of: .stale) == 60 && file.count(of: .unwrappedTrack) == 7)
    #expect(file.served == 4945 && day.snapshots.first?.positions.count == 4945)
    #expect(
      day.snapshots.first?.positions.compactMap(\.altitudeFeet).max() == 78_800,
      "a balloon; what claims more stands on the ground")
    #expect(day.snapshots.first?.positions.allSatisfy { !$0.callsign.hasSuffix(" ") } == true)
  }

  @Test(arguments: [
    ("awc-gairmet-2026-05-30.json", 34, 5, 15, 14, 0), ("awc-airsigmet-2026-05-30.json", 18, 0, 18, 0, 0),
    ("usa-sigmets-2025-12-19.jsonl.xz", 241, 25, 68, 0, 148),
    ("usa-airmets-2025-12-19.jsonl.xz", 1126, 102, 715, 223, 86),
    ("usa-sigmets-one-snapshot.geojson", 11, 3, 4, 0, 4), ("usa-airmets-one-snapshot.geojson", 55, 8, 34, 13, 0),
  ]) func advisories(
    name: String, records: Int, served: Int, otherHazards: Int, lines: Int, doubles: Int
  ) throws {
    let day = try RecordedDay(sigmets: [path("sigmet/\(name)")])
    let file = try #require(day.report.files.first)
    #expect(file.records == records && file.served == served && day.advisories.count == served)
    #expect(file.count(of: .otherHazard) == otherHazards && file.count(of: .line) == lines)
    #expect(file.count(of: .double) == doubles && served + otherHazards + lines + doubles == records)
    for advisory in day.advisories {
      #expect(TurbulenceAreasTests.fault(of: advisory.area) == nil, "\(advisory)")
      #expect(advisory.start < advisory.end && advisory.area.base < advisory.area.top)
    }
  }

  @Test func aFileOfOneKindIsNotTakenForAnother() {
    let files = [
      "pireps/awc-pireps-2026-05-30.json", "traffic/opensky-states-2021-10-17T1149Z.json.xz",
      "sigmet/awc-gairmet-2026-05-30.json",
    ].map(path)
    for (index, file) in files.enumerated() {
      if index != 0 { #expect(throws: DayError.self) { try RecordedDay(pireps: [file]) } }
      if index != 1 { #expect(throws: DayError.self) { try RecordedDay(states: [file]) } }
      if index != 2 { #expect(throws: DayError.self) { try RecordedDay(sigmets: [file]) } }
    }
  }

  @Test func aWholeDayIsHeldByAClientThatAsksEachTenMinutes() async throws {
    let day = try RecordedDay(pireps: [path("pireps/awc-pireps-2026-05-30.json")])
    let (world, offset) = RecordedWorld.placed(day, clock: .recorded, start: 0, rewindSeconds: 6 * 3600)
    let service = ObservationService(world: world, retentionSeconds: 43_200)
    let ring = Samples.rectangle(west: -130, south: 20, east: -60, north: 55)
    var request = ObservationsRequest(ring: ring, filter: Filter(types: [.turbulence, .pireps], history: .sixHours))
    var held: Set<TurbulenceReport> = []
    for now in stride(from: offset / 1000, through: offset / 1000 + 6 * 3600, by: 600) {
      request.since = now - 600
      let delta = try await service.observations(request, now: now)
      held = held.union(delta.reports).filter { Int64($0.observedAt) > now - 21_600 }
      #expect(delta.held == Samples.sum(held))
    }
    #expect(held.count > 150)
  }
}
