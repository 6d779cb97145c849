import GRDB

/// Deletes rows that no generation in use or to come has: those that ended, and those of a load that was given up.
enum AirportSweeper {
  /// Deletes some of the rows that ended with or before the generation in use, and variations that were superseded.
  ///
  /// - Returns: Whether there may be more.
  static func sweepEnded(_ db: Database, limit: Int) throws -> Bool {
    let generation = try AirportDatabase.generation(db)
    let keys = try Int64.fetchAll(
      db.cachedStatement(sql: "SELECT airport FROM airports WHERE until <= ? LIMIT ?"), arguments: [generation, limit])
    for key in keys { try delete(db, key) }
    if !keys.isEmpty { return true }
    try db.execute(
      sql: """
        DELETE FROM airportVariations AS old WHERE since < ?1 AND EXISTS (
          SELECT 1 FROM airportVariations AS new WHERE new.airport = old.airport AND new.since > old.since AND new.since <= ?1)
        """, arguments: [generation])
    try db.execute(sql: "DELETE FROM airportCycles WHERE generation < ?", arguments: [generation])
    return false
  }

  /// Takes back some of what was staged.
  ///
  /// - Returns: Whether there may be more.
  static func discardStaged(_ db: Database, limit: Int) throws -> Bool {
    let next = try AirportDatabase.generation(db) + 1
    let keys = try Int64.fetchAll(
      db, sql: "SELECT airport FROM airports WHERE since = ? LIMIT ?", arguments: [next, limit])
    for key in keys { try delete(db, key) }
    if !keys.isEmpty { return true }
    try db.execute(sql: "UPDATE airports SET until = ? WHERE until = ?", arguments: [AirportSchema.never, next])
    try db.execute(sql: "DELETE FROM airportVariations WHERE since = ?", arguments: [next])
    try db.execute(sql: "DELETE FROM airportCycles WHERE generation = ?", arguments: [next])
    return false
  }

  private static func delete(_ db: Database, _ key: Int64) throws {
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT name, city FROM airports WHERE airport = ?"), arguments: [key])
    if let row {
      // An index without contents is told what it indexed.
      try db.cachedStatement(sql: "INSERT INTO airportNames (airportNames, rowid, words) VALUES ('delete', ?, ?)")
        .execute(arguments: [key, SearchText.words(name: row[0], city: row[1])])
    }
    for table in ["airportPlaces", "airportVariations", "runways", "airports"] {
      try db.cachedStatement(sql: "DELETE FROM \(table) WHERE airport = ?").execute(arguments: [key])
    }
  }
}
