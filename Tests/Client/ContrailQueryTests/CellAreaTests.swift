import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailQuery

/// An area gives the same reports as cells, as a ring, and as a filter of all.
@Suite struct CellAreaTests {
  @Test(arguments: 0..<10 as Range<UInt64>) func cellsAreThoseWhoseCentresAreInTheRing(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let center = random.place()
    let size = Double.random(in: 0.05...8, using: &random)
    let latitude = min(max(center.latitude, -75), 75)
    let east = center.longitude + size
    let box = try BoundingBox(
      north: latitude + size, south: latitude - size, west: center.longitude,
      east: east > 180 ? east - 360 : east)
    let ring = Ring(box)
    let reports = random.world(around: [point(latitude, center.longitude + size / 2)], count: 500, spreadNM: size * 90)
    let cells = Set(reports.map(\.cell)).sorted()
    let inside = cells.filter { H3Cell(packed22: $0).map { ring.contains($0.center) } ?? false }
    let few = CellArea(ring, count: 0)
    let areas = [few, CellArea(ring, count: 1 << 18), .ring(ring), .cells(inside)]
    for (number, area) in areas.enumerated() {
      #expect(area.cells(among: cells) == inside, "\(number)")
      #expect(area.cells(among: []) == [])
      // Of some cells only, in parts.
      let some = cells.filter { _ in random.chance(20) }
      #expect(area.cells(among: some) == some.filter(Set(inside).contains), "\(number)")
      var found: [TurbulenceReport] = []
      var visits: [UInt32] = []
      area.forEachCell(in: reports) {
        found += $0
        visits += $0.first.map { [$0.cell] } ?? []
      }
      #expect(found == reports.filter { Set(inside).contains($0.cell) } && visits == inside, "\(number)")
      guard case .cells = area else { continue }
      #expect(area.reports(in: reports.reduce(into: ReportSet()) { _ = $0.insert($1) }) == found, "\(number)")
    }
    #expect(CellArea.everywhere.cells(among: cells) == cells)
    if case .everywhere = CellArea(nil, count: 10) {} else { Issue.record("no area isn't everywhere") }
  }

  /// Far more cells than reports: testing the reports is less work.
  @Test func aLargeAreaOfFewReportsIsARing() throws {
    let ring = Ring(try BoundingBox(north: 60, south: 0, west: -60, east: 0))
    guard case .ring = CellArea(ring, count: 10), case .cells = CellArea(ring, count: 1 << 18) else {
      Issue.record("neither a list nor a ring where it should be one")
      return
    }
  }

  @Test func noCellsHaveNoReports() {
    var set = ReportSet()
    #expect(CellArea.cells([]).reports(in: set) == [])
    _ = set.insert(TurbulenceReport(cell: 0, altitude: 1, severity: 1, edrE4: 1, observedAt: 1))
    #expect(CellArea.cells([]).reports(in: set) == [])
  }
}
