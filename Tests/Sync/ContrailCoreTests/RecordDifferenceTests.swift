import ContrailCore
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

@Suite struct RecordDifferenceTests {
  /// Adds and drops at random, keeping a copy of what was before.
  @Test(arguments: 1...8) func addingAndRemovingTheDifferenceGivesTheNewSet(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var set = ReportSet()
    for _ in 0..<40 {
      let previous = set
      switch Int.random(in: 0..<4, using: &random) {
      case 0: set.removeAll(observedUpTo: 1_000_000 + Int64.random(in: -50...3000, using: &random))
      case 1: set.keep { $0.altitude > 5 }
      default:
        for _ in 0..<Int.random(in: 0...60, using: &random) {
          set.insert(ModelServer.report(at: 1_000_000 + Int64.random(in: 0...4000, using: &random), using: &random))
        }
      }
      let difference = set.difference(from: previous)
      #expect(difference.added.allSatisfy { set.contains($0) && !previous.contains($0) })
      #expect(difference.removed.allSatisfy { !set.contains($0) && previous.contains($0) })
      #expect(Set(difference.added).count == difference.added.count)
      #expect(Set(difference.removed).count == difference.removed.count)
      #expect(previous.count + difference.added.count - difference.removed.count == set.count)
      #expect(previous.difference(from: set).added.count == difference.removed.count)
    }
    #expect(set.difference(from: ReportSet()).added.count == set.count)
    #expect(ReportSet().difference(from: set).removed.count == set.count)
  }

  @Test func equalSetsThatShareNothingDoNotDiffer() {
    var (a, b) = (ReportSet(), ReportSet())
    var random = SplitMix64(seed: 3)
    let reports = (0..<500).map { ModelServer.report(at: 1_000_000 + Int64($0), using: &random) }
    reports.forEach { a.insert($0) }
    reports.reversed().forEach { b.insert($0) }
    #expect(a.difference(from: b).isEmpty)
  }

  @Test func anUpdatedPIREPIsRemovedAndAdded() {
    func pirep(_ id: String, updatedAt: Int64) -> PIREP {
      PIREP(
        id: id, position: .init(latitudeE7: 0, longitudeE7: 0), flightLevel: nil, severity: nil, isUrgent: false,
        observedAt: 1, updatedAt: updatedAt, text: "")
    }
    var old = PIREPSet()
    ["a", "b", "c"].forEach { old.insert(pirep($0, updatedAt: 1)) }
    var new = old
    #expect(new.difference(from: old).isEmpty)
    new.insert(pirep("b", updatedAt: 2))
    new.insert(pirep("d", updatedAt: 1))
    let difference = new.difference(from: old)
    #expect(Set(difference.removed) == [pirep("b", updatedAt: 1)])
    #expect(Set(difference.added) == [pirep("b", updatedAt: 2), pirep("d", updatedAt: 1)])
    #expect(Set(PIREPSet().difference(from: old).removed.map(\.id)) == ["a", "b", "c"])
  }
}
