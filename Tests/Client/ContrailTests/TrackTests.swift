import ContrailGeodesy
import ContrailLog
import ContrailReplay
import ContrailTesting
import Testing

@Suite struct TrackTests {
  static let header = "time_utc_iso,lat,lon,alt_ft,groundspeed_kt,track_deg\n"

  /// A fix a minute eastward along the equator, so many nautical miles apart.
  static func csv(_ places: [(minute: Int, lon: Double)]) -> String {
    var csv = header
    for (minute, lon) in places { csv += "2025-01-01T00:0\(minute):00Z,0,\(lon),,,\n" }
    return csv
  }

  @Test func blankAltitudesAreUnknownAndNotZero() throws {
    let track = try Track(
      csv: Self.header + "2025-02-04T21:13:42.618Z,16.7,-88.03,,,\n2025-02-04T21:13:51Z,16.71,-88.04,0,480,327.8")
    #expect(track.fixes.map(\.altitudeFeet) == [nil, 0])
    #expect(track.fixes.map(\.at) == [1_738_703_622_618, 1_738_703_631_000])
  }

  @Test func aFixThatIsNotLaterIsLeftOutAndCounted() throws {
    let track = try Track(csv: Self.csv([(0, 0), (2, 0.2), (1, 0.1), (2, 0.2), (3, 0.3)]))
    #expect(track.fixes.count == 3)
    #expect(track.rejects.notLater == 2)
  }

  @Test func aSpikeIsLeftOutAndCounted() throws {
    let track = try Track(csv: Self.csv([(0, 0), (1, 0.1), (2, 9), (3, 0.3), (4, 0.4)]))
    #expect(track.fixes.map(\.position.longitude) == [0, 0.1, 0.3, 0.4])
    #expect(track.rejects.tooFast == 1)
    #expect(track.rejects.relocated == 0)
  }

  @Test func threeFixesThatAgreeAreBelieved() throws {
    let track = try Track(csv: Self.csv([(0, 0), (1, 0.1), (2, 9), (3, 9.1), (4, 9.2), (5, 9.3)]))
    #expect(track.fixes.map(\.position.longitude) == [0, 0.1, 9.2, 9.3])
    #expect(track.rejects.relocated == 1)
    #expect(track.rejects.tooFast == 2)
  }

  @Test func hoursOfSilenceAreNoFault() throws {
    let track = try Track(
      csv: Self.header + "2025-01-01T00:00:00Z,0,179,,,\n2025-01-01T08:00:00Z,0,-150,,,")
    #expect(track.fixes.count == 2)
    #expect(track.rejects.longestGapMS == 8 * 3_600_000)
  }

  static let malformed: [(String, Int)] = [
    ("", 1), ("time,lat,lon\n", 1), (header, 2), (header + "2025-01-01T00:00:00Z,0", 2),
    (header + "2025-13-01T00:00:00Z,0,0,,,", 2), (header + "2025-01-01T00:00:00Z,91,0,,,", 2),
    (header + "2025-01-01T00:00:00Z,nan,0,,,", 2), (header + "2025-01-01T00:00:00Z,,0,,,", 2),
    (header + "2025-01-01T00:00:00Z,0,0,,,\n2025-01-01T00:00:01Z,0,0,high,,", 3),
  ]

  @Test(arguments: malformed) func aMalformedRowIsNamed(csv: String, line: Int) {
    #expect { try Track(csv: csv) } throws: { ($0 as? InputError)?.line == line }
  }

  @Test func aSimulatedFlightKeepsItsSpeed() throws {
    let line = [Coordinate(latitude: 51.47, longitude: -0.45), Coordinate(latitude: 40.64, longitude: -73.78)]
    let track = try Track(flying: line, departure: 0, knots: 480)
    for (a, b) in zip(track.fixes, track.fixes.dropFirst().dropLast()) {
      #expect(abs(a.position.distanceNM(to: b.position) - 8) < 0.01)
    }
    #expect(track.fixes.last?.position.distanceNM(to: line[1]) ?? 1 < 0.001)
    #expect(throws: InputError.self) { try Track(flying: [line[0]], departure: 0) }
    #expect(throws: InputError.self) { try Track(flying: line, departure: 0, knots: 0) }
  }
}

@Suite struct ScenarioTests {
  @Test func everyEventIsRead() throws {
    let scenario = try Scenario(
      text: """
        # All of them.
        01:10:00 offline
        70m online   # back
        2h relaunch
        3h refresh full
        3h history 0.5h
        3h frequency none
        3h types turbulence,pireps
        3h viewport-types same
        3h severities light,moderate
        3h altitudes 20000 30000
        3h route 51.5,-0.5 60,-30 width 100
        3h route off
        3h polygon 0,0 0,1 1,1 0,0
        3h viewport 8deg
        3h pan 4 300ms -2.5
        3h global off
        3h up-to on
        3h fault status=503 for 10m
        3h key bad
        3h clock -90s
        """)
    #expect(scenario.events.count == 20)
    #expect(scenario.events.map(\.at).first == 4_200_000)
  }

  @Test func eventsOfOneTimeKeepTheirOrder() throws {
    let scenario = try Scenario(text: "2h online\n1h offline\n1h relaunch")
    guard case .connectivity(false) = scenario.events[0].action, case .relaunch = scenario.events[1].action else {
      Issue.record("the order is \(scenario.events)")
      return
    }
  }

  @Test(arguments: [
    "1h explode", "soon offline", "1h history 3h", "1h route 1,2 width", "1h altitudes 3 2", "1h pan 0 1s 1",
    "1h clock 90s", "1h fault x", "1h",
  ]) func anUnknownLineIsNamed(text: String) {
    #expect { try Scenario(text: "\n# first\n" + text) } throws: { ($0 as? InputError)?.line == 3 }
  }
}

@Suite struct TimesOfTracksTests {
  @Test func timesAreReadAsTheCalendarHasThem() {
    #expect(TimelinePosition.utc("1970-01-01T00:00:00Z") == 0)
    #expect(TimelinePosition.utc("2000-02-29T23:59:59.5Z") == 951_868_799_500)
    #expect(TimelinePosition.utc("2026-03-01T00:00:00Z") == 1_772_323_200_000)
    for text in [
      "2025-01-01", "2025-01-01T24:00:00Z", "2025-01-01T00:00:00", "2025-1-1T0:0:0", "2025-02-29T00:00:00Z", "x",
      "2025-01-01T00:00:00.Z",
    ] {
      #expect(TimelinePosition.utc(text) == nil, "\(text)")
    }
  }

  @Test func durationsAreReadInTheirUnits() {
    let spans: [(Substring, Int64)] = [("300ms", 300), ("90s", 90_000), ("70m", 4_200_000), ("2h", 7_200_000)]
    for (text, span) in spans { #expect(TimeText.span(text) == span) }
    #expect(TimeText.span("01:10:05") == 4_205_000 && TimeText.span("1h10m5s") == 4_205_000)
    for text in ["", "h", "1d", "1:60:00", "-1s", "1.5h", "10001h"] {
      #expect(TimeText.span(text) == nil, "\(text)")
    }
  }
}
