import ContrailCore
import ContrailField
import ContrailReplay
import Testing

/// What logs reach of the planner's table.
@Suite struct CoverTests {
  private static let report = CoverageReport(
    Logs.recordings.map { .init(path: $0, coverage: FlightSummary(path: $0).coverage) })

  @Test func aCellIsTheSituationBeforeAnInput() throws {
    let coverage = FlightSummary(path: Logs.recording("atlantic")).coverage
    for cell in [
      FlightCoverage.Cell(family: .corridor, situation: .firstFlight, occurrence: .answerWithRepairs),
      FlightCoverage.Cell(family: .corridor, situation: .repairableFlight, occurrence: .answer),
      FlightCoverage.Cell(family: .corridor, situation: .overdue, occurrence: .tickDue),
    ] {
      #expect(coverage.cells.contains(cell), "\(cell.name)")
    }
    #expect(coverage.rules.isSuperset(of: ["full first", "delta due"]))
    #expect(coverage.faults.isEmpty)
  }

  @Test func theTableReachesEveryCell() {
    #expect(CoverageReport.reachable.cells == Set(FlightCoverage.Cell.all))
  }

  @Test func theSmallSetReachesTheSame() {
    let minimal = CoverageReport(Self.report.minimal)
    #expect(minimal.total == Self.report.total)
    #expect(minimal.entries.count < Self.report.entries.count)
    for index in minimal.entries.indices {
      var fewer = minimal.entries
      fewer.remove(at: index)
      #expect(CoverageReport(fewer).total != minimal.total)
    }
  }

  @Test func theReportNamesWhatIsMissing() {
    let text = Self.report.text(listingMissing: true)
    let missing = FlightCoverage.Cell.all.count - Self.report.total.cells.count
    #expect(text.split(separator: "\n").count { $0.hasPrefix("not reached  ") } == missing)
    for (cell, why) in Self.report.missing {
      let family = Self.report.total.cells.filter { $0.family == cell.family }
      #expect(family.contains { $0.situation == cell.situation } == (why != .noSituation), "\(cell.name)")
      if why == .notTogether { #expect(family.contains { $0.occurrence == cell.occurrence }, "\(cell.name)") }
    }
    #expect(CoverageReport([]).missing.allSatisfy { $0.why == .noSituation })
    #expect(CoverageReport([]).text(listingMissing: false).contains("rules: 0 of"))
  }
}
