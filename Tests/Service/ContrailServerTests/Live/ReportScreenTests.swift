import ContrailGeodesy
import ContrailH3
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailWorld

/// Which reports of a fleet aren't served to others.
@Suite struct ReportScreenTests {
  private func observation(
    longitude: Double = 0, at time: Int = 1000, severity: UInt8 = 1, edrE4: UInt16 = 1200, altitude: UInt8 = 36
  ) throws -> WorldEpoch.Observation {
    let cell = try #require(try H3Cell(Coordinate(latitude: 40, longitude: longitude), resolution: 5).packed22)
    return try #require(
      WorldEpoch.Observation(
        TurbulenceReport(
          cell: cell, altitude: altitude, severity: severity, edrE4: edrE4, observedAt: UInt32(time)), arrival: 2000))
  }

  private func reasons(
    _ reports: [WorldEpoch.Observation], recent: Int = 0, others: [(String, WorldEpoch.Observation)] = []
  ) -> [ReportScreen.Reason?] {
    ReportScreen.reasons(reports, recent: recent, others: others.map { ($0.0, $0.1.report) })
  }

  @Test func aFlightIsPlausible() throws {
    var flight: [WorldEpoch.Observation] = []
    for index in 0..<60 {
      flight.append(
        try observation(longitude: Double(index) * 0.17, at: 1000 + index * 60, edrE4: UInt16(1010 + index)))
    }
    #expect(reasons(flight).allSatisfy { $0 == nil })
  }

  @Test func aStrengthThatContradictsItselfIsHeldBack() throws {
    #expect(reasons([try observation(severity: 4, edrE4: 300)]) == [.strength])
    #expect(reasons([try observation(severity: 4, edrE4: 20_001)]) == [.strength])
    #expect(reasons([try observation(severity: 4, edrE4: 0)]) == [nil], "0 is an EDR that isn't known")
  }

  @Test func aJumpIsHeldBackAndWhatFollowsItIsNot() throws {
    let flight = [
      try observation(), try observation(longitude: 30, at: 1060), try observation(longitude: 0.17, at: 1120),
    ]
    #expect(reasons(flight) == [nil, .motion, nil])
  }

  @Test func aSensorThatIsStuckIsHeldBack() throws {
    var flight: [WorldEpoch.Observation] = []
    for index in 0..<40 {
      flight.append(try observation(longitude: Double(index) * 0.17, at: 1000 + index * 60, severity: 3, edrE4: 2222))
    }
    #expect(reasons(flight).allSatisfy { $0 == .stuck })
    #expect(reasons(Array(flight.prefix(29))).allSatisfy { $0 == nil })
  }

  @Test func aKeyThatSendsTooMuchIsHeldBack() throws {
    #expect(reasons([try observation()], recent: ReportScreen.reportsPerHour) == [.rate])
    #expect(reasons([try observation()], recent: ReportScreen.reportsPerHour - 1) == [nil])
  }

  @Test func oneAgainstSeveralSmoothNeighboursIsAnOutlier() throws {
    let severe = try observation(severity: 4, edrE4: 5000)
    let smooth = try observation(at: 1100, severity: 0, edrE4: 100)
    #expect(reasons([severe], others: [("a", smooth), ("a", smooth), ("b", smooth)]) == [.outlier])
    #expect(
      reasons([severe], others: [("a", smooth), ("a", smooth), ("a", smooth)]) == [nil], "one other isn't enough")
    let rough = try observation(at: 1100)
    #expect(reasons([severe], others: [("a", smooth), ("b", smooth), ("c", smooth), ("d", rough)]) == [nil])
    let later = try observation(at: 1700, severity: 0, edrE4: 100)
    #expect(reasons([severe], others: [("a", later), ("b", later), ("c", later)]) == [nil])
  }

  @Test func whatIsHeldBackIsCountedAndNotServed() async throws {
    let rig = LiveRig()
    let live = try await rig.open()
    let service = rig.service(live)
    var random = SplitMix64(seed: 2)
    let good = try LiveRig.reports(3, from: &random, at: rig.now / 1000)
    let bad = TurbulenceReport(
      cell: good[0].cell, altitude: 36, severity: 4, edrE4: 300, observedAt: good[2].observedAt)
    let answer = await service.upload(good + [bad], key: "k")
    #expect(String(decoding: answer.body, as: UTF8.self).contains(#""accepted":3,"quarantined":1"#))
    rig.advance(seconds: 1)
    #expect(Set(try await service.everything().reports) == Set(good))
    #expect(await live.observations.status?.quarantined.first { $0.reason == "strength" }?.count == 1)
  }
}
