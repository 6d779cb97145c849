/// An origin or destination of simulated flights.
struct Airport: Sendable, Hashable {
  /// The region, which determines the number of flights between airports.
  enum Region: UInt8, Sendable {
    case northAmerica
    case europe
    case asia
    case middleEast
    case africa
    case southAmerica
    case oceania
  }

  let icao: String
  let region: Region
  /// The latitude in degrees.
  let latitude: Double
  /// The longitude in degrees.
  let longitude: Double
  let elevationFeet: Int

  init(_ icao: String, _ region: Region, _ latitude: Double, _ longitude: Double, _ elevationFeet: Int) {
    self.icao = icao
    self.region = region
    self.latitude = latitude
    self.longitude = longitude
    self.elevationFeet = elevationFeet
  }
}
