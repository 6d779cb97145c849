import ContrailCore
public import ContrailGeodesy
public import ContrailQuery
public import ContrailWire
public import Foundation
import GRDB

/// The contents of a store at one moment of the log.
///
/// A snapshot returns what the app shows. It hides records whose type, severity or altitude isn't requested, records
/// older than the history, aircraft not seen for five minutes, and polygons older than their history. Ages are based on
/// the last known server time, so a wrong device clock neither hides nor shows records.
///
/// ``ProjectionReader/read(_:)`` creates snapshots.
public struct ProjectionSnapshot: ~Copyable {
  /// The log position of the contents, or `nil` if nothing has been written.
  public let position: LogPosition?
  /// The server time minus the device time in milliseconds, or `nil` if no response contained the server time.
  public let serverOffsetMS: Int64?
  /// The freshness, the counts and the requested data of each scope, in scope order.
  public let scopes: [ScopeSummary]

  private let keys: [ScopeID: Int64]
  private let db: Database
  private let file: String

  init(_ db: Database, file: String) throws {
    let found = try LogPosition.fetchWithOffset(db)
    let rows = try ScopeSummary.fetchAll(db)
    position = found?.position
    serverOffsetMS = found?.serverOffsetMS
    scopes = rows.map(\.summary)
    keys = Dictionary(rows.map { ($0.summary.id, $0.key) }) { first, _ in first }
    self.db = db
    self.file = file
  }

  /// Returns the visible turbulence that matches a query; see `TurbulenceQuery`.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - date: The current device time.
  /// - Throws: ``StoreError``, with ``StoreError/Code/invalidQuery`` if the area is invalid.
  /// - Complexity: O(cells along the area's edge + reports in it).
  public func turbulence(with query: TurbulenceQuery, at date: Date) throws(StoreError) -> [TurbulenceItem] {
    let second = serverSecond(at: date)
    let runs = CellCover.runs(try asking { () throws(QueryError) in try query.area.ring() })
    let reports = try turbulence(in: runs, only: query.scope, asOf: second)
    return try asking { () throws(QueryError) in try query.items(in: reports, asOf: second) }
  }

  /// Returns the visible reports in ranges of the primary key, and others near them.
  private func turbulence(
    in runs: [ClosedRange<Int64>], only scope: ScopeID?, asOf second: Int64
  ) throws(StoreError) -> [TurbulenceReport] {
    var reports: [TurbulenceReport] = []
    guard let (key, want) = shown(.turbulence, only: scope) else { return reports }
    let filter = want.filter.reports(asOf: second)
    try reading("turbulence") {
      try TurbulenceReport.forEach(in: runs, of: key, db) { if filter.admits($0) { reports.append($0) } }
    }
    return reports
  }

  /// Returns the visible PIREPs that match a query, sorted by time, then by key; see `PIREPQuery`.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - date: The current device time.
  /// - Throws: ``StoreError``, with ``StoreError/Code/invalidQuery`` if the area is invalid.
  /// - Complexity: O(*n*) in the PIREPs between the southernmost and the northernmost latitude of the area.
  public func pireps(with query: PIREPQuery, at date: Date) throws(StoreError) -> [PIREP] {
    let second = serverSecond(at: date)
    let ring = try asking { () throws(QueryError) in try query.area.ring() }
    var pireps: [PIREP] = []
    if let (key, want) = shown(.pireps, only: query.scope) {
      pireps = try rows(PIREP.columns, "pirepRows", of: key, in: ring, orderedBy: "observedAt, id") { try PIREP($0) }
        .filter { want.shows($0, asOf: second) }
    }
    return try asking { () throws(QueryError) in try query.items(in: pireps, asOf: second) }
  }

  /// Returns the visible aircraft that match a query, sorted by key; see `TrafficQuery`.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - date: The current device time.
  /// - Throws: ``StoreError``, with ``StoreError/Code/invalidQuery`` if the area is invalid.
  /// - Complexity: O(*n* log *n*) in the number of held aircraft.
  public func traffic(with query: TrafficQuery, at date: Date) throws(StoreError) -> [TrafficPosition] {
    let second = serverSecond(at: date)
    var traffic: [TrafficPosition] = []
    if let (key, want) = shown(.traffic, only: query.scope) {
      // Reads all positions, because an aircraft whose newest position is outside the area isn't in it any more.
      traffic = try rows(TrafficPosition.columns, "trafficRows", of: key, in: nil, orderedBy: "ordinal") {
        try TrafficPosition($0)
      }.filter { want.shows($0, asOf: second) }
    }
    return try asking { () throws(QueryError) in try query.items(in: traffic, asOf: second) }
  }

  /// Returns the turbulence polygons of a history time, or `nil` if no polygons can be shown.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - date: The current device time.
  /// - Throws: ``StoreError``, with ``StoreError/Code/invalidQuery`` if the area is invalid.
  /// - Complexity: O(bytes held), plus O(*v* · *r*) for an area, with *v* corners of polygons and *r* corners of the
  ///   area.
  public func turbulencePolygons(
    with query: TurbulencePolygonQuery, at date: Date
  ) throws(StoreError) -> TurbulencePolygons? {
    let second = serverSecond(at: date)
    var held: (body: [UInt8], token: Int64)?
    if let (key, summary) = scope(.global(query.dataHistoryTime)), let want = summary.want,
      want.showsPolygons(of: summary.asOf, asOf: second)
    {
      held = try reading("polygons") { try ScopeContents.fetchDocument(db, key: key) }.map { ($0, summary.asOf) }
    }
    return try asking { () throws(QueryError) in
      try query.polygons(in: held?.body ?? [], of: held?.token, asOf: second)
    }
  }

