import ContrailGeodesy
import ContrailH3
import ContrailQuery
import ContrailTestSupport
import ContrailWire
import Testing

@Suite struct AlertQueryTests {
  private let aircraft = AircraftPosition(
    coordinate: point(50, -30), altitudeFeet: 36_000, trackDegrees: 270, groundSpeedKnots: 480)

  private func alerts(
    _ query: AlertQuery, _ reports: [TurbulenceReport], _ aircraft: AircraftPosition? = nil
  ) throws -> [TurbulenceAlert] {
    try query.alerts(for: aircraft ?? self.aircraft, in: reports, asOf: now)
  }

  /// A place so far ahead of the aircraft, so far to the right.
  private func place(_ ahead: Double, _ right: Double) -> Coordinate {
    let forward = Geodesic.direct(from: aircraft.coordinate, azimuth: 270, distanceMeters: ahead * 1852)
    return Geodesic.direct(
      from: forward.coordinate, azimuth: forward.finalAzimuth + 90, distanceMeters: right * 1852
    ).coordinate
  }

  private var route: [Coordinate] { [place(-300, 0), place(0, 0), place(400, 0)] }

  @Test func theDefaultsAreThoseOfTheService() {
    let query = AlertQuery()
    #expect(query.distanceNM == 100 && query.widthNM == 40 && query.altitudeSpanFeet == 2000)
    #expect(query.beamDegrees == 15 && query.route == nil && query.minimumSeverity == .light)
    #expect([AlertSources.reports, .pireps, .areas].map(\.rawValue) == [1, 2, 4])
    #expect(query.fallbacks == [] && query.ownReportsIgnoredSeconds == 0)
    #expect(
      AlertQuery.monitoring.fallbacks == [.pireps, .areas] && AlertQuery.monitoring.ownReportsIgnoredSeconds == 1800)
  }

  @Test func onTheRouteTheCorridorAheadCounts() throws {
    let query = AlertQuery(route: route)
    for (ahead, right, counts) in [
      (50.0, 0.0, true), (50, 14, true), (50, -14, true), (50, 27, false), (50, -27, false), (93, 0, true),
      (110, 0, false), (-12, 0, false), (-12, 10, false), (-40, 0, false),
    ] {
      let cell = try H3Cell(place(ahead, right), resolution: 5)
      let found = try alerts(query, [report(cell)])
      #expect(found.count == (counts ? 1 : 0), "\(ahead) \(right)")
      guard let alert = found.first else { continue }
      #expect(abs(alert.distanceNM - ahead) < 6 && alert.mode == .route && alert.phase == .new)
      #expect(abs((alert.timeToGoSeconds ?? 0) - alert.distanceNM / 480 * 3600) < 1e-6)
    }
  }

  /// The corridor is as wide as it says, and the beam as its angle, whatever the other one is.
  @Test func theWidthIsThatOfTheRouteAndTheAngleThatOfTheBeam() throws {
    let aside = try H3Cell(place(60, 70), resolution: 5)
    #expect(try alerts(AlertQuery(route: route, widthNM: 160, beamDegrees: 1), [report(aside)]).count == 1)
    #expect(try alerts(AlertQuery(route: route, widthNM: 100, beamDegrees: 170), [report(aside)]).isEmpty)
    let abeam = try H3Cell(place(25, 75), resolution: 5)
    #expect(try alerts(AlertQuery(widthNM: 1, beamDegrees: 170), [report(abeam)]).count == 1)
    #expect(try alerts(AlertQuery(widthNM: 200, beamDegrees: 100), [report(abeam)]).isEmpty)
  }

  @Test func northIsATrack() throws {
    let aircraft = AircraftPosition(coordinate: point(50, -30), altitudeFeet: 36_000, trackDegrees: 0)
    #expect(try alerts(AlertQuery(), [report(try cell(51, -30))], aircraft).count == 1)
  }

  /// The distance of a pass is that of its nearest point, even if the way leads away a little before it.
  @Test func aPassIsAsFarAsItsNearestPoint() throws {
    let center = try H3Cell(place(60, 0), resolution: 5).center
    func from(_ east: Double, _ north: Double) -> Coordinate {
      let across = center.destination(azimuth: 90, distanceNM: east)
      return across.destination(azimuth: 0, distanceNM: north)
    }
    let start = from(-30, -3)
    let route = [start, from(1.4, -3), from(2.5, -4), from(2.4, 0.5), from(2.4, 40)]
    let found = try alerts(
      AlertQuery(route: route), [report(try H3Cell(center, resolution: 5))],
      AircraftPosition(coordinate: start, altitudeFeet: 36_000, trackDegrees: 90))
    #expect(abs((found.first?.distanceNM ?? 0) - 36.9) < 0.3)
  }

  /// A hexagon behind the aircraft counts if the route returns to it, even at a greater distance than before.
  @Test func aWayThatComesBackCounts() throws {
    let behind = try H3Cell(place(-10, 0), resolution: 5)
    let route = [place(-30, 0), place(40, 0), place(40, 14), place(-40, 14)]
    let found = try alerts(AlertQuery(route: route, distanceNM: 200), [report(behind)])
    #expect(abs((found.first?.distanceNM ?? 0) - 104) < 6)
  }

  @Test func theOwnHexagonIsNoDistanceAhead() throws {
    let cell = try H3Cell(aircraft.coordinate, resolution: 5)
    for query in [AlertQuery(), AlertQuery(route: route)] {
      #expect(try alerts(query, [report(cell)]).first?.distanceNM == 0)
    }
  }

  @Test func withoutARouteABeamAlongTheTrackCounts() throws {
    // Half of fifteen degrees is 13 NM wide at 100, 6.6 NM at 50.
    for (ahead, right, counts) in [
      (90.0, 0.0, true), (90, 6, true), (90, -6, true), (90, 20, false), (90, -20, false), (50, 14, false),
      (112, 0, false), (-30, 0, false),
    ] {
      let cell = try H3Cell(place(ahead, right), resolution: 5)
      let found = try alerts(AlertQuery(), [report(cell)])
      #expect(found.count == (counts ? 1 : 0), "\(ahead) \(right)")
      if let alert = found.first { #expect(abs(alert.distanceNM - ahead) < 6 && alert.mode == .beam) }
    }
  }

  @Test func aHexagonThatIsFlownThroughCountsHoweverNarrowTheWay() throws {
    for query in [AlertQuery(beamDegrees: 1), AlertQuery(route: route, widthNM: 0.5)] {
      for ahead in stride(from: 0.0, through: 90, by: 3) {
        let cell = try H3Cell(place(ahead, 0), resolution: 5)
        #expect(try alerts(query, [report(cell)]).count == 1, "\(ahead)")
      }
    }
  }

  @Test func bothLimitsOfAltitudeCount() throws {
    let cell = try H3Cell(place(50, 0), resolution: 5)
    for (alt, counts) in [(33, false), (34, true), (36, true), (38, true), (39, false)] {
      #expect(try alerts(AlertQuery(), [report(cell, alt: UInt8(alt))]).isEmpty == !counts, "\(alt)")
    }
    let climbing = AlertQuery(altRange: 10_000...34_500)
    for (alt, counts) in [(9, false), (10, true), (35, true), (36, false)] {
      #expect(try alerts(climbing, [report(cell, alt: UInt8(alt))]).isEmpty == !counts, "\(alt)")
    }
    var blind = aircraft
    blind.altitudeFeet = nil
    #expect(try alerts(AlertQuery(), [report(cell, alt: 2)], blind).count == 1)
  }

  @Test func smoothAndOldAirIsNoAlert() throws {
    let cell = try H3Cell(place(50, 0), resolution: 5)
    #expect(try alerts(AlertQuery(minimumSeverity: .none), [report(cell, sev: 0)]).isEmpty)
    #expect(try alerts(AlertQuery(minimumSeverity: .moderate), [report(cell, sev: 2)]).isEmpty)
    let query = AlertQuery(dataHistoryTime: .halfHour)
    #expect(try alerts(query, [report(cell, age: 1800)]).isEmpty)
    #expect(try alerts(query, [report(cell, age: 1799)]).first?.ageSeconds == 1799)
  }

  @Test func whatHangsTogetherIsOneAlert() throws {
    let near = try H3Cell(place(30, 0), resolution: 5)
    let far = try H3Cell(place(80, 0), resolution: 5)
    let reports = [
      report(near, alt: 36, sev: 2, age: 90), report(near.neighbors[0], alt: 37, sev: 3, age: 30),
      report(near.neighbors[0], alt: 37, sev: 3, age: 45), report(far, alt: 36, sev: 2),
    ]
    let found = try alerts(AlertQuery(route: route), reports)
    try #require(found.count == 2)
    #expect(found[0].count == 3 && found[0].severity == .moderate && found[0].altitudeBandFeet == 36_000...37_000)
    #expect(found[0].newestAt == now - 30 && found[0].ageSeconds == 30 && found[0].cells.count == 2)
    #expect(found[1].count == 1 && found[1].id == 2 && found[1].distanceNM > found[0].farthestNM)
  }

  @Test func altitudesAndSeveritiesThatAreFarApartAreSeveralAlerts() throws {
    let cell = try H3Cell(place(30, 0), resolution: 5)
    #expect(try alerts(AlertQuery(), [report(cell, alt: 35), report(cell, alt: 37)]).count == 2)
    #expect(try alerts(AlertQuery(), [report(cell, sev: 1), report(cell, sev: 4)]).count == 2)
    #expect(try alerts(AlertQuery(), [report(cell, sev: 1), report(cell, sev: 3)]).count == 2)
    #expect(try alerts(AlertQuery(), [report(cell, sev: 1), report(cell, sev: 2), report(cell, sev: 3)]).count == 1)
  }

  @Test func theBearingIsThatOfTheNearestReport() throws {
    let cell = try H3Cell(place(60, 12), resolution: 5)
    let alert = try #require(try alerts(AlertQuery(route: route), [report(cell)]).first)
    let way = Geodesic.inverse(from: aircraft.coordinate, to: cell.center)
    #expect(alert.bearingDegrees == way.initialAzimuth && alert.nearest == report(cell))
  }

  /// Of the reports of the nearest hexagon, it is the one nearest to the aircraft's altitude, then the most severe.
  @Test func theNearestReportIsThatOfTheAltitude() throws {
    let cell = try H3Cell(place(60, 0), resolution: 5)
    let reports = [report(cell, alt: 35, sev: 2), report(cell, alt: 36, sev: 3)]
    func altitude(_ feet: Double?) throws -> UInt8? {
      var aircraft = aircraft
      aircraft.altitudeFeet = feet
      let found = try alerts(AlertQuery(), reports, aircraft)
      #expect(found.count == 1)
      return found.first?.nearest.altitude
    }
    #expect(try altitude(35_490) == 35 && altitude(35_510) == 36 && altitude(33_000) == 35 && altitude(38_000) == 36)
    #expect(try altitude(nil) == 36)
  }

  @Test func onlyAnAircraftThatMovesHasATimeToGo() throws {
    let cell = try H3Cell(place(60, 0), resolution: 5)
    for (knots, isKnown) in [
      (nil, false), (-5, false), (0, false), (0.9, false), (1, true), (1.5, true), (.infinity, false), (.nan, false),
    ] as [(Double?, Bool)] {
      var aircraft = aircraft
      aircraft.groundSpeedKnots = knots
      let alert = try #require(try alerts(AlertQuery(), [report(cell)], aircraft).first)
      #expect((alert.timeToGoSeconds != nil) == isKnown, "\(String(describing: knots))")
      if isKnown, let knots { #expect(alert.timeToGoSeconds == alert.distanceNM / knots * 3600) }
    }
  }

  @Test func offTheRouteAndPastItsEndTheBeamIsUsed() throws {
    let ahead = try H3Cell(place(60, 0), resolution: 5)
    let away = [place(-100, 60), place(300, 60)]
    #expect(try alerts(AlertQuery(route: away), [report(ahead)]).first?.mode == .beam)
    // Half of the width counts on each side.
    for (off, mode) in [(17.0, TurbulenceAlert.Mode.route), (23, .beam)] {
      let beside = [place(-100, off), place(300, off)]
      #expect(try alerts(AlertQuery(route: beside), [report(ahead)]).first?.mode == mode, "\(off)")
    }
    let flown = [place(-100, 0), place(-1, 0)]
    #expect(try alerts(AlertQuery(route: flown), [report(ahead)]).first?.mode == .beam)
    #expect(try alerts(AlertQuery(route: []), [report(ahead)]).first?.mode == .beam)
    #expect(try alerts(AlertQuery(route: [place(0, 0)]), [report(ahead)]).first?.mode == .beam)
  }

  @Test func whatIsRefusedIsNamed() throws {
    func fault(_ query: AlertQuery, _ aircraft: AircraftPosition) -> QueryError? {
      do throws(QueryError) {
        _ = try query.alerts(for: aircraft, in: [], asOf: now)
        return nil
      } catch { return error }
    }
    let lost = AircraftPosition(coordinate: point(.nan, 0), altitudeFeet: 36_000, trackDegrees: 0)
    let turned = AircraftPosition(coordinate: point(0, 0), altitudeFeet: 36_000)
    #expect(fault(AlertQuery(), lost) == .position)
    #expect(fault(AlertQuery(), turned) == .direction)
    #expect(fault(AlertQuery(route: [point(0, 0), point(95, 0)]), aircraft) == .route(index: 1))
    for length in [0, -1, 1001, .nan, .infinity] {
      #expect(fault(AlertQuery(distanceNM: length), aircraft) == .length)
      #expect(fault(AlertQuery(widthNM: length), aircraft) == .length)
    }
    #expect(fault(AlertQuery(altitudeSpanFeet: .nan), aircraft) == .length)
    for length in [0.5, 1000] {
      #expect(
        fault(AlertQuery(distanceNM: length), aircraft) == nil && fault(AlertQuery(widthNM: length), aircraft) == nil)
    }
    #expect(
      fault(AlertQuery(altitudeSpanFeet: 0), aircraft) == nil
        && fault(AlertQuery(altitudeSpanFeet: 0.5), aircraft) == nil)
    #expect(fault(AlertQuery(altitudeSpanFeet: -0.5), aircraft) == .length)
    for angle in [0, -1, 181, .nan] { #expect(fault(AlertQuery(beamDegrees: angle), aircraft) == .angle) }
    #expect(fault(AlertQuery(beamDegrees: 180), aircraft) == nil)
    #expect(QueryError.direction.description.contains("set one of them"))
  }

  @Test(arguments: [nil, -1, .nan, 361]) func withoutATrackOnlyTheRouteLeads(_ track: Double?) throws {
    let route = [point(0, 0), point(0, 10)]
    func alerts(at longitude: Double, latitude: Double = 0) throws(QueryError) -> [TurbulenceAlert] {
      let aircraft = AircraftPosition(
        coordinate: point(latitude, longitude), altitudeFeet: 36_000, trackDegrees: track)
      guard let cell = try? cell(0, 5) else { return [] }
      return try AlertQuery(route: route, distanceNM: 300).alerts(for: aircraft, in: [report(cell)], asOf: now)
    }
    #expect(try alerts(at: 3).count == 1)
    // At the end of the route, nothing is ahead.
    #expect(try alerts(at: 10).isEmpty && alerts(at: 10.05, latitude: 0.28).isEmpty)
    #expect(throws: QueryError.self) { try alerts(at: 10.05, latitude: 0.4) }
    let error = #expect(throws: QueryError.self) { try alerts(at: 3, latitude: 1) }
    guard case .offRoute(let distance) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(abs(distance - 59.7) < 0.5)
    #expect(error?.description.contains("60 NM from the route") == true)
  }
}
