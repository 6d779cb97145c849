import ContrailAirportData
import ContrailAirports
import ContrailGeodesy
import GRDB
import Testing

/// What loads that are left, given up or followed by others leave behind.
@Suite struct StagingTests {
  private static let names = ["airports", "airportVariations", "runways", "airportIdentifiers", "airportPlaces"]

  private func counts(_ database: AirportDatabase) throws -> [String: Int] {
    try Dictionary(uniqueKeysWithValues: Self.names.map { ($0, try database.read(table: $0)) })
  }

  /// The rows of a database with these airports and nothing else.
  private func expected(_ airports: [Airport], variations: Int = 0) -> [String: Int] {
    [
      "airports": airports.count, "airportVariations": variations, "airportPlaces": airports.count,
      "runways": airports.reduce(0) { $0 + $1.runways.count },
      "airportIdentifiers": airports.reduce(0) { $0 + 2 + ($1.icaoID == nil ? 0 : 1) + ($1.iataID == nil ? 0 : 1) },
    ]
  }

  /// Checks that every search finds these airports and no others.
  private func expect(_ database: AirportDatabase, holds airports: [Airport], _ comment: Comment? = nil) throws {
    #expect(try database.computedDigest() == AirportDigest(airports), comment)
    for airport in airports {
      #expect(try database.airport(recordID: airport.recordID) == airport, comment)
      #expect(try database.airports(locationID: airport.locationID).contains(airport), comment)
    }
    let everywhere = try database.airports(within: 1e6, of: Coordinate(latitude: 0, longitude: 0)).map(
      \.airport.recordID)
    #expect(Set(everywhere) == Set(airports.map(\.recordID)) && everywhere.count == airports.count, comment)
    for word in ["stale", "fresh", "field"] {
      let found = try database.airports(matching: word, limit: 10_000).map(\.recordID).sorted()
      let named = airports.filter { airport in
        "\(airport.name) \(airport.city ?? "")".lowercased().split { !$0.isLetter }.contains { $0.hasPrefix(word) }
      }
      #expect(found == named.map(\.recordID).sorted(), "\(word) \(comment ?? "")")
    }
  }

  private static func renamed(_ airports: [Airport], _ name: String) -> [Airport] {
    airports.map { airport in
      var airport = airport
      airport.name = "\(name) \(airport.recordID)"
      return airport
    }
  }

  private static func varied(_ airports: [Airport], by degrees: Double) -> [Airport] {
    airports.map { airport in
      var airport = airport
      airport.variationDegrees = airport.variationDegrees.map { $0 + degrees }
      return airport
    }
  }

  // MARK: Sweeping

