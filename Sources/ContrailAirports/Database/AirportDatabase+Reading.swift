import ContrailGeodesy
import GRDB

extension AirportDatabase {
  /// The columns of an airport in the order in which ``airport(_:_:)`` reads them; `?1` is the generation.
  static let columns = """
    a.airport, a.recordID, a.locationID, a.icaoID, a.iataID, a.name, a.city, a.dataSource, a.latitude, a.longitude,
    a.elevationMeters, coalesce((
      SELECT degrees FROM airportVariations AS v WHERE v.airport = a.airport AND v.since <= ?1 ORDER BY v.since DESC LIMIT 1
    ), a.variationDegrees), a.timeZone
    """
  /// What makes an airport one of the generation in use.
  static let isInUse = "a.since <= ?1 AND a.until > ?1"

  static func airport(_ db: Database, _ row: Row) throws -> Airport {
    Airport(
      recordID: row[1], locationID: row[2], icaoID: row[3], iataID: row[4], name: row[5], city: row[6],
      dataSource: AirportDataSource(rawValue: row[7]) ?? .ourAirports,
      coordinate: Coordinate(latitude: row[8], longitude: row[9]), elevationMeters: row[10],
      variationDegrees: row[11], timeZone: row[12], runways: try runways(db, of: row[0]))
  }

  private static func runways(_ db: Database, of key: Int64) throws -> [Runway] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT name, trueHeadingDegrees, lengthMeters, widthMeters, surface, elevationMeters, reciprocalName,
          takeoffRunMeters, takeoffDistanceMeters, accelerateStopDistanceMeters, landingDistanceMeters,
          displacedThresholdMeters, gradientPercent, endLatitude, endLongitude
        FROM runways WHERE runway >= ? AND runway < ? ORDER BY runway
        """)
    let keys = AirportWriter.runwayKeys(of: key)
    let rows = try Row.fetchCursor(statement, arguments: [keys.lowerBound, keys.upperBound])
    var runways: [Runway] = []
    while let row = try rows.next() {
      var runway = Runway(
        name: row[0], trueHeadingDegrees: row[1], lengthMeters: row[2], widthMeters: row[3],
        surface: RunwaySurface(rawValue: row[4]) ?? .unknown, elevationMeters: row[5], reciprocalName: row[6],
        takeoffRunMeters: row[7], takeoffDistanceMeters: row[8], accelerateStopDistanceMeters: row[9],
        landingDistanceMeters: row[10], displacedThresholdMeters: row[11], gradientPercent: row[12])
      if let latitude = row[13] as Double?, let longitude = row[14] as Double? {
        runway.endCoordinate = Coordinate(latitude: latitude, longitude: longitude)
      }
      runways.append(runway)
    }
    return runways
  }

  /// The airports in use that a condition holds for, in an order.
  ///
  /// - Parameters:
  ///   - join: SQL: what is joined, and how; nil for nothing.
  ///   - condition: SQL; its first argument is `?2`.
  ///   - order: SQL.
  func airports(
    _ what: String, joining join: String? = nil, where condition: String, _ arguments: [any DatabaseValueConvertible],
    order: String, limit: Int = -1
  ) throws(AirportStoreError) -> [Airport] {
    try read(what) { db in
      let generation = try Self.generation(db)
      let statement = try db.cachedStatement(
        sql: """
          SELECT \(Self.columns) FROM airports AS a \(join.map { "JOIN " + $0 } ?? "")
          WHERE \(Self.isInUse) AND \(condition) ORDER BY \(order) LIMIT ?\(arguments.count + 2)
          """)
      let rows = try Row.fetchCursor(
        statement, arguments: StatementArguments([generation] + arguments + [limit] as [any DatabaseValueConvertible]))
      var airports: [Airport] = []
      while let row = try rows.next() { airports.append(try Self.airport(db, row)) }
      return airports
    }
  }

  /// All airports in use, by record ID.
  public func allAirports() throws(AirportStoreError) -> [Airport] {
    try airports("reading all airports", where: "true", [], order: "a.recordID")
  }

  /// The digest of the airports in use, from their rows: to be compared with ``LoadedCycle/digest``.
  ///
  /// - Complexity: O(*n*).
  public func computedDigest() throws(AirportStoreError) -> AirportDigest {
    try read("summing up all airports") { db in
      let rows = try Row.fetchCursor(
        db, sql: "SELECT \(Self.columns) FROM airports AS a WHERE \(Self.isInUse)", arguments: [Self.generation(db)])
      var digest = AirportDigest()
      while let row = try rows.next() { digest.add(try Self.airport(db, row)) }
      return digest
    }
  }
}
