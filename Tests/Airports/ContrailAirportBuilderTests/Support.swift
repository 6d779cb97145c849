import ContrailAirportBuilder
import ContrailAirportData
import Foundation

/// A directory with source files, gone when the value is released.
final class Sources {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("contrail-build-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func write(_ name: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path(name))) }

  func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  static let cycle = AIRACCycle(identifier: "2511") ?? .first

  // MARK: OurAirports

  static let airportColumns =
    "id,ident,type,name,latitude_deg,longitude_deg,elevation_ft,continent,iso_country,municipality,icao_code,iata_code,gps_code,local_code"
  static let runwayColumns =
    "id,airport_ref,length_ft,width_ft,surface,closed,le_ident,le_latitude_deg,le_longitude_deg,le_elevation_ft,le_heading_degT,le_displaced_threshold_ft,he_ident,he_latitude_deg,he_longitude_deg,he_elevation_ft,he_heading_degT,he_displaced_threshold_ft"

  func ourAirports(_ airports: String, runways: String = "") throws -> AirportSources.OurAirports {
    try write("airports.csv", Self.airportColumns + "\n" + airports)
    try write("runways.csv", Self.runwayColumns + "\n" + runways)
    return try AirportSources.OurAirports(directory: folder.path)
  }

  // MARK: NASR

  static let baseColumns =
    "EFF_DATE,SITE_NO,SITE_TYPE_CODE,ARPT_ID,CITY,ARPT_NAME,LAT_DECIMAL,LONG_DECIMAL,ELEV,MAG_VARN,MAG_HEMIS,ARPT_STATUS,ICAO_ID"
  static let nasrRunwayColumns = "SITE_NO,SITE_TYPE_CODE,RWY_ID,RWY_LEN,RWY_WIDTH,SURFACE_TYPE_CODE"
  static let endColumns =
    "SITE_NO,SITE_TYPE_CODE,RWY_ID,RWY_END_ID,TRUE_ALIGNMENT,LAT_DECIMAL,LONG_DECIMAL,RWY_END_ELEV,DISPLACED_THR_LEN,RWY_GRAD,RWY_GRAD_DIRECTION,TKOF_RUN_AVBL,TKOF_DIST_AVBL,ACLT_STOP_DIST_AVBL,LNDG_DIST_AVBL"

  func nasr(_ base: String, runways: String = "", ends: String = "") throws -> AirportSources.NASR {
    try write("APT_BASE.csv", Self.baseColumns + "\r\n" + base)
    try write("APT_RWY.csv", Self.nasrRunwayColumns + "\r\n" + runways)
    try write("APT_RWY_END.csv", Self.endColumns + "\r\n" + ends)
    return try AirportSources.NASR(directory: folder.path)
  }

  func merge(
    nasr: AirportSources.NASR? = nil, ourAirports: AirportSources.OurAirports? = nil,
    options: BuildOptions = BuildOptions()
  ) throws -> (airports: [Airport], report: BuildReport) {
    let merged = try AirportBuilder.merge(
      AirportSources(nasr: nasr, ourAirports: ourAirports), cycle: Self.cycle, options: options)
    return (merged.airports, merged.report)
  }
}
