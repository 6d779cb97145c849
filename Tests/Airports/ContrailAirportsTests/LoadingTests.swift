import ContrailAirportData
import ContrailAirports
import ContrailGeodesy
import Foundation
import GRDB
import Testing

@Suite struct LoadingTests {
  /// Airports, and what became of them a cycle later: some gone, some new, some changed, many in variation only, all in another order.
  private static func twoCycles(seed: UInt64, _ count: Int) -> (before: [Airport], after: [Airport], AirportChanges) {
    var random = RandomAirports(seed: seed)
    let before = random.make(count)
    var after: [Airport] = []
    var changes = AirportChanges()
    for var airport in before {
      switch Int.random(in: 0..<10, using: &random.random) {
      case 0:
        changes.removed += 1
        continue
      case 1:
        airport.name += " NEW"
        changes.changed += 1
      case 2:
        airport.runways.append(random.runway())
        changes.changed += 1
      case 3...7:
        if let variation = airport.variationDegrees {
          airport.variationDegrees = variation + 1
          changes.variationOnly += 1
        } else {
          changes.unchanged += 1
        }
      default: changes.unchanged += 1
      }
      after.append(airport)
    }
    for index in 0..<count / 10 {
      after.append(random.airport("NEW\(index)"))
      changes.added += 1
    }
    return (before, after.shuffled(using: &random.random), changes)
  }

  private func sorted(_ airports: [Airport]) -> [Airport] {
    airports.sorted { $0.recordID.utf8.lexicographicallyPrecedes($1.recordID.utf8) }
  }

  @Test func whatIsLoadedIsHeld() throws {
    let scratch = try Scratch()
    var random = RandomAirports(seed: 1)
    let airports = random.make(250)
    let database = try scratch.database()
    let changes = try database.load(airports, Times.cycle)
    #expect(changes == AirportChanges(added: 250))
    #expect(try database.allAirports() == sorted(airports))
    let current = try #require(try database.status().current)
    #expect(current.cycle == Times.cycle)
    #expect(current.changes == changes)
    #expect(current.airportCount == 250)
    #expect(current.runwayCount == airports.reduce(0) { $0 + $1.runways.count })
    #expect(current.sources == [AirportSource(name: "a test", asOf: 7)])
    #expect(current.digest == AirportDigest(airports))
    #expect(try database.computedDigest() == AirportDigest(airports))
  }

