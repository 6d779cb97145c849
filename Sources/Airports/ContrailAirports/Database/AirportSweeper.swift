import ContrailAirportData
import GRDB

/// Deletes rows that no current or later generation uses: ended rows, and rows of a discarded load.
///
/// Cells without airports are kept, because they don't change any result.
enum AirportSweeper {
  /// Deletes some of the rows that ended at or before the generation in use, and superseded variations.
  ///
  /// - Returns: Whether more rows may remain.
  static func sweepEnded(_ db: Database, limit: Int) throws -> Bool {
    let generation = try AirportDatabase.generation(db)
    let keys = try Int64.fetchAll(
      db.cachedStatement(sql: "SELECT airport FROM airports WHERE until <= ? LIMIT ?"), arguments: [generation, limit])
    for key in keys { try delete(db, key, from: .complete) }
    if !keys.isEmpty { return true }
    try db.execute(
      sql: """
        DELETE FROM airportVariations AS old WHERE since < ?1 AND EXISTS (
          SELECT 1 FROM airportVariations AS new
          WHERE new.airport = old.airport AND new.since > old.since AND new.since <= ?1
        )
        """, arguments: [generation])
    try db.execute(sql: "DELETE FROM airportCycles WHERE generation < ?", arguments: [generation])
    return false
  }

  /// Deletes some of the staged rows.
  ///
  /// - Returns: Whether more rows may remain.
  static func discardStaged(_ db: Database, limit: Int) throws -> Bool {
    let next = try AirportDatabase.generation(db) + 1
    guard let (_, stage) = try LoadedCycle.fetch(db, generation: next) else { return false }
    let keys = try Int64.fetchAll(
      db, sql: "SELECT airport FROM airports WHERE since = ? ORDER BY airport DESC LIMIT ?", arguments: [next, limit])
    for key in keys { try delete(db, key, from: stage) }
    if !keys.isEmpty { return true }
    try db.execute(sql: "UPDATE airports SET until = ? WHERE until = ?", arguments: [AirportSchema.never, next])
    try db.execute(sql: "DELETE FROM airportVariations WHERE since = ?", arguments: [next])
    try db.execute(sql: "DELETE FROM airportCycles WHERE generation = ?", arguments: [next])
    return false
  }

  /// Deletes an airport from all tables that contain it.
  private static func delete(_ db: Database, _ key: Int64, from stage: LoadStage) throws {
    let statement = try db.cachedStatement(
      sql: "SELECT name, city, cell, icaoID, iataID, locationID, recordID FROM airports WHERE airport = ?")
    guard let row = try Row.fetchOne(statement, arguments: [key]) else { return }
    if stage >= .names {
      // A contentless FTS5 index must receive the indexed words to delete a row, and only for rows it has indexed.
      try db.cachedStatement(sql: "INSERT INTO airportNames (airportNames, rowid, words) VALUES ('delete', ?, ?)")
        .execute(arguments: [key, SearchText.words(name: row[0], city: row[1])])
    }
    try db.cachedStatement(sql: "DELETE FROM airportPlaces WHERE cell = ? AND airport = ?")
      .execute(arguments: [row[2] as Int64, key])
    let identifiers = try db.cachedStatement(sql: "DELETE FROM airportIdentifiers WHERE code = ? AND airport = ?")
    for column in 3...6 {
      if let code = row[column] as String? { try identifiers.execute(arguments: [code, key]) }
    }
    let runways = AirportWriter.runwayKeys(of: key)
    try db.cachedStatement(sql: "DELETE FROM runways WHERE runway >= ? AND runway < ?")
      .execute(arguments: [runways.lowerBound, runways.upperBound])
    for table in ["airportVariations", "airports"] {
      try db.cachedStatement(sql: "DELETE FROM \(table) WHERE airport = ?").execute(arguments: [key])
    }
  }
}
