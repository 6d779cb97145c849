import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailQuery
import ContrailTestSupport
import ContrailWire
import Testing

/// A kept index gives the same results as a search without an index.
@Suite struct ReportIndexTests {
  /// Reports come a few and many at a time and expire, in one scope and in two of which one goes away.
  @Test(arguments: 1...4 as ClosedRange<UInt64>) func itFollowsTheStateThroughEveryChange(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var rig = Rig.flying()
    var index = ReportIndex()
    var sizes: Set<Bool> = []
    for step in 0..<60 {
      let before = rig.state.scope(.corridor)?.reports.count ?? 0
      rig.pass(seconds: Int64.random(in: 30...400, using: &random))
      let count = random.chance(20) ? 1500 : Int.random(in: 0...30, using: &random)
      let second = rig.state.serverNow / 1000
      let reports = random.world(around: [point(45, -35), point(46, -30)], count: count, spreadNM: 200).map { report in
        TurbulenceReport(
          cell: report.cell, altitude: report.altitude, severity: report.severityCode, edrE4: report.edrE4,
          observedAt: UInt32(second - Int64.random(in: 0...7000, using: &random)))
      }
      switch step % 10 {
      case 5: rig.query { $0.viewport = Rig.area }
      case 6: rig.answer(.viewport, with: { $0.reports = reports })
      case 9: rig.query { $0.viewport = nil }
      default: rig.answer(with: { $0.reports = reports })
      }
      let after = rig.state.scope(.corridor)?.reports.count ?? 0
      if after != before { sizes.insert(after > before) }

      index.update(to: rig.state)
      for area in [QueryArea.everywhere, .viewport(north: 47, south: 44, west: -36, east: -31)] {
        for aggregate in [true, false] {
          let query = TurbulenceQuery(area: area, aggregate: aggregate)
          let kept = try rig.state.turbulence(with: query, asOf: second, in: index)
          #expect(try kept == rig.state.turbulence(with: query, asOf: second), "step \(step)")
        }
      }
    }
    #expect(sizes == [true, false])
  }

  /// Few and many reports, in cells with one and with many of them.
  @Test(arguments: [0, 1, 255, 256, 5000]) func itemsAreInOrderOfPlaceAndTime(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    var cells = random.world(around: [point(45, -35), point(-30, 170)], count: 200, spreadNM: 2000).map(\.cell)
    cells += Array(repeating: cells[0], count: 20)
    let reports = Set(
      (0..<count).map { _ in
        TurbulenceReport(
          cell: cells.randomElement(using: &random) ?? 0, altitude: UInt8.random(in: 30...33, using: &random),
          severity: UInt8.random(in: 0...4, using: &random), edrE4: UInt16.random(in: 0...9, using: &random),
          observedAt: UInt32.random(in: 1_740_000_000...1_740_003_000, using: &random))
      })
    let items = try TurbulenceQuery(aggregate: false).items(in: reports, asOf: 1_740_003_600)
    #expect(
      items.map(\.report) == reports.sorted { ($0.packed, $0.observedAt) < ($1.packed, $1.observedAt) })
  }

  /// Otherwise the first query after a launch would wait until all reports are sorted.
  @Test(arguments: [(100, false), (12_000, true)]) func manyReportsOfALaunchAreSearchedWithoutAnIndex(
    count: Int, isFarBehind: Bool
  ) {
    var random = SplitMix64(seed: 1)
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    let second = UInt32(rig.state.serverNow / 1000)
    let reports = random.world(around: [point(45, -35)], count: count, spreadNM: 200).map {
      TurbulenceReport(packed: $0.packed, observedAt: second - UInt32.random(in: 0...3600, using: &random))
    }
    rig.answer(with: { $0.reports = reports })
    #expect(ReportIndex().isFarBehind(rig.state) == isFarBehind)
    #expect(!ReportIndex(of: rig.state).isFarBehind(rig.state))
  }
}
