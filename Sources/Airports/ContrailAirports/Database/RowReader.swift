import ContrailAirportData
import GRDB
import GRDBSQLite

/// Reads the rows of a statement column by column, without creating a value per row.
struct RowReader {
  private let statement: Statement
  private let handle: SQLiteStatement

  init(_ db: Database, _ sql: String, _ arguments: StatementArguments) throws {
    statement = try db.cachedStatement(sql: sql)
    handle = statement.sqliteStatement
    try statement.setArguments(arguments)
  }

  /// Advances to the next row.
  ///
  /// - Returns: Whether there is one. After the last row or an error, the statement is reset.
  func next() throws -> Bool {
    let result = sqlite3_step(handle)
    if result == SQLITE_ROW { return true }
    sqlite3_reset(handle)
    guard result == SQLITE_DONE else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: result), message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
    }
    return false
  }

  /// Stops reading before the last row.
  func stop() { sqlite3_reset(handle) }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// Returns a number of a column that is never NULL.
  func number(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  func real(_ column: Int32) -> Double? {
    sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : number(column)
  }

  func text(_ column: Int32) -> String? {
    guard let bytes = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