  /// More rows than one transaction deletes.
  @Test func everyRowThatEndedIsDeleted() throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    let airports = RandomAirports.made(230)
    try database.load(Self.renamed(airports, "STALE"), Times.before)
    let fresh = Self.renamed(airports, "FRESH")
    #expect(try database.load(fresh, Times.cycle) == AirportChanges(changed: 230))
    #expect(try counts(database) == expected(fresh))
    #expect(try database.read(table: "airportCycles") == 1)
    try expect(database, holds: fresh)
    try database.load([], Times.after)
    #expect(try counts(database) == expected([]))
  }

  @Test func onlyTheLastVariationOfAnAirportIsKept() throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    let airports = RandomAirports.made(150)
    let count = airports.count { $0.variationDegrees != nil }
    try database.load(airports, Times.before)
    for degrees in [1.0, 2, 3] {
      let changes = try database.load(Self.varied(airports, by: degrees), Times.cycle)
      #expect(changes == AirportChanges(variationOnly: count, unchanged: airports.count - count))
      #expect(try counts(database) == expected(airports, variations: count))
      #expect(try database.computedDigest() == AirportDigest(Self.varied(airports, by: degrees)))
    }
    // The variation in use is the last one, and not that of the row.
    let last = try database.load(Self.varied(airports, by: 3), Times.cycle)
    #expect(last == AirportChanges(unchanged: airports.count))
    let first = try database.load(airports, Times.cycle)
    #expect(first == AirportChanges(variationOnly: count, unchanged: airports.count - count))
    #expect(try database.computedDigest() == AirportDigest(airports))
  }

  // MARK: Loads that are left

  /// A cycle in use, a file that is loaded after it, and another file that comes instead.
  private static let (held, staged, instead): ([Airport], [Airport], [Airport]) = {
    var random = RandomAirports(seed: 41)
    let held = random.make(110)
    let kept = Array(held.dropFirst(20))
    let staged =
      renamed(Array(kept[..<30]), "STALE") + varied(Array(kept[30..<60]), by: 1) + kept[60...]
      + renamed((0..<20).map { random.airport("NEW\($0)") }, "STALE")
    let instead = renamed(Array(held[..<10]), "FRESH") + held[10..<105] + [random.airport("OTHER")]
    return (held, staged, instead)
  }()

  /// The load has seven steps: two batches, one of removals, and four stages.
  @Test(arguments: 0...7) func aLoadThatIsGivenUpLeavesNothing(_ steps: Int) throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    try database.load(Self.held, Times.before)
    var load = try database.beginLoad(of: AirportReader(of: Self.staged, cycle: Times.cycle), fingerprint: "staged")
    for _ in 0..<steps { _ = try load.step() }
    #expect(load.isComplete == (steps == 7))
    #expect(try database.computedDigest() == AirportDigest(Self.held))
    try database.load(Self.instead, Times.cycle)
    try expect(database, holds: Self.instead)
    #expect(try counts(database) == expected(Self.instead))
  }

  /// Without removals, it has six.
  @Test(arguments: 0...6) func theFirstLoadMayBeLeftToo(_ steps: Int) throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    let reader = try AirportReader(of: Self.staged, cycle: Times.cycle)
    var left = try database.beginLoad(of: reader, fingerprint: "staged")
    for _ in 0..<steps { _ = try left.step() }
    #expect(left.isComplete == (steps == 6))
    var load = try database.beginLoad(of: reader, fingerprint: "staged")
    while try load.step() {}
    try database.activatePending(at: Times.cycle.effectiveTime)
    #expect(load.changes == AirportChanges(added: Self.staged.count))
    try expect(database, holds: Self.staged)
    #expect(try counts(database) == expected(Self.staged))
  }

  @Test func airportsOfAnotherDataVersionAreAllReplaced() throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    let airports = RandomAirports.made(30)
    try database.load(airports, Times.before)
    try database.setDataVersion(AirportDatabase.dataVersion - 1)
    let again = Array(airports.dropLast(3))
    #expect(try database.load(again, Times.cycle) == AirportChanges(removed: 3, changed: 27))
    #expect(try database.status().current?.dataVersion == AirportDatabase.dataVersion)
    try expect(database, holds: again)
    #expect(try counts(database) == expected(again))
  }

  // MARK: Cycles

  @Test func theDifferencesStayWithTheCycle() throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    let airports = RandomAirports.made(40).map { airport in
      var airport = airport
      airport.variationDegrees = 1
      return airport
    }
    try database.load(Array(airports[..<30]), Times.before)
    let next =
      Self.renamed(Array(airports[2..<5]), "FRESH") + Self.varied(Array(airports[5..<9]), by: 1) + airports[9..<35]
    let changes = try database.load(next, Times.cycle)
    #expect(changes == AirportChanges(added: 5, removed: 2, changed: 3, variationOnly: 4, unchanged: 21))
    #expect(changes.description == "5 added, 2 removed, 3 changed, 4 in variation only, 21 unchanged")
    #expect(AirportChanges().description == "0 added, 0 removed, 0 changed, 0 in variation only, 0 unchanged")
    let current = try #require(try database.status().current)
    #expect(current.changes == changes && current.airportCount == 33 && current.cycle == Times.cycle)
    #expect(current.fingerprint == "\(AirportDigest(next))")
  }

  @Test func sourcesKeepTheirNamesAndTimes() throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    let sources = [
      AirportSource(name: "a name of words", asOf: 1_761_782_400), AirportSource(name: "", asOf: 5),
      AirportSource(name: " with  spaces ", asOf: -7), AirportSource(name: "no time", asOf: nil),
      AirportSource(name: "", asOf: nil), AirportSource(name: "- 1", asOf: 0),
    ]
    let bytes = try AirportFile.encoded([], cycle: Times.cycle, sources: sources)
    try database.load(AirportReader(unpacked: bytes), fingerprint: "f", at: Times.cycle.effectiveTime)
    #expect(try database.status().current?.sources == sources)
    let lines = try AirportFile.encoded([], cycle: Times.cycle, sources: [AirportSource(name: "two\nlines", asOf: 1)])
    try database.load(AirportReader(unpacked: lines), fingerprint: "g", at: Times.cycle.effectiveTime)
    #expect(try database.status().current?.sources == [AirportSource(name: "two lines", asOf: 1)])
  }
}
