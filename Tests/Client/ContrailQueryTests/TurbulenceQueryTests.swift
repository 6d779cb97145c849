import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailQuery

@Suite struct TurbulenceQueryTests {
  /// What a query asks for, in the fewest lines: each report by itself, the area by the ring's own test.
  private func naive(_ query: TurbulenceQuery, _ reports: [TurbulenceReport]) throws -> [TurbulenceReport] {
    let ring = try query.area.ring()
    let admitted = reports.filter { report in
      let feet = Double(report.altitude) * 1000
      let low = query.altRange.map { ($0.lowerBound / 1000).rounded(.down) * 1000 } ?? 0
      let high = query.altRange.map { ($0.upperBound / 1000).rounded(.up) * 1000 } ?? 52_000
      return query.sevs.contains(report.severity) && report.severity >= query.minimumSeverity
        && feet >= low && feet <= high
        && (query.dataHistoryTime.map { Int64(report.observedAt) > now - $0.seconds } ?? true)
        && (ring.map { ring in H3Cell(packed22: report.cell).map { ring.contains($0.center) } ?? false } ?? true)
    }
    guard query.aggregate else { return admitted.sorted { ($0.packed, $0.observedAt) < ($1.packed, $1.observedAt) } }
    return Dictionary(grouping: admitted, by: \.cell).sorted { $0.key < $1.key }.compactMap { _, reports in
      reports.max { a, b in
        if a.severityCode != b.severityCode { return a.severityCode < b.severityCode }
        if a.edrE4 != b.edrE4 { return a.edrE4 < b.edrE4 }
        if a.observedAt != b.observedAt { return a.observedAt < b.observedAt }
        return a.altitude < b.altitude
      }
    }
  }

  static let areas: [(String, QueryArea, [Coordinate])] = [
    ("everywhere", .everywhere, [point(50, -20), point(-30, 170)]),
    ("viewport", .viewport(north: 55, south: 45, west: -30, east: -10), [point(50, -20)]),
    ("viewport across 180", .viewport(north: 10, south: -10, west: 170, east: -170), [point(0, 180), point(0, 165)]),
    ("the world", .viewport(north: 90, south: -90, west: -180, east: 180), [point(0, 180), point(89, 0)]),
    (
      "round the pole",
      .polygon((0...12).map { point(80, -180 + 30 * Double($0 % 12)) }), [point(89.9, 0), point(80, 100)]
    ),
    (
      "round the south pole",
      .polygon((0...12).map { point(-80, 180 - 30 * Double($0 % 12)) }), [point(-89.9, 0), point(-80, 100)]
    ),
    (
      "route", .route([point(51, -1), point(52, -30), point(40, -73)], widthNM: 150), [point(52, -28), point(45, -60)]
    ),
    ("route across 180", .route([point(35, 140), point(50, -170)], widthNM: 300), [point(47, 179)]),
    ("route over the pole", .route([point(60, 20), point(65, -160)], widthNM: 200), [point(89.5, 0), point(80, 20)]),
    ("viewport of 300°", .viewport(north: 60, south: -60, west: -150, east: 150), [point(0, 150), point(50, -20)]),
  ]

  @Test(arguments: areas.indices) func answersAreThoseOfTheNaiveQuery(index: Int) throws {
    let (name, area, centers) = Self.areas[index]
    var random = SplitMix64(seed: UInt64(index) + 1)
    let reports = random.world(around: centers, count: 3000, spreadNM: 900)
    for _ in 0..<12 {
      var query = TurbulenceQuery(area: area)
      query.aggregate = random.chance(50)
      if random.chance(50) {
        let low = Double.random(in: -2000...54_000, using: &random)
        query.altRange = low...low + Double.random(in: 0...20_000, using: &random)
      }
      if random.chance(50) { query.sevs = TurbulenceSeverity.allCases.filter { _ in random.chance(60) } }
      if random.chance(50) {
        query.minimumSeverity = TurbulenceSeverity(rawValue: UInt8.random(in: 0...4, using: &random)) ?? .none
      }
      if random.chance(60) { query.dataHistoryTime = DataHistoryTime.allCases.randomElement(using: &random) }
      // Above the ceiling the naive rounding isn't that of the wire.
      if let range = query.altRange, range.upperBound > 52_000 || range.lowerBound < 0 { query.altRange = nil }
      let items = try query.items(in: reports, asOf: now)
      #expect(items.map(\.report) == (try naive(query, reports)), "\(name) \(query)")
    }
  }

  @Test func recordsAreInUnitsOfTheCockpit() throws {
    let report = report(try cell(50, -30), alt: 37, edrE4: 1234)
    #expect(report.altitudeFeet == 37_000 && report.edr == 0.1234)
    let item = try #require(try TurbulenceQuery().items(in: [report], asOf: now).first)
    #expect(item.altitudeFeet == 37_000 && item.edr == 0.1234)
    #expect(try pirep("a", at: point(0, 0), level: 355).altitudeFeet == 35_500)
    #expect(try pirep("a", at: point(0, 0), level: nil).altitudeFeet == nil)
    let pending = [OwnReport.State.waiting, .sending, .confirmed].map(\.isPending)
    #expect(pending == [true, true, false])
  }
}
