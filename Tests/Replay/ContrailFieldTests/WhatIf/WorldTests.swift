import ContrailCore
import ContrailGeodesy
import ContrailWire
import Testing

@testable import ContrailField

/// The world of a recording: when its records arrived, and what its server answers at other times.
@Suite struct WorldTests {
  private static let seeds: [UInt64?] = [nil] + (1...60).map { $0 }

  private static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) throws -> Area {
    let corners = [(south, west), (south, east), (north, east), (north, west), (south, west)]
    return .ring(try Ring(corners.map { Coordinate(latitude: $0.0, longitude: $0.1) }))
  }

  /// A report in a cell around which ``area`` lies.
  private static func report(
    at second: Int64, severity: UInt8 = 1, altitude: UInt8 = 30, cell: UInt32 = 0
  ) -> TurbulenceReport {
    TurbulenceReport(cell: cell, altitude: altitude, severity: severity, edrE4: 100, observedAt: UInt32(second))
  }

  private static func around(_ place: FixedCoordinate, by degrees: Double = 1) throws -> Area {
    let (latitude, longitude) = (place.coordinate.latitude, place.coordinate.longitude)
    return try box(longitude - degrees, latitude - degrees, longitude + degrees, latitude + degrees)
  }

  private static func spec(
    _ types: DataTypeOptions = .turbulence, history: DataHistoryTime = .twoHours, by degrees: Double = 1
  ) throws -> FetchSpec {
    FetchSpec(area: try around(report(at: 0).position, by: degrees), filter: Filter(types: types, history: history))
  }

  private static func pirep(_ id: String, at second: Int64, updated: Int64? = nil, isUrgent: Bool = false) -> PIREP {
    PIREP(
      id: id, position: report(at: 0).position, flightLevel: 300, severity: .light, isUrgent: isUrgent,
      observedAt: second, updatedAt: updated ?? second, text: "UA")
  }

  private static func server(_ world: RecordedWorld, seed: UInt64? = nil) -> WorldServer {
    WorldServer(world, shapes: ShapeCache(world), seed: seed)
  }

  // MARK: Reports

  @Test func everyReportIsFoundByItself() {
    var world = RecordedWorld()
    var table = ObservationTable()
    var observations: [RecordedWorld.Observation] = []
    let reports = (UInt32(0)..<5000).map { index in
      let (second, cell) = (Int64(index / 3), index % 3 * 7 + index / 100)
      return Self.report(at: second, cell: cell)
    }
    for report in reports {
      #expect(table.index(of: report, in: observations) == nil)
      observations.append(.init(report: report, earliest: 1, latest: 2))
      table.addLast(of: observations)
    }
    for (index, report) in reports.enumerated() { #expect(table.index(of: report, in: observations) == index) }
    #expect(table.index(of: Self.report(at: 99_999), in: observations) == nil && world.index(of: reports[0]) == nil)
    table.addLast(of: [])
    _ = world.learn(.init(token: 1), spec: .init(area: .world, filter: Filter()), since: nil)
    #expect(world.observations.isEmpty)
  }

  /// A report arrived before the answer that contains it, and after that which would have contained it.
  @Test func aReportArrivedBetweenTwoAnswers() throws {
    let spec = try Self.spec()
    func interval(_ answers: [(since: Int64?, token: Int64, has: Bool)], of observed: Int64 = 5000) throws
      -> ClosedRange<Int64>
    {
      var world = RecordedWorld()
      for (since, token, has) in answers {
        let reports = has ? [Self.report(at: observed)] : []
        let indexes = world.learn(.init(token: token, follows: since, reports: reports), spec: spec, since: since)
        #expect(indexes == (has ? [0] : []))
      }
      let found = try #require(world.observations.first)
      #expect(world.observations.count == 1 && world.index(of: found.report) == 0 && world.rings.count == 1)
      return found.earliest...found.latest
    }
    #expect(try interval([(nil, 6000, true)]) == 5000...5999)
    #expect(try interval([(5500, 6000, true)]) == 5500...5999)
    #expect(try interval([(4000, 6000, true)]) == 5000...5999)
    #expect(try interval([(nil, 5400, false), (nil, 6000, true)]) == 5400...5999)
    // Seen again, earlier or later.
    #expect(try interval([(nil, 6000, true), (5200, 7000, true)]) == 5200...5999)
    #expect(try interval([(nil, 6000, true), (nil, 5800, true)]) == 5000...5799)
    // By clocks that differ, it was observed after its answer.
    #expect(try interval([(nil, 4900, true)]) == 4899...4899)
  }

  @Test func aHeldAnswerComesAsSoonAsItsTermsSay() throws {
    let spec = try Self.spec([.turbulence, .pireps])
    let terms = HoldTerms(seconds: 540, urgent: .moderate, ordinarySeconds: 60)
    func world(
      _ reports: [TurbulenceReport], _ pireps: [PIREP] = [], traffic: [TrafficPosition]? = nil, isEarly: Bool = true
    ) -> RecordedWorld {
      var world = RecordedWorld()
      _ = world.learn(
        .init(token: 9000, follows: 8500, reports: reports, pireps: pireps, traffic: traffic), spec: spec, since: 8500,
        held: terms, isEarly: isEarly)
      return world
    }
    // An urgent one was answered in the next second, and a second is the server's own.
    let urgent = world([Self.report(at: 8000, severity: 3)]).observations[0]
    #expect(urgent.earliest == 8998 && urgent.latest == 8999)
    let ordinary = world([Self.report(at: 8000)], isEarly: false).observations[0]
    #expect(ordinary.earliest == 8939 && ordinary.latest == 8999)
    // The oldest ended the hold, if only ordinary records did: a report or a PIREP.
    let first = world([Self.report(at: 8700), Self.report(at: 8600)]).observations
    #expect(first.map { $0.earliest } == [8939, 8940] && first.map { $0.latest } == [8999, 8940])
    let pilot = world([Self.report(at: 8700)], [Self.pirep("b", at: 8650), Self.pirep("a", at: 8600)])
    #expect(pilot.pilotReports.map { $0.latest } == [8999, 8940] && pilot.pilotReports[1].earliest == 8940)
    #expect(pilot.observations[0].latest == 8999)
    let same = world([Self.report(at: 8600)], [Self.pirep("a", at: 8600)])
    #expect(same.observations[0].latest == 8940 && same.pilotReports[0].latest == 8999)
    // Of two that are as old, the first.
    let equal = world([Self.report(at: 8600), Self.report(at: 8600, altitude: 31)])
    #expect(equal.observations.map { $0.latest } == [8940, 8999])
    let pireps = world([], [Self.pirep("b", at: 8600), Self.pirep("a", at: 8600)]).pilotReports
    #expect(pireps.map { $0.latest } == [8940, 8999])
    // Urgent records or traffic may have ended it.
    #expect(world([Self.report(at: 8600), Self.report(at: 8700, severity: 3)]).observations[0].latest == 8999)
    #expect(world([Self.report(at: 8600)], [Self.pirep("a", at: 8700, isUrgent: true)]).observations[0].latest == 8999)
    #expect(world([Self.report(at: 8600)], traffic: []).observations[0].latest == 8999)
    // A record arrives after its observation.
    #expect(world([Self.report(at: 8950)]).observations[0].latest == 8999)
    #expect(world([], [Self.pirep("a", at: 8950)]).pilotReports[0].latest == 8999)
  }

  @Test func aVersionOfAPIREPArrivedBetweenItsUpdateAndItsAnswer() throws {
    let spec = try Self.spec(.pireps)
    func found(_ answers: [(since: Int64?, token: Int64, updated: Int64)]) -> [RecordedWorld.PilotReport] {
      var world = RecordedWorld()
      for answer in answers {
        _ = world.learn(
          .init(
            token: answer.token, follows: answer.since, pireps: [Self.pirep("a", at: 4000, updated: answer.updated)]),
          spec: spec, since: answer.since)
      }
      return world.pilotReports
    }
    func intervals(_ answers: [(Int64?, Int64, Int64)]) -> [[Int64]] {
      found(answers.map { (since: $0.0, token: $0.1, updated: $0.2) }).map { [$0.earliest, $0.latest] }
    }
    #expect(intervals([(nil, 6000, 5000)]) == [[5000, 5999]])
    #expect(intervals([(5500, 6000, 5000)]) == [[5500, 5999]])
    #expect(intervals([(nil, 6000, 5000), (nil, 5500, 5000)]) == [[5000, 5499]])
    #expect(intervals([(nil, 6000, 5000), (nil, 7000, 5000)]) == [[5000, 5999]])
    #expect(intervals([(nil, 6000, 5000), (5000, 7000, 6500)]) == [[5000, 5999], [6500, 6999]])
    // By clocks that differ, it was updated after its answer.
    #expect(intervals([(nil, 4900, 5000)]) == [[4899, 5000]])
  }

  // MARK: Answers

  /// A world with reports whose times of arrival are known.
  private static func known(_ arrivals: [(observed: Int64, arrival: Int64)]) throws -> RecordedWorld {
    var world = RecordedWorld()
    for (observed, arrival) in arrivals {
      _ = world.learn(
        .init(token: arrival + 1, follows: arrival, reports: [report(at: observed)]), spec: try spec(), since: arrival)
    }
    return world
  }

  @Test func aDeltaHasWhatArrivedSinceItsWatermark() throws {
    let world = try Self.known([(4000, 5000), (4100, 6000), (3900, 6000), (4200, 7000)])
    for seed in Self.seeds.prefix(3) {
      let server = Self.server(world, seed: seed)
      func times(_ since: Int64?, _ token: Int64, _ spec: FetchSpec) -> [UInt32] {
        let answer = server.answer(spec, since: since, token: token)
        #expect(answer.token == token && answer.follows == since && answer.traffic == nil)
        return answer.reports.map { $0.observedAt }
      }
      let spec = try Self.spec()
      #expect(times(5000, 6000, spec) == [4000] && times(5001, 6001, spec) == [3900, 4100])
      #expect(times(6000, 7000, spec) == [3900, 4100] && times(5000, 7001, spec) == [3900, 4000, 4100, 4200])
      #expect(times(7001, 9000, spec).isEmpty)
      // In full: what has arrived and isn't too old, in the order of their times.
      #expect(times(nil, 7000, spec) == [3900, 4000, 4100] && times(nil, 7001, spec) == [3900, 4000, 4100, 4200])
      let short = try Self.spec(history: .halfHour)
      #expect(times(nil, 5900, short) == [] && times(nil, 5799, short) == [4000] && times(5000, 5799, short) == [4000])
      #expect(times(5000, 5800, short) == [])
      #expect(times(nil, 9000, try Self.spec(.pireps)) == [])
      // Only the area.
      var elsewhere = spec
      elsewhere.area = try Self.box(0, 0, 1, 1)
      #expect(times(nil, 9000, elsewhere) == [] && times(5000, 9000, elsewhere) == [])
    }
  }

  @Test func pirepsAreAnsweredAsReports() throws {
    let spec = try Self.spec([.turbulence, .pireps])
    var world = RecordedWorld()
    for (id, arrival) in [("a", Int64(5000)), ("b", 6000)] {
      _ = world.learn(
        .init(token: arrival + 1, follows: arrival, pireps: [Self.pirep(id, at: 4000)]), spec: spec, since: arrival)
    }
    let server = Self.server(world)
    func ids(_ since: Int64?, _ token: Int64, _ spec: FetchSpec) -> [String] {
      server.answer(spec, since: since, token: token).pireps.map { $0.id }
    }
    #expect(ids(nil, 5000, spec) == [] && ids(nil, 5001, spec) == ["a"] && ids(nil, 7000, spec) == ["a", "b"])
    #expect(ids(5000, 6000, spec) == ["a"] && ids(5001, 6001, spec) == ["b"] && ids(6001, 9000, spec) == [])
    #expect(ids(nil, 11_199, spec) == ["a", "b"] && ids(nil, 11_200, spec) == [])
    #expect(ids(nil, 7000, try Self.spec()) == [])
    var elsewhere = spec
    elsewhere.area = try Self.box(0, 0, 1, 1)
    #expect(ids(nil, 7000, elsewhere) == [])
  }

  /// A run draws the time at which a report arrived. All alternatives of a run share it.
  @Test func anUnknownTimeIsDrawnFromItsInterval() throws {
    let spec = try Self.spec([.turbulence, .pireps])
    var world = RecordedWorld()
    _ = world.learn(
      .init(
        token: 6000, follows: 5000, reports: (0..<20).map { Self.report(at: 4990, altitude: $0) },
        pireps: [Self.pirep("a", at: 4990)]), spec: spec, since: 5000)
    let shapes = ShapeCache(world)
    var firsts: Set<UInt32> = []
    for seed in Self.seeds {
      let server = WorldServer(world, shapes: shapes, seed: seed)
      #expect(server.arrivals == WorldServer(world, shapes: shapes, seed: seed).arrivals && server.seed == seed)
      #expect(server.arrivals.allSatisfy { (5000...5999).contains($0) })
      #expect(server.pilotArrivals.allSatisfy { (5000...5999).contains($0) })
      #expect((Set(server.arrivals).count == 1) == (seed == nil))
      firsts.insert(server.arrivals[0])
      // An answer has the records that have arrived, in the order of arrival.
      let order = server.order(spec).map { server.arrivals[Int($0)] }
      #expect(order.sorted() == order && order.count == 20)
      for token in stride(from: Int64(5000), through: 6000, by: 250) {
        let count = server.arrivals.count { Int64($0) < token }
        #expect(server.answer(spec, since: nil, token: token).reports.count == count)
        #expect(server.answer(spec, since: 5000, token: token).reports.count == count)
      }
    }
    #expect(firsts.count > 40)
  }

  // MARK: Delays

  /// The delays are those between the observation of a report, or the update of a PIREP, and its arrival.
  @Test func delaysAreLearnedFromTheRecords() throws {
    let spec = try Self.spec([.turbulence, .pireps])
    func delays(_ range: ClosedRange<Int64>) -> [ArrivalDelays] {
      var world = RecordedWorld()
      for second in (0..<40).map({ Int64(4000 + 100 * $0) }) {
        _ = world.learn(
          .init(
            token: second + range.upperBound + 1, follows: second + range.lowerBound,
            reports: [Self.report(at: second)],
            pireps: [Self.pirep("\(second)", at: second - 50, updated: second)]), spec: spec,
          since: second + range.lowerBound)
      }
      let shapes = ShapeCache(world)
      return [shapes.reportDelays, shapes.pilotDelays]
    }
    for delays in delays(512...767) { #expect((512...767).contains(delays.delay(in: 0...86_399, quantile: 0.5))) }
    for delays in delays(0...7) { #expect((4...7).contains(delays.delay(in: 0...7, quantile: 0.9))) }
  }

  // MARK: Held requests

  @Test func aHeldRequestIsAnsweredByItsTerms() throws {
    let spec = try Self.spec([.turbulence, .pireps])
    func second(
      _ arrivals: [(observed: Int64, arrival: Int64)], severity: UInt8 = 1, pireps: [(PIREP, Int64)] = [],
      types: DataTypeOptions = [.turbulence, .pireps], since: Int64 = 5000, from second: Int64 = 5000,
      history: DataHistoryTime = .twoHours, ordinary: Int64 = 60
    ) -> Int64 {
      var world = RecordedWorld()
      for (observed, arrival) in arrivals {
        _ = world.learn(
          .init(token: arrival + 1, follows: arrival, reports: [Self.report(at: observed, severity: severity)]),
          spec: spec, since: arrival)
      }
      for (pirep, arrival) in pireps {
        _ = world.learn(.init(token: arrival + 1, follows: arrival, pireps: [pirep]), spec: spec, since: arrival)
      }
      var wanted = spec
      (wanted.types, wanted.history) = (types, history)
      let terms = HoldTerms(seconds: 540, urgent: .moderate, ordinarySeconds: ordinary)
      return Self.server(world).answerSecond(wanted, since: since, terms, from: second)
    }
    #expect(second([]) == 5540 && second([], from: 5100) == 5640)
    // An ordinary one is answered after a minute, an urgent one in the next second.
    #expect(second([(4900, 5100)]) == 5160 && second([(4900, 5100)], severity: 3) == 5101)
    #expect(second([(4900, 5100)], ordinary: 0) == 5101)
    #expect(second([(4900, 5200), (4950, 5100)]) == 5160 && second([(4900, 5500)]) == 5540)
    #expect(second([(4900, 5000)]) == 5060 && second([(4900, 4999)]) == 5540)
    // It arrived long before the request.
    #expect(second([(4900, 5100)], from: 5400) == 5400)
    // Too old by then.
    #expect(second([(3361, 5100)], history: .halfHour) == 5160 && second([(3360, 5100)], history: .halfHour) == 5540)
    #expect(second([(4900, 5100)], types: .pireps) == 5540)
    let pirep = Self.pirep("a", at: 4900)
    #expect(second([], pireps: [(pirep, 5100)]) == 5160 && second([], pireps: [(pirep, 4999)]) == 5540)
    #expect(second([], pireps: [(pirep, 5000)]) == 5060)
    #expect(second([], pireps: [(Self.pirep("a", at: 4900, isUrgent: true), 5100)]) == 5101)
    #expect(second([], pireps: [(pirep, 5100)], types: .turbulence) == 5540)
    #expect(second([(4900, 5300)], pireps: [(pirep, 5100)]) == 5160)
    // Traffic changes all the time.
    #expect(second([], types: [.traffic]) == 5060 && second([], types: [.traffic], from: 5050) == 5060)
    #expect(second([], types: [.traffic], from: 5100) == 5100)
    #expect(second([(4900, 5001)], types: [.turbulence, .traffic], ordinary: 200) == 5200)
  }

  // MARK: Traffic

  private static func aircraft(_ id: String, at place: FixedCoordinate, seen second: Int64) -> TrafficPosition {
    TrafficPosition(
      id: id, callsign: "", position: place, altitudeFeet: nil, groundSpeedKnots: nil, trackDegrees: nil,
      observedAt: second)
  }

  /// Of an area that wasn't requested, the snapshots of all areas of about that time make one picture.
  @Test func trafficElsewhereIsThatOfTheSnapshotsOfTheTime() throws {
    let place = FixedCoordinate(latitudeE7: 0, longitudeE7: 0)
    func spec(_ degrees: Double) throws -> FetchSpec {
      FetchSpec(area: try Self.around(place, by: degrees), filter: Filter(types: .traffic))
    }
    var world = RecordedWorld()
    func learn(_ degrees: Double, _ token: Int64, _ ids: String) throws {
      _ = world.learn(
        .init(token: token, traffic: ids.map { Self.aircraft(String($0), at: place, seen: token) }),
        spec: try spec(degrees), since: nil)
    }
    try learn(2, 1000, "ab")
    try learn(3, 1060, "bc")
    try learn(2, 1100, "a")
    try learn(4, 2000, "d")
    try learn(5, 2300, "e")
    let server = Self.server(world)
    func seen(_ degrees: Double, _ token: Int64) throws -> [String] {
      let answer = server.answer(try spec(degrees), since: nil, token: token)
      return try #require(answer.traffic).map { "\($0.id)\($0.observedAt)" }
    }
    // Of each area the nearest snapshot; the nearest of all decides about an aircraft.
    #expect(try seen(9, 1040) == ["a1000", "b1060", "c1060"])
    #expect(try seen(9, 1090) == ["a1100", "b1060", "c1060"])
    #expect(try seen(9, 1010) == ["a1000", "b1000", "c1060"])
    #expect(try seen(9, 1180) == ["a1100"] && seen(9, 1179) == ["a1100", "b1060", "c1060"])
    #expect(try seen(9, 941) == ["a1000", "b1000", "c1060"] && seen(9, 940) == ["a1000", "b1000"])
    // Of two that are as near, the earlier one.
    #expect(try seen(9, 1050) == ["a1000", "b1060", "c1060"])
    // Without any of that time, the nearest one.
    #expect(try seen(9, 1400) == ["a1100"] && seen(9, 1600) == ["d2000"] && seen(9, 1550) == ["a1100"])
    #expect(try seen(9, 2140) == ["d2000"] && seen(9, 2160) == ["e2300"] && seen(9, 2150) == ["d2000"])
    #expect(try seen(9, 9000) == ["e2300"] && seen(9, 0) == ["a1000", "b1000"])
    #expect(try seen(9, 2000) == ["d2000"] && seen(9, 2119) == ["d2000"] && seen(9, 1881) == ["d2000"])
    // Of an area that was requested, its own.
    #expect(try seen(2, 1000) == ["a1000", "b1000"] && seen(2, 1049) == ["a1000", "b1000"])
    #expect(try seen(2, 1050) == ["a1000", "b1000"] && seen(2, 9000) == ["a1100"])
    #expect(try seen(2, 1051) == ["a1100"] && seen(2, 0) == ["a1000", "b1000"] && seen(3, 1) == ["b1060", "c1060"])
    // Only what lies in the area.
    let far = FetchSpec(area: try Self.box(20, 20, 21, 21), filter: Filter(types: .traffic))
    #expect(server.answer(far, since: nil, token: 1000).traffic == [])
    #expect(Self.server(RecordedWorld()).answer(far, since: nil, token: 1000).traffic == [])
    let everywhere = FetchSpec(area: .world, filter: Filter(types: .traffic))
    #expect(server.answer(everywhere, since: nil, token: 1000).traffic == [])
  }

  // MARK: Documents

  private static func document(_ name: String, status: Int = 200) -> Input.Response {
    Input.Response(
      request: 1, status: status, wireBytes: 500, headBytes: 90, etag: "\"\(name)\"", handle: "k", form: .compact,
      body: .inline(Array("{}".utf8)))
  }

  /// The version of a document changed after the last sight of the one and before the first of the next.
  @Test func aDocumentHasTheVersionOfTheTime() throws {
    var spec = try Self.spec(.turbulencePolygons)
    spec.types = .turbulencePolygons
    let scope = ScopeID.global(.twoHours)
    var world = RecordedWorld()
    world.learn(Self.document("a"), spec: spec, scope: scope, atMS: 10_000)
    world.learn(Self.document("a", status: 304), spec: spec, scope: scope, atMS: 20_000)
    world.learn(Self.document("b"), spec: spec, scope: scope, atMS: 40_000)
    world.learn(Self.document("c"), spec: spec, scope: scope, atMS: 50_000)
    // A confirmation of a document that the recording doesn't contain.
    world.learn(Self.document("x", status: 304), spec: spec, scope: .global(.hour), atMS: 1)
    let key = RecordedWorld.DocumentKey(scope: scope, spec: spec)
    #expect(world.documents.count == 1 && world.rings[spec.areaDigest] != nil)
    var confirmed = world
    confirmed.learn(Self.document("c", status: 304), spec: spec, scope: scope, atMS: 60_000)
    #expect(confirmed.documents[key]?.map { $0.lastSeenMS } == [20_000, 40_000, 60_000])
    let first = try #require(world.documents[key]?.first)
    #expect(first.firstSeenMS == 10_000 && first.lastSeenMS == 20_000 && first.wireBytes == 500)
    #expect(first.headBytes == 90 && first.form == .compact && first.handle == "k" && first.body.bytes.count == 2)
    let server = Self.server(world)
    func tag(_ server: WorldServer, _ time: Int64) -> String? { server.document(key, atMS: time)?.etag }
    #expect(tag(server, 0) == "\"a\"" && tag(server, 29_999) == "\"a\"" && tag(server, 30_000) == "\"b\"")
    #expect(tag(server, 44_999) == "\"b\"" && tag(server, 45_000) == "\"c\"" && tag(server, 90_000) == "\"c\"")
    #expect(server.document(.init(scope: .global(.hour), spec: spec), atMS: 1) == nil)
    // A run draws the time of the change.
    let shapes = ShapeCache(world)
    var changes: Set<Int> = []
    for seed in UInt64(1)...60 {
      let server = WorldServer(world, shapes: shapes, seed: seed)
      let times = stride(from: Int64(20_000), through: 40_000, by: 100).map { tag(server, $0) }
      #expect(times.first == "\"a\"" && times.last == "\"b\"")
      changes.insert(times.count { $0 == "\"a\"" })
    }
    #expect(changes.count > 30 && (changes.min() ?? 99) < 40 && (changes.max() ?? 0) > 160)
  }

  /// Of documents that weren't recorded, the most like one tells the size.
  @Test func theMostLikeDocumentIsThatOfTheSameArea() throws {
    let (here, there) = (try Self.spec(.turbulencePolygons), try Self.spec(.turbulencePolygons, by: 3))
    let weather = FetchSpec(WeatherSpec())
    let place = ScopeID.weather(.init(longitudeE4: 1, latitudeE4: 2))
    func likeness(_ recorded: [(ScopeID, FetchSpec)], of scope: ScopeID, _ spec: FetchSpec) -> RecordedWorld
      .DocumentKey?
    {
      var world = RecordedWorld()
      for (scope, spec) in recorded { world.learn(Self.document("a"), spec: spec, scope: scope, atMS: 1) }
      return world.likeness(of: .init(scope: scope, spec: spec))
    }
    let both: [(ScopeID, FetchSpec)] = [
      (.global(.twoHours), there), (.global(.sixHours), here), (place, weather), (.global(.fourHours), here),
    ]
    #expect(likeness(both, of: .global(.hour), here) == .init(scope: .global(.fourHours), spec: here))
    #expect(likeness(both, of: .global(.hour), there) == .init(scope: .global(.twoHours), spec: there))
    var other = WeatherSpec()
    other.language = "ja"
    #expect(likeness(both, of: place, FetchSpec(other)) == .init(scope: place, spec: weather))
    #expect(likeness([(place, weather)], of: .global(.hour), here) == nil)
    // Of several areas it is always the same one.
    let areas = try (4..<13).map { try Self.spec(.turbulencePolygons, by: Double($0) / 10 + 0.05) }
    #expect(
      likeness(areas.map { (.global(.hour), $0) }, of: .global(.hour), here)?.areaDigest
        == areas.map { $0.areaDigest }.min())
    #expect(likeness([(.global(.hour), here)], of: place, weather) == nil)
  }

  @Test func anUnknownHandleIsAsLongAsTheKnownOnes() {
    var world = RecordedWorld()
    #expect(world.handle(of: 5).count == 11 && world.handle(of: 5).hasSuffix("05"))
    (world.handles[1], world.handles[2]) = ("k3", "abcdef")
    #expect(world.handle(of: 1) == "k3" && world.handle(of: .max).count == 6 && world.handle(of: 5) == "000005")
    #expect(world.handle(of: .max) == String(String(UInt64.max, radix: 36).suffix(6)))
  }
}
