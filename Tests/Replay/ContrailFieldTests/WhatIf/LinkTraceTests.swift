import ContrailCore
import ContrailGeodesy
import ContrailWire
import Testing

@testable import ContrailField

/// What recorded exchanges show of the link and the server at other times.
@Suite struct LinkTraceTests {
  private static let spec = FetchSpec(
    area: .world, filter: Filter(types: [.turbulence, .pireps], history: .twoHours))
  private static let terms = HoldTerms(seconds: 540, urgent: .moderate, ordinarySeconds: 60)
  private static let seeds: [UInt64?] = [nil] + (1...100).map { $0 }

  private static func report(at second: UInt32, severity: UInt8 = 0) -> TurbulenceReport {
    TurbulenceReport(cell: 0, altitude: 36, severity: severity, edrE4: 200, observedAt: second)
  }

  private static func exchange(
    _ request: Int64, from sentAtMS: Int64, to endedAtMS: Int64, _ mode: FetchMode = .delta, isHeld: Bool = false,
    answeredAtMS: Int64? = nil, status: Int = 200, bytes: Int64 = 70, reports: [TurbulenceReport] = []
  ) -> RecordedExchange {
    var exchange = RecordedExchange(
      request: request, scope: .corridor, rule: .due, leader: request, sentAtMS: sentAtMS, endedAtMS: endedAtMS,
      result: .answered(
        Input.Response(
          request: request, status: status, wireBytes: bytes, serverTimeMS: answeredAtMS ?? endedAtMS,
          body: .answer(ObservationsAnswer(token: endedAtMS / 1000, follows: 0, reports: reports)))))
    exchange.mode = mode
    exchange.spec = spec
    exchange.hold = isHeld ? terms : nil
    return exchange
  }

  private static func lost(_ request: Int64, from sentAtMS: Int64) -> RecordedExchange {
    var exchange = exchange(request, from: sentAtMS, to: sentAtMS + 1000)
    exchange.result = .failed(.network, sent: nil)
    return exchange
  }

  private static func fails(_ trace: LinkTrace, at time: Int64, _ mode: FetchMode = .delta, seed: UInt64?) -> Bool {
    trace.conditions(at: time, request: 9, mode: mode, isHeld: false, seed: seed).fault != nil
  }

