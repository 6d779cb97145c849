import ContrailSimulation
import Testing

/// The life of one tablet, of some days; `Scripts/simulate --days 30` flies a longer one and also compares times.
@Suite(.timeLimit(.minutes(10))) struct LongLifeTests {
  @Test func aWeekLeavesNothingThatGrows() async {
    let script = Script(tabletFor: 7, seed: 1)
    let result = await Simulation(script).fly()
    #expect(result.verdict == nil, "\(result.verdict.map { "\($0)" } ?? "")")
    let life = LongLife(result.vitals, script.setting)
    #expect(life.launches >= 6)
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
