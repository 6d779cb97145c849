import ContrailCore
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailQuery

/// When a live query is evaluated again, and what it tells then.
@Suite struct LiveResultTests {
  /// A corridor that holds records of each type.
  private func rig(
    _ reports: [TurbulenceReport] = [], _ pireps: [PIREP] = [], _ traffic: [TrafficPosition] = []
  ) -> Rig {
    var rig = Rig()
    rig.launch()
    rig.query {
      $0.polygon = Rig.area
      $0.types = [.turbulence, .pireps, .traffic]
    }
    answer(&rig, reports, pireps, traffic)
    return rig
  }

  private func answer(
    _ rig: inout Rig, _ reports: [TurbulenceReport], _ pireps: [PIREP], _ traffic: [TrafficPosition]
  ) {
    let second = rig.now / 1000
    rig.answer { response in
      var answer = ObservationsAnswer(token: second)
      (answer.reports, answer.pireps, answer.traffic) = (reports, pireps, traffic)
      response.body = .inline(answer.json)
    }
  }

  private func aircraft(_ id: String, age: Int64, feet: Int64 = 35_000) -> TrafficPosition {
    TrafficPosition(
      id: id, callsign: id, position: FixedCoordinate(latitudeE7: 450_000_000, longitudeE7: -350_000_000),
      altitudeFeet: Int(feet), groundSpeedKnots: 400, trackDegrees: 90, observedAt: now - age)
  }

  @Test func aQueryIsEvaluatedIfItsRecordsChange() throws {
    let cells = try [cell(45, -35), cell(46, -34)]
    let plain = rig([report(cells[0])]).state
    let others: [(name: String, state: State, types: DataTypeOptions)] = [
      ("a report", rig([report(cells[1])]).state, .turbulence),
      ("another report", rig([report(cells[0]), report(cells[1])]).state, .turbulence),
      ("a PIREP", rig([report(cells[0])], [try pirep("a", at: point(45, -35))]).state, .pireps),
      ("an aircraft", rig([report(cells[0])], [], [aircraft("a", age: 10)]).state, .traffic),
    ]
    for (name, state, changed) in others {
      for types in [DataTypeOptions.turbulence, .pireps, .traffic, .turbulencePolygons] {
        var result = LiveResult<PIREP>(types)
        var evaluations = 0
        func update(_ state: State, at second: Int64 = now, own: [OwnReport] = []) {
          _ = result.update(to: state, asOf: second, own: own) {
            evaluations += 1
            return ([], now + 100)
          }
        }
        update(plain)
        update(plain)
        update(plain, at: now + 99)
        #expect(evaluations == 1)
        update(state, at: now + 99)
        #expect(evaluations == (types == changed ? 2 : 1), "\(name), \(types)")
        update(state, at: now + 100)
        update(state, at: now + 98)
        #expect(evaluations == (types == changed ? 4 : 3), "time, and a clock that is set back")
        update(state, at: now + 98, own: [OwnReport(report(cells[1]), .waiting)])
        #expect(evaluations == (types == changed ? 4 : 3) + (types == .turbulence ? 1 : 0), "\(name), \(types)")
      }
    }
  }

  @Test func withoutAnExpiryTimeChangesNothing() {
    var result = LiveResult<PIREP>(.pireps)
    var evaluations = 0
    for second in [now, now + 1, Int64.max - 1] {
      _ = result.update(to: State(), asOf: second, own: []) {
        evaluations += 1
        return ([], nil)
      }
    }
    #expect(evaluations == 1)
  }

  @Test func pirepsExpireWithTheShorterHistory() throws {
    let place = point(45, -35)
    var old = try pirep("old", at: place)
    old.observedAt = now - 100
    let state = rig([], [try pirep("new", at: place), old]).state
    #expect(try state.livePIREPs(with: PIREPQuery(), asOf: now).expiresAt == now - 100 + 7200)
    #expect(try state.livePIREPs(with: PIREPQuery(dataHistoryTime: .halfHour), asOf: now).expiresAt == now - 100 + 1800)
    #expect(try state.livePIREPs(with: PIREPQuery(dataHistoryTime: .sixHours), asOf: now).expiresAt == now - 100 + 7200)
    #expect(try state.livePIREPs(with: PIREPQuery(sevs: []), asOf: now).expiresAt == nil)
  }

