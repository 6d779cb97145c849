public import ContrailGeodesy

/// An airport in one cycle.
///
/// Lengths and elevations are in metres, as in the source files, with additional properties in feet. Angles are in
/// degrees. Values that the source doesn't contain are `nil`, never zero.
public struct Airport: Hashable, Sendable, Identifiable {
  /// The key in the source: a NASR site number and type such as `50433.2*A`, or an OurAirports id. It is unique within
  /// a cycle.
  public var recordID: String
  /// The identifier of the national authority, such as the FAA's: `SGF`, `4C8`. It isn't always unique.
  public var locationID: String
  /// The ICAO location indicator: `KSGF`. It isn't always unique.
  public var icaoID: String?
  /// The IATA code: `SGF`.
  public var iataID: String?
  /// The name.
  public var name: String
  /// The city that the airport serves.
  public var city: String?
  /// The source of the record.
  public var dataSource: AirportDataSource
  /// The reference point in WGS 84.
  public var coordinate: Coordinate
  /// The field elevation above mean sea level, in metres.
  public var elevationMeters: Double?
  /// The magnetic variation in degrees, positive if magnetic north is east of true north.
  public var variationDegrees: Double?
  /// The name of the time zone in the IANA database, such as `America/Chicago`.
  public var timeZone: String?
  /// The runway directions, in source order.
  public var runways: [Runway]

  public init(
    recordID: String, locationID: String, icaoID: String? = nil, iataID: String? = nil, name: String,
    city: String? = nil,
    dataSource: AirportDataSource, coordinate: Coordinate, elevationMeters: Double? = nil,
    variationDegrees: Double? = nil, timeZone: String? = nil, runways: [Runway] = []
  ) {
    self.recordID = recordID
    self.locationID = locationID
    self.icaoID = icaoID
    self.iataID = iataID
    self.name = name
    self.city = city
    self.dataSource = dataSource
    self.coordinate = coordinate
    self.elevationMeters = elevationMeters
    self.variationDegrees = variationDegrees
    self.timeZone = timeZone
    self.runways = runways
  }

  public var id: String { recordID }

  /// The field elevation above mean sea level, in feet.
  public var elevationFeet: Double? { elevationMeters.map { $0 / Runway.metersPerFoot } }

  /// The runway directions, longest first. Unknown lengths come last, and equal lengths are in source order.
  ///
  /// - Complexity: O(*n* log *n*).
  public var runwaysLongestFirst: [Runway] {
    runways.enumerated().sorted { a, b in
      let (left, right) = (a.element.lengthMeters ?? -.infinity, b.element.lengthMeters ?? -.infinity)
      return left == right ? a.offset < b.offset : left > right
    }.map { $0.element }
  }

  /// Returns the first runway direction with a name, such as `09L`, or `nil` if no runway has it.
  public func runway(named name: String) -> Runway? { runways.first { $0.name == name } }
}
