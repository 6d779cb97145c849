import ContrailAirportData
import ContrailGeodesy
import ContrailLog

/// A site in a row of `APT_BASE.csv`.
///
/// The columns are those of the FAA's "APT_CSV DATA STRUCTURE" of the NASR CSV subscription.
struct NASRSite {
  static let columns = [
    "SITE_NO", "SITE_TYPE_CODE", "ARPT_ID", "CITY", "ARPT_NAME", "LAT_DECIMAL", "LONG_DECIMAL", "ELEV", "MAG_VARN",
    "MAG_HEMIS", "ARPT_STATUS", "ICAO_ID",
  ]

  let site: Site
  /// The first day of the cycle of the row.
  let effectiveDay: CivilDay?

  init(_ row: inout NamedRow) throws(InputError) {
    let type = try row.required("SITE_TYPE_CODE")
    guard let kind = AirportKind(nasr: type) else { throw InputError(.row, "SITE_TYPE_CODE '\(type)' is unknown") }
    var airport = Airport(
      recordID: try Self.key(row), locationID: try row.required("ARPT_ID"), icaoID: row.text("ICAO_ID"),
      name: try row.required("ARPT_NAME"), city: row.text("CITY"), dataSource: .nasr,
      coordinate: try row.coordinate("LAT_DECIMAL", "LONG_DECIMAL"))
    airport.elevationMeters = meters(feet: row.value("ELEV", in: Ranges.elevationFeet))
    switch (row.value("MAG_VARN", in: 0...180), row.text("MAG_HEMIS")) {
    case (let degrees?, "E"): airport.variationDegrees = degrees
    case (let degrees?, "W"): airport.variationDegrees = degrees == 0 ? 0 : -degrees
    default: break
    }
    // O is operational, CI is closed indefinitely, CP is closed permanently.
    site = Site(airport: airport, kind: kind, isClosed: row.text("ARPT_STATUS")?.hasPrefix("C") ?? false)
    effectiveDay = row.text("EFF_DATE").flatMap(Self.day)
  }

  /// Returns the unique key of a site. The site number alone isn't unique.
  static func key(_ row: NamedRow) throws(InputError) -> String {
    "\(try row.required("SITE_NO"))*\(try row.required("SITE_TYPE_CODE"))"
  }

  private static func day(_ text: String) -> CivilDay? {
    let parts = text.split(separator: "/").compactMap { Int($0) }
    return parts.count == 3 ? CivilDay(year: parts[0], month: parts[1], day: parts[2]) : nil
  }
}

/// A runway in a row of `APT_RWY.csv`, without its ends.
struct NASRRunway {
  static let columns = ["SITE_NO", "SITE_TYPE_CODE", "RWY_ID", "RWY_LEN", "RWY_WIDTH", "SURFACE_TYPE_CODE"]

  let site: String
  let name: String
  let lengthMeters: Double?
  let widthMeters: Double?
  let surfaceText: String?

  init(_ row: inout NamedRow) throws(InputError) {
    site = try NASRSite.key(row)
    name = try row.required("RWY_ID")
    // NASR uses 0 for unknown values.
    lengthMeters = row.text("RWY_LEN") == "0" ? nil : meters(feet: row.value("RWY_LEN", in: Ranges.lengthFeet))
    widthMeters = row.text("RWY_WIDTH") == "0" ? nil : meters(feet: row.value("RWY_WIDTH", in: Ranges.widthFeet))
    surfaceText = row.text("SURFACE_TYPE_CODE")
  }
}

/// A runway end in a row of `APT_RWY_END.csv`, which is one direction of use.
struct NASRRunwayEnd {
  static let columns = [
    "SITE_NO", "SITE_TYPE_CODE", "RWY_ID", "RWY_END_ID", "TRUE_ALIGNMENT", "LAT_DECIMAL", "LONG_DECIMAL",
    "RWY_END_ELEV", "DISPLACED_THR_LEN", "RWY_GRAD", "RWY_GRAD_DIRECTION", "TKOF_RUN_AVBL", "TKOF_DIST_AVBL",
    "ACLT_STOP_DIST_AVBL", "LNDG_DIST_AVBL",
  ]

  let site: String
  let runwayName: String
  let direction: Runway

  init(_ row: inout NamedRow) throws(InputError) {
    site = try NASRSite.key(row)
    runwayName = try row.required("RWY_ID")
    var direction = Runway(name: try row.required("RWY_END_ID"))
    direction.trueHeadingDegrees = heading(row.value("TRUE_ALIGNMENT", in: Ranges.headingDegrees))
    direction.endCoordinate = row.place("LAT_DECIMAL", "LONG_DECIMAL")
    direction.elevationMeters = meters(feet: row.value("RWY_END_ELEV", in: Ranges.elevationFeet))
    direction.displacedThresholdMeters = meters(feet: row.value("DISPLACED_THR_LEN", in: Ranges.declaredFeet))
    direction.takeoffRunMeters = meters(feet: row.value("TKOF_RUN_AVBL", in: Ranges.declaredFeet))
    direction.takeoffDistanceMeters = meters(feet: row.value("TKOF_DIST_AVBL", in: Ranges.declaredFeet))
    direction.accelerateStopDistanceMeters = meters(feet: row.value("ACLT_STOP_DIST_AVBL", in: Ranges.declaredFeet))
    direction.landingDistanceMeters = meters(feet: row.value("LNDG_DIST_AVBL", in: Ranges.declaredFeet))
    let gradient = row.value("RWY_GRAD", in: Ranges.gradientPercent)
    switch row.text("RWY_GRAD_DIRECTION")?.first {
    case "D": direction.gradientPercent = gradient.map { $0 == 0 ? 0 : -$0.magnitude }
    case "U": direction.gradientPercent = gradient?.magnitude
    // Without a direction, only a gradient of zero is meaningful.
    default: direction.gradientPercent = gradient == 0 ? 0 : nil
    }
    self.direction = direction
  }
}