  @Test func trafficExpiresWithItsAge() throws {
    let state = rig([], [], [aircraft("a", age: 20), aircraft("b", age: 50)]).state
    func expiry(_ age: Int64) throws -> Int64? {
      try state.liveTraffic(with: TrafficQuery(maximumAgeSeconds: age), asOf: now).expiresAt
    }
    #expect(try expiry(300) == now + 250 && expiry(1000) == now + 250 && expiry(60) == now + 10)
    #expect(try expiry(30) == now + 10 && expiry(51) == now + 1 && expiry(-5) == nil)
  }

  @Test func aPositionThatMovesIsAChange() throws {
    var result = LiveResult<TrafficPosition>(.traffic)
    func change(_ traffic: [TrafficPosition]) throws -> ResultChange<TrafficPosition>? {
      let state = rig([], [], traffic).state
      return try result.update(to: state, asOf: now, own: []) { () throws(QueryError) in
        try state.liveTraffic(with: TrafficQuery(), asOf: now)
      }
    }
    #expect(try change([aircraft("a", age: 20)])?.isFirst == true)
    let climbed = try #require(try change([aircraft("a", age: 20, feet: 36_000), aircraft("b", age: 9)]))
    #expect(climbed.changed.map(\.id) == ["a"] && climbed.inserted.map(\.id) == ["b"])
  }

  @Test func polygonsExpireWithTheirHistory() throws {
    var rig = Rig()
    rig.launch()
    rig.query { $0.types = .turbulencePolygons }
    func answer(_ severities: [Int]) {
      let features = severities.map {
        #"{"type":"Feature","properties":{"severity":\#($0)},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}"#
      }
      let body =
        #"{"type":"FeatureCollection","lastUpdatedAt":\#(rig.now / 1000),"features":[\#(features.joined(separator: ","))]}"#
      rig.answer(.global(.twoHours)) { $0.body = .inline(Array(body.utf8)) }
    }
    var result = LiveResult<TurbulenceArea>(.turbulencePolygons)
    let query = TurbulencePolygonQuery(dataHistoryTime: .twoHours)
    func change(_ second: Int64) throws -> ResultChange<TurbulenceArea>? {
      let state = rig.state
      return try result.update(to: state, asOf: second, own: []) { () throws(QueryError) in
        try state.livePolygons(with: query, asOf: second)
      }
    }
    #expect(
      try rig.state.livePolygons(with: query, asOf: now).items == []
        && rig.state.livePolygons(with: query, asOf: now).expiresAt == nil)
    answer([3, 1, 3])
    let first = try #require(try change(now))
    #expect(first.items.map(\.severity) == [.moderate, .light], "equal areas are one")
    #expect(result.expiresAt == now + 7200)
    rig.pass(seconds: 300)
    rig.send(.refreshRequested(full: true))
    answer([3, 4])
    let next = try #require(try change(now + 300))
    #expect(next.inserted.map(\.severity) == [.moderateSevere] && next.removed.count == 1 && next.changed.isEmpty)
    #expect(result.expiresAt == now + 7500)
    #expect(try change(now + 7500)?.removed.count == 2 && result.expiresAt == nil)
    let area = try #require(first.items.first)
    #expect(area.isShown(like: area) && !area.isShown(like: first.items[1]))
  }

  @Test func aProfileExpiresWithItsOldestRecord() throws {
    let query = ProfileQuery(along: [point(45, -36), point(45, -32)])
    func expiry(_ rig: Rig, at second: Int64 = now, _ history: DataHistoryTime? = nil) throws -> Int64? {
      var (query, memory) = (query, ProfileMemory())
      query.dataHistoryTime = history
      return try rig.state.liveProfile(with: query, asOf: second, in: nil, own: [], &memory).result.expiresAt
    }
    let place = try cell(45, -35)
    var old = try pirep("old", at: point(45, -34))
    old.observedAt = now - 200
    let pireps = [old, try pirep("new", at: point(45, -34))]
    #expect(try expiry(rig([report(place, age: 100), report(place, age: 50)])) == now + 7100)
    #expect(try expiry(rig([report(place, age: 100)], pireps)) == now + 7000)
    #expect(try expiry(rig([report(place, age: 300)], pireps)) == now + 6900)
    #expect(try expiry(rig([report(place, age: 100)]), .hour) == now + 3500)
    // What is left a moment before it goes is asked again in the next second.
    #expect(try expiry(rig([report(place, age: 0)]), at: now + 7199) == now + 7200)
    #expect(try expiry(rig()) == nil)
  }
}
