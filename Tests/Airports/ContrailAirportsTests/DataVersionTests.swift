import ContrailAirportData
import ContrailAirports
import Testing

@Suite struct DataVersionTests {
  /// Rows of another data version are replaced, even if their hashes are those of the new file.
  @Test func aNewDataVersionReplacesEveryRow() throws {
    let scratch = try Scratch()
    let airports = RandomAirports.made(250)
    let database = try scratch.database()
    try database.load(airports, Times.cycle)
    try database.setDataVersion(AirportDatabase.dataVersion - 1)
    // What the earlier version stored otherwise, with the same hash.
    try database.execute("UPDATE airports SET city = 'OLD', cell = 0")
    #expect(AirportLoadNeed(try database.status(), at: Times.cycle.effectiveTime) == .schemaMismatch)
    #expect(try database.load(airports, Times.cycle) == AirportChanges(changed: 250))
    #expect(try database.computedDigest() == AirportDigest(airports))
    #expect(try database.status().current?.dataVersion == AirportDatabase.dataVersion)
    #expect(try database.read(table: "airports") == 250)
    #expect(try database.airports(matching: "old", limit: 1000).isEmpty)
    #expect(AirportLoadNeed(try database.status(), at: Times.cycle.effectiveTime) == .none)
  }

  @Test func aReloadForANewDataVersionIsTakenUpWhereItWasLeft() throws {
    let scratch = try Scratch()
    let airports = RandomAirports.made(250)
    let database = try scratch.database()
    try database.load(airports, Times.cycle)
    try database.setDataVersion(AirportDatabase.dataVersion - 1)
    try database.execute("UPDATE airports SET city = 'OLD'")
    var load = try database.beginLoad(of: AirportReader(of: airports, cycle: Times.cycle), fingerprint: "again")
    _ = try load.step()
    _ = try load.step()
    load = try database.beginLoad(of: AirportReader(of: airports, cycle: Times.cycle), fingerprint: "again")
    #expect(load.isContinued)
    while try load.step() {}
    try database.activatePending(at: Times.cycle.effectiveTime)
    #expect(try database.computedDigest() == AirportDigest(airports))
  }
}
