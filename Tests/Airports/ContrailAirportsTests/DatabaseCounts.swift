import ContrailAirportData
import ContrailAirports
import GRDB

extension AirportDatabase {
  /// How many rows a table has, over a connection of its own.
  func read(table: String) throws -> Int {
    try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
  }
}

extension AirportDatabase {
  /// Makes the cycle in use one that was loaded by another version.
  func setDataVersion(_ version: Int) throws {
    try DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE airportCycles SET dataVersion = \(version)") }
  }
}

extension AirportDatabase {
  /// Changes the database over a connection of its own.
  func execute(_ sql: String) throws {
    try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
  }

  /// The contents of all tables with rows of a load.
  func dump() throws -> [String] {
    try DatabaseQueue(path: path).read { db in
      try ["airportState", "airportCycles", "airports", "airportVariations", "runways", "airportIdentifiers"].flatMap {
        try Row.fetchAll(db, sql: "SELECT * FROM \($0) ORDER BY 1, 2").map(\.description)
      }
    }
  }
}