  @Test func theLinkOfAHeldRequestIsUpUntilItsAnswerCame() {
    let trace = LinkTrace([Self.exchange(1, from: 0, to: 500_000, isHeld: true), Self.lost(2, from: 600_000)])
    for seed in Self.seeds { #expect(!Self.fails(trace, at: 400_000, seed: seed)) }
    #expect(Self.fails(trace, at: 599_999, seed: nil))
    #expect(Self.fails(trace, at: 700_000, seed: nil))
    // In between, it went down at any time.
    #expect((25...75).contains(Self.seeds.count { Self.fails(trace, at: 550_000, seed: $0) }))
  }

  @Test func aServerThatRefusesAnswersWhatItHoldsAllTheSame() {
    let trace = LinkTrace([
      Self.exchange(1, from: 0, to: 500_000, isHeld: true),
      Self.exchange(2, from: 500_000, to: 500_100, status: 503),
    ])
    #expect((25...75).contains(Self.seeds.count { Self.fails(trace, at: 250_000, seed: $0) }))
  }

  @Test func aUselessRepairSaysNothingAboutOtherRequests() {
    var repair = Self.exchange(2, from: 10_000, to: 10_100, .repair)
    repair.isUnusable = true
    let trace = LinkTrace([Self.exchange(1, from: 0, to: 100), repair, Self.exchange(3, from: 20_000, to: 20_100)])
    for time: Int64 in [9_000, 10_000, 11_000] {
      #expect(!Self.fails(trace, at: time, .full, seed: nil))
      #expect(Self.fails(trace, at: time, .repair, seed: nil))
    }
  }

  @Test func answersFitTheRecordsByTheTimeOfTheAnswer() {
    var held = Self.exchange(1, from: 0, to: 500_000, isHeld: true)
    held.misfit = .checksumDiffers
    let trace = LinkTrace([
      held, Self.exchange(2, from: 500_100, to: 500_200, .full), Self.exchange(3, from: 900_000, to: 900_100),
    ])
    #expect(trace.misfit(at: 499_000, seed: nil) == .checksumDiffers && trace.misfit(at: 400_000, seed: nil) != nil)
    #expect(trace.misfit(at: 500_150, seed: nil) == nil)
    #expect(trace.misfit(at: 900_100, seed: nil) == nil)
    (held.sentAtMS, held.endedAtMS) = (1000, 5000)
    #expect(LinkTrace([Self.exchange(2, from: 0, to: 100), held]).misfit(at: 900, seed: nil) == nil)
  }

  @Test func aRefusalInASharedExchangeHasASizeOfItsOwn() throws {
    var shared = Self.exchange(1, from: 0, to: 100, status: 410, bytes: 47)
    shared.sharing = 2
    let alone = Self.exchange(2, from: 1000, to: 1100, status: 410, bytes: 320)
    let trace = LinkTrace([shared, alone])
    let refusal = try #require(alone.response)
    #expect(trace.bytes(of: refusal, isShared: true) == 47)
    #expect(trace.bytes(of: refusal, isShared: false) == 320)
    let unavailable = try #require(Self.exchange(3, from: 0, to: 0, status: 503, bytes: 99).response)
    #expect(trace.bytes(of: unavailable, isShared: true) == 99)
  }

  @Test(arguments: [
    // Answered at once without news, for news, and when the time was over.
    (Int64(50), [TurbulenceReport](), true), (50, [report(at: 1)], false), (539_000, [], false),
  ])
  func aServerThatHoldsNothingHoldsNothingInBetween(_ ms: Int64, _ reports: [TurbulenceReport], _ isEarly: Bool) {
    let trace = LinkTrace([
      Self.exchange(1, from: 0, to: 40),
      Self.exchange(2, from: 1000, to: 1000 + ms, isHeld: true, reports: reports),
    ])
    let conditions = trace.conditions(at: 2000, request: 9, mode: .delta, isHeld: true, seed: nil)
    #expect(conditions.holdMS == (isEarly ? ms - 40 : nil))
    #expect(trace.conditions(at: 2000, request: 9, mode: .delta, isHeld: false, seed: nil).holdMS == nil)
  }

  @Test(arguments: [(Int64(30), true), (60, false)])
  func trafficEndsAHoldWhenItIsTime(_ seconds: Int64, _ isEarly: Bool) {
    var held = Self.exchange(1, from: 0, to: seconds * 1000, isHeld: true)
    held.spec?.filter.types.insert(.traffic)
    held.since = 0
    let trace = LinkTrace([held])
    #expect((trace.conditions(at: 1, request: 9, mode: .delta, isHeld: true, seed: nil).holdMS != nil) == isEarly)
  }

  @Test func anAnswerThatIsDueWhenARecordedOneWasLostIsLostToo() {
    var lost = Self.exchange(2, from: 60_000, to: 620_000, isHeld: true)
    lost.result = .none
    let trace = LinkTrace([Self.exchange(1, from: 0, to: 50_000), lost, Self.exchange(3, from: 700_000, to: 700_100)])
    // It was due at 600 s. The link was up at 50 s and at 700 s.
    for seed in Self.seeds {
      #expect(trace.isSilent(at: 600_000, seed: seed))
      #expect(!trace.isSilent(at: 49_000, seed: seed) && !trace.isSilent(at: 700_001, seed: seed))
    }
    #expect((25...75).contains(Self.seeds.count { trace.isSilent(at: 650_000, seed: $0) }))
    lost.endedAtMS = 599_000
    #expect(!LinkTrace([lost]).isSilent(at: 600_000, seed: nil))
  }

  @Test func ofSeveralSilencesTheNearestCounts() {
    func silent(_ request: Int64, from sentAtMS: Int64) -> RecordedExchange {
      var exchange = Self.exchange(request, from: sentAtMS, to: sentAtMS + 560_000, isHeld: true)
      exchange.result = .none
      return exchange
    }
    let trace = LinkTrace([
      Self.exchange(1, from: 0, to: 50_000), silent(2, from: 60_000), Self.exchange(3, from: 700_000, to: 700_100),
      silent(4, from: 800_000), Self.exchange(5, from: 1_500_000, to: 1_500_100),
    ])
    // They were due at 600 s and at 1340 s.
    for (time, isSilent) in [(Int64(600_000), true), (900_000, false), (1_340_000, true), (1_499_000, false)] {
      #expect(trace.isSilent(at: time, seed: nil) == isSilent, "\(time)")
    }
  }

  @Test func anAnswerWaitsForTheLinkAsARecordedOneDid() {
    let trace = LinkTrace([
      Self.exchange(1, from: 0, to: 60_500, isHeld: true, answeredAtMS: 60_000),
      Self.exchange(2, from: 60_500, to: 120_900, isHeld: true, answeredAtMS: 120_000),
      Self.exchange(3, from: 120_900, to: 208_000, isHeld: true, answeredAtMS: 180_000),
      Self.exchange(4, from: 208_000, to: 270_500, isHeld: true, answeredAtMS: 270_000),
    ])
    func passage(_ time: Int64, _ seed: UInt64?) -> Int64? { trace.passageMS(sentAt: time, request: 9, seed: seed) }
    for seed in Self.seeds {
      #expect(passage(180_000, seed) == 28_000)
      #expect(passage(190_000, seed) == 18_000)
      // The same moment has the same link.
      #expect(passage(60_000, seed) == 500)
      #expect(passage(120_000, seed) == 900)
      for time: Int64 in [100_000, 208_000] { #expect([500, 900].contains(passage(time, seed))) }
    }
    // The link went down at any time after the third request was sent.
    #expect((25...75).contains(Self.seeds.count { passage(150_000, $0) == 58_000 }))
    #expect(LinkTrace([Self.exchange(1, from: 0, to: 100)]).passageMS(sentAt: 50, request: 9, seed: nil) == nil)
  }

  // MARK: When records arrived

  @Test(arguments: [
    (true, UInt8(0), Int64(940)...940), (false, 0, 939...999), (true, 3, 939...999),
  ])
  func theFirstRecordOfAHeldAnswerArrivedWhenItsTermsSay(
    _ isEarly: Bool, _ severityOfTheOther: UInt8, _ arrival: ClosedRange<Int64>
  ) throws {
    var spec = Self.spec
    let corners = [(0.0, 0.0), (9, 0), (0, 9), (0, 0)].map { Coordinate(latitude: $0.0, longitude: $0.1) }
    spec.area = .ring(try Ring(corners))
    var world = RecordedWorld()
    let reports = [Self.report(at: 890), Self.report(at: 930, severity: severityOfTheOther)]
    let indexes = world.learn(
      ObservationsAnswer(token: 1000, follows: 500, reports: reports), spec: spec, since: 500, held: Self.terms,
      isEarly: isEarly)
    let first = world.observations[Int(indexes[0])]
    #expect(first.earliest...first.latest == arrival)
  }

  /// Areas that were asked for within two minutes make one picture of a wider area.
  @Test func theTrafficOfAWiderAreaIsThatOfItsParts() throws {
    func spec(west: Double, _ width: Double) throws -> FetchSpec {
      let corners = [(0.0, 0.0), (0, width), (8, width), (8, 0), (0, 0)]
      return FetchSpec(
        area: .ring(try Ring(corners.map { Coordinate(latitude: $0.0, longitude: west + $0.1) })),
        filter: Filter(types: .traffic, history: .twoHours))
    }
    let (whole, west, east) = (try spec(west: 0, 20), try spec(west: 0, 10), try spec(west: 10, 10))
    for (seconds, ids) in [(Int64(119), ["a", "b"]), (120, ["a"])] {
      var world = RecordedWorld()
      for (area, token, id, longitude) in [(west, Int64(1000), "a", Int64(2)), (east, 1000 + seconds, "b", 12)] {
        let position = FixedCoordinate(
          latitudeE7: 4 * FixedCoordinate.degree, longitudeE7: longitude * FixedCoordinate.degree)
        let aircraft = TrafficPosition(
          id: id, callsign: "", position: position, altitudeFeet: nil, groundSpeedKnots: nil, trackDegrees: nil,
          observedAt: token)
        _ = world.learn(ObservationsAnswer(token: token, traffic: [aircraft]), spec: area, since: nil)
      }
      let server = WorldServer(world, shapes: ShapeCache(world), seed: nil)
      let found = server.answer(whole, since: nil, token: 1000).traffic?.map(\.id).sorted()
      #expect(found == ids)
      let later = server.answer(whole, since: nil, token: 1000 + seconds).traffic?.map(\.id).sorted()
      #expect(later == (seconds < 120 ? ids : ["b"]))
    }
  }

  /// A map that moves asks for other areas in between, which contain few of the aircraft.
  @Test func theTrafficOfAnAreaIsThatOfItsNearestAnswer() throws {
    func spec(to degrees: Double) throws -> FetchSpec {
      let corners = [(0.0, 0.0), (degrees, 0), (0, degrees), (0, 0)]
      return FetchSpec(
        area: .ring(try Ring(corners.map { Coordinate(latitude: $0.0, longitude: $0.1) })),
        filter: Filter(types: [.turbulence, .traffic], history: .twoHours))
    }
    func answer(_ token: Int64, aircraft: [String]) -> ObservationsAnswer {
      ObservationsAnswer(
        token: token,
        traffic: aircraft.map { id in
          TrafficPosition(
            id: id, callsign: "", position: .init(latitudeE7: 1000, longitudeE7: 1000), altitudeFeet: nil,
            groundSpeedKnots: nil, trackDegrees: nil, observedAt: token)
        })
    }
    let (corridor, map) = (try spec(to: 9), try spec(to: 1))
    var world = RecordedWorld()
    for (token, aircraft) in [(Int64(1000), ["a", "b", "c"]), (1900, ["a", "b"])] {
      _ = world.learn(answer(token, aircraft: aircraft), spec: corridor, since: nil)
    }
    _ = world.learn(answer(1300, aircraft: ["a"]), spec: map, since: nil)
    let server = WorldServer(world, shapes: ShapeCache(world), seed: nil)
    func count(_ token: Int64) -> Int? { server.answer(corridor, since: 900, token: token).traffic?.count }
    #expect([1000, 1300, 1400, 1500, 1900, 4000].map(count) == [3, 3, 3, 2, 2, 2])
  }
}
