import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailQuery
import ContrailTestSupport
import ContrailWire
import Testing

@Suite struct AlertTrackerTests {
  /// Westward along a parallel, a cell apart, from the nearest on.
  private func line(_ count: Int, from longitude: Double = -31) throws -> [H3Cell] {
    let start = try cell(50, longitude)
    return try start.gridPath(to: try cell(50, longitude - Double(count) * 0.5)).prefix(count).map { $0 }
  }

  private func aircraft(_ longitude: Double, feet: Double = 36_000, track: Double = 270) -> AircraftPosition {
    AircraftPosition(coordinate: point(50, longitude), altitudeFeet: feet, trackDegrees: track, groundSpeedKnots: 450)
  }

  private let wide = AlertQuery(route: [point(50, -20), point(50, -30), point(50, -40), point(50, -50)])

  /// The alerts as lines such as `1 new light`.
  private func lines(_ alerts: [TurbulenceAlert]) -> [String] {
    alerts.map { "\($0.id) \($0.phase) \($0.severity)" }
  }

  @Test func aClusterIsToldOnceAndThenItsEnd() throws {
    let cells = try line(4)
    var tracker = AlertTracker(query: wide)
    let reports = cells.map { report($0) }
    #expect(lines(try tracker.alerts(for: aircraft(-30), in: reports, asOf: now)) == ["1 new lightModerate"])
    #expect(
      lines(try tracker.alerts(for: aircraft(-30.5), in: reports, asOf: now + 60)) == ["1 unchanged lightModerate"])
    #expect(lines(try tracker.alerts(for: aircraft(-34), in: reports, asOf: now + 600)) == ["1 ended lightModerate"])
    #expect(try tracker.alerts(for: aircraft(-34.2), in: reports, asOf: now + 660).isEmpty)
  }

  @Test func reportsThatComeChangeTheCluster() throws {
    let cells = try line(4)
    var tracker = AlertTracker(query: wide)
    var reports = [report(cells[0], sev: 1)]
    func step() throws -> [String] { lines(try tracker.alerts(for: aircraft(-29.5), in: reports, asOf: now)) }
    #expect(try step() == ["1 new light"])
    reports.append(report(cells[1], sev: 1))
    #expect(try step() == ["1 changed light"])
    reports.append(report(cells[2], sev: 2))
    #expect(try step() == ["1 worsened lightModerate"])
    #expect(try step() == ["1 unchanged lightModerate"])
    reports.removeLast()
    #expect(try step() == ["1 changed light"])
    reports.append(report(cells[2], sev: 2, age: 5))
    // It has been that severe before.
    #expect(try step() == ["1 changed lightModerate"])
  }

  @Test func expiryEndsACluster() throws {
    let cells = try line(1)
    var tracker = AlertTracker(query: wide)
    tracker.query.dataHistoryTime = .halfHour
    let reports = [report(cells[0], age: 1700)]
    #expect(lines(try tracker.alerts(for: aircraft(-30), in: reports, asOf: now)) == ["1 new lightModerate"])
    #expect(lines(try tracker.alerts(for: aircraft(-30), in: reports, asOf: now + 99)) == ["1 unchanged lightModerate"])
    #expect(lines(try tracker.alerts(for: aircraft(-30), in: reports, asOf: now + 100)) == ["1 ended lightModerate"])
  }

  @Test func aTurnAwayAndBackTellsNothingTwice() throws {
    let cells = try line(2)
    var tracker = AlertTracker(query: AlertQuery())
    let reports = cells.map { report($0) }
    func step(_ track: Double, _ second: Int64) throws -> [String] {
      lines(try tracker.alerts(for: aircraft(-30, track: track), in: reports, asOf: now + second))
    }
    #expect(try step(270, 0) == ["1 new lightModerate"])
    #expect(try step(180, 30) == ["1 ended lightModerate"])
    #expect(try step(180, 60) == [])
    #expect(try step(270, 90) == ["1 changed lightModerate"])
    #expect(try step(180, 120) == ["1 ended lightModerate"])
    // Longer than it is remembered.
    #expect(try step(270, 120 + 600) == ["2 new lightModerate"])
  }

  @Test func partsOfAClusterKeepItsNumber() throws {
    let cells = try line(7)
    var tracker = AlertTracker(query: wide)
    let all = cells.map { report($0) }
    #expect(lines(try tracker.alerts(for: aircraft(-30), in: all, asOf: now)) == ["1 new lightModerate"])
    let parts = [all[0], all[1], all[5], all[6]]
    #expect(lines(try tracker.alerts(for: aircraft(-30), in: parts, asOf: now)) == ["1 changed lightModerate"])
    // Longer than what was between them is remembered.
    for second: Int64 in [300, 601, 700] {
      #expect(
        lines(try tracker.alerts(for: aircraft(-30), in: parts, asOf: now + second)) == ["1 unchanged lightModerate"])
    }
    // The near part is passed; the far one is still the same.
    #expect(lines(try tracker.alerts(for: aircraft(-31.9), in: parts, asOf: now)) == ["1 changed lightModerate"])
  }

  @Test func twoThatGrowTogetherKeepTheOlderNumber() throws {
    let cells = try line(7)
    var tracker = AlertTracker(query: wide)
    let all = cells.map { report($0) }
    let parts = [all[0], all[1], all[5], report(cells[6], sev: 3)]
    #expect(
      lines(try tracker.alerts(for: aircraft(-30), in: parts, asOf: now)) == ["1 new lightModerate", "2 new moderate"])
    // Not worse than what was told of either.
    #expect(
      lines(try tracker.alerts(for: aircraft(-30), in: parts + all[2...4], asOf: now))
        == ["1 changed moderate", "2 ended moderate"])
    #expect(lines(try tracker.alerts(for: aircraft(-30), in: parts, asOf: now)) == ["1 changed moderate"])
  }

  @Test func aChangedQueryKeepsTheNumbers() throws {
    let reports = try line(3).map { report($0) }
    var tracker = AlertTracker(query: AlertQuery())
    #expect(lines(try tracker.alerts(for: aircraft(-30), in: reports, asOf: now)) == ["1 new lightModerate"])
    tracker.query.route = wide.route
    let alerts = try tracker.alerts(for: aircraft(-30), in: reports, asOf: now)
    #expect(lines(alerts) == ["1 unchanged lightModerate"] && alerts.first?.mode == .route)
  }

  @Test func aFaultChangesNothing() throws {
    let reports = try line(3).map { report($0) }
    var tracker = AlertTracker(query: AlertQuery())
    _ = try tracker.alerts(for: aircraft(-30), in: reports, asOf: now)
    let before = tracker.current
    var lost = aircraft(-30)
    lost.trackDegrees = nil
    #expect(throws: QueryError.direction) { try tracker.alerts(for: lost, in: reports, asOf: now) }
    #expect(tracker.current == before)
  }

  @Test func theOrderOfReportsMakesNoDifference() throws {
    var random = SplitMix64(seed: 8)
    let reports = random.world(around: [point(50, -31)], count: 600, spreadNM: 120)
    var trackers = [AlertTracker(query: wide), AlertTracker(query: wide)]
    for step in 0..<8 {
      let place = aircraft(-29 - Double(step) * 0.4)
      let first = try trackers[0].alerts(for: place, in: reports, asOf: now)
      let second = try trackers[1].alerts(for: place, in: reports.shuffled(using: &random), asOf: now)
      #expect(first == second && !first.isEmpty)
    }
  }

  @Test func manyReportsAreAnsweredAsFewAre() throws {
    // Of many the cells of a circle are found first; a sequence that doesn't know its count is taken for few.
    var random = SplitMix64(seed: 9)
    for place in [point(50, -31), point(0, 180), point(90, 0), point(-89.6, 77)] {
      let reports = random.world(around: [place], count: 2500, spreadNM: 300)
      let aircraft = AircraftPosition(coordinate: place, altitudeFeet: 30_000, trackDegrees: 200)
      let query = AlertQuery(widthNM: 200, altitudeSpanFeet: 10_000, beamDegrees: 90)
      let many = try query.alerts(for: aircraft, in: reports, asOf: now)
      let few = try query.alerts(for: aircraft, in: reports.lazy.filter { _ in true }, asOf: now)
      #expect(many == few && many.count > 5, "\(place)")
    }
  }

  @Test func whatIsHeldAndWantedIsAsked() throws {
    var rig = Rig.flying { $0.severities = .all }
    rig.pass(seconds: 60)
    let reports = try line(3, from: -35).map { report($0, age: 5) }
    rig.answer { $0.reports = reports }
    let query = AlertQuery()
    let place = aircraft(-34.2)
    let second = rig.state.serverNow / 1000
    let found = try query.alerts(for: place, in: rig.state, asOf: second)
    #expect(found.count == 1 && found.first?.count == 3)
    #expect(try query.alerts(for: place, in: rig.state, asOf: second + 7200).isEmpty)
    rig.query { $0.severities = .atLeast(.moderate) }
    #expect(try query.alerts(for: place, in: rig.state, asOf: second).isEmpty)
  }
}
