import ContrailAirportData
import GRDB
import GRDBSQLite

/// Binds the arguments of a statement and runs it repeatedly, without creating a value per argument.
///
/// Arguments are added in order. Texts are collected in one buffer, which SQLite borrows during the step.
struct RowWriter {
  private let statement: Statement
  private let handle: SQLiteStatement
  private var texts: [UInt8] = []
  private var places: [(index: Int32, range: Range<Int>)] = []
  private var count: Int32 = 0

  init(_ db: Database, _ sql: String) throws {
    statement = try db.cachedStatement(sql: sql)
    handle = statement.sqliteStatement
  }

  mutating func add(_ integer: Int64) {
    count += 1
    sqlite3_bind_int64(handle, count, integer)
  }

  mutating func add(_ real: Double?) {
    count += 1
    if let real { sqlite3_bind_double(handle, count, real) } else { sqlite3_bind_null(handle, count) }
  }

  mutating func add(_ text: String?) {
    count += 1
    guard var text else {
      sqlite3_bind_null(handle, count)
      return
    }
    let start = texts.count
    text.withUTF8 { texts.append(contentsOf: $0) }
    places.append((count, start..<texts.count))
  }

  /// Runs the statement with the added arguments, and starts again at the first argument.
  mutating func run() throws {
    defer {
      texts.removeAll(keepingCapacity: true)
      places.removeAll(keepingCapacity: true)
      count = 0
    }
    // An empty buffer has no base address, and SQLite would bind NULL.
    if texts.isEmpty { texts.append(0) }
    let result = texts.withUnsafeBufferPointer { texts in
      let base = texts.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
      for (index, range) in places {
        sqlite3_bind_text(handle, index, base.map { $0 + range.lowerBound }, Int32(range.count), nil)
      }
      let result = sqlite3_step(handle)
      sqlite3_reset(handle)
      return result
    }
    guard result == SQLITE_DONE else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: result), message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
    }
  }
}
