import ContrailAirportData
import ContrailAirports
import Testing

@Suite struct AIRACCycleTests {
  /// Effective dates as published: 2020, with its fourteen, by the Polish service (PANSA, "Cykl AIRAC", ais.pansa.pl/publikacje/cykl-airac);
  /// the others after ICAO's "Schedule of AIRAC effective dates" (icao.int, Annex 15, 6.2) and, in 2025, the dates of FAA NASR.
  private static let published: [(String, String)] = [
    ("1901", "2019-01-03"), ("1913", "2019-12-05"), ("2001", "2020-01-02"), ("2002", "2020-01-30"),
    ("2003", "2020-02-27"), ("2004", "2020-03-26"), ("2005", "2020-04-23"), ("2006", "2020-05-21"),
    ("2007", "2020-06-18"), ("2008", "2020-07-16"), ("2009", "2020-08-13"), ("2010", "2020-09-10"),
    ("2011", "2020-10-08"), ("2012", "2020-11-05"), ("2013", "2020-12-03"), ("2014", "2020-12-31"),
    ("2101", "2021-01-28"), ("2113", "2021-12-30"), ("2201", "2022-01-27"), ("2301", "2023-01-26"),
    ("2313", "2023-12-28"), ("2401", "2024-01-25"), ("2413", "2024-12-26"), ("2501", "2025-01-23"),
    ("2509", "2025-09-04"), ("2510", "2025-10-02"), ("2511", "2025-10-30"), ("2601", "2026-01-22"),
    ("2701", "2027-01-21"), ("2801", "2028-01-20"), ("2901", "2029-01-18"),
  ]

  @Test(arguments: published) func cyclesAreThosePublished(_ identifier: String, _ date: String) throws {
    let cycle = try #require(AIRACCycle(identifier: identifier))
    #expect(cycle.effectiveDay.description == date)
    #expect(cycle.identifier == identifier)
    #expect(AIRACCycle(effectiveOn: cycle.effectiveDay) == cycle)
  }

  @Test func theReferenceDateOfDoc8126IsOne() throws {
    let day = try #require(CivilDay(year: 1998, month: 1, day: 29))
    #expect(AIRACCycle(effectiveOn: day)?.identifier == "9802")
  }

  @Test func everyDayFrom1998To2100FallsInOneCycle() throws {
    let first = try #require(CivilDay(year: 1998, month: 1, day: 1)).daysSince1970
    let last = try #require(CivilDay(year: 2100, month: 12, day: 31)).daysSince1970
    var before: AIRACCycle?
    for days in first...last {
      let day = try #require(CivilDay(daysSince1970: days))
      let cycle = try #require(AIRACCycle(containing: day))
      if cycle != before {
        #expect(cycle.effectiveDay == day)
        #expect(cycle.previous == before)
        #expect(before?.next ?? .first == cycle)
        #expect(AIRACCycle(year: cycle.year, number: cycle.number) == cycle)
        #expect(cycle.number == (before.map { $0.year == cycle.year ? $0.number + 1 : 1 } ?? 1))
        if cycle.year < 2098 { #expect(AIRACCycle(identifier: cycle.identifier) == cycle) }
        before = cycle
      }
    }
    #expect(before == .last)
    #expect(AIRACCycle.last.next == nil)
    #expect(try AIRACCycle(containing: #require(CivilDay(daysSince1970: first - 1))) == nil)
    #expect(try AIRACCycle(containing: #require(CivilDay(daysSince1970: last + 1))) == nil)
  }

  @Test func aYearHasThirteenAndSomeFourteen() {
    let long = (1998...2100).filter { AIRACCycle.cycles(of: $0).count == 14 }
    #expect(long == [1998, 2020, 2043, 2065, 2088])
    #expect((1998...2100).allSatisfy { [13, 14].contains(AIRACCycle.cycles(of: $0).count) })
    #expect(AIRACCycle.cycles(of: 1997).isEmpty)
    #expect(AIRACCycle.cycles(of: 2101).isEmpty)
  }

  @Test func aCycleIsEffectiveFromItsFirstMomentToTheNext() throws {
    let cycle = try #require(AIRACCycle(identifier: "2511"))
    #expect(cycle.effectiveTime == 1_761_782_400)
    #expect(!cycle.isEffective(at: cycle.effectiveTime - 1))
    #expect(cycle.isEffective(at: cycle.effectiveTime))
    #expect(cycle.isEffective(at: cycle.endTime - 1))
    #expect(!cycle.isEffective(at: cycle.endTime))
    #expect(!cycle.isExpired(at: cycle.endTime - 1))
    #expect(cycle.isExpired(at: cycle.endTime))
    #expect(AIRACCycle(at: cycle.endTime - 1) == cycle)
    #expect(AIRACCycle(at: cycle.endTime) == cycle.next)
    #expect(cycle.remainingSeconds(at: cycle.endTime - 90) == 90)
    #expect(cycle.remainingSeconds(at: .min) == 28 * 86_400)
    #expect(cycle.remainingSeconds(at: .max) == 0)
  }

  @Test func aCycleIsPublishedSixWeeksBefore() throws {
    let cycle = try #require(AIRACCycle(identifier: "2511"))
    #expect(cycle.publicationDay.description == "2025-09-18")
    #expect(cycle.isPublished(at: cycle.publicationDay.start))
    #expect(!cycle.isPublished(at: cycle.publicationDay.start - 1))
    #expect(!cycle.isPublished(at: cycle.effectiveTime - 3 * 86_400 - 1, leadDays: 3))
    #expect(cycle.isPublished(at: cycle.effectiveTime - 3 * 86_400, leadDays: 3))
    #expect(!cycle.isPublished(at: 0, leadDays: .max))
  }

  @Test(arguments: ["", "251", "25110", "2500", "2514", "25a1", "2515", "9914", "٢٥١١"])
  func whatIsNoCycleIsNone(_ identifier: String) {
    #expect(AIRACCycle(identifier: identifier) == nil)
  }

  @Test func momentsAndStepsBeyondAllBoundsAreNone() {
    #expect(AIRACCycle(at: .min) == nil)
    #expect(AIRACCycle(at: .max) == nil)
    #expect(AIRACCycle.first.advanced(by: .max) == nil)
    #expect(AIRACCycle.last.advanced(by: .min) == nil)
    #expect(AIRACCycle(year: .max, number: 1) == nil)
    #expect(AIRACCycle(year: 2020, number: .min) == nil)
    #expect(CivilDay(year: 2023, month: 2, day: 29) == nil)
    #expect(CivilDay(year: 2024, month: 2, day: 29)?.description == "2024-02-29")
  }
}
