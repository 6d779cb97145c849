import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailQuery

/// PIREPs and areas as fallbacks for reports, and reports that are ignored.
@Suite struct AlertFallbackTests {
  private let aircraft = AircraftPosition(coordinate: point(45, -32), altitudeFeet: 35_000, trackDegrees: 270)

  private func alerts(
    _ query: AlertQuery, in state: State, own: [OwnReport] = [], areas: [TurbulencePolygons] = [],
    for aircraft: AircraftPosition? = nil
  ) throws -> [TurbulenceAlert] {
    var tracker = AlertTracker(query: query)
    return try tracker.alerts(
      for: aircraft ?? self.aircraft, in: state, asOf: now, ReportIndex(of: state), own: own, areas: areas)
  }

  @Test func aPIREPCountsOnlyWhereNoReportIsKnown() throws {
    let place = point(45, -33)
    let pireps = [try pirep("a", at: place), try pirep("b", at: point(45, -33.5), level: nil)]
    let fallback = AlertQuery(fallbacks: .pireps)
    #expect(try alerts(AlertQuery(), in: state([], pireps)).isEmpty)
    let found = try alerts(fallback, in: state([], pireps))
    #expect(found.map(\.sources) == [.pireps] && found.map(\.severity) == [.moderate])
    #expect(found.first?.cells == [try H3Cell(place, resolution: 5)])
    // A smooth report of the hexagon is newer knowledge; one at another altitude isn't.
    let cell = try H3Cell(place, resolution: 5)
    #expect(try alerts(fallback, in: state([report(cell, alt: 35, sev: 0)], pireps)).isEmpty)
    #expect(try alerts(fallback, in: state([report(cell, alt: 10, sev: 0)], pireps)).count == 1)
  }

  @Test func anAreaCountsOnlyWhereNoReportIsKnown() throws {
    let document =
      #"{"features":[{"geometry":{"type":"Polygon","coordinates":[[[-33.6,44.6],[-32.8,44.6],[-32.8,45.4],[-33.6,45.4],[-33.6,44.6]]]},"properties":{"severity":3,"baseAltitude":30,"topAltitude":40}}]}"#
    let areas = TurbulencePolygons(
      history: .twoHours, asOf: now - 60, ageSeconds: 60, areas: TurbulenceArea.areas(in: Array(document.utf8)))
    #expect(areas.areas.count == 1)
    let query = AlertQuery(fallbacks: .areas)
    let found = try alerts(query, in: state([]), areas: [areas])
    #expect(found.map(\.sources) == [.areas] && found.first?.altitudeBandFeet == 35_000...35_000)
    let cells = try #require(found.first?.cells)
    #expect(cells.count > 3 && cells.allSatisfy { (-33.6 ... -32.8).contains($0.center.longitude) })
    // Where it is known to be smooth, the area says nothing.
    let smooth = cells.map { report($0, alt: 35, sev: 0) }
    #expect(try alerts(query, in: state(smooth), areas: [areas]).isEmpty)
    #expect(try alerts(query, in: state([smooth[0]]), areas: [areas]).flatMap(\.cells).count == cells.count - 1)
    // The area is between the two.
    for range in [42_000.0...45_000.0, 25_000.0...29_000.0] {
      let query = AlertQuery(altitudeSpanFeet: 2000, altRange: range, fallbacks: .areas)
      #expect(try alerts(query, in: state([]), areas: [areas]).isEmpty)
    }
  }

