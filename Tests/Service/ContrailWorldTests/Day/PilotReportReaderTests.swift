import ContrailCompression
import ContrailGeodesy
import ContrailServiceSupport
import ContrailWire
import Testing

@testable import ContrailWorld

/// PIREPs as others write them.
@Suite struct PilotReportReaderTests {
  private let fixture: DayFixture

  init() throws {
    fixture = try DayFixture()
  }

  private func day(_ records: String...) throws -> RecordedDay {
    try RecordedDay(pireps: [try fixture.list("pireps.json", records)])
  }

  private func only(_ members: [String: String]) throws -> PilotReport {
    let day = try day(DayFixture.pirep(members))
    return try #require(day.pireps.first)
  }

  @Test func aReportIsObservedAtOneTimeAndArrivesAtAnother() throws {
    let day = try day(DayFixture.pirep())
    let report = try #require(day.pireps.first)
    #expect(report.pirep.observedAt == DayFixture.eleven && report.arrival == DayFixture.eleven + 300)
    #expect(report.pirep.text == "MLC UA /OV MLC/TM 1100/FL360/TP B738", "blanks around it are gone")
    #expect(report.pirep.flightLevel == 360 && report.pirep.severity == nil && !report.pirep.isUrgent)
    #expect(report.reports.isEmpty)
    #expect(day.report.files.first?.notes == [])
  }

  @Test(arguments: [
    ("NEG", TurbulenceSeverity.none), ("SMTH-LGT", .light), ("LGT", .light), ("LGT-MOD", .lightModerate),
    ("MOD", .moderate), ("MOD-SEV", .moderateSevere), ("SEV", .moderateSevere), ("EXTM", .moderateSevere),
  ]) func anIntensityIsASeverityWithAnEDROfItsOwn(intensity: String, severity: TurbulenceSeverity) throws {
    let report = try only(["tbInt1": "\"\(intensity)\""])
    #expect(report.pirep.severity == severity)
    #expect(report.reports.map(\.severity) == [severity] && report.reports.map(\.altitude) == [36])
    #expect(TurbulenceSeverity(edrE4: severity.typicalEDRE4) == severity)
    #expect(report.reports.first?.edrE4 == severity.typicalEDRE4)
  }

