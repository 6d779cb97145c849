import ContrailAirportData
import ContrailAirports
import GRDB
import Testing

@Suite struct DeltaLoadingTests {
  private func database(_ scratch: Scratch, _ cycles: TwoCycles) throws -> AirportDatabase {
    let database = try scratch.database()
    try database.load(cycles.before, Times.before)
    return database
  }

  private func refusal(_ body: () throws -> some Any) -> AirportDataError.Code? {
    do {
      _ = try body()
      return nil
    } catch {
      guard case .data(let error)? = error as? AirportLoaderError else { return nil }
      return error.code
    }
  }

  @Test(arguments: [1, 2, 3]) func aDeltaComesToWhatTheWholeFileComesTo(_ seed: UInt64) throws {
    let (one, other) = (try Scratch(), try Scratch())
    let cycles = TwoCycles(seed: seed, 300, isModelled: seed == 2)
    let (byDelta, byWhole) = (try database(one, cycles), try database(other, cycles))
    let changes = try byDelta.apply(AirportDelta(cycles.delta()), fingerprint: "delta")
    #expect(changes == cycles.changes)
    #expect(try byDelta.status().pending?.digest == AirportDigest(cycles.after))
    #expect(try byDelta.computedDigest() == AirportDigest(cycles.before))
    try byDelta.activatePending(at: Times.cycle.effectiveTime)
    #expect(try byWhole.load(cycles.after, Times.cycle) == changes)
    for _ in 0..<2 {
      #expect(try byDelta.allAirports() == cycles.sortedAfter)
      #expect(try byDelta.computedDigest() == byWhole.computedDigest())
      let (delta, whole) = (try #require(try byDelta.status().current), try #require(try byWhole.status().current))
      #expect(delta.runwayCount == whole.runwayCount && delta.airportCount == whole.airportCount)
      #expect(delta.sources == whole.sources)
      #expect(
        try byDelta.airports(matching: "new", limit: 1000).map(\.recordID).sorted()
          == byWhole.airports(matching: "new", limit: 1000).map(\.recordID).sorted())
      try byDelta.sweep()
    }
    #expect(try byDelta.read(table: "airports") == cycles.after.count)
    // The next load has the right base.
    #expect(try byDelta.load(cycles.after, Times.cycle) == AirportChanges(unchanged: cycles.after.count))
  }

  @Test func aDeltaThatIsRefusedChangesNothing() throws {
    let scratch = try Scratch()
    let cycles = TwoCycles(seed: 4, 200)
    let database = try database(scratch, cycles)
    // A load that was left stays as it is.
    var load = try database.beginLoad(of: AirportReader(of: cycles.after, cycle: Times.cycle), fingerprint: "whole")
    _ = try load.step()
    let before = try database.dump()
    var wrongDigest = try cycles.delta()
    wrongDigest[wrongDigest.count - 2] ^= 0x40
    #expect(refusal { try database.apply(AirportDelta(wrongDigest), fingerprint: "d") } == .wrongDigest)
    let other = TwoCycles(seed: 99, 200)
    #expect(refusal { try database.apply(AirportDelta(other.delta()), fingerprint: "d") } == .wrongBase)
    #expect(try database.dump() == before)
    let again = try database.beginLoad(of: AirportReader(of: cycles.after, cycle: Times.cycle), fingerprint: "whole")
    #expect(again.isContinued)
  }

  @Test func aDeltaNeedsACycleInUseOfThisDataVersion() throws {
    let scratch = try Scratch()
    let cycles = TwoCycles(seed: 4, 50)
    let empty = try scratch.database()
    #expect(refusal { try empty.apply(AirportDelta(cycles.delta()), fingerprint: "d") } == .wrongBase)
    try empty.load(cycles.before, Times.before)
    try empty.setDataVersion(AirportDatabase.dataVersion - 1)
    #expect(refusal { try empty.apply(AirportDelta(cycles.delta()), fingerprint: "d") } == .wrongBase)
  }
}
