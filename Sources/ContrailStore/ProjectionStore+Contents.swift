public import ContrailCore
import ContrailGeodesy
import ContrailWire
import Foundation
import GRDB

extension ProjectionStore {
  /// What is held, scope by scope, without the records.
  public func summaries() throws(StoreError) -> [ScopeSummary] {
    try read("reading what is held") { try ScopeSummary.fetchAll($0).map(\.summary) }
  }

  /// All that a scope holds; nil where nothing is.
  ///
  /// - Complexity: O(rows of the scope).
  public func contents(of scope: ScopeID) throws(StoreError) -> ScopeContents? {
    try read("reading a scope") { db in
      guard let (key, summary) = try ScopeSummary.fetch(db, scope) else { return nil }
      return try ScopeContents.fetch(db, key: key, summary)
    }
  }

  /// Whether the store holds what a state holds, as far as digests and counts tell.
  ///
  /// - Complexity: O(scopes).
  public func holds(_ state: State) throws(StoreError) -> Bool {
    try summaries() == state.scopes.compactMap(ScopeSummary.init)
  }

  /// The scopes whose rows do not add up to the digest and the counts that they are kept with; empty for a sound store.
  ///
  /// It finds what SQLite's own check on opening can't: a row that is well formed and wrong. Rebuild then.
  ///
  /// - Complexity: O(rows).
  public func verify() throws(StoreError) -> [ScopeID] {
    try read("verifying") { db in
      try ScopeSummary.fetchAll(db).filter { key, summary in
        let contents = try ScopeContents.fetch(db, key: key, summary)
        return contents.digest != summary.digest || contents.reports.count != summary.reportCount
          || contents.pireps.count != summary.pirepCount || contents.traffic.count != summary.trafficCount
      }.map(\.summary.id)
    }
  }
}

extension ScopeSummary {
  private static let columns = "scope, name, asOf, history, digest, reportCount, pirepCount, trafficCount"

  /// In the order of the scopes; a name or history that this version does not know is passed over.
  static func fetchAll(_ db: Database) throws -> [(key: Int64, summary: ScopeSummary)] {
    try Row.fetchAll(db, sql: "SELECT \(columns) FROM scopes").compactMap(read).sorted { $0.summary.id < $1.summary.id }
  }

  static func fetch(_ db: Database, _ id: ScopeID) throws -> (key: Int64, summary: ScopeSummary)? {
    let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM scopes WHERE name = ?")
    return try Row.fetchOne(statement, arguments: [id.name]).flatMap(read)
  }

  private static func read(_ row: Row) -> (key: Int64, summary: ScopeSummary)? {
    guard let id = ScopeID(name: row[1]), let history = DataHistoryTime(rawValue: row[3]) else { return nil }
    let summary = ScopeSummary(
      id: id, asOf: row[2], history: history, digest: UInt64(bitPattern: row[4] as Int64), reportCount: row[5],
      pirepCount: row[6], trafficCount: row[7])
    return (row[0], summary)
  }

  /// Writes the row and returns its key.
  func save(_ db: Database, key: Int64?) throws -> Int64 {
    try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO scopes (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    ).execute(arguments: [
      key, id.name, asOf, history.seconds, Int64(bitPattern: digest), reportCount, pirepCount, trafficCount,
    ])
    return db.lastInsertedRowID
  }
}

extension ScopeContents {
  static func fetch(_ db: Database, key: Int64, _ summary: ScopeSummary) throws -> ScopeContents {
    var contents = ScopeContents(summary: summary)
    let reports = try db.cachedStatement(sql: "SELECT packed, observedAt FROM reports WHERE scope = ?")
    let cursor = try Row.fetchCursor(reports, arguments: [key])
    while let row = try cursor.next() { contents.reports.insert(TurbulenceReport(row)) }
    let pireps = try db.cachedStatement(sql: "SELECT \(PIREP.columns) FROM pireps WHERE scope = ?")
    for row in try Row.fetchAll(pireps, arguments: [key]) { contents.pireps.insert(PIREP(row)) }
    let traffic = try db.cachedStatement(
      sql: "SELECT \(TrafficPosition.columns) FROM traffic WHERE scope = ? ORDER BY ordinal")
    contents.traffic = try Row.fetchAll(traffic, arguments: [key]).map(TrafficPosition.init)
    let polygons = try db.cachedStatement(sql: "SELECT body FROM documents WHERE scope = ?")
    contents.polygons = try Data.fetchOne(polygons, arguments: [key]).map(Array.init) ?? []
    return contents
  }
}

// The tables are strict and hold no nulls but where one is read here, which the check on opening makes sure of: these are total.

extension TurbulenceReport {
  init(_ row: Row) {
    self.init(packed: UInt64(bitPattern: row[0] as Int64), observedAt: UInt32(truncatingIfNeeded: row[1] as Int64))
  }
}

extension PIREP {
  static let columns =
    "id, latitudeE7, longitudeE7, flightLevel, severity, isUrgent, observedAt, updatedAt, text"

  init(_ row: Row) {
    self.init(
      id: String(blob: row[0]), position: FixedCoordinate(latitudeE7: row[1], longitudeE7: row[2]),
      flightLevel: row[3], severity: (row[4] as Int64?).flatMap { TurbulenceSeverity(rawValue: UInt8($0 & 0xFF)) },
      isUrgent: row[5], observedAt: row[6], updatedAt: row[7], text: String(blob: row[8]))
  }
}

extension TrafficPosition {
  static let columns =
    "id, callsign, latitudeE7, longitudeE7, altitudeFeet, groundSpeedKnots, trackDegrees, observedAt"

  init(_ row: Row) {
    self.init(
      id: String(blob: row[0]), callsign: String(blob: row[1]),
      position: FixedCoordinate(latitudeE7: row[2], longitudeE7: row[3]), altitudeFeet: row[4],
      groundSpeedKnots: row[5], trackDegrees: row[6], observedAt: row[7])
  }
}
