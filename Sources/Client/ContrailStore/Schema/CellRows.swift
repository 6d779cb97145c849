import ContrailGeodesy
import ContrailH3
import ContrailWire
import GRDB

/// The table `cells`, which gives SQL readers the index and the centre of each cell with reports.
enum CellRows {
  /// Adds the cells of reports that are sorted by cell.
  ///
  /// - Complexity: O(*n* log *n*).
  static func add(_ reports: [TurbulenceReport], _ db: Database) throws {
    let find = try db.cachedStatement(sql: "SELECT 1 FROM cells WHERE cell = ?")
    let insert = try db.cachedStatement(
      sql: "INSERT INTO cells (cell, h3, latitudeE7, longitudeE7) VALUES (?, ?, ?, ?)")
    var last: UInt32?
    for report in reports where report.cell != last {
      last = report.cell
      if try Int.fetchOne(find, arguments: [report.cell]) != nil { continue }
      let center = H3Cell(packed22: report.cell).flatMap { FixedCoordinate($0.center) }
      try insert.execute(arguments: [
        report.cell, String(report.h3Index, radix: 16), center?.latitudeE7, center?.longitudeE7,
      ])
    }
  }

  /// Returns the cells of a scope's reports in ascending order.
  static func cells(_ db: Database, key: Int64) throws -> [UInt32] {
    try Int64.fetchAll(
      db, sql: "SELECT DISTINCT packed >> 25 FROM reportRows WHERE scope = ? ORDER BY 1", arguments: [key]
    ).map { UInt32(truncatingIfNeeded: $0) }
  }

  /// Removes the cells that have no report.
  ///
  /// - Parameter cells: The cells to check, in ascending order.
  /// - Complexity: O(*n* log *n*).
  static func removeUnused(_ cells: [UInt32], _ db: Database) throws {
    let delete = try db.cachedStatement(
      sql: """
        DELETE FROM cells WHERE cell = ?1 AND NOT EXISTS (
          SELECT 1 FROM reportRows WHERE scope IN (SELECT scope FROM scopeRows) AND packed BETWEEN ?2 AND ?3)
        """)
    var last: UInt32?
    for cell in cells where cell != last {
      last = cell
      let first = Int64(cell) << 25
      try delete.execute(arguments: [cell, first, first + (1 << 25) - 1])
    }
  }

  /// Returns whether every report has a cell and every cell has a report.
  ///
  /// - Complexity: O(reports + cells).
  static func areSound(_ db: Database) throws -> Bool {
    let used = try Int64.fetchAll(db, sql: "SELECT DISTINCT packed >> 25 FROM reportRows ORDER BY 1")
    return try used == Int64.fetchAll(db, sql: "SELECT cell FROM cells ORDER BY 1")
  }
}
