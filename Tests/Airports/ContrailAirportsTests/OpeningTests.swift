import ContrailAirportData
import ContrailAirports
import Foundation
import GRDB
import Testing

@Suite struct OpeningTests {
  private static let airports: [Airport] = {
    var random = RandomAirports(seed: 81)
    return random.make(30)
  }()

  @Test func aDatabaseThatIsOpenedAgainHoldsWhatItHeld() throws {
    let scratch = try Scratch()
    try scratch.database().load(Self.airports, Times.cycle)
    let database = try scratch.database()
    #expect(database.recovery == nil)
    #expect(try database.status().current?.cycle == Times.cycle)
    #expect(try database.computedDigest() == AirportDigest(Self.airports))
  }

  @Test func aNewDatabaseHoldsNothing() throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    #expect(try database.status() == AirportStatus())
    #expect(try database.allAirports().isEmpty)
    #expect(try database.computedDigest() == AirportDigest())
    #expect(try database.activatePending(at: .max) == nil)
  }

  @Test func aDamagedDatabaseIsSetAsideAndAnEmptyOneMade() throws {
    let scratch = try Scratch()
    let noise = Data((0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })
    try noise.write(to: URL(fileURLWithPath: scratch.path("airports.sqlite")))
    let database = try scratch.database()
    let recovery = try #require(database.recovery)
    #expect(try Data(contentsOf: URL(fileURLWithPath: recovery.movedTo)) == noise)
    #expect(try database.status() == AirportStatus())
    try database.load(Self.airports, Times.cycle)
    #expect(try scratch.database().recovery == nil)
  }

  @Test func anotherProgramsDatabaseIsLeftAlone() throws {
    let scratch = try Scratch()
    try DatabaseQueue(path: scratch.path("airports.sqlite")).write { try $0.execute(sql: "CREATE TABLE other (a)") }
    let error = #expect(throws: AirportStoreError.self) { try scratch.database() }
    #expect(error?.code == .notAirports)
    let tables = try DatabaseQueue(path: scratch.path("airports.sqlite")).read {
      try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema")
    }
    #expect(tables == ["other"])
  }

  @Test func aNewerVersionsDatabaseIsRefused() throws {
    let scratch = try Scratch()
    try scratch.database().close()
    try DatabaseQueue(path: scratch.path("airports.sqlite")).write {
      try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('2 from the future')")
    }
    let error = #expect(throws: AirportStoreError.self) { try scratch.database() }
    #expect(error?.code == .newerSchema)
  }

  @Test func airportsCanLiveInTheApplicationsOwnDatabase() throws {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE mine (a)") }
    let database = try AirportDatabase(queue)
    try database.load(Self.airports, Times.cycle)
    #expect(try database.computedDigest() == AirportDigest(Self.airports))
    #expect(try queue.read { try $0.tableExists("mine") })
  }

  @Test func aClosedDatabaseSaysSo() throws {
    let scratch = try Scratch()
    let database = try scratch.database()
    try database.close()
    #expect(#expect(throws: AirportStoreError.self) { try database.status() }?.code == .closed)
  }

  @Test func aFolderIsNoDatabase() throws {
    let scratch = try Scratch()
    let folder = scratch.path("airports.sqlite")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(#expect(throws: AirportStoreError.self) { try scratch.database() }?.code == .unopenable)
  }
}
