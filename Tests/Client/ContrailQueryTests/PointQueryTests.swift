import ContrailCore
import ContrailGeodesy
import ContrailQuery
import ContrailTestSupport
import ContrailWire
import Testing

@Suite struct PointQueryTests {
  private func pirep(_ id: Int, _ place: Coordinate, level: Int?, severity: UInt8?, age: Int64) -> PIREP {
    PIREP(
      id: "\(id)", position: FixedCoordinate(place) ?? .init(latitudeE7: 0, longitudeE7: 0), flightLevel: level,
      severity: severity.flatMap(TurbulenceSeverity.init), isUrgent: false, observedAt: now - age, updatedAt: now,
      text: "UA")
  }

  @Test func answersAreThoseOfTheNaiveQuery() throws {
    var random = SplitMix64(seed: 3)
    let pireps = (0..<600).map { id in
      pirep(
        id, random.place(), level: random.chance(80) ? Int.random(in: 0...520, using: &random) : nil,
        severity: random.chance(70) ? UInt8.random(in: 0...4, using: &random) : nil,
        age: Int64.random(in: 0...25_000, using: &random))
    }
    for (_, area, _) in TurbulenceQueryTests.areas {
      let ring = try area.ring()
      let query = PIREPQuery(
        area: area, altRange: random.chance(60) ? 20_000...38_000 : nil, includesUnknownAltitude: random.chance(50),
        sevs: random.chance(50) ? [.none, .light, .moderate] : nil,
        dataHistoryTime: random.chance(50) ? .fourHours : nil)
      let expected = pireps.filter { pirep in
        if let ring, !ring.contains(pirep.position) { return false }
        if let history = query.dataHistoryTime, now - pirep.observedAt >= history.seconds { return false }
        if let sevs = query.sevs, !(pirep.severity.map(sevs.contains) ?? false) { return false }
        guard query.altRange != nil else { return true }
        return pirep.flightLevel.map { 200...380 ~= $0 } ?? query.includesUnknownAltitude
      }
      #expect(try query.items(in: pireps, asOf: now) == expected)
    }
  }

  @Test func aPIREPAsOldAsTheHistoryIsGone() throws {
    let pireps = [1799, 1800].map { pirep($0, point(0, 0), level: nil, severity: nil, age: Int64($0)) }
    #expect(try PIREPQuery(dataHistoryTime: .halfHour).items(in: pireps, asOf: now).map(\.id) == ["1799"])
  }

  @Test func theLimitsOfAnAltitudeRangeAreInIt() throws {
    let pireps = [199, 200, 380, 381].map { pirep($0, point(0, 0), level: $0, severity: nil, age: 60) }
    #expect(try PIREPQuery(altRange: 20_000...38_000).items(in: pireps, asOf: now).map(\.id) == ["200", "380"])
  }

  @Test func noTimeAndNoPlaceTraps() throws {
    let far = [Int64.min, -1, 0, Int64.max]
    for second in far {
      let pireps = far.map { age in
        PIREP(
          id: "1", position: .init(latitudeE7: .max, longitudeE7: .min), flightLevel: .max, severity: nil,
          isUrgent: false, observedAt: age, updatedAt: age, text: "")
      }
      let traffic = far.map { age in
        TrafficPosition(
          id: "1", callsign: "", position: .init(latitudeE7: .min, longitudeE7: .max), altitudeFeet: .min,
          groundSpeedKnots: nil, trackDegrees: nil, observedAt: age)
      }
      let infinite = -Double.infinity...Double.infinity
      _ = try PIREPQuery(altRange: infinite, dataHistoryTime: .hour).items(in: pireps, asOf: second)
        .geoJSON(asOf: second)
      _ = try TrafficQuery(altRange: infinite, maximumAgeSeconds: .max).items(in: traffic, asOf: second)
        .geoJSON(asOf: second)
      // Invalid cells, and codes that no severity has.
      let reports = [0, UInt64.max].map { TurbulenceReport(packed: $0 & (1 << 47 - 1), observedAt: .max) }
      _ = try TurbulenceQuery(altRange: infinite, dataHistoryTime: .hour).items(in: reports, asOf: second).geoJSON()
      var tracker = AlertTracker(query: AlertQuery(altitudeSpanFeet: .infinity, dataHistoryTime: .hour))
      tracker.memorySeconds = .max
      var place = AircraftPosition(
        coordinate: point(90, 360), altitudeFeet: .infinity, trackDegrees: 360, groundSpeedKnots: .nan)
      _ = try tracker.alerts(for: place, in: reports, asOf: second)
      place.trackDegrees = 1e300
      #expect(throws: QueryError.direction) { try tracker.alerts(for: place, in: reports, asOf: second) }
    }
  }

