import ContrailAirportData
import ContrailGeodesy
import ContrailLog

/// An airport in a row of `airports.csv` of OurAirports.
///
/// The format is described at https://ourairports.com/help/data-dictionary.html. `NA` is a value: North America as a
/// continent, Namibia as a country.
struct OurAirportsSite {
  static let columns = [
    "id", "ident", "type", "name", "latitude_deg", "longitude_deg", "elevation_ft", "municipality", "gps_code",
    "iata_code", "local_code",
  ]

  let site: Site

  init(_ row: inout NamedRow) throws(InputError) {
    let type = try row.required("type")
    guard let kind = AirportKind(ourAirports: type) ?? (type == "closed" ? .airport : nil) else {
      throw InputError(.row, "type '\(type)' is unknown")
    }
    let id = try row.required("id")
    guard id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw InputError(.row, "id isn't a number: '\(id.prefix(40))'")
    }
    let ident = try row.required("ident")
    let gps = row.text("gps_code")
    var airport = Airport(
      recordID: id, locationID: row.text("local_code") ?? ident, icaoID: row.text("icao_code"),
      iataID: row.text("iata_code"), name: row.text("name") ?? ident, city: row.text("municipality"),
      dataSource: .ourAirports, coordinate: try row.coordinate("latitude_deg", "longitude_deg"))
    airport.elevationMeters = meters(feet: row.value("elevation_ft", in: Ranges.elevationFeet))
    var site = Site(airport: airport, kind: kind, isClosed: type == "closed")
    // If there is no ICAO indicator, both columns may contain an FAA identifier with a leading K.
    let others = [ident, gps].compactMap { $0 }
    site.globalIDs = others
    site.otherIDs = others + others.filter { $0.utf8.count == 4 && $0.hasPrefix("K") }.map { String($0.dropFirst()) }
    self.site = site
  }
}

/// A runway in a row of `runways.csv` of OurAirports, with one or two ends.
struct OurAirportsRunway {
  static let columns = [
    "id", "airport_ref", "length_ft", "width_ft", "surface", "closed", "le_ident", "le_latitude_deg",
    "le_longitude_deg", "le_elevation_ft", "le_heading_degT", "le_displaced_threshold_ft", "he_ident",
    "he_latitude_deg", "he_longitude_deg", "he_elevation_ft", "he_heading_degT", "he_displaced_threshold_ft",
  ]

  /// The runway with both ends, including ends without a name.
  let runway: SiteRunway
  let surfaceText: String?

  init(_ row: inout NamedRow) throws(InputError) {
    surfaceText = row.text("surface")
    let length = row.text("length_ft") == "0" ? nil : meters(feet: row.value("length_ft", in: Ranges.lengthFeet))
    let width = row.text("width_ft") == "0" ? nil : meters(feet: row.value("width_ft", in: Ranges.widthFeet))
    var directions: [Runway] = []
    for end in ["le", "he"] {
      // Ends without a name are also read, because their position gives the heading of the other end.
      var direction = Runway(name: row.text("\(end)_ident") ?? "", lengthMeters: length, widthMeters: width)
      direction.trueHeadingDegrees = heading(row.value("\(end)_heading_degT", in: Ranges.headingDegrees))
      direction.endCoordinate = row.place("\(end)_latitude_deg", "\(end)_longitude_deg")
      direction.elevationMeters = meters(feet: row.value("\(end)_elevation_ft", in: Ranges.elevationFeet))
      direction.displacedThresholdMeters = meters(
        feet: row.value("\(end)_displaced_threshold_ft", in: Ranges.declaredFeet))
      directions.append(direction)
    }
    runway = SiteRunway(
      site: try row.required("airport_ref"), directions: directions, isClosed: row.text("closed") == "1")
  }
}
