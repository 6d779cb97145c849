import ContrailGeodesy
import ContrailServiceSupport
import ContrailWire
import Testing

@testable import ContrailWorld

/// Answers of OpenSky.
@Suite struct StateReaderTests {
  private let fixture: DayFixture

  init() throws {
    fixture = try DayFixture()
  }

  private func day(_ states: String...) throws -> RecordedDay {
    try RecordedDay(states: [try fixture.file("states.json", DayFixture.states(states))])
  }

  @Test func aStateIsAnAircraftInTheWiresUnits() throws {
    let day = try day(DayFixture.state("4B1803"))
    #expect(day.snapshots.map(\.time) == [DayFixture.eleven])
    #expect(
      day.snapshots.first?.positions == [
        TrafficPosition(
          id: "4b1803", callsign: "SWR12K",
          position: FixedCoordinate(latitudeE7: 475_000_000, longitudeE7: 85_000_000),
          altitudeFeet: 36_000, groundSpeedKnots: 450, trackDegrees: 0, observedAt: DayFixture.eleven - 2)
      ])
    #expect(day.report.files.first?.notes == [])
  }

  @Test func whatIsNotKnownIsNotMadeUp() throws {
    let day = try day(DayFixture.state("a", [1: "null", 3: "null", 7: "null", 9: "null", 10: "null"]))
    let aircraft = try #require(day.snapshots.first?.positions.first)
    #expect(aircraft.callsign == "" && aircraft.altitudeFeet == nil && aircraft.groundSpeedKnots == nil)
    #expect(aircraft.trackDegrees == nil && aircraft.observedAt == DayFixture.eleven - 1, "the last contact")
  }

  @Test func oneBadStateSpoilsNoOther() throws {
    let day = try day(
      DayFixture.state("a"), DayFixture.state("A"), DayFixture.state("b", [5: "null"]),
      DayFixture.state("c", [8: "true"]), DayFixture.state("d", [3: "\(DayFixture.eleven - 300)"]),
      DayFixture.state("e", [0: #""  ""#]), "[1,2]", "null",
      DayFixture.state("f", [10: "-118.81", 7: "1e300"]), DayFixture.state("g", [9: "-3", 6: #""-91""#]),
      DayFixture.state("h", [3: "null", 4: "null"]), DayFixture.state("i", [9: #""231.5""#, 7: "28559.76"]))
    let file = try #require(day.report.files.first)
    #expect(file.records == 12 && file.served == 3)
    let counts: [DayOddity: Int] = [
      .double: 1, .withoutPosition: 1, .onGround: 1, .stale: 1, .withoutAddress: 1, .notARecord: 2,
      .unwrappedTrack: 1,
      .impossiblePosition: 1, .withoutTime: 1,
    ]
    #expect(Dictionary(uniqueKeysWithValues: file.notes.map { ($0.oddity, $0.count) }) == counts)
    let positions = try #require(day.snapshots.first?.positions)
    #expect(positions.map(\.id) == ["a", "f", "i"])
    #expect(positions[1].trackDegrees == 241 && positions[1].altitudeFeet == nil, "beyond what can be read")
    #expect(positions[2].groundSpeedKnots == 450 && positions[2].altitudeFeet == 93_700)
  }

  @Test func anImpossibleAltitudeOrSpeedIsUnknown() throws {
    let day = try day(DayFixture.state("a", [7: "99999", 9: "-1"]), DayFixture.state("b", [7: "9e13"]))
    #expect(day.report.files.first?.count(of: .impossibleMotion) == 2)
    #expect(day.snapshots.first?.positions.allSatisfy { $0.altitudeFeet == nil } == true)
  }

  @Test func snapshotsComeInTheOrderOfTheirTimes() throws {
    let lines = [
      DayFixture.states([DayFixture.state("b")], time: DayFixture.eleven + 10), DayFixture.states([]),
      #"{"time":1780138805,"states":null}"#, #"{"time":null}"#,
    ].joined(separator: "\n")
    let day = try RecordedDay(states: [try fixture.file("states.jsonl", lines)])
    #expect(day.snapshots.map(\.time) == [DayFixture.eleven, DayFixture.eleven + 5, DayFixture.eleven + 10])
    #expect(day.report.files.first?.count(of: .notARecord) == 1)
  }

  @Test(arguments: ["[]", #"{"type":"FeatureCollection","features":[]}"#, #"{"time":"now","states":[]}"#])
  func aFileOfSomethingElseIsNamed(text: String) throws {
    let path = try fixture.file("odd.json", text)
    let error = #expect(throws: DayError.self) { try RecordedDay(states: [path]) }
    #expect(error?.code == "notWhatItShouldBe")
  }
}