  @Test(arguments: [1, 2, 3]) func aLoadBetweenCyclesWritesWhatChangedAndNoMore(_ seed: UInt64) throws {
    let scratch = try Scratch()
    let (before, after, expected) = Self.twoCycles(seed: seed, 300)
    let database = try scratch.database()
    try database.load(before, Times.before)
    #expect(try database.load(after, Times.cycle) == expected)
    #expect(try database.allAirports() == sorted(after))
    #expect(try database.computedDigest() == AirportDigest(after))
    // The same again changes nothing, and there is no trace of what was.
    #expect(try database.load(after, Times.cycle) == AirportChanges(unchanged: after.count))
    #expect(try database.read(table: "airports") == after.count)
    #expect(try database.read(table: "runways") == after.reduce(0) { $0 + $1.runways.count })
    #expect(try database.read(table: "airportPlaces") == after.count)
    #expect(
      try database.read(table: "airportIdentifiers")
        == after.reduce(0) { $0 + 2 + ($1.icaoID == nil ? 0 : 1) + ($1.iataID == nil ? 0 : 1) })
    #expect(try database.read(table: "airportVariations") <= after.count)
    #expect(try database.read(table: "airportCycles") == 1)
  }

  @Test func cyclesOneAfterTheOtherComeToWhatTheLastOneAloneComesTo() throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    var random = RandomAirports(seed: 9)
    var airports = random.make(120)
    var cycle = Times.before
    for seed in 0..<6 {
      try database.load(airports, cycle)
      #expect(try database.computedDigest() == AirportDigest(airports), "after \(seed)")
      airports = airports.compactMap { airport in
        var airport = airport
        if Int.random(in: 0..<3, using: &random.random) == 0 { airport.variationDegrees = nil }
        if Int.random(in: 0..<3, using: &random.random) == 0 {
          airport.variationDegrees = Double(Int.random(in: 0..<9, using: &random.random))
        }
        return Int.random(in: 0..<9, using: &random.random) == 0 ? nil : airport
      }
      airports += random.make(5).map { airport in
        var airport = airport
        airport.recordID += "-\(seed)"
        return airport
      }
      cycle = try #require(cycle.next)
    }
  }

  @Test func whatFindsAirportsFollowsTheCycle() throws {
    let scratch = try Scratch()
    let (before, after, expected) = Self.twoCycles(seed: 10, 200)
    let database = try scratch.database()
    try database.load(before, Times.before)
    #expect(try database.airports(matching: "new", limit: 1000).isEmpty)
    var load = try database.beginLoad(of: AirportReader(of: after, cycle: Times.cycle), fingerprint: "after")
    while try load.step() {}
    #expect(try database.airports(matching: "new", limit: 1000).isEmpty)
    #expect(try database.airport(recordID: "NEW0") == nil)
    let pole = Coordinate(latitude: 90, longitude: 0)
    #expect(try database.airports(nearest: pole, count: 1000).count == before.count)
    try database.activatePending(at: Times.cycle.effectiveTime)
    for _ in 0..<2 {
      let renamed = after.filter { $0.name.hasSuffix(" NEW") }
      #expect(try database.airports(matching: "new", limit: 1000).count == renamed.count)
      for airport in after { #expect(try database.airport(recordID: airport.recordID) == airport) }
      let gone = Set(before.map(\.recordID)).subtracting(after.map(\.recordID))
      #expect(gone.count == expected.removed)
      for recordID in gone { #expect(try database.airport(recordID: recordID) == nil) }
      #expect(try database.airports(nearest: pole, count: 1000).count == after.count)
      try database.sweep()
    }
  }

  /// As on a disk that fills up after the new cycle was activated.
  @Test func aSweepThatFailsIsNoFailureOfTheLoad() async throws {
    let scratch = try Scratch()
    let (before, after, _) = Self.twoCycles(seed: 12, 120)
    let database = try scratch.database()
    try database.load(before, Times.before)
    let other = try DatabaseQueue(path: database.path)
    try await other.write { db in
      try db.execute(
        sql: "CREATE TRIGGER full BEFORE DELETE ON airports BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END")
    }
    let file = scratch.path("2511.airports.xz")
    try Data(AirportFile.packed(after, cycle: Times.cycle, sources: [], preset: 0)).write(
      to: URL(fileURLWithPath: file))
    let loader = AirportLoader(
      database: database, transport: FileAirportTransport { _ in file }, folder: scratch.path("downloads"))
    let loaded = try await loader.load(contentsOf: file, at: Times.cycle.effectiveTime)
    #expect(loaded.cycle == Times.cycle)
    #expect(try database.status().current?.cycle == Times.cycle)
    #expect(try database.computedDigest() == AirportDigest(after))
    #expect(try database.read(table: "airports") > after.count, "the old rows are still there")
    // The next load sweeps, when there is room again.
    try await other.write { try $0.execute(sql: "DROP TRIGGER full") }
    try database.load(after, Times.cycle)
    #expect(try database.read(table: "airports") == after.count)
  }

  @Test func theOldCycleStaysInUseUntilTheNewOneIsComplete() throws {
    let scratch = try Scratch()
    let (before, after, _) = Self.twoCycles(seed: 4, 450)
    let database = try scratch.database()
    try database.load(before, Times.before)
    let digest = AirportDigest(before)
    var load = try database.beginLoad(of: AirportReader(of: after, cycle: Times.cycle), fingerprint: "after")
    while try load.step() {
      #expect(try database.computedDigest() == digest)
      #expect(try database.status().current?.cycle == Times.before)
      #expect(try database.status().unfinished == Times.cycle)
      #expect(try database.activatePending(at: Times.cycle.effectiveTime) == nil)
    }
    #expect(try database.computedDigest() == digest)
    #expect(try database.status().pending?.cycle == Times.cycle)
    #expect(try database.activatePending(at: Times.cycle.effectiveTime - 1) == nil)
    #expect(try database.activatePending(at: Times.cycle.effectiveTime)?.cycle == Times.cycle)
    #expect(try database.computedDigest() == AirportDigest(after))
    #expect(try database.status().pending == nil)
  }

  @Test(arguments: 0...10) func aLoadThatWasLeftIsTakenUp(_ steps: Int) throws {
    let scratch = try Scratch()
    let (before, after, expected) = Self.twoCycles(seed: 5, 450)
    do {
      let database = try scratch.database()
      try database.load(before, Times.before)
      var load = try database.beginLoad(of: AirportReader(of: after, cycle: Times.cycle), fingerprint: "after")
      for _ in 0..<steps { _ = try load.step() }
      try database.close()
    }
    let database = try scratch.database()
    #expect(try database.computedDigest() == AirportDigest(before))
    let reader = try AirportReader(of: after, cycle: Times.cycle)
    var load = try database.beginLoad(of: reader, fingerprint: "after")
    // Ten steps are all: five batches, one of removals, four stages.
    #expect(load.isContinued == (steps < 10))
    while try load.step() {}
    #expect(load.changes == expected)
    #expect(load.transactionCount == (steps < 10 ? 10 - steps : 10))
    try database.activatePending(at: Times.cycle.effectiveTime)
    #expect(try database.computedDigest() == AirportDigest(after))
  }

  @Test func aLoadOfAnotherFileDiscardsWhatWasBegun() throws {
    let scratch = try Scratch()
    let (before, after, _) = Self.twoCycles(seed: 6, 300)
    let database = try scratch.database()
    try database.load(before, Times.before)
    var load = try database.beginLoad(of: AirportReader(of: after, cycle: Times.cycle), fingerprint: "one")
    _ = try load.step()
    _ = try load.step()
    var other = after
    other[0].name = "OTHER"
    let second = try database.beginLoad(of: AirportReader(of: other, cycle: Times.cycle), fingerprint: "two")
    #expect(!second.isContinued)
    #expect(try database.read(table: "airports") == before.count)
    #expect(try database.computedDigest() == AirportDigest(before))
    try database.load(other, Times.cycle)
    #expect(try database.computedDigest() == AirportDigest(other))
    #expect(try database.read(table: "airports") == other.count)
  }

  @Test func aCycleThatWaitsGivesWayToANewerFile() throws {
    let scratch = try Scratch()
    let (before, after, _) = Self.twoCycles(seed: 7, 100)
    let database = try scratch.database()
    try database.load(before, Times.before)
    try database.load(after, Times.cycle, at: Times.before.effectiveTime)
    #expect(try database.status().pending?.cycle == Times.cycle)
    #expect(try database.status().current?.cycle == Times.before)
    try database.load(before, Times.after, at: Times.cycle.effectiveTime)
    #expect(try database.status().pending?.cycle == Times.after)
    #expect(try database.activatePending(at: Times.after.effectiveTime)?.cycle == Times.after)
    #expect(try database.computedDigest() == AirportDigest(before))
  }

  @Test func dataThatFailHalfwayLeaveTheOldCycleInUse() throws {
    let scratch = try Scratch()
    let (before, after, _) = Self.twoCycles(seed: 8, 300)
    let database = try scratch.database()
    try database.load(before, Times.before)
    var bytes = try AirportFile.encoded(after, cycle: Times.cycle, sources: [])
    bytes[bytes.count - 3] ^= 1
    let error = #expect(throws: AirportLoaderError.self) {
      try database.load(AirportReader(unpacked: bytes), fingerprint: "bad", at: Times.cycle.effectiveTime)
    }
    #expect(error?.code == "damaged")
    #expect(try database.computedDigest() == AirportDigest(before))
    #expect(try database.status().current?.cycle == Times.before)
  }
}
