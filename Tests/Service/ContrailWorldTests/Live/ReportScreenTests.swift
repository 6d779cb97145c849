import ContrailGeodesy
import ContrailH3
import ContrailServiceSupport
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
    let good = LiveRig.reports(3, from: &random, at: rig.now / 1000)
    let bad = TurbulenceReport(
      cell: good[0].cell, altitude: 36, severity: 4, edrE4: 300, observedAt: good[2].observedAt)
    let answer = await service.upload(good + [bad], key: "k")
    let data = #"{"accepted":3,"quarantined":[{"report":3,"reason":"strength"}]}"#
    #expect(
      String(decoding: answer.body, as: UTF8.self) == #"{"data":\#(data),"meta":{},"links":{},"warnings":{}}"#)
    rig.advance(seconds: 1)
    #expect(Set(try await service.everything().reports) == Set(good))
    #expect(await live.observations.status?.quarantined.first { $0.reason == "strength" }?.count == 1)
  }

  @Test func eachReportThatIsHeldBackIsNamedByItsIndex() async throws {
    let rig = LiveRig()
    let service = rig.service(try await rig.open())
    var random = SplitMix64(seed: 3)
    var reports = LiveRig.reports(5, from: &random, at: rig.now / 1000)
    for index in [2, 4] {
      let place = reports[index]
      reports[index] = TurbulenceReport(
        cell: place.cell, altitude: 36, severity: 4, edrE4: 300, observedAt: place.observedAt)
    }
    let body = await service.upload(reports, key: "k").body
    let answer = try body.withUnsafeBytes { try UploadAnswer(json: $0, reportCount: 5) }
    #expect(answer.accepted == 3)
    #expect(answer.heldBack == [2, 4].map { UploadAnswer.HeldBack(report: $0, reason: .strength) })
  }

  /// A tablet that missed the answer sends the upload again, and the service may have been restarted meanwhile.
  @Test(arguments: [false, true]) func aRepeatedUploadGetsTheSameAnswerAfterARestart(fromSnapshot: Bool) async throws {
    let rig = LiveRig()
    var live = try await rig.open()
    var random = SplitMix64(seed: 4)
    var reports = LiveRig.reports(4, from: &random, at: rig.now / 1000)
    reports[1] = TurbulenceReport(
      cell: reports[1].cell, altitude: 36, severity: 4, edrE4: 300, observedAt: reports[1].observedAt)
    let first = await rig.service(live).upload(reports, key: "k").body
    #expect(String(decoding: first, as: UTF8.self).contains(#"{"report":1,"reason":"strength"}"#))
    for _ in 0..<2 {
      rig.advance(seconds: 600)
      if fromSnapshot { try await live.observations.roll() }
      #expect(await rig.service(live).upload(reports, key: "k").body == first)
      let digest = try #require(await live.observations.state).digest(at: rig.now)
      try await live.observations.finish()
      rig.disk.restart()
      live = try await rig.open()
      #expect(try #require(await live.observations.state).digest(at: rig.now) == digest)
      #expect(await rig.service(live).upload(reports, key: "k").body == first)
    }
    #expect(await live.observations.status?.quarantined.first { $0.reason == "strength" }?.count == 1)
    #expect(await rig.service(live).upload([], key: "k").status == 409)
  }
}