  private func aircraft(_ id: String, feet: Int?, age: Int64, _ longitudeE7: Int64 = 0) -> TrafficPosition {
    TrafficPosition(
      id: id, callsign: "", position: .init(latitudeE7: 0, longitudeE7: longitudeE7), altitudeFeet: feet,
      groundSpeedKnots: nil, trackDegrees: nil, observedAt: now - age)
  }

  @Test func trafficIsGoneAfterFiveMinutes() throws {
    let list = [
      aircraft("c", feet: nil, age: 10), aircraft("b", feet: 9000, age: 299), aircraft("a", feet: 1, age: 300),
    ]
    #expect(try TrafficQuery().items(in: list, asOf: now).map(\.id) == ["b", "c"])
    #expect(try TrafficQuery(maximumAgeSeconds: 60).items(in: list, asOf: now).map(\.id) == ["c"])
    #expect(try TrafficQuery(maximumAgeSeconds: 9999).items(in: list, asOf: now).map(\.id) == ["b", "c"])
    #expect(try TrafficQuery(maximumAgeSeconds: -1).items(in: list, asOf: now).isEmpty)
    let low = TrafficQuery(altRange: 0...9000)
    #expect(try low.items(in: list, asOf: now).map(\.id) == ["b", "c"])
    #expect(
      try TrafficQuery(altRange: 0...8999, includesUnknownAltitude: false).items(in: list, asOf: now).isEmpty)
  }

  @Test func anAircraftIsOnlyWhereItWasSeenLast() throws {
    let list = [aircraft("a", feet: nil, age: 100, 0), aircraft("a", feet: nil, age: 10, 500_000_000)]
    let here = TrafficQuery(area: .viewport(north: 1, south: -1, west: -1, east: 1))
    #expect(try here.items(in: list, asOf: now).isEmpty)
    #expect(try TrafficQuery().items(in: list.reversed(), asOf: now).map(\.observedAt) == [now - 10])
  }

  @Test func aScopeThatHasNoneIsNamed() {
    let state = State()
    #expect(throws: QueryError.scope(.outbox)) {
      try state.turbulence(with: TurbulenceQuery(scope: .outbox), asOf: now)
    }
    #expect(throws: QueryError.scope(.outbox)) { try state.pireps(with: PIREPQuery(scope: .outbox), asOf: now) }
    #expect(throws: QueryError.scope(.outbox)) { try state.traffic(with: TrafficQuery(scope: .outbox), asOf: now) }
  }

  @Test func trafficIsAskedByAltitudeAndAge() throws {
    func aircraft(_ feet: Int?, age: Int64 = 10) -> TrafficPosition {
      TrafficPosition(
        id: "a", callsign: "a", position: FixedCoordinate(latitudeE7: 0, longitudeE7: 0), altitudeFeet: feet,
        groundSpeedKnots: nil, trackDegrees: nil, observedAt: now - age)
    }
    for (feet, isKnown, isUnknown) in [
      (30_000, true, true), (40_000, true, true), (29_999, false, false), (40_001, false, false), (nil, true, false),
    ] as [(Int?, Bool, Bool)] {
      for (includes, expected) in [(true, isKnown), (false, isUnknown)] {
        let query = TrafficQuery(altRange: 30_000...40_000, includesUnknownAltitude: includes)
        #expect(try query.items(in: [aircraft(feet)], asOf: now).isEmpty == !expected)
      }
    }
    for maximum: Int64 in [0, -5] {
      #expect(try TrafficQuery(maximumAgeSeconds: maximum).items(in: [aircraft(nil, age: 0)], asOf: now).isEmpty)
    }
  }

  @Test func theDefaultsIncludeUnknownAltitudes() {
    #expect(PIREPQuery().includesUnknownAltitude && TrafficQuery().includesUnknownAltitude)
    #expect(TrafficQuery().maximumAgeSeconds == 300)
  }

  @Test func anAreaThatIsNoneIsNamed() {
    let open = QueryArea.polygon([point(0, 0), point(0, 1), point(1, 1), point(1, 0)])
    #expect(throws: QueryError.area(.open)) { try PIREPQuery(area: open).items(in: [], asOf: now) }
    #expect(throws: QueryError.area(.open)) { try TrafficQuery(area: open).items(in: [], asOf: now) }
    #expect(throws: QueryError.area(.open)) { try TurbulenceQuery(area: open).items(in: [], asOf: now) }
    #expect(throws: QueryError.corridor(.routeEmpty)) { try QueryArea.route([], widthNM: 40).ring() }
    #expect(throws: QueryError.viewport(.edgeLatitude(.north, 91))) {
      try QueryArea.viewport(north: 91, south: 0, west: 0, east: 1).ring()
    }
    #expect(QueryError.corridor(.width).code == "widthOutOfRange")
  }
}