  /// A PIREP stands for reports of its level, in thousands of feet.
  @Test func aPIREPCountsAtItsLevel() throws {
    let query = AlertQuery(altRange: 0...52_000, fallbacks: .pireps)
    for (level, band) in [
      (-1, nil), (0, 0), (4, 0), (5, 1000), (354, 35_000), (355, 36_000), (515, 52_000), (520, 52_000), (521, nil),
    ] as [(Int, Int?)] {
      let found = try alerts(query, in: state([], [try pirep("a", at: point(45, -33), level: level)]))
      #expect(found.map(\.altitudeBandFeet) == (band.map { [$0...$0] } ?? []), "\(level)")
      if let nearest = found.first?.nearest { #expect(nearest.edrE4 == 0 && Int64(nearest.observedAt) == now - 60) }
    }
  }

  /// An area counts at its altitude nearest to the aircraft, within the altitudes of the query.
  @Test func anAreaCountsAtTheNearestAltitude() throws {
    func altitude(
      _ properties: String, feet: Double?, span: Double = 2000, altRange: ClosedRange<Double>? = nil
    ) throws -> Int? {
      let document =
        #"{"features":[{"geometry":{"type":"Polygon","coordinates":[[[-34,44],[-32.5,44],[-32.5,46],[-34,46],[-34,44]]]},"properties":{"severity":3\#(properties)}}]}"#
      let areas = TurbulencePolygons(
        history: .twoHours, asOf: now - 60, ageSeconds: 60, areas: TurbulenceArea.areas(in: Array(document.utf8)))
      var aircraft = aircraft
      aircraft.altitudeFeet = feet
      let query = AlertQuery(altitudeSpanFeet: span, altRange: altRange, fallbacks: .areas)
      let found = try alerts(query, in: state([]), areas: [areas], for: aircraft)
      #expect(found.allSatisfy { $0.altitudeBandFeet.count == 1 && $0.nearest.edrE4 == 0 })
      return found.first?.altitudeBandFeet.lowerBound
    }
    let middle = #","baseAltitude":30,"topAltitude":40"#
    for (feet, expected) in [(35_499, 35_000), (35_500, 36_000), (28_000, 30_000), (42_000, 40_000), (27_999, nil)]
      as [(Double, Int?)]
    {
      #expect(try altitude(middle, feet: feet) == expected, "\(feet)")
    }
    // Without a base or top it has none, up to the ceiling of reports.
    #expect(try altitude("", feet: 35_000) == 35_000 && altitude("", feet: 900, span: 1000) == 1000)
    #expect(try altitude("", feet: 53_000) == 52_000 && altitude(#","topAltitude":60"#, feet: 53_000) == 52_000)
    #expect(try altitude("", feet: nil, altRange: 0...0) == 0 && altitude("", feet: nil) == 0)
    #expect(try altitude(#","baseAltitude":53"#, feet: 53_000) == nil)
    #expect(
      try altitude(middle, feet: nil) == 30_000 && altitude(middle, feet: nil, altRange: 38_000...50_000) == 38_000)
    // Limits are inclusive.
    #expect(try altitude(middle, feet: 35_000, altRange: 40_000...50_000) == 40_000)
    #expect(try altitude(middle, feet: 35_000, altRange: 20_000...30_000) == 30_000)
    #expect(try altitude(middle, feet: 35_000, altRange: 41_000...50_000) == nil)
    // Reports have whole thousands of feet. A span without any contains no report.
    #expect(try altitude(middle, feet: 35_600, span: 399) == nil && altitude(middle, feet: 35_600, span: 400) == 36_000)
    #expect(try altitude(middle, feet: .nan) == 30_000 && altitude(middle, feet: .infinity) == 30_000, "it isn't known")
  }

  @Test func ownReportsAreIgnoredForATime() throws {
    let felt = report(try cell(45, -33), alt: 35, sev: 3, age: 60)
    let state = state([felt])
    let own = [OwnReport(felt, .confirmed)]
    #expect(try alerts(AlertQuery(), in: state, own: own).count == 1)
    #expect(try alerts(AlertQuery(ownReportsIgnoredSeconds: 60), in: state, own: own).count == 1)
    #expect(try alerts(AlertQuery(ownReportsIgnoredSeconds: 61), in: state, own: own).isEmpty)
  }

  @Test func theCategoryDecidesWhatIsAlerted() throws {
    let state = state([report(try cell(45, -33), alt: 35, sev: 1, edrE4: 2100)])
    func severity(_ aircraft: AircraftCategory?) throws -> [TurbulenceSeverity] {
      try alerts(AlertQuery(minimumSeverity: .lightModerate, aircraft: aircraft), in: state).map(\.severity)
    }
    #expect(try severity(nil) == [] && severity(.light) == [.moderate] && severity(.heavy) == [.lightModerate])
  }
}
