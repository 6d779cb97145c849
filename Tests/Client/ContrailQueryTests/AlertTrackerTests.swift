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

  /// A place is remembered for as long as the tracker says, to the second.
  @Test func aPlaceIsRememberedForTenMinutes() throws {
    let reports = try line(2).map { report($0) }
    for (pause, line) in [(Int64(600), "1 changed lightModerate"), (601, "2 new lightModerate")] {
      var tracker = AlertTracker(query: AlertQuery())
      func step(_ track: Double, _ second: Int64) throws -> [String] {
        lines(try tracker.alerts(for: aircraft(-30, track: track), in: reports, asOf: now + second))
      }
      #expect(try step(270, 0) == ["1 new lightModerate"] && step(180, 1) == ["1 ended lightModerate"])
      #expect(try step(270, pause) == [line])
    }
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

  /// A merged cluster keeps the highest severity of both, and the places of both that aren't ahead now.
  @Test func aClusterThatTookInAnotherRemembersBoth() throws {
    let cells = try line(7)
    var tracker = AlertTracker(query: wide)
    func step(_ reports: [TurbulenceReport]) throws -> [String] {
      lines(try tracker.alerts(for: aircraft(-30), in: reports, asOf: now))
    }
    let parts = [report(cells[0], sev: 3), report(cells[5]), report(cells[6])]
    #expect(try step(parts) == ["1 new moderate", "2 new lightModerate"])
    // The near one is weaker now, and what joins them is here. Of the far one, only a part is.
    let joined = cells[0...5].map { report($0) }
    #expect(try step(joined) == ["1 changed lightModerate", "2 ended lightModerate"])
    // The moderate one was told before.
    #expect(try step(joined + [report(cells[1], sev: 3)]) == ["1 changed moderate"])
    // What was the far one's belongs to both.
    #expect(try step([report(cells[6])]) == ["1 changed lightModerate"])
  }

  /// A place keeps the number of the merged cluster after the places that connected them are forgotten.
  @Test func aPlaceBelongsToTheMergedCluster() throws {
    let reports = try line(5).map { report($0) }
    var tracker = AlertTracker(query: wide)
    func step(_ second: Int64, _ numbers: [Int]) throws -> [Int] {
      try tracker.alerts(for: aircraft(-30), in: numbers.map { reports[$0] }, asOf: now + second).filter {
        $0.phase != .ended
      }.map(\.id)
    }
    #expect(try step(0, [0, 2, 3, 4]) == [1, 2] && step(100, [0, 2, 4]) == [1, 2] && step(200, [0, 1, 2]) == [1])
    #expect(try step(650, [4]) == [1])
  }

  /// On a route that returns along itself, the last position decides between the passes. A new route ignores it.
  @Test func anotherRouteBeginsAnew() throws {
    func aircraft(_ longitude: Double) -> AircraftPosition {
      AircraftPosition(coordinate: point(0, longitude), altitudeFeet: 36_000)
    }
    let reports = [report(try cell(0, 9.7))]
    let back = [point(0, 0), point(0, 10), point(0, 0)]
    var tracker = AlertTracker(query: AlertQuery(route: back))
    // Eleven degrees along the one are as far as nine back along the other.
    tracker.query.route = [point(0, -2), point(0, 12)]
    #expect(try tracker.alerts(for: aircraft(9), in: reports, asOf: now).count == 1)
    tracker.query.route = back
    #expect(try tracker.alerts(for: aircraft(9), in: reports, asOf: now).map(\.phase) == [.unchanged])
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

  /// Reports of two scopes give the same alerts as in one scope.
  @Test func reportsOfTwoScopesAreAnsweredAsOfOne() throws {
    var random = SplitMix64(seed: 10)
    let reports = random.world(around: [point(47, -33)], count: 400, spreadNM: 100).filter { $0.altitude > 20 }
    let halves = Dictionary(grouping: reports.indices, by: { $0 % 2 }).mapValues { $0.map { reports[$0] } }
    let query = AlertQuery(widthNM: 100, altitudeSpanFeet: 20_000, beamDegrees: 120)
    let aircraft = AircraftPosition(coordinate: point(47, -32), altitudeFeet: 36_000, trackDegrees: 270)
    let whole = try query.alerts(for: aircraft, in: state(reports, viewport: []), asOf: now)
    #expect(whole.count > 5)
    #expect(try query.alerts(for: aircraft, in: state(halves[0] ?? [], viewport: halves[1] ?? []), asOf: now) == whole)
    #expect(try query.alerts(for: aircraft, in: state(reports, viewport: halves[1] ?? []), asOf: now) == whole)
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
    #expect(throws: QueryError.length) {
      try AlertQuery(altitudeSpanFeet: -1).alerts(for: place, in: rig.state, asOf: second)
    }
  }
}
