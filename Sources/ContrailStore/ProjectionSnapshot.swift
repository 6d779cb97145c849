import ContrailCore
public import ContrailGeodesy
public import ContrailQuery
public import ContrailWire
public import Foundation
import GRDB

/// What a store holds at one moment of the log, asked as an app's state is asked.
///
/// What the app hides is hidden here too: records of types, severities and altitudes that aren't wanted, records that have grown older
/// than the history, aircraft that weren't seen for five minutes, polygons as old as their history. Age is counted by the server's clock as
/// far as the app knew it, so a wrong clock on the device neither hides nor revives anything.
///
/// ``ProjectionReader/read(_:)`` makes it.
public struct ProjectionSnapshot: ~Copyable {
  /// The line of the log that everything is as of; nil before anything was written.
  public let position: LogPosition?
  /// The server's clock less the device's, in milliseconds; nil if no answer ever told it.
  public let serverOffsetMS: Int64?
  /// How fresh each scope is, how much it holds and what is wanted of it, in the order of the scopes.
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

  /// Returns the turbulence that is held, wanted and asked for; see `TurbulenceQuery`.
  ///
  /// - Parameter date: The time now, by the device's clock.
  /// - Throws: ``StoreError``; ``StoreError/Code/invalidQuery`` for an area that is none.
  /// - Complexity: O(cells along the area's edge + reports in it).
  public func turbulence(with query: TurbulenceQuery, at date: Date) throws(StoreError) -> [TurbulenceItem] {
    let second = serverSecond(at: date)
    let runs = CellCover.runs(try asking { () throws(QueryFault) in try query.area.ring() })
    var reports: [TurbulenceReport] = []
    if let (key, want) = shown(.turbulence, only: query.scope) {
      let filter = want.filter(asOf: second)
      try reading("turbulence") {
        try TurbulenceReport.forEach(in: runs, of: key, db) { if filter.admits($0) { reports.append($0) } }
      }
    }
    return try asking { () throws(QueryFault) in try query.items(in: reports, asOf: second) }
  }

  /// Returns the PIREPs that are held, wanted and asked for, by time, then key; see `PIREPQuery`.
  ///
  /// - Parameter date: The time now, by the device's clock.
  /// - Throws: ``StoreError``; ``StoreError/Code/invalidQuery`` for an area that is none.
  /// - Complexity: O(*n*) in the PIREPs between the area's southernmost and northernmost latitude.
  public func pireps(with query: PIREPQuery, at date: Date) throws(StoreError) -> [PIREP] {
    let second = serverSecond(at: date)
    let ring = try asking { () throws(QueryFault) in try query.area.ring() }
    var pireps: [PIREP] = []
    if let (key, want) = shown(.pireps, only: query.scope) {
      pireps = try rows(PIREP.columns, "pirepRows", of: key, in: ring, orderedBy: "observedAt, id") { try PIREP($0) }
        .filter { want.shows($0, asOf: second) }
    }
    return try asking { () throws(QueryFault) in try query.items(in: pireps, asOf: second) }
  }

  /// Returns the aircraft that are held, wanted and asked for, by key; see `TrafficQuery`.
  ///
  /// - Parameter date: The time now, by the device's clock.
  /// - Throws: ``StoreError``; ``StoreError/Code/invalidQuery`` for an area that is none.
  /// - Complexity: O(*n* log *n*) in the aircraft that are held.
  public func traffic(with query: TrafficQuery, at date: Date) throws(StoreError) -> [TrafficPosition] {
    let second = serverSecond(at: date)
    var traffic: [TrafficPosition] = []
    if let (key, want) = shown(.traffic, only: query.scope) {
      // All of them: an aircraft whose newest position is elsewhere isn't in the area any more.
      traffic = try rows(TrafficPosition.columns, "trafficRows", of: key, in: nil, orderedBy: "ordinal") {
        try TrafficPosition($0)
      }.filter { want.shows($0, asOf: second) }
    }
    return try asking { () throws(QueryFault) in try query.items(in: traffic, asOf: second) }
  }

  /// Returns the turbulence polygons of a history time; nil where none are held and wanted, or all are too old.
  ///
  /// - Parameter date: The time now, by the device's clock.
  /// - Throws: ``StoreError``; ``StoreError/Code/invalidQuery`` for an area that is none.
  /// - Complexity: O(bytes held), and O(*v* · *r*) for an area: *v* corners of polygons, *r* of the area.
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
    return try asking { () throws(QueryFault) in
      try query.polygons(in: held?.body ?? [], of: held?.token, asOf: second)
    }
  }

  /// Returns the weather service's answer for a place as JSON, however old; nil where none is held and wanted.
  ///
  /// ``ScopeSummary/lastSuccessAt`` of the place's scope tells how old it is.
  ///
  /// - Complexity: O(bytes).
  public func weather(at place: RoundedCoordinate) throws(StoreError) -> Data? {
    guard let (key, summary) = scope(.weather(place)), summary.want != nil else { return nil }
    return try reading("weather") { try ScopeContents.fetchDocument(db, key: key) }.map { Data($0) }
  }

  /// Returns everything, for a launch.
  func contents() throws(StoreError) -> StoredContents { try reading("all") { try StoredContents(db) } }

  // MARK: Reading

  private func scope(_ id: ScopeID) -> (key: Int64, summary: ScopeSummary)? {
    guard let key = keys[id], let summary = scopes.first(where: { $0.id == id }) else { return nil }
    return (key, summary)
  }

  /// The scope of an area, if it is asked for and records of a type are wanted of it.
  private func shown(_ type: DataTypeOptions, only id: ScopeID?) -> (key: Int64, want: FetchSpec)? {
    guard id == nil || id == .corridor, let (key, summary) = scope(.corridor), let want = summary.want,
      want.types.contains(type)
    else { return nil }
    return (key, want)
  }

  /// The server's time in seconds since 1970, within what a log can hold.
  private func serverSecond(at date: Date) -> Int64 {
    let milliseconds = date.timeIntervalSince1970 * 1000
    guard milliseconds.isFinite else { return milliseconds > 0 ? State.maximumMS / 1000 : 0 }
    let now = Int64(min(max(milliseconds, 0), Double(State.maximumMS)))
    return (now + min(max(serverOffsetMS ?? 0, -State.maximumMS), State.maximumMS)) / 1000
  }

  /// Latitude has no seam: an index on it narrows the search at the antimeridian and the poles with no box to split.
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

  private func asking<T>(_ body: () throws(QueryFault) -> T) throws(StoreError) -> T {
    do throws(QueryFault) {
      return try body()
    } catch {
      throw StoreError(.invalidQuery, file: file, reason: error.description)
    }
  }
}

extension Ring {
  /// The latitudes between which the area lies, in 1e-7 degrees.
  fileprivate var latitudesE7: ClosedRange<Int64> {
    let limit = 90 * FixedCoordinate.degree
    let south = self.pole == .south ? -limit : points.reduce(limit) { min($0, $1.latitudeE7) }
    let north = self.pole == .north ? limit : points.reduce(-limit) { max($0, $1.latitudeE7) }
    return south...max(south, north)
  }
}