  @Test(arguments: [
    ("null", "null", [36]), ("220", "250", [22, 23, 24, 25]), ("250", "220", [22, 23, 24, 25]), ("270", "null", [27]),
    ("270", "0", [27]), ("null", "380", [36, 37, 38]), ("null", "200", [20]), (#""090""#, #""110""#, [9, 10, 11]),
    ("0", "14", [0, 1]), ("500", "560", [50, 51, 52]), ("540", "560", []),
  ]) func aGroupReachesFromItsBaseToItsTop(base: String, top: String, thousands: [UInt8]) throws {
    let report = try only(["tbInt1": #""MOD""#, "tbBas1": base, "tbTop1": top])
    #expect(report.reports.map(\.altitude) == thousands)
  }

  @Test func ofTwoGroupsTheMoreSevereCountsWhereBothReach() throws {
    let report = try only([
      "tbInt1": #""LGT""#, "tbBas1": "340", "tbTop1": "370", "tbInt2": #""MOD""#, "tbBas2": "360", "tbTop2": "380",
    ])
    #expect(report.reports.map(\.altitude) == [34, 35, 36, 37, 38])
    #expect(report.reports.map(\.severityCode) == [1, 1, 3, 3, 3])
    #expect(report.pirep.severity == .moderate)
    let artefact = try only(["tbInt1": #""LGT""#, "tbInt2": #""NEG""#])
    #expect(artefact.reports.map(\.severity) == [.light], "the second group is what decoders make of IC NONE")
  }

  @Test(arguments: ["UNKN", "DURD", "DURC"]) func levelZeroOfAnUnknownTypeIsNoLevel(type: String) throws {
    let day = try day(DayFixture.pirep(["fltLvl": "0", "fltLvlType": "\"\(type)\"", "tbInt1": #""LGT""#]))
    let report = try #require(day.pireps.first)
    #expect(report.pirep.flightLevel == nil && report.pirep.severity == .light && report.reports.isEmpty)
    let file = try #require(day.report.files.first)
    #expect(file.count(of: .levelZero) == 1 && file.count(of: .turbulenceWithoutLevel) == 1 && file.served == 1)
    let climbing = try only(["fltLvl": "85", "fltLvlType": "\"\(type)\"", "tbInt1": #""LGT""#])
    #expect(climbing.pirep.flightLevel == 85 && climbing.reports.map(\.altitude) == [9])
  }

  @Test func theGroundIsALevel() throws {
    #expect(try only(["fltLvl": "0", "fltLvlType": #""GRND""#]).pirep.flightLevel == 0)
    #expect(try only(["fltLvl": "970"]).pirep.flightLevel == 970)
    #expect(try only(["fltLvl": "9700"]).pirep.flightLevel == nil)
    #expect(try only(["fltLvl": "null"]).pirep.flightLevel == nil)
  }

  @Test func numbersMayBeTextsAndTimesOfManySpellings() throws {
    let report = try only([
      "obsTime": "\"\(DayFixture.eleven)\"", "receiptTime": #""2026-05-30T13:05:00+02:00""#, "lat": #"" 34.9700""#,
      "lon": #""-095.07""#, "fltLvl": #""035""#,
    ])
    #expect(report.pirep.position == FixedCoordinate(latitudeE7: 349_700_000, longitudeE7: -950_700_000))
    #expect(report.pirep.flightLevel == 35 && report.arrival == DayFixture.eleven + 300)
    #expect(try only(["receiptTime": "\(DayFixture.eleven * 1000 + 60_000)"]).arrival == DayFixture.eleven + 60)
  }

  @Test(arguments: [#""pirepType":"Urgent PIREP""#, #""rawOb":"MLC UUA /OV MLC""#])
  func urgentReportsAreKnownByTypeOrText(member: String) throws {
    let sides = member.split(separator: ":", maxSplits: 1)
    #expect(try only([String(sides[0].dropFirst().dropLast()): String(sides[1])]).pirep.isUrgent)
  }

  @Test func oneBadRecordSpoilsNoOther() throws {
    let day = try day(
      DayFixture.pirep(["lat": "null"]), DayFixture.pirep(["lat": "91"]), DayFixture.pirep(["lon": #""west""#]), "17",
      #"{"obsTime":1}"#, DayFixture.pirep(["obsTime": "null"]), DayFixture.pirep(["obsTime": #""yesterday""#]),
      DayFixture.pirep(), DayFixture.pirep(), DayFixture.pirep(["obsTime": "\(DayFixture.eleven + 900)"]),
      DayFixture.pirep(["tbInt1": #""BUMPY""#, "receiptTime": "null", "lon": "264.94"]))
    let file = try #require(day.report.files.first)
    #expect(file.records == 11 && file.served == 2 && day.pireps.count == 2)
    let counts: [DayOddity: Int] = [
      .withoutPosition: 2, .impossiblePosition: 1, .notARecord: 2, .withoutTime: 2, .double: 1,
      .observedAfterReceipt: 1, .unknownIntensity: 1, .withoutReceipt: 1,
    ]
    #expect(Dictionary(uniqueKeysWithValues: file.notes.map { ($0.oddity, $0.count) }) == counts)
    #expect(file.notes.first { $0.oddity == .double }?.first == "record 9")
    #expect(day.report.description.contains("skipped  2 without a position (first: record 1)"))
    #expect(day.report.description.contains("2 of 11 PIREPs served"))
  }

  @Test func theSameReportOfAnotherFileCountsOnce() throws {
    let first = try fixture.list("first.json", [DayFixture.pirep()])
    let day = try RecordedDay(pireps: [first, first])
    #expect(day.pireps.count == 1 && day.report.files.map(\.served) == [1, 0])
  }

  @Test func pollsAgreeOnWhenAReportOfAnAgeWasObserved() throws {
    func poll(_ time: String, age: String, text: String = "HNL UUA /OV HNL/TM 1000/FL040/TB LGT OCNL MOD/RM X")
      -> String
    {
      let feature =
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[-157.9,21.3]},"#
        + #""properties":{"type":"PIREP","rawOb":"\#(text)","alt":4000,"age":\#(age)}}"#
      return #"{"polled_at":"\#(time)","feed":\#(DayFixture.collection([feature]))}"#
    }
    let empty = #"{"polled_at":"2026-05-30T09:00:00+00:00","feed":{"type":"FeatureCollection","features":[]}}"#
    let text = [
      empty, poll("2026-05-30T10:24:05+00:00", age: "24.1"), "oh no", poll("2026-05-30T11:02:00+00:00", age: "61.9"),
    ].joined(separator: "\n")
    let packed = try XZ.compress(Array(text.utf8))
    let day = try RecordedDay(pireps: [try fixture.file("polls", packed)])
    let report = try #require(day.pireps.first)
    #expect(day.pireps.count == 1)
    #expect(report.pirep.observedAt == DayFixture.eleven - 3600, "to the minute")
    #expect(report.arrival == DayFixture.eleven - 3600 + 1445, "at the first poll")
    #expect(report.pirep.flightLevel == 40 && report.pirep.severity == .moderate && report.pirep.isUrgent)
    #expect(report.reports.map(\.altitude) == [4])
    let file = try #require(day.report.files.first)
    #expect(file.count(of: .notJSON) == 1 && file.count(of: .double) == 1 && file.records == 3)
    #expect(file.notes.map(\.first) == ["line 3", "line 4, record 1"])
  }

  @Test(arguments: [
    ("", "notJSON"), ("<html>", "notJSON"), ("[1,\n {", "notJSON"), ("{}", "notWhatItShouldBe"),
    ("[1]", "notWhatItShouldBe"), (#"{"time":1,"states":[]}"#, "notWhatItShouldBe"),
    (#"[{"hazard":"TURB","coords":[]}]"#, "notWhatItShouldBe"), ("[]", ""),
  ]) func aFileOfSomethingElseIsNamed(text: String, code: String) throws {
    let path = try fixture.file("odd.json", text)
    do throws(DayError) {
      _ = try RecordedDay(pireps: [path])
      #expect(code.isEmpty)
    } catch {
      #expect(error.code == code && error.file == path && error.description.hasPrefix(path))
    }
  }

  @Test func faultsOfFilesHaveAPlace() throws {
    let broken = try fixture.file("broken.json", "[\n{\"rawOb\": 1},\n  oh]\n")
    #expect(throws: DayError.notJSON(file: broken, line: 3, column: 3, reason: "expected a value")) {
      try RecordedDay(pireps: [broken])
    }
    let other = try fixture.file("other.json", #"[{"icao24":"abc"}]"#)
    let expected = "PIREPs, which have rawOb, in a list or a GeoJSON feature collection"
    #expect(
      throws: DayError.notWhatItShouldBe(
        file: other, place: "record 1", expected: expected, found: "an object with icao24")
    ) { try RecordedDay(pireps: [other]) }
    let packed = try XZ.compress(Array("[]".utf8))
    let cut = try fixture.file("cut.xz", packed.dropLast(8))
    #expect(throws: DayError.self) { try RecordedDay(pireps: [cut]) }
    let error = #expect(throws: DayError.self) { try RecordedDay(states: ["/nowhere/states.json"]) }
    #expect(error?.code == "unreadable")
  }
}
