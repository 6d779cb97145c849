import ContrailCompression
import ContrailGeodesy
import ContrailH3
import ContrailServiceSupport
import ContrailWire
import Testing

@testable import ContrailServer
@testable import ContrailWorld

/// The forms of feeds' answers, and unusable answers.
@Suite struct FeedReaderTests {
  private func read(_ text: String, expecting kind: DayKind? = nil) throws -> FeedRecords {
    try FeedReader.complete.read(Array(text.utf8), from: "test", expecting: kind)
  }

  private static let reportHeader =
    "No errors\nNo warnings\n5 ms\ndata source=aircraftreports\n1 results\nreceipt_time,observation_time,mid_point_assumed\n"

  private func reportLine(_ values: [Int: String] = [:], text: String = "MLC UA /OV MLC/TM 1100/FL360") -> String {
    var fields = [String](repeating: "", count: 44)
    for (index, value) in [
      0: "2026-05-30T11:05:00Z", 1: "2026-05-30T11:00:00Z", 9: "34.97", 10: "-95.07", 11: "36000", 19: "MOD",
      20: "35000", 21: "37000", 42: "PIREP", 43: text,
    ].merging(values, uniquingKeysWith: { $1 }) { fields[index] = value }
    return fields.joined(separator: ",") + ",\n"
  }

  @Test func aCacheFileHasTheSameReportsAsTheJSON() throws {
    let table = try read(Self.reportHeader + reportLine())
    let json = try read(
      "["
        + DayFixture.pirep([
          "tbInt1": #""MOD""#, "tbBas1": "350", "tbTop1": "370", "rawOb": #""MLC UA /OV MLC/TM 1100/FL360""#,
          "receiptTime": #""2026-05-30T11:05:00Z""#,
        ]) + "]")
    #expect(table.pireps == json.pireps && table.pireps.count == 1)
    #expect(table.pireps.first?.reports.map(\.altitude) == [35, 36, 37])
  }

  @Test func aReportMayContainCommasAndWrongRecordsAreCounted() throws {
    let records = try read(
      Self.reportHeader + reportLine(text: "UA /OV A,B,C/FL360") + "cut,line\n" + reportLine([7: "TRUE"], text: "x")
        + reportLine([11: "0"], text: "UA /FLUNKN") + reportLine([11: "0"], text: "UA /FL000"))
    #expect(records.pireps.map(\.pirep.text) == ["UA /OV A,B,C/FL360", "UA /FLUNKN", "UA /FL000"])
    #expect(records.pireps.map(\.pirep.flightLevel) == [360, nil, 0])
    #expect(records.file.records == 5)
    #expect(records.file.count(of: .notARecord) == 1 && records.file.count(of: .withoutPosition) == 1)
  }

