import ContrailAirportData
import ContrailGeodesy
import GRDB

/// Writes rows of airports and runways within a transaction.
struct AirportWriter {
  private var airports: RowWriter
  private var runways: RowWriter
  private var ends: RowWriter
  private var variations: RowWriter

  init(_ db: Database) throws {
    airports = try RowWriter(
      db,
      """
      INSERT INTO airports (
        airport, since, until, recordID, locationID, icaoID, iataID, name, city, dataSource, latitude, longitude,
        elevationMeters, variationDegrees, timeZone, longestRunwayMeters, cell, steadyHash
      ) VALUES (?, ?, \(AirportSchema.never), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    runways = try RowWriter(
      db,
      """
      INSERT INTO runways (
        runway, name, trueHeadingDegrees, lengthMeters, widthMeters, surface, elevationMeters, reciprocalName,
        takeoffRunMeters, takeoffDistanceMeters, accelerateStopDistanceMeters, landingDistanceMeters,
        displacedThresholdMeters, gradientPercent, endLatitude, endLongitude
      ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    ends = try RowWriter(db, "UPDATE airports SET until = ? WHERE airport = ?")
    variations = try RowWriter(
      db, "INSERT OR REPLACE INTO airportVariations (airport, since, degrees) VALUES (?, ?, ?)")
  }

  /// Inserts an airport that is valid from a generation on.
  mutating func insert(_ airport: Airport, _ hash: AirportHash, key: Int64, since: Int64) throws {
    airports.add(key)
    airports.add(since)
    airports.add(airport.recordID)
    airports.add(airport.locationID)
    airports.add(airport.icaoID)
    airports.add(airport.iataID)
    airports.add(airport.name)
    airports.add(airport.city)
    airports.add(airport.dataSource.rawValue)
    airports.add(airport.coordinate.latitude)
    airports.add(airport.coordinate.longitude)
    airports.add(airport.elevationMeters)
    airports.add(airport.variationDegrees)
    airports.add(airport.timeZone)
    airports.add(airport.runways.compactMap(\.lengthMeters).max())
    airports.add(PlaceCell(airport.coordinate).number)
    airports.add(Int64(bitPattern: hash.steady))
    try airports.run()
    for (ordinal, runway) in airport.runways.enumerated() {
      try insert(runway, key: Self.runwayKeys(of: key).lowerBound + Int64(ordinal))
    }
  }

  /// Returns the range of keys for the runways of an airport.
  static func runwayKeys(of airport: Int64) -> Range<Int64> {
    let count = Int64(AirportRecord.maximumRunways)
    return airport * count..<(airport + 1) * count
  }

  private mutating func insert(_ runway: Runway, key: Int64) throws {
    runways.add(key)
    runways.add(runway.name)
    runways.add(runway.trueHeadingDegrees)
    runways.add(runway.lengthMeters)
    runways.add(runway.widthMeters)
    runways.add(Int64(runway.surface.rawValue))
    runways.add(runway.elevationMeters)
    runways.add(runway.reciprocalName)
    runways.add(runway.takeoffRunMeters)
    runways.add(runway.takeoffDistanceMeters)
    runways.add(runway.accelerateStopDistanceMeters)
    runways.add(runway.landingDistanceMeters)
    runways.add(runway.displacedThresholdMeters)
    runways.add(runway.gradientPercent)
    runways.add(runway.endCoordinate?.latitude)
    runways.add(runway.endCoordinate?.longitude)
    try runways.run()
  }

  /// Ends the validity of a row at a generation.
  mutating func end(key: Int64, until: Int64) throws {
    ends.add(until)
    ends.add(key)
    try ends.run()
  }

  /// Sets the variation of a row from a generation on.
  mutating func vary(key: Int64, since: Int64, degrees: Double) throws {
    variations.add(key)
    variations.add(since)
    variations.add(degrees)
    try variations.run()
  }
}
