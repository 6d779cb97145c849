import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailQuery

/// Queries on a state: what is held, and of that what is wanted.
@Suite struct HeldTests {
  private func second(_ rig: Rig) -> Int64 { rig.state.serverNow / 1000 }

  @Test func whatIsNoLongerWantedIsHiddenAtOnce() throws {
    var rig = Rig.flying()
    let all = try rig.state.turbulence(with: TurbulenceQuery(aggregate: false), asOf: second(rig))
    let held = try #require(rig.state.scope(.corridor)).reports
    #expect(all.count == held.count && all.count > 50)
    #expect(Set(all.map(\.report)) == Set(held.sorted))

    rig.query {
      $0.severities = .atLeast(.moderate)
      $0.altitudes = .init(lower: 30_000, upper: 40_000)
    }
    let narrow = try rig.state.turbulence(with: TurbulenceQuery(aggregate: false), asOf: second(rig))
    #expect(
      narrow.map(\.report) == all.map(\.report).filter { $0.severity >= .moderate && (30...40).contains($0.altitude) })
    rig.query { $0.types = .pireps }
    #expect(try rig.state.turbulence(with: TurbulenceQuery(), asOf: second(rig)).isEmpty)
    rig.query { $0.polygon = nil }
    #expect(try rig.state.turbulence(with: TurbulenceQuery(), asOf: second(rig)).isEmpty)
  }

  @Test func whatIsOlderThanTheHistoryIsHiddenAsTimePasses() throws {
    let rig = Rig.flying()
    let query = TurbulenceQuery(aggregate: false)
    let later = try rig.state.turbulence(with: query, asOf: second(rig) + 3600)
    #expect(!later.isEmpty && later.allSatisfy { $0.ageSeconds < 7200 })
    #expect(try rig.state.turbulence(with: query, asOf: second(rig) + 7200).isEmpty)
    let hour = try rig.state.turbulence(
      with: TurbulenceQuery(dataHistoryTime: .hour, aggregate: false), asOf: second(rig))
    #expect(!hour.isEmpty && hour.allSatisfy { $0.ageSeconds < 3600 })
    // More than is fetched shows no more than is held.
    let six = try rig.state.turbulence(with: TurbulenceQuery(dataHistoryTime: .sixHours), asOf: second(rig))
    #expect(six == (try rig.state.turbulence(with: TurbulenceQuery(), asOf: second(rig))))
  }

  @Test func whatTwoScopesHoldIsShownOnce() throws {
    var rig = Rig.flying()
    rig.query { $0.viewport = Rig.area }
    rig.answer(.viewport)
    let both = try rig.state.turbulence(with: TurbulenceQuery(aggregate: false), asOf: second(rig))
    #expect(Set(both.map(\.report)).count == both.count)
    for scope in [ScopeID.corridor, .viewport] {
      let one = try rig.state.turbulence(with: TurbulenceQuery(aggregate: false, scope: scope), asOf: second(rig))
      #expect(one.count == both.count)
    }
    let counted = try rig.state.turbulence(with: TurbulenceQuery(), asOf: second(rig))
    #expect(counted.reduce(0) { $0 + $1.count } == both.count)
  }

  @Test func aScopeShowsWhatItHolds() throws {
    let rig = Rig.flying()
    let counts = try [nil, ScopeID.corridor, .viewport].map { scope in
      try rig.state.turbulence(with: TurbulenceQuery(aggregate: false, scope: scope), asOf: second(rig)).count
    }
    #expect(counts[0] > 50 && counts == [counts[0], counts[0], 0])
  }

  @Test func aPIREPOfTwoScopesIsItsNewestUpdate() throws {
    var rig = Rig.flying { $0.types = [.turbulence, .pireps, .traffic] }
    rig.query { $0.viewport = Rig.area }
    let second = second(rig)
    func pirep(_ text: String, updated: Int64) -> PIREP {
      PIREP(
        id: "1", position: .init(latitudeE7: 450_000_000, longitudeE7: -350_000_000), flightLevel: 350,
        severity: .light, isUrgent: false, observedAt: second - 10, updatedAt: second + updated, text: text)
    }
    func aircraft(_ age: Int64) -> TrafficPosition {
      TrafficPosition(
        id: "abc", callsign: "X", position: .init(latitudeE7: 450_000_000, longitudeE7: -350_000_000),
        altitudeFeet: 35_000, groundSpeedKnots: 400, trackDegrees: 90, observedAt: second - age)
    }
    rig.answer(.viewport) {
      var answer = ObservationsAnswer(token: second)
      answer.pireps = [pirep("new", updated: 2)]
      answer.traffic = [aircraft(100)]
      $0.body = .inline(answer.json)
    }
    rig.pass(seconds: 60)
    rig.answer(with: {
      $0.pireps = [pirep("old", updated: 1)]
      $0.traffic = [aircraft(40)]
    })
    #expect(try rig.state.pireps(with: PIREPQuery(), asOf: second).map(\.text) == ["new"])
    #expect(try rig.state.traffic(with: TrafficQuery(), asOf: second).map(\.observedAt) == [second - 40])
    #expect(try rig.state.pireps(with: PIREPQuery(), asOf: second + 7190).isEmpty)
    #expect(try rig.state.traffic(with: TrafficQuery(), asOf: second + 260).isEmpty)
  }

  // MARK: Polygons

  private func rigWithPolygons(_ change: (inout ResolvedQuery) -> Void) -> Rig {
    var rig = Rig()
    rig.launch()
    rig.query {
      $0.types = .turbulencePolygons
      change(&$0)
    }
    for history in DataHistoryTime.allCases where rig.state.scope(.global(history))?.inFlight != nil {
      let second = rig.now / 1000
      rig.answer(.global(history)) {
        $0.body = .inline(
          Array(
            """
            {"type":"FeatureCollection","lastUpdatedAt":\(second),"features":[
            {"type":"Feature","properties":{"severity":3,"baseAltitude":30,"topAltitude":36,"count":\(history.seconds)},
             "geometry":{"type":"Polygon","coordinates":[[[0,0],[10,0],[10,10],[0,10],[0,0]],[[4,4],[4,6],[6,6],[6,4],[4,4]]]}},
            {"type":"Feature","properties":{"severity":1,"baseAltitude":20,"topAltitude":24,"name":"a \\"b\\""},
             "geometry":{"type":"MultiPolygon","coordinates":[[[[170,0],[180,0],[180,5],[170,5],[170,0]]],
              [[[-180,0],[-170,0],[-170,5],[-180,5],[-180,0]]]]}},
            {"type":"Feature","properties":{"severity":4},
             "geometry":{"type":"Polygon","coordinates":[[[160,-30],[165,-30],[165,-20],[160,-20],[160,-30]]]}},
            {"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[1,2]}}]}
            """.utf8))
      }
    }
    return rig
  }

  @Test func polygonsAreHeldForTheTimeThatIsSetAndWithTheFlagForAllUpToIt() throws {
    let single = rigWithPolygons { _ in }
    #expect(single.state.turbulencePolygonTimes(asOf: now) == [.twoHours])
    var several = rigWithPolygons { $0.isUpToEnabled = true }
    #expect(several.state.turbulencePolygonTimes(asOf: now) == [.halfHour, .hour, .twoHours])
    let query = TurbulencePolygonQuery(dataHistoryTime: .halfHour)
    let found = try #require(try several.state.turbulencePolygons(with: query, asOf: now + 60))
    #expect(found.areas.count == 3 && found.asOf == now && found.ageSeconds == 60)
    #expect(found.areas[0].count == 1800 && found.areas[0].baseFeet == 30_000 && found.areas[0].topFeet == 36_000)
    // What is as old as its history says nothing any more.
    #expect(several.state.turbulencePolygonTimes(asOf: now + 1800) == [.hour, .twoHours])
    #expect(try several.state.turbulencePolygons(with: query, asOf: now + 1800) == nil)
    several.query { $0.isUpToEnabled = false }
    #expect(several.state.turbulencePolygonTimes(asOf: now) == [.twoHours])
  }

  @Test func polygonsAreAskedByAreaAltitudeAndSeverity() throws {
    let state = rigWithPolygons { _ in }.state
    func counts(_ change: (inout TurbulencePolygonQuery) -> Void) throws -> [TurbulenceSeverity?] {
      var query = TurbulencePolygonQuery(dataHistoryTime: .twoHours)
      change(&query)
      return try state.turbulencePolygons(with: query, asOf: now)?.areas.map(\.severity) ?? []
    }
    #expect(try counts { _ in } == [.moderate, .light, .moderateSevere])
    #expect(try counts { $0.sevs = [.light] } == [.light])
    // What an area doesn't say is no reason to leave it out.
    #expect(try counts { $0.altRange = 24_500...29_500 } == [.moderateSevere])
    #expect(try counts { $0.altRange = 36_000...52_000 } == [.moderate, .moderateSevere])
    // Within, beside, in the hole, across the hole's edge, all round, across the antimeridian.
    for (area, expected) in [
      (QueryArea.viewport(north: 3, south: 1, west: 1, east: 3), [TurbulenceSeverity.moderate]),
      (.viewport(north: 3, south: 1, west: 11, east: 13), []),
      (.viewport(north: 5.5, south: 4.5, west: 4.5, east: 5.5), []),
      (.viewport(north: 5.5, south: 4.5, west: 4.5, east: 6.5), [.moderate]),
      (.viewport(north: 20, south: -20, west: -20, east: 20), [.moderate]),
      (.viewport(north: 4, south: 1, west: 175, east: -175), [.light]),
      (.viewport(north: 4, south: 1, west: -174, east: -173), [.light]),
      (.polygon([point(1, 185), point(1, 187), point(2, 187), point(2, 185), point(1, 185)]), [.light]),
      (.viewport(north: -24, south: -26, west: 158, east: -170), [.moderateSevere]),
      (.viewport(north: 90, south: -90, west: -180, east: 180), [.moderate, .light, .moderateSevere]),
    ] {
      #expect(try counts { $0.area = area } == expected, "\(area)")
    }
  }

  @Test func polygonsKeepWhatTheServerSaidAndGetColours() throws {
    let state = rigWithPolygons { _ in }.state
    let query = TurbulencePolygonQuery(dataHistoryTime: .twoHours, sevs: [.light])
    let text = try #require(try state.turbulencePolygons(with: query, asOf: now)).geoJSON()
    #expect(
      text == """
        {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":\
        [[[[170,0],[180,0],[180,5],[170,5],[170,0]]],[[[-180,0],[-170,0],[-170,5],[-180,5],[-180,0]]]]},\
        "properties":{"severity":1,"baseAltitude":20,"topAltitude":24,"name":"a \\"b\\"","fill":"#FFF04C",\
        "fill-opacity":0.8,"stroke":"#FFF04C","stroke-opacity":0,"stroke-width":0}}]}
        """)
  }

  /// The areas of a profile are those of its history, and are remembered until others come.
  @Test func aProfileHasTheAreasOfItsHistory() throws {
    var rig = rigWithPolygons { _ in }
    var memory = ProfileMemory()
    func areas(_ history: DataHistoryTime?) throws -> [TurbulenceSeverity?] {
      let query = ProfileQuery(along: [point(2, 1), point(2, 9)], dataHistoryTime: history)
      let live = try rig.state.liveProfile(with: query, asOf: now, in: nil, own: [], &memory)
      #expect(live.profile == (try rig.state.profile(with: query, asOf: now)))
      #expect((live.result.expiresAt == nil) == live.profile.areas.isEmpty)
      return live.profile.areas.map(\.severity)
    }
    for _ in 0..<2 {
      #expect(try areas(nil) == [.moderate] && areas(.twoHours) == [.moderate] && areas(.halfHour) == [])
    }
    rig.pass(seconds: 300)
    rig.send(.refreshRequested(full: true))
    let second = rig.now / 1000
    let document =
      #"{"type":"FeatureCollection","lastUpdatedAt":\#(second),"features":[{"type":"Feature","properties":{"severity":4},"geometry":{"type":"Polygon","coordinates":[[[0,0],[10,0],[10,10],[0,10],[0,0]]]}}]}"#
    rig.answer(.global(.twoHours)) { $0.body = .inline(Array(document.utf8)) }
    #expect(try areas(nil) == [.moderateSevere])
  }

  @Test func coloursOfTheServerStayWithoutASeverity() throws {
    func text(_ properties: String) -> String {
      let document =
        #"{"features":[{"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]},"properties":{"fill":"red"\#(properties)}}]}"#
      return TurbulencePolygons(
        history: .hour, asOf: now, ageSeconds: 0, areas: TurbulenceArea.areas(in: Array(document.utf8))
      ).geoJSON()
    }
    #expect(text("").contains(#""properties":{"fill":"red"}"#))
    #expect(text(#","severity":3"#).contains(##""properties":{"severity":3,"fill":"#FF7100","##))
  }

  @Test func anAreaOfOneLevelHasAltitudes() {
    let document =
      #"{"features":[{"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]},"properties":{"baseAltitude":30,"topAltitude":30}}]}"#
    let area = TurbulenceArea.areas(in: Array(document.utf8))[0]
    for (range, isAdmitted) in [
      (40_000.0...50_000, false), (20_000...30_000, true), (30_000...40_000, true), (10_000...29_000, false),
    ] {
      let query = TurbulencePolygonQuery(dataHistoryTime: .hour, altRange: range)
      #expect(query.admits(area, in: nil, SeveritySet(query.sevs)) == isAdmitted, "\(range)")
    }
  }

  /// Invalid properties of an area are ignored.
  @Test func propertiesOfAnAreaHaveLimits() throws {
    func area(_ properties: String) throws -> TurbulenceArea {
      let document =
        #"{"features":[{"geometry":{"bbox":[1],"type":"Polygon","coordinates":[[[-178,0],[-170,0],[-170,9],[-178,9],[-178,0]],[[-175,4],[-173,4],[-173,6],[-175,6],[-175,4]]]},"properties":{\#(properties)}}]}"#
      return try #require(TurbulenceArea.areas(in: Array(document.utf8)).first)
    }
    let least = try area(#""sev":0,"baseAltitude":0,"topAltitude":0,"count":0"#)
    #expect(least.severity == TurbulenceSeverity.none && least.baseFeet == 0 && least.topFeet == 0 && least.count == 0)
    let most = try area(#""severity":4,"baseAltitude":1000,"topAltitude":1000"#)
    #expect(most.severity == .moderateSevere && most.baseFeet == 1_000_000 && most.topFeet == 1_000_000)
    #expect(try area(#""topAltitude":1001"#).topFeet == nil)
    let none = try area(#""severity":5,"baseAltitude":1001,"topAltitude":-1,"count":-1"#)
    #expect(none.severity == nil && none.baseFeet == nil && none.topFeet == nil && none.count == nil)
    // Longitudes may be any number of turns away; a hole isn't in it.
    for (latitude, longitude, isInside) in [
      (1.0, -177.0, true), (1, 183, true), (1, 182.5, true), (1, 181.5, false), (1, -537, true), (5, -174, false),
      (5, 186, false), (5, -171, true),
      (-1, -175, false), (10, -175, false), (5, -169, false), (5, -179, false),
    ] {
      #expect(most.contains(point(latitude, longitude)) == isInside, "\(latitude), \(longitude)")
    }
  }
}
