import ContrailCore
import ContrailGeodesy
import ContrailWire
import Foundation
import GRDB
import GRDBSQLite

extension ScopeSummary {
  private static let columns = """
    scope, name, answeredAt, history, digest, reportCount, pirepCount, trafficCount, want, lastSuccessAt, wantTypes,
    wantSeverities, wantLower, wantUpper, wantHistory, latitudeE4, longitudeE4
    """

  /// Returns the summaries in scope order. Rows that this version can't decode are skipped.
  static func fetchAll(_ db: Database) throws -> [(key: Int64, summary: ScopeSummary)] {
    try Row.fetchAll(db, sql: "SELECT \(columns) FROM scopeRows").compactMap { try read($0) }
      .sorted { $0.summary.id < $1.summary.id }
  }

  static func fetch(_ db: Database, _ id: ScopeID) throws -> (key: Int64, summary: ScopeSummary)? {
    let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM scopeRows WHERE name = ?")
    return try Row.fetchOne(statement, arguments: [id.name]).flatMap { try read($0) }
  }

  /// Returns the row key of a scope that ``fetch(_:_:)`` can't decode.
  static func unreadableKey(_ db: Database, _ id: ScopeID) throws -> Int64? {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT scope FROM scopeRows WHERE name = ?"), arguments: [id.name])
  }

  private static func read(_ row: Row) throws -> (key: Int64, summary: ScopeSummary)? {
    guard let id = ScopeID(name: try row.text(1)), let history = DataHistoryTime(rawValue: try row.integer(3)) else {
      return nil
    }
    var want: FetchSpec?
    if let text = try row.textOrNull(8) {
      guard let spec = FetchSpec(text: text) else { return nil }
      want = spec
    }
    let summary = ScopeSummary(
      id: id, asOf: try row.integer(2), history: history, digest: UInt64(bitPattern: try row.integer(4)),
      reportCount: Int(try row.integer(5)), pirepCount: Int(try row.integer(6)), trafficCount: Int(try row.integer(7)),
      want: want, lastSuccessAt: try row.integerOrNull(9))
    return (try row.integer(0), summary)
  }

  /// Writes the row and returns its key.
  func save(_ db: Database, key: Int64?) throws -> Int64 {
    let place = id.weatherPlace
    try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO scopeRows (\(Self.columns))
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      key, id.name, asOf, history.seconds, Int64(bitPattern: digest), reportCount, pirepCount, trafficCount,
      want?.text, lastSuccessAt, want?.types.rawValue, want?.severities.rawValue, want?.altitudes.lower,
      want?.altitudes.upper, want?.history.seconds, place?.latitudeE4, place?.longitudeE4,
    ])
    return db.lastInsertedRowID
  }
}

extension FetchSpec {
  /// The spec in the format of snapshots.
  fileprivate var text: String {
    var json = JSONWriter()
    write(to: &json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  fileprivate init?(text: String) {
    let spec = Array(text.utf8).withUnsafeBytes { bytes -> FetchSpec? in
      var json = JSONReader(bytes)
      return try? FetchSpec(from: &json)
    }
    guard let spec else { return nil }
    self = spec
  }
}

extension ScopeContents {
  /// - Complexity: O(rows of the scope).
  static func fetch(_ db: Database, key: Int64, _ summary: ScopeSummary) throws -> ScopeContents {
    var contents = ScopeContents(summary: summary)
    contents.reports = try ReportBlocks.reports(db, key: key)
    let pireps = try db.cachedStatement(sql: "SELECT \(PIREP.columns) FROM pirepRows WHERE scope = ?")
    for row in try Row.fetchAll(pireps, arguments: [key]) { contents.pireps.insert(try PIREP(row)) }
    let traffic = try db.cachedStatement(
      sql: "SELECT \(TrafficPosition.columns) FROM trafficRows WHERE scope = ? ORDER BY ordinal")
    contents.traffic = try Row.fetchAll(traffic, arguments: [key]).map { try TrafficPosition($0) }
    contents.polygons = try fetchDocument(db, key: key) ?? []
    return contents
  }

  static func fetchDocument(_ db: Database, key: Int64) throws -> [UInt8]? {
    let statement = try db.cachedStatement(sql: "SELECT body FROM documentRows WHERE scope = ?")
    return try Data.fetchOne(statement, arguments: [key]).map(Array.init)
  }
}

extension TurbulenceReport {
  /// Calls `body` for each report of a scope in the given key ranges.
  ///
  /// The values are read column by column without creating rows, because there may be a hundred thousand reports.
  static func forEach(
    in runs: [ClosedRange<Int64>], of key: Int64, _ db: Database, _ body: (TurbulenceReport) -> Void
  ) throws {
    let statement = try db.cachedStatement(
      sql: "SELECT packed, observedAt FROM reportRows WHERE scope = ? AND packed BETWEEN ? AND ?")
    let handle = statement.sqliteStatement
    for run in runs {
      try statement.setArguments([key, run.lowerBound, run.upperBound])
      defer { sqlite3_reset(handle) }
      var result = sqlite3_step(handle)
      while result == SQLITE_ROW {
        body(
          TurbulenceReport(
            packed: UInt64(bitPattern: sqlite3_column_int64(handle, 0)),
            observedAt: UInt32(truncatingIfNeeded: sqlite3_column_int64(handle, 1))))
        result = sqlite3_step(handle)
      }
      guard result == SQLITE_DONE else {
        throw DatabaseError(
          resultCode: ResultCode(rawValue: result), message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
      }
    }
  }
}

extension PIREP {
  static let columns =
    "id, latitudeE7, longitudeE7, flightLevel, severity, isUrgent, observedAt, updatedAt, text"

  init(_ row: Row) throws {
    self.init(
      id: try row.blob(0), position: FixedCoordinate(latitudeE7: try row.integer(1), longitudeE7: try row.integer(2)),
      flightLevel: try row.integerOrNull(3).map { Int($0) },
      severity: try row.integerOrNull(4).flatMap { TurbulenceSeverity(rawValue: UInt8($0 & 0xFF)) },
      isUrgent: try row.integer(5) != 0, observedAt: try row.integer(6), updatedAt: try row.integer(7),
      text: try row.blob(8))
  }
}

extension TrafficPosition {
  static let columns =
    "id, callsign, latitudeE7, longitudeE7, altitudeFeet, groundSpeedKnots, trackDegrees, observedAt"

  init(_ row: Row) throws {
    self.init(
      id: try row.blob(0), callsign: try row.blob(1),
      position: FixedCoordinate(latitudeE7: try row.integer(2), longitudeE7: try row.integer(3)),
      altitudeFeet: try row.integerOrNull(4).map { Int($0) },
      groundSpeedKnots: try row.integerOrNull(5).map { Int($0) },
      trackDegrees: try row.integerOrNull(6).map { Int($0) }, observedAt: try row.integer(7))
  }
}