  /// Returns the visible turbulence along a route; see `ProfileQuery`.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - date: The current device time.
  /// - Throws: ``StoreError``, with ``StoreError/Code/invalidQuery`` if the route, a length or the position is invalid.
  /// - Complexity: O(hexagons within the width + reports in them + PIREPs + bytes of the areas).
  public func profile(with query: ProfileQuery, at date: Date) throws(StoreError) -> RouteProfile {
    let second = serverSecond(at: date)
    let line = try asking { () throws(QueryError) in try ProfileLine(query) }
    let isOwn = query.origin == .own
    let reports = isOwn ? [] : try turbulence(in: CellCover.runs(line.cells), only: query.scope, asOf: second)
    let pireps = try pireps(with: PIREPQuery(scope: query.scope), at: date)
    var areas: TurbulencePolygons?
    if let history = query.dataHistoryTime ?? scope(.corridor)?.summary.want?.history {
      areas = try turbulencePolygons(with: TurbulencePolygonQuery(dataHistoryTime: history), at: date)
    }
    return query.profile(of: reports, pireps: pireps, polygons: areas, on: line, asOf: second)
  }

  /// Returns the weather of a place as JSON, or `nil` if none is held and requested.
  ///
  /// The weather may be old. ``ScopeSummary/lastSuccessAt`` of the scope of the place contains the time of the last
  /// successful response.
  ///
  /// - Complexity: O(bytes).
  public func weather(at place: RoundedCoordinate) throws(StoreError) -> Data? {
    guard let (key, summary) = scope(.weather(place)), summary.want != nil else { return nil }
    return try reading("weather") { try ScopeContents.fetchDocument(db, key: key) }.map { Data($0) }
  }

  /// Returns all contents, for a launch.
  func contents() throws(StoreError) -> StoredContents { try reading("all") { try StoredContents(db) } }

  // MARK: Reading

  private func scope(_ id: ScopeID) -> (key: Int64, summary: ScopeSummary)? {
    guard let key = keys[id], let summary = scopes.first(where: { $0.id == id }) else { return nil }
    return (key, summary)
  }

  /// Returns the scope of an area, if the query includes it and records of a type are requested for it.
  private func shown(_ type: DataTypeOptions, only id: ScopeID?) -> (key: Int64, want: FetchSpec)? {
    guard id == nil || id == .corridor, let (key, summary) = scope(.corridor), let want = summary.want,
      want.types.contains(type)
    else { return nil }
    return (key, want)
  }

  /// Returns the server time in seconds since 1970, limited to the range of a log.
  private func serverSecond(at date: Date) -> Int64 {
    let milliseconds = date.timeIntervalSince1970 * 1000
    // Zero for what isn't a number: `max` returns its first argument then.
    let now = Int64(min(max(0, milliseconds), Double(State.maximumMS)))
    return (now + min(max(serverOffsetMS ?? 0, -State.maximumMS), State.maximumMS)) / 1000
  }

  /// Fetches rows by latitude. Latitudes don't wrap, so the index also works at the antimeridian and at the poles.
  private func rows<T>(
    _ columns: String, _ table: String, of key: Int64, in ring: Ring?, orderedBy order: String,
    _ decode: (Row) throws -> T
  ) throws(StoreError) -> [T] {
    let latitudes = ring?.latitudesE7 ?? -90 * FixedCoordinate.degree...90 * FixedCoordinate.degree
    return try reading(table) {
      let statement = try db.cachedStatement(
        sql: "SELECT \(columns) FROM \(table) WHERE scope = ? AND latitudeE7 BETWEEN ? AND ? ORDER BY \(order)")
      let cursor = try Row.fetchCursor(statement, arguments: [key, latitudes.lowerBound, latitudes.upperBound])
      var found: [T] = []
      while let row = try cursor.next() { found.append(try decode(row)) }
      return found
    }
  }

  private func reading<T>(_ what: String, _ body: () throws -> T) throws(StoreError) -> T {
    do {
      return try body()
    } catch {
      throw StoreError(error, file: file, doing: "reading \(what)")
    }
  }

  private func asking<T>(_ body: () throws(QueryError) -> T) throws(StoreError) -> T {
    do throws(QueryError) {
      return try body()
    } catch {
      throw StoreError(.invalidQuery, file: file, reason: error.description)
    }
  }
}

extension Ring {
  /// The range of latitudes of the area in 1e-7 degrees.
  fileprivate var latitudesE7: ClosedRange<Int64> {
    let limit = 90 * FixedCoordinate.degree
    let south = self.pole == .south ? -limit : points.reduce(limit) { min($0, $1.latitudeE7) }
    let north = self.pole == .north ? limit : points.reduce(-limit) { max($0, $1.latitudeE7) }
    return south...max(south, north)
  }
}
