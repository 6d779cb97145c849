public import ContrailAirportData
import ContrailGeodesy
import GRDB

extension AirportDatabase {
  /// The columns of an airport in the order of ``airport(_:_:)``. `?1` is the generation.
  static let columns = """
    a.airport, a.recordID, a.locationID, a.icaoID, a.iataID, a.name, a.city, a.dataSource, a.latitude, a.longitude,
    a.elevationMeters, coalesce((
      SELECT degrees FROM airportVariations AS v WHERE v.airport = a.airport AND v.since <= ?1 ORDER BY v.since DESC LIMIT 1
    ), a.variationDegrees), a.timeZone
    """
  /// The SQL condition for rows of the generation in use.
  static let isInUse = "a.since <= ?1 AND a.until > ?1"

  /// Returns the airport in the current row of a statement with ``columns``.
  static func airport(_ db: Database, _ row: RowReader) throws -> Airport {
    Airport(
      recordID: row.text(1) ?? "", locationID: row.text(2) ?? "", icaoID: row.text(3), iataID: row.text(4),
      name: row.text(5) ?? "", city: row.text(6),
      dataSource: row.text(7).flatMap(AirportDataSource.init) ?? .ourAirports,
      coordinate: Coordinate(latitude: row.number(8), longitude: row.number(9)), elevationMeters: row.real(10),
      variationDegrees: row.real(11), timeZone: row.text(12), runways: try runways(db, of: row.integer(0)))
  }

  private static func runways(_ db: Database, of key: Int64) throws -> [Runway] {
    let keys = AirportWriter.runwayKeys(of: key)
    let row = try RowReader(
      db,
      """
      SELECT name, trueHeadingDegrees, lengthMeters, widthMeters, surface, elevationMeters, reciprocalName,
        takeoffRunMeters, takeoffDistanceMeters, accelerateStopDistanceMeters, landingDistanceMeters,
        displacedThresholdMeters, gradientPercent, endLatitude, endLongitude
      FROM runways WHERE runway >= ? AND runway < ? ORDER BY runway
      """, [keys.lowerBound, keys.upperBound])
    var runways: [Runway] = []
    while try row.next() {
      var runway = Runway(
        name: row.text(0) ?? "", trueHeadingDegrees: row.real(1), lengthMeters: row.real(2), widthMeters: row.real(3),
        surface: RunwaySurface(rawValue: UInt8(truncatingIfNeeded: row.integer(4))) ?? .unknown,
        elevationMeters: row.real(5), reciprocalName: row.text(6), takeoffRunMeters: row.real(7),
        takeoffDistanceMeters: row.real(8), accelerateStopDistanceMeters: row.real(9),
        landingDistanceMeters: row.real(10), displacedThresholdMeters: row.real(11), gradientPercent: row.real(12))
      if let latitude = row.real(13), let longitude = row.real(14) {
        runway.endCoordinate = Coordinate(latitude: latitude, longitude: longitude)
      }
      runways.append(runway)
    }
    return runways
  }

  /// Returns the airports in use that match a condition.
  ///
  /// - Parameters:
  ///   - what: The operation, for errors.
  ///   - join: The SQL of a joined table, or `nil` for none.
  ///   - condition: The SQL condition. Its first argument is `?2`.
  ///   - arguments: The arguments of the condition.
  ///   - order: The SQL sort order.
  ///   - limit: The maximum number of airports, or -1 for all.
  func airports(
    _ what: String, joining join: String? = nil, where condition: String, _ arguments: [any DatabaseValueConvertible],
    order: String, limit: Int = -1
  ) throws(AirportStoreError) -> [Airport] {
    try read(what) { db in
      let generation = try Self.generation(db)
      let row = try RowReader(
        db,
        """
        SELECT \(Self.columns) FROM airports AS a \(join.map { "JOIN " + $0 } ?? "")
        WHERE \(Self.isInUse) AND \(condition) ORDER BY \(order) LIMIT ?\(arguments.count + 2)
        """, StatementArguments([generation] + arguments + [limit] as [any DatabaseValueConvertible]))
      var airports: [Airport] = []
      while try row.next() { airports.append(try Self.airport(db, row)) }
      return airports
    }
  }

  /// Returns all airports in use, sorted by record ID.
  public func allAirports() throws(AirportStoreError) -> [Airport] {
    try airports("reading all airports", where: "true", [], order: "a.recordID")
  }

  /// Computes the digest of the rows in use, to compare with ``LoadedCycle/digest``.
  ///
  /// - Complexity: O(*n*).
  public func computedDigest() throws(AirportStoreError) -> AirportDigest {
    try read("computing the digest of all airports") { db in
      let row = try RowReader(
        db, "SELECT \(Self.columns) FROM airports AS a WHERE \(Self.isInUse)", [Self.generation(db)])
      var digest = AirportDigest()
      while try row.next() { digest.add(try Self.airport(db, row)) }
      return digest
    }
  }
}
