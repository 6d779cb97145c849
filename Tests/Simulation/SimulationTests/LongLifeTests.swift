import ContrailSimulation
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The life of one tablet, of some days; `Scripts/simulate --days 30` flies a longer one and also compares times.
@Suite(.timeLimit(.minutes(10))) struct LongLifeTests {
  /// `CONTRAIL_DAYS` sets the number of days, and without it no tablet is flown: it takes longer than other tests.
  static let days = getenv("CONTRAIL_DAYS").flatMap { Int(String(cString: $0)) } ?? 0

  @Test(.enabled(if: LongLifeTests.days >= 6)) func someDaysLeaveNothingThatGrows() async {
    let script = Script(tabletFor: Self.days, seed: 1)
    let result = await Simulation(script).fly()
    #expect(result.verdict == nil, "\(result.verdict.map { "\($0)" } ?? "")")
    let life = LongLife(result.vitals, script.setting)
    #expect(life.launches >= Self.days - 2)
    #expect(life.faults == [])
  }

  @Test func whatGrowsIsFound() {
    let vitals = (0..<12).map { day in
      Vitals(
        atMS: 0, logBytes: day * 1_000_000, databaseBytes: 50_000 * day, stateBytes: 1000, readBytes: 10_000,
        opening: .milliseconds(1 + day))
    }
    let life = LongLife(vitals, Script(tabletFor: 1, seed: 1).setting)
    #expect(life.faults.count == 2)
    #expect(life.slowness > 1.2)
  }
}
