import ContrailTestSupport

/// Files of a day, made by hand, in a directory that goes when the test ends.
package struct DayFixture {
  private let directory: TemporaryDirectory

  package init() throws {
    directory = try TemporaryDirectory()
  }

  /// Writes a file and returns its path.
  package func file(_ name: String, _ bytes: some Collection<UInt8>) throws -> String {
    try TemporaryDirectory.put(bytes, directory.file(name))
    return directory.file(name)
  }

  package func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }

  /// A list of records.
  package func list(_ name: String, _ records: [String]) throws -> String {
    try file(name, "[\n" + records.joined(separator: ",\n") + "\n]\n")
  }

  /// 2026-05-30 11:00 UTC.
  package static let eleven: Int64 = 1_780_138_800

  /// A PIREP at flight level 360 near McAlester, observed at eleven and received five minutes later; members, as JSON, in place of
  /// its own.
  package static func pirep(_ members: [String: String] = [:]) -> String {
    object(
      [
        "obsTime": "\(eleven)", "receiptTime": #""2026-05-30T11:05:00.500Z""#, "lat": "34.97", "lon": "-95.07",
        "fltLvl": "360", "fltLvlType": #""OTHER""#, "tbInt1": #""""#, "tbBas1": "null", "tbTop1": "null",
        "tbInt2": #""""#, "tbBas2": "null", "tbTop2": "null", "clouds": "null", "pirepType": #""PIREP""#,
        "rawOb": #""MLC UA /OV MLC/TM 1100/FL360/TP B738 ""#,
      ].merging(members) { $1 })
  }

  /// A G-AIRMET for turbulence of the Aviation Weather Center, valid at eleven.
  package static func gAirmet(_ members: [String: String] = [:]) -> String {
    object(
      [
        "tag": #""1W""#, "forecastHour": "0", "validTime": #""2026-05-30T11:00:00.000Z""#, "hazard": #""TURB-HI""#,
        "geometryType": #""AREA""#, "severity": #""MOD""#, "base": #""180""#, "top": #""300""#, "fzlbase": "null",
        "receiptTime": "\(eleven - 600)", "expireTime": "\(eleven + 21_600)",
        "coords": corners([("44.5", "-116.5"), ("40.5", "-116.5"), ("40.5", "-110.5"), ("44.5", "-116.5")]),
      ].merging(members) { $1 })
  }

  /// A SIGMET for turbulence as GeoJSON, as snapshots have it.
  package static func sigmet(_ properties: [String: String] = [:], geometry: String = polygon) -> String {
    let own = [
      "airSigmetType": #""SIGMET""#, "hazard": #""TURB""#, "severity": "5", "altitudeLow1": "17000",
      "altitudeLow2": "null", "altitudeHi1": "null", "altitudeHi2": "25000",
      "rawAirSigmet": #""WSUS03 KKCI 301000\nCHIW WS 301000\nSIGMET WHISKEY 1 VALID UNTIL 301400\nSIGMET \nMN IA""#,
      "validTimeTo": #"["2026-05-30T14:00"]"#,
    ]
    return #"{"type":"Feature","geometry":\#(geometry),"properties":\#(object(own.merging(properties) { $1 }))}"#
  }

  package static let polygon =
    #"{"type":"Polygon","coordinates":[[[-90.6,47.2],[-87.1,46.6],[-90.4,38.0],[-92.9,37.7],[-90.6,47.2]]]}"#

  package static func collection(_ features: [String]) -> String {
    #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
  }

  /// Corners as texts of latitude and longitude, which is how G-AIRMETs have them.
  package static func corners(_ corners: [(String, String)]) -> String {
    "[" + corners.map { #"{"lat":"\#($0.0)","lon":"\#($0.1)"}"# }.joined(separator: ",") + "]"
  }

  /// A state of OpenSky at eleven; values, as JSON, in place of its own by their positions.
  package static func state(_ address: String, _ values: [Int: String] = [:]) -> String {
    var state = [
      "\"\(address)\"", #""SWR12K  ""#, #""Switzerland""#, "\(eleven - 2)", "\(eleven - 1)", "8.5", "47.5", "10972.8",
      "false", "231.5", "359.7", "0", "null", "11000", "null", "false", "0",
    ]
    for (index, value) in values { state[index] = value }
    return "[" + state.joined(separator: ",") + "]"
  }

  package static func states(_ states: [String], time: Int64 = eleven) -> String {
    #"{"time":\#(time),"states":[\#(states.joined(separator: ","))]}"#
  }

  private static func object(_ members: [String: String]) -> String {
    "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
  }
}
