#if Online
  /// A place where simulated flights begin and end.
  struct Airport: Sendable, Hashable {
    /// What decides which airports are joined by how many flights.
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
    /// Degrees.
    let latitude: Double
    /// Degrees.
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
#endif
