import ContrailField
import ContrailSimulation
import Testing

/// A part of `Scripts/what-if-check`: what-if against the truth.
@Suite struct PolicyTests {
  @Test func intervalsHoldTheTruth() {
    var total = PolicyCheck()
    for (index, pair) in PolicyCheck.pairs.enumerated() {
      for seed in 0..<UInt64(2) { total.add(PolicyCheck(pair, seed: 1000 + 2 * UInt64(index) + seed, runs: 3)) }
    }
    #expect(total.faults == [])
    #expect(PolicyCheck.pairs.count >= 12)
    let held = total.figures.values.reduce(0) { $0 + $1.held }
    let count = total.figures.values.reduce(0) { $0 + $1.count }
    #expect(count > 250)
    #expect(Double(held) >= 0.95 * Double(count))
  }
}
