import ContrailAirportData
import GRDB

/// Builds the search indices of staged airports. Each index is written in one transaction, in its own sort order.
struct AirportIndexer {
  let db: Database
  /// The staged generation.
  let generation: Int64
  /// The highest key in use. Staged keys are higher.
  let boundary: Int64

  /// The kinds of identifiers, in order of precedence.
  enum Kind: Int {
    case icao = 0
    case iata = 1
    case location = 2
    case record = 3

    var column: String {
      switch self {
      case .icao: "icaoID"
      case .iata: "iataID"
      case .location: "locationID"
      case .record: "recordID"
      }
    }

    static let all = [Kind.icao, .iata, .location, .record]
  }

  func indexIdentifiers() throws {
    let parts = Kind.all.map { kind in
      """
      SELECT \(kind.column) AS code, \(kind.rawValue) AS kind, airport FROM airports
      WHERE airport > ?1 AND since = ?2 AND \(kind.column) IS NOT NULL
      """
    }
    try db.execute(
      sql: """
        INSERT INTO airportIdentifiers (code, kind, airport)
        SELECT code, kind, airport FROM (\(parts.joined(separator: " UNION ALL "))) ORDER BY code, kind, airport
        """, arguments: [boundary, generation])
  }

  func indexNames() throws {
    var names = try RowWriter(db, "INSERT INTO airportNames (rowid, words) VALUES (?, ?)")
    let rows = try Row.fetchCursor(
      db, sql: "SELECT airport, name, city FROM airports WHERE airport > ? AND since = ?",
      arguments: [boundary, generation])
    while let row = try rows.next() {
      names.add(row[0] as Int64)
      names.add(SearchText.words(name: row[1], city: row[2]))
      try names.run()
    }
  }

  func indexPlaces() throws {
    try db.execute(
      sql: """
        INSERT INTO airportPlaces (cell, airport, latitude, longitude, longestRunwayMeters)
        SELECT cell, airport, latitude, longitude, longestRunwayMeters FROM airports
        WHERE airport > ? AND since = ? ORDER BY cell, airport
        """, arguments: [boundary, generation])
    let cells = try Int64.fetchAll(
      db,
      sql: """
        SELECT DISTINCT cell FROM airports WHERE airport > ? AND since = ? AND cell NOT IN (SELECT cell FROM airportCells)
        """, arguments: [boundary, generation])
    var boxes = try RowWriter(
      db, "INSERT INTO airportCells (cell, x0, x1, y0, y1, z0, z1) VALUES (?, ?, ?, ?, ?, ?, ?)")
    for cell in cells {
      boxes.add(cell)
      for bound in PlaceCell(number: cell).box { boxes.add(bound) }
      try boxes.run()
    }
  }
}
