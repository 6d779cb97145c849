public import ContrailGeodesy

/// An airport, as one cycle has it.
///
/// Lengths and elevations are in metres, as the sources' files have them, with accessors in feet beside them; angles in degrees. What
/// a source doesn't say is nil, never a zero.
public struct Airport: Hashable, Sendable, Identifiable {
  /// The source's own key: a NASR site number and type such as `50433.2*A`, or an OurAirports id. One airport in a cycle has it.
  public var recordID: String
  /// The identifier of the country's authority, for the United States the FAA's: `SGF`, `4C8`. Not always unique.
  public var locationID: String
  /// The ICAO location indicator: `KSGF`. Not always unique.
  public var icaoID: String?
  /// The IATA code: `SGF`.
  public var iataID: String?
  /// The name.
  public var name: String
  /// The city that it serves.
  public var city: String?
  /// Where the record comes from.
  public var dataSource: AirportDataSource
  /// The reference point, WGS 84.
  public var coordinate: Coordinate
  /// The field elevation above mean sea level, in metres.
  public var elevationMeters: Double?
  /// The magnetic variation in degrees: positive where magnetic north lies east of true north.
  public var variationDegrees: Double?
  /// The name of the time zone in the IANA database: `America/Chicago`.
  public var timeZone: String?
  /// The runways, each direction of use by itself, in the order of the source.
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

  /// The runways, the longest first; those of unknown length last, and equals in the order of the source.
  ///
  /// - Complexity: O(*n* log *n*).
  public var runwaysLongestFirst: [Runway] {
    runways.enumerated().sorted { a, b in
      let (left, right) = (a.element.lengthMeters ?? -.infinity, b.element.lengthMeters ?? -.infinity)
      return left == right ? a.offset < b.offset : left > right
    }.map(\.element)
  }

  /// The runway of a name, such as `09L`; the first if the source has several.
  public func runway(named name: String) -> Runway? { runways.first { $0.name == name } }
}