  @Test func anAdvisoryOfACacheFileHasTheLongitudeFirst() throws {
    let head =
      "No errors\nraw_text,valid_time_from,valid_time_to,lon:lat points,min_ft_msl,max_ft_msl,movement_dir_degrees,movement_speed_kt,hazard,severity,airsigmet_type,\n"
    let line =
      "AIRMET TANGO, UPDT 3,2026-05-30T09:00:00Z,2026-05-30T15:00:00Z,-90:40;-80:40;-80:45;-90:40,20000,38000,,,TURB,MOD,AIRMET,\n"
    let records = try read(head + line, expecting: .sigmets)
    let advisory = try #require(records.advisories.first)
    #expect(advisory.area.base == 20 && advisory.area.top == 38 && advisory.area.severity == .moderate)
    #expect(
      advisory.area.polygons.first?.outer.contains(FixedCoordinate(latitudeE7: 450_000_000, longitudeE7: -800_000_000))
        == true)
    #expect(advisory.end == DayFixture.eleven + 4 * 3600)
  }

  @Test func aGAirmetOfXMLIsTheSameAsOfJSON() throws {
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <response><data num_results="1"><GAIRMET><receipt_time>2026-05-30T10:50:00Z</receipt_time>
      <issue_time>2026-05-30T10:50:00Z</issue_time><expire_time>2026-05-30T17:00:00Z</expire_time>
      <valid_time>2026-05-30T11:00:00Z</valid_time><product>TANGO</product><tag>1W</tag>
      <hazard type="TURB-HI" severity="MOD"/><geometry_type>AREA</geometry_type>
      <altitude min_ft_msl="18000" max_ft_msl="30000"/><area num_points="4">
      <point><longitude>-116.5</longitude><latitude>44.5</latitude></point>
      <point><longitude>-116.5</longitude><latitude>40.5</latitude></point>
      <point><longitude>-110.5</longitude><latitude>40.5</latitude></point>
      <point><longitude>-116.5</longitude><latitude>44.5</latitude></point></area></GAIRMET></data></response>
      """
    let json = try read("[\(DayFixture.gAirmet())]")
    #expect(try read(xml).advisories == json.advisories && json.advisories.count == 1)
  }

  @Test func anAircraftOfAReceiverIsSeenBeforeTheAnswer() throws {
    let records = try read(
      #"{"now":1652867171.3,"aircraft":[{"hex":"3C4582","flight":"PEA302  ","alt_baro":24850,"gs":398.7,"track":-10,"lat":50.1,"lon":1.2,"seen_pos":7.1},{"hex":"a","alt_baro":"ground","lat":1,"lon":1,"seen_pos":1},{"hex":"b","seen":3},{"hex":"c","lat":1,"lon":1,"seen_pos":400},{"lat":1,"lon":1},7]}"#
    )
    #expect(
      records.snapshots.first?.positions == [
        TrafficPosition(
          id: "3c4582", callsign: "PEA302", position: FixedCoordinate(latitudeE7: 501_000_000, longitudeE7: 12_000_000),
          altitudeFeet: 24_850, groundSpeedKnots: 399, trackDegrees: 350, observedAt: 1_652_867_164)
      ])
    #expect(records.file.notes.map(\.oddity) == [.onGround, .withoutPosition, .stale, .withoutAddress, .notARecord])
    let old = try read(#"{"now":1652867171,"ac":[{"hex":"a","altitude":100,"speed":20,"lat":1,"lon":1,"seen":1}]}"#)
    #expect(old.snapshots.first?.positions.first?.groundSpeedKnots == 20)
  }

  @Test func severalAreasOfARecordArePolygons() throws {
    let records = try read(
      #"[{},{"firId":"SBAO","hazard":"TURB","validTimeFrom":1780135200,"validTimeTo":1780149600,"base":null,"top":32000,"geom":"AREAS","coords":[[{"lon":1,"lat":1},{"lon":3,"lat":1},{"lon":3,"lat":3}],[{"lon":11,"lat":1},{"lon":13,"lat":1},{"lon":13,"lat":3}]]}]"#,
      expecting: .sigmets)
    #expect(records.advisories.first?.area.polygons.count == 2 && records.file.count(of: .notARecord) == 1)
  }

  @Test func compressedAnswersAreRead() throws {
    let json = Array("[\(DayFixture.pirep())]".utf8)
    let gzip = try #require(Gzip.packed(json))
    #expect(try FeedReader.complete.read(gzip, from: "test", expecting: .pireps).pireps.count == 1)
    // A bomb: the limit is that of the decompressed answer.
    let bomb = try #require(Gzip.packed([UInt8](repeating: 0x20, count: FeedReader.maximumBytes + 1)))
    #expect(throws: FeedError.damaged(reason: "unpacked, it has more than 16777216 bytes")) {
      try FeedReader.complete.read(bomb, from: "test", expecting: .pireps)
    }
  }

  @Test func anAnswerOfAnotherKindIsRefusedAsAWhole() {
    #expect(throws: FeedError.empty) { try read("  \n") }
    #expect(throws: FeedError.webPage) { try read("<!DOCTYPE html><html></html>") }
    #expect(throws: FeedError.webPage) { try read("\u{FEFF}<HTML>login</HTML>") }
    #expect(throws: FeedError.damaged(reason: "it isn't valid XML")) { try read("<?xml version=\"1.0\"?><response>") }
    #expect(throws: FeedError.unknownForm(found: "XML of another kind")) { try read("<feed/>") }
    #expect(throws: FeedError.unknownForm(found: "text without a known header")) { try read("404 not found") }
    #expect(throws: FeedError.unknownForm(found: "an object with error")) { try read(#"{"error":"maintenance"}"#) }
    #expect(throws: FeedError.otherKind(found: .states, expected: .pireps)) {
      try read(#"{"now":1,"aircraft":[]}"#, expecting: .pireps)
    }
    #expect(throws: FeedError.self) { try read(#"[{"rawOb":"UA","#, expecting: .pireps) }
  }

  @Test func anEmptyListIsAnAnswer() throws {
    #expect(try read("[]", expecting: .pireps).count == 0)
    #expect(try read(#"{"type":"FeatureCollection","features":[]}"#, expecting: .sigmets).kind == .sigmets)
    #expect(throws: FeedError.self) { try read("[]") }
  }

  @Test func entitiesOfXMLAreNotExpandedWithoutEnd() {
    var text =
      "<?xml version=\"1.0\"?><!DOCTYPE response [<!ENTITY a \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\">"
    for (name, previous) in zip("bcdefghij", "abcdefghi") {
      text += "<!ENTITY \(name) \"\(String(repeating: "&\(previous);", count: 30))\">"
    }
    text += "]><response><data><GAIRMET><tag>&j;</tag></GAIRMET></data></response>"
    #expect(throws: FeedError.self) { try read(text) }
  }
}
