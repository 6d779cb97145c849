import ContrailGeodesy
import ContrailH3
import ContrailServiceSupport
import ContrailWire
import Testing

@testable import ContrailWorld

/// SIGMETs and G-AIRMETs in all their forms.
@Suite struct AdvisoryReaderTests {
  private let fixture: DayFixture

  init() throws {
    fixture = try DayFixture()
  }

  private func day(_ records: String...) throws -> RecordedDay {
    try RecordedDay(sigmets: [try fixture.list("records.json", records)])
  }

  private func only(_ record: String) throws -> Advisory {
    try #require(try day(record).advisories.first)
  }

  @Test func aGAirmetIsAnAreaAroundItsMoment() throws {
    let advisory = try only(DayFixture.gAirmet())
    #expect(advisory.area.advisory == "G-AIRMET TURB-HI 1W" && advisory.area.severity == .moderate)
    #expect(advisory.area.base == 18 && advisory.area.top == 30 && advisory.area.count == 1)
    #expect(advisory.arrival == DayFixture.eleven - 600 && advisory.start == DayFixture.eleven - 600)
    #expect(advisory.end == DayFixture.eleven + 5400)
    let forecast = try only(DayFixture.gAirmet(["validTime": #""2026-05-30T14:00:00.000Z""#, "forecastHour": "3"]))
    #expect(forecast.start == DayFixture.eleven + 5400, "where the picture before it ends")
  }

  @Test(arguments: [
    (#""180""#, #""300""#, 18, 30), (#""SFC""#, #""095""#, 0, 10), ("null", "null", 0, 52), (#""""#, #""0""#, 0, 52),
    (#""FZL""#, #""125""#, 8, 13), ("185", "299", 18, 30), (#""300""#, #""180""#, 18, 30),
    (#""250""#, #""700""#, 25, 52),
  ]) func levelsAreHundredsOfFeetAndRoundedOutward(base: String, top: String, low: UInt8, high: UInt8) throws {
    let area = try only(DayFixture.gAirmet(["base": base, "top": top, "fzlbase": #""080""#])).area
    #expect(area.base == low && area.top == high)
  }

  @Test(arguments: [
    (#""MOD""#, TurbulenceSeverity.moderate), ("null", .moderate), (#""LGT""#, .light), (#""SEV""#, .moderateSevere),
    (#""HUGE""#, .moderate),
  ]) func aSeverityThatIsNotGivenIsModerate(given: String, severity: TurbulenceSeverity) throws {
    let day = try day(DayFixture.gAirmet(["severity": given]))
    #expect(day.advisories.map(\.area.severity) == [severity])
    #expect(day.report.files.first?.count(of: .unknownSeverity) == (given == #""HUGE""# ? 1 : 0))
  }

  @Test func aSIGMETIsSevereAndLastsToItsEnd() throws {
    let snapshot = #"{"snapshot":"2026-05-30T10:10Z","geojson":\#(DayFixture.collection([DayFixture.sigmet()]))}"#
    let later = #"{"snapshot":"2026-05-30T11:10Z","geojson":\#(DayFixture.collection([DayFixture.sigmet()]))}"#
    let path = try fixture.file("snapshots.jsonl", [later, snapshot].reversed().joined(separator: "\n"))
    let day = try RecordedDay(sigmets: [path])
    let advisory = try #require(day.advisories.first)
    #expect(day.advisories.count == 1, "the second snapshot has the same")
    #expect(advisory.area.advisory == "SIGMET WHISKEY 1" && advisory.area.severity == .moderateSevere)
    #expect(advisory.area.base == 17 && advisory.area.top == 25)
    #expect(advisory.arrival == DayFixture.eleven - 3000 && advisory.end == DayFixture.eleven + 10_800)
    #expect(day.report.files.first?.count(of: .double) == 1)
  }

  @Test(
    arguments: [
      (["altitudeLow1": "null"], 0, 25), (["altitudeHi2": "null"], 17, 52), (["altitudeHi2": "0"], 17, 52),
      (["altitudeLow2": "9500", "altitudeHi1": "31500"], 9, 32), (["altitudeLow1": "30000"], 25, 30),
    ] as [([String: String], UInt8, UInt8)])
  func aSIGMETReachesFromItsLowestBaseToItsHighestTop(properties: [String: String], low: UInt8, high: UInt8) throws {
    let path = try fixture.file("s.json", DayFixture.collection([DayFixture.sigmet(properties)]))
    let area = try #require(try RecordedDay(sigmets: [path]).advisories.first?.area)
    #expect(area.base == low && area.top == high)
  }

  @Test func theAviationWeatherCentersOwnSIGMETsAreReadToo() throws {
    let record = DayFixture.gAirmet([
      "forecastHour": "null", "airSigmetType": #""SIGMET""#, "hazard": #""TURB""#, "seriesId": #""UNIFORM 1""#,
      "receiptTime": #""2026-05-30T10:19:24.246Z""#, "validTimeFrom": "\(DayFixture.eleven)",
      "validTimeTo": "\(DayFixture.eleven + 7200)", "altitudeLow1": "10000", "altitudeHi1": "null", "base": "null",
      "top": "null",
      "altitudeHi2": "15000",
    ])
    let advisory = try only(record)
    #expect(advisory.area.advisory == "SIGMET UNIFORM 1" && advisory.area.severity == .moderateSevere)
    #expect(advisory.area.base == 10 && advisory.area.top == 15)
    #expect(advisory.start == DayFixture.eleven - 2436 && advisory.end == DayFixture.eleven + 7200)
  }

  @Test func thoseOfTheRestOfTheWorldHaveFeetAndARegion() throws {
    let advisory = try only(
      DayFixture.gAirmet([
        "forecastHour": "null", "firId": #""EGTT""#, "seriesId": #""3""#, "hazard": #""TURB""#,
        "qualifier": #""SEV""#,
        "base": "24000", "top": "38000", "validTimeTo": "\(DayFixture.eleven + 7200)", "validTime": "null",
      ]))
    #expect(advisory.area.advisory == "SIGMET EGTT 3" && advisory.area.severity == .moderateSevere)
    #expect(advisory.area.base == 24 && advisory.area.top == 38 && advisory.end == DayFixture.eleven + 7200)
  }

  @Test func oneBadRecordSpoilsNoOther() throws {
    let open = DayFixture.corners([("44.5", "-116.5"), ("40.5", "-116.5"), ("40.5", "-110.5")])
    let day = try day(
      DayFixture.gAirmet(["hazard": #""ICE""#]), DayFixture.gAirmet(["geometryType": #""LINE""#]), "[]",
      DayFixture.gAirmet(["coords": "null"]), DayFixture.gAirmet(["coords": "[]"]),
      DayFixture.gAirmet(["coords": DayFixture.corners([("44", "1"), ("x", "2"), ("45", "3")])]),
      DayFixture.gAirmet(["coords": DayFixture.corners([("44", "1"), ("45", "2"), ("46", "3"), ("44", "1")])]),
      DayFixture.gAirmet(["validTime": "null"]), DayFixture.gAirmet(["tag": #""2W""#, "coords": open]),
      DayFixture.gAirmet(["tag": #""3W""#, "base": #""300""#, "top": #""180""#]),
      DayFixture.sigmet(geometry: #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#),
      DayFixture.sigmet(geometry: #"{"type":"Point","coordinates":[1,2]}"#), DayFixture.sigmet(geometry: "null"))
    let file = try #require(day.report.files.first)
    #expect(file.records == 13 && file.served == 2)
    let counts: [DayOddity: Int] = [
      .otherHazard: 1, .line: 2, .notARecord: 1, .unknownGeometry: 3, .withoutArea: 2, .impossiblePosition: 1,
      .withoutTime: 1, .openRing: 1, .invertedAltitudes: 1,
    ]
    #expect(Dictionary(uniqueKeysWithValues: file.notes.map { ($0.oddity, $0.count) }) == counts)
  }

  @Test func ringsAreClosedAndCounterClockwiseWhateverTheyWere() throws {
    // A rectangle in every order and from every corner: never the rest of the earth.
    let corners = [("50", "-90"), ("50", "-80"), ("40", "-80"), ("40", "-90")]
    for order in [corners, corners.reversed()] {
      for start in 0..<4 {
        let ring = Array(order[start...] + order[..<start])
        for ring in [ring, ring + [ring[0]], ring + [ring[0], ring[0]]] {
          let area = try only(DayFixture.gAirmet(["coords": DayFixture.corners(ring)])).area
          let outer = try #require(area.polygons.first?.outer)
          #expect(area.polygons.count == 1 && outer.first == outer.last && outer.count == 5)
          #expect(Dissolve.signedArea(outer) == 100)
        }
      }
    }
  }

  @Test func anAreaAcrossTheAntimeridianIsCut() throws {
    let ring = DayFixture.corners([("50", "175"), ("60", "-175"), ("50", "-175")])
    let area = try only(DayFixture.gAirmet(["coords": ring])).area
    #expect(area.polygons.count == 2)
    #expect(TurbulenceAreasTests.fault(of: area) == nil)
    #expect(area.meets(Samples.rectangle(west: 178, south: 50, east: 179, north: 54)))
    #expect(area.meets(Samples.rectangle(west: -179, south: 50, east: -178, north: 54)))
    #expect(!area.meets(Samples.rectangle(west: -60, south: 30, east: -20, north: 60)))
  }

  @Test func severalPolygonsAndHolesAreKept() throws {
    let square = "[[0,0],[10,0],[10,10],[0,10],[0,0]]"
    let geometry =
      #"{"type":"MultiPolygon","coordinates":[[\#(square),[[4,4],[6,4],[6,6],[4,6],[4,4]]],"#
      + "[[[20,0],[30,0],[30,10],[20,0]]]]}"
    let path = try fixture.file("m.json", DayFixture.collection([DayFixture.sigmet(geometry: geometry)]))
    let area = try #require(try RecordedDay(sigmets: [path]).advisories.first?.area)
    #expect(area.polygons.map(\.holes.count) == [1, 0])
    #expect(TurbulenceAreasTests.fault(of: area) == nil)
  }

  @Test func aFileOfSomethingElseIsNamed() throws {
    let path = try fixture.list("pireps.json", [DayFixture.pirep()])
    let error = #expect(throws: DayError.self) { try RecordedDay(sigmets: [path]) }
    #expect(error?.code == "notWhatItShouldBe")
  }
}
