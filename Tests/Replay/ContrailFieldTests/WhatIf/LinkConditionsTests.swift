import ContrailGeodesy
import ContrailWire
import Testing

@testable import ContrailCore
@testable import ContrailField

/// How long a request takes and what becomes of it at a time without a recorded exchange.
@Suite struct LinkConditionsTests {
  private static let spec = FetchSpec(area: .world, filter: Filter())
  private static let seeds: [UInt64?] = [nil] + (1...200).map { $0 }

  private static func exchange(
    _ request: Int64, at sentAtMS: Int64, takes durationMS: Int64 = 100, up upMS: Int64? = 40, status: Int = 200,
    _ change: (inout RecordedExchange) -> Void = { _ in }
  ) -> RecordedExchange {
    var exchange = RecordedExchange(
      request: request, scope: .corridor, rule: .due, leader: request, sentAtMS: sentAtMS,
      endedAtMS: sentAtMS + durationMS,
      result: .answered(
        Input.Response(
          request: request, status: status, wireBytes: 70, serverTimeMS: upMS.map { sentAtMS + $0 },
          body: .answer(ObservationsAnswer(token: sentAtMS / 1000)))))
    (exchange.mode, exchange.spec, exchange.since) = (.delta, spec, 1)
    change(&exchange)
    return exchange
  }

  private static func lost(_ request: Int64, at sentAtMS: Int64) -> RecordedExchange {
    exchange(request, at: sentAtMS) { $0.result = .failed(.network, sent: nil) }
  }

  private static func conditions(
    _ trace: LinkTrace, at time: Int64, request: Int64 = 9, _ mode: FetchMode? = .delta, isHeld: Bool = false,
    seed: UInt64? = nil
  ) -> LinkTrace.Conditions {
    trace.conditions(at: time, request: request, mode: mode, isHeld: isHeld, seed: seed)
  }

  // MARK: Durations

  @Test func aRequestTakesAsLongAsTheNearestOne() {
    let trace = LinkTrace([
      Self.exchange(1, at: 0, takes: 100, up: 10), Self.exchange(2, at: 10_000, takes: 200, up: 20),
      Self.exchange(3, at: 20_000, takes: 300, up: 30),
      // Held requests and failed ones don't count for durations.
      Self.exchange(4, at: 30_000, takes: 9000) { $0.hold = HoldTerms(seconds: 50) }, Self.lost(5, at: 40_000),
      Self.exchange(6, at: 50_000, takes: 7000, status: 503),
    ])
    for (time, duration, up) in [
      (Int64(-5), Int64(100), Int64(10)), (0, 100, 10), (5000, 100, 10), (5001, 200, 20), (15_000, 200, 20),
      (15_001, 300, 30), (29_000, 300, 30), (60_000, 300, 30),
    ] {
      let conditions = Self.conditions(trace, at: time)
      #expect(conditions.durationMS == duration && conditions.serverMS == time + up, "\(time)")
    }
  }

  /// A run draws one of the eight around the time.
  @Test func aRunDrawsADurationOfTheTime() {
    let trace = LinkTrace((0..<20).map { Self.exchange($0, at: 1000 * $0, takes: 100 + $0, up: $0) })
    func durations(_ time: Int64) -> Set<Int64> {
      Set(
        (1...60).flatMap { request in
          (UInt64(1)...5).map { Self.conditions(trace, at: time, request: request, seed: $0).durationMS }
        })
    }
    #expect(
      durations(9500) == Set(106...113) && durations(500) == Set(100...104) && durations(19_500) == Set(116...119))
    #expect(durations(-500) == Set(100...103))
    // A request has one duration in a run.
    let one = Self.conditions(trace, at: 9500, request: 3, seed: 1)
    #expect(one.durationMS == Self.conditions(trace, at: 9500, request: 3, seed: 1).durationMS)
    #expect(one.serverMS == 9500 + one.durationMS - 100)
  }

  @Test func withoutAnExchangeASecondIsLikely() {
    let trace = LinkTrace([])
    let conditions = Self.conditions(trace, at: 5000)
    #expect(conditions.durationMS == 1000 && conditions.serverMS == 5500 && conditions.fault == nil)
    #expect(trace.clockLeadMS == 0 && conditions.holdMS == nil)
    #expect(trace.witness(at: 0, excluding: []) == nil && !trace.isSilent(at: 0, seed: nil))
  }

  /// The server's clock may be ahead. The middle of its leads counts.
  @Test func theServersTimeIsThatOfItsClock() {
    let trace = LinkTrace([
      Self.exchange(1, at: 0, up: 5050), Self.exchange(2, at: 1000, up: 9050), Self.exchange(3, at: 2000, up: 7050),
      Self.exchange(4, at: 3000, takes: 600, up: nil),
    ])
    #expect(trace.clockLeadMS == 7000)
    let many = LinkTrace((0..<5).map { Self.exchange($0, at: 1000 * $0, up: 50 + 1000 * $0) })
    #expect(many.clockLeadMS == 2000)
    // A held answer was sent at the server's time, too.
    let ahead = LinkTrace([
      Self.exchange(1, at: 0, up: 7050), Self.held(2, at: 1000, answeredAtMS: 27_000, to: 20_300),
      Self.held(3, at: 21_000, answeredAtMS: 57_000, to: 50_900),
    ])
    #expect(ahead.clockLeadMS == 7000)
    let passages = [Int64(20_000), 34_999, 35_001, 50_000].map { ahead.passageMS(sentAt: $0, request: 9, seed: nil) }
    #expect(passages == [300, 300, 900, 900])
    // An answer that doesn't tell the time was made halfway.
    #expect(Self.conditions(trace, at: 3001).serverMS == 3001 + 7000 + 300)
    #expect(Self.conditions(trace, at: 0).serverMS == 5050)
  }

  // MARK: Witnesses

  @Test func theNearestExchangeVouchesForTheLinkOnce() {
    let minute: Int64 = 60_000
    let trace = LinkTrace([0, 10, 20].map { Self.exchange($0, at: $0 * minute) })
    func witness(_ time: Int64, _ used: Set<Int64> = []) -> Int64? { trace.witness(at: time, excluding: used) }
    #expect(witness(5 * minute) == 0 && witness(5 * minute + 1) == 10 && witness(10 * minute) == 10 && witness(99) == 0)
    #expect(
      witness(5 * minute, [0]) == 10 && witness(5 * minute, [0, 10]) == 20 && witness(5 * minute, [0, 10, 20]) == nil)
    #expect(witness(16 * minute, [20]) == 10 && witness(16 * minute, [10]) == 20 && witness(12 * minute, [10]) == 20)
    // Sixteen minutes are as far as one says something.
    #expect(witness(36 * minute) == 20 && witness(36 * minute + 1) == nil && witness(-16 * minute) == 0)
    #expect(
      witness(-16 * minute - 1) == nil && witness(4 * minute, [0, 10]) == 20 && witness(4 * minute - 1, [0, 10]) == nil)
  }

  // MARK: Faults

  /// The link went down at some time between the last request that was served and the first that failed.
  @Test func aFaultBeginsAtAnyTimeBetweenTwoExchanges() {
    let faulty: [(RecordedExchange, Bool)] = [
      (Self.lost(2, at: 10_000), true), (Self.exchange(2, at: 10_000, status: 503), false),
    ]
    for (fault, isLost) in faulty {
      let trace = LinkTrace([Self.exchange(1, at: 0), fault, Self.exchange(3, at: 20_000)])
      func count(_ time: Int64) -> Int {
        Self.seeds.dropFirst().count { Self.conditions(trace, at: time, seed: $0).fault?.request == 2 }
      }
      #expect(count(0) == 0 && count(10_000) == 200 && count(20_000) == 0)
      #expect((30...90).contains(count(3000)) && (110...170).contains(count(7000)), "\(isLost)")
      #expect((110...170).contains(count(13_000)) && (30...90).contains(count(17_000)))
      // It is down once, and up again once.
      for seed in Self.seeds {
        let states = stride(from: Int64(0), through: 20_000, by: 250).map {
          Self.conditions(trace, at: $0, seed: seed).fault != nil
        }
        #expect(zip(states, states.dropFirst()).count { $0 != $1 } == 2)
      }
      #expect(Self.conditions(trace, at: 4999).fault == nil && Self.conditions(trace, at: 5200).fault != nil)
      // In the middle, the earlier exchange counts.
      if !isLost { #expect([5000, 15_000].map { Self.conditions(trace, at: $0).fault?.request } == [nil, 2]) }
      #expect(Self.conditions(trace, at: 14_900).fault != nil && Self.conditions(trace, at: 15_200).fault == nil)
    }
  }

  /// Only repairs tell of repairs, and held requests of holds.
  @Test func anotherRequestSaysNothingOfARepairOrAHold() {
    let repair = Self.exchange(2, at: 1000) { ($0.mode, $0.isUnusable) = (.repair, true) }
    let early = Self.exchange(3, at: 2000) { $0.hold = HoldTerms(seconds: 540) }
    let trace = LinkTrace([Self.exchange(1, at: 0), repair, early, Self.exchange(4, at: 3000)])
    for time in [Int64(0), 1000, 2000, 3000] {
      #expect(Self.conditions(trace, at: time, .repair).fault?.request == 2)
      #expect(Self.conditions(trace, at: time).fault == nil)
      #expect(Self.conditions(trace, at: time, isHeld: true).holdMS == 0)
    }
  }

  /// Documents and repairs have no sums that could be wrong.
  @Test func onlyAnswersWithRecordsFitTheHeldOnes() {
    let misfit = Self.exchange(2, at: 1000) { $0.misfit = .countDiffers }
    let document = Self.exchange(3, at: 2000) { ($0.scope, $0.mode) = (.global(.hour), .full) }
    let repair = Self.exchange(4, at: 3000) { $0.mode = .repair }
    let refused = Self.exchange(5, at: 4000, status: 503)
    let trace = LinkTrace([Self.exchange(1, at: 0), misfit, document, repair, refused])
    for time in [Int64(1100), 2100, 3100, 4100] { #expect(trace.misfit(at: time, seed: nil) == .countDiffers) }
    #expect(trace.misfit(at: 100, seed: nil) == nil)
  }

  /// A refusal without bytes tells no size.
  @Test func theSizeOfARefusalIsThatOfARecordedOne() {
    let refusals = [(Int64(1), Int64(180)), (2, 0)].map { number, bytes in
      Self.exchange(number, at: 1000 * number) {
        $0.result = .answered(Input.Response(request: number, status: 503, wireBytes: bytes))
      }
    }
    let trace = LinkTrace(refusals)
    #expect(trace.bytes(of: Input.Response(request: 9, status: 503, wireBytes: 77), isShared: false) == 180)
    #expect(trace.bytes(of: Input.Response(request: 9, status: 503, wireBytes: 77), isShared: true) == 77)
    #expect(trace.bytes(of: Input.Response(request: 9, status: 500, wireBytes: 77), isShared: false) == 77)
  }

  /// Held requests are lost for reasons of their own.
  @Test func aHeldRequestThatFailedSaysNothingOfOthers() {
    let trace = LinkTrace([
      Self.exchange(1, at: 0),
      Self.exchange(2, at: 10_000) { ($0.result, $0.hold) = (.failed(.timeout, sent: nil), HoldTerms(seconds: 50)) },
    ])
    #expect(
      Self.conditions(trace, at: 10_000).fault == nil
        && Self.conditions(trace, at: 10_000, isHeld: true).fault?.request == 2)
  }

  private static func inFlight(since: Int64? = 1, handle: String? = nil) -> Scope.InFlightRequest {
    Scope.InFlightRequest(request: 9, spec: spec, mode: .delta, rule: .due, since: since, handle: handle)
  }

  /// A server without its areas refuses handles. A server without its history refuses deltas.
  @Test func aRefusalIsThatOfAHandleOrOfAWatermark() {
    let forgot = LinkTrace([
      Self.exchange(1, at: 0) { $0.handle = "k" }, Self.exchange(2, at: 10_000, status: 404) { $0.handle = "k" },
      Self.exchange(3, at: 11_000), Self.exchange(4, at: 20_000) { $0.handle = "k" },
    ])
    let gone = LinkTrace([
      Self.exchange(1, at: 0), Self.exchange(2, at: 10_000, status: 410),
      Self.exchange(3, at: 10_100) { ($0.mode, $0.since) = (.full, nil) }, Self.exchange(4, at: 20_000),
    ])
    func refused(_ trace: LinkTrace, _ request: Scope.InFlightRequest, at time: Int64) -> Int? {
      trace.refusal(of: request, at: time, seed: nil)?.response?.status
    }
    #expect(
      refused(forgot, Self.inFlight(handle: "k"), at: 10_000) == 404
        && refused(forgot, Self.inFlight(), at: 10_000) == nil)
    #expect(refused(forgot, Self.inFlight(handle: "k"), at: 4000) == nil)
    #expect(refused(forgot, Self.inFlight(handle: "k"), at: 14_000) == 404)
    #expect(refused(forgot, Self.inFlight(handle: "k"), at: 16_000) == nil)
    #expect(
      refused(gone, Self.inFlight(), at: 9000) == 410 && refused(gone, Self.inFlight(since: nil), at: 9000) == nil)
    #expect(
      refused(gone, Self.inFlight(handle: "k"), at: 14_000) == 410 && refused(gone, Self.inFlight(), at: 16_000) == nil)
    // It is no fault of the link or the server.
    #expect(Self.conditions(forgot, at: 10_000).fault == nil && Self.conditions(gone, at: 10_000).fault == nil)
  }

  // MARK: Held answers

  private static func held(_ request: Int64, at sentAtMS: Int64, answeredAtMS: Int64, to endedAtMS: Int64)
    -> RecordedExchange
  {
    exchange(request, at: sentAtMS, takes: endedAtMS - sentAtMS, up: answeredAtMS - sentAtMS) {
      $0.hold = HoldTerms(seconds: 540)
    }
  }

  @Test func aHeldAnswerTakesAsLongAsTheNearestOne() {
    let trace = LinkTrace(
      (0..<20).map { Self.held($0, at: 1000 * $0, answeredAtMS: 1000 * $0 + 500, to: 1000 * $0 + 600 + $0) })
    func passage(_ time: Int64, request: Int64 = 9, _ seed: UInt64? = nil) -> Int64? {
      trace.passageMS(sentAt: time, request: request, seed: seed)
    }
    #expect(
      passage(0) == 100 && passage(1000) == 100 && passage(1001) == 101 && passage(1500) == 101
        && passage(99_000) == 119)
    let drawn = Set((1...200).compactMap { passage(9700, request: $0, 1) })
    #expect(drawn == Set(106...113))
    for seed in Self.seeds { #expect(passage(9500, seed) == 109) }
  }

  /// The requests of two areas are held at the same time, and the later one may be answered first.
  @Test func heldAnswersCountInTheOrderInWhichTheyWereSent() {
    let trace = LinkTrace([
      Self.held(1, at: 0, answeredAtMS: 500_000, to: 500_100),
      Self.held(2, at: 1000, answeredAtMS: 20_000, to: 20_300),
      Self.held(3, at: 30_000, answeredAtMS: 400_000, to: 400_500),
      Self.held(4, at: 30_500, answeredAtMS: 100_000, to: 100_700),
    ])
    for (time, passage) in [(Int64(20_000), Int64(300)), (30_000, 300), (100_000, 700), (400_000, 500), (490_000, 100)]
    {
      let found = trace.passageMS(sentAt: time, request: 9, seed: nil)
      #expect(found == passage, "\(time)")
    }
  }

  /// Five seconds more than usual mean that the link was down.
  @Test func anAnswerThatTookLongWaitedForTheLink() {
    func trace(_ late: Int64) -> LinkTrace {
      LinkTrace([
        Self.held(1, at: 0, answeredAtMS: 10_000, to: 10_400),
        Self.held(2, at: 10_400, answeredAtMS: 20_000, to: 20_500),
        Self.held(3, at: 20_500, answeredAtMS: 30_000, to: 30_500 + late),
        Self.held(4, at: 60_000, answeredAtMS: 70_000, to: 70_600),
      ])
    }
    func passage(_ time: Int64, _ trace: LinkTrace) -> Int64? { trace.passageMS(sentAt: time, request: 9, seed: nil) }
    #expect(passage(33_000, trace(5100)) == 5600)
    // It was down since the middle between the last look at the link and the answer.
    let down = trace(5101)
    #expect(passage(33_000, down) == 2601 && passage(30_000, down) == 5601 && passage(25_250, down) == 10_351)
    #expect(passage(25_249, down) == 500 && passage(35_601, down) == 500)
  }

  /// A PIREP is news as a report is.
  @Test func aServerThatAnswersForNewsHoldsWithoutThem() {
    let pirep = PIREP(
      id: "a", position: .init(latitudeE7: 0, longitudeE7: 0), flightLevel: nil, severity: nil, isUrgent: false,
      observedAt: 1, updatedAt: 1, text: "")
    for pireps in [[], [pirep]] {
      let held = Self.exchange(2, at: 1000) {
        $0.hold = HoldTerms(seconds: 540)
        $0.result = .answered(
          .init(request: 2, status: 200, wireBytes: 9, body: .answer(ObservationsAnswer(token: 1, pireps: pireps))))
      }
      let conditions = Self.conditions(LinkTrace([Self.exchange(1, at: 0), held]), at: 1000, isHeld: true)
      #expect((conditions.holdMS == nil) == !pireps.isEmpty)
    }
  }

  @Test func aSilenceLastsUntilTheLinkIsSeenAgain() {
    let silent = Self.exchange(2, at: 10_000, takes: 70_000) { ($0.result, $0.hold) = (.none, HoldTerms(seconds: 60)) }
    let trace = LinkTrace([Self.exchange(1, at: 0), silent, Self.exchange(3, at: 90_000)])
    // Due at 70 s; the link was seen at 0.1 s and at 90 s.
    for (time, isSilent) in [(Int64(35_049), false), (35_050, true), (70_000, true), (80_000, true), (80_001, false)] {
      #expect(trace.isSilent(at: time, seed: nil) == isSilent, "\(time)")
    }
    // The loss at 0 s is the only look before.
    let lost = LinkTrace([Self.lost(1, at: 0), silent])
    #expect(lost.isSilent(at: 35_000, seed: nil) && !lost.isSilent(at: 34_999, seed: nil))
    let last = LinkTrace([Self.exchange(1, at: 0), silent])
    #expect(last.isSilent(at: 70_000, seed: nil) && !last.isSilent(at: 70_001, seed: nil))
    let short = LinkTrace([
      Self.exchange(2, at: 10_000, takes: 60_000) { ($0.result, $0.hold) = (.none, HoldTerms(seconds: 60)) }
    ])
    #expect(short.isSilent(at: 70_000, seed: nil))
  }

  @Test func aHoldEndsEarlyAtLeastFiveSecondsBeforeItsTerms() {
    for (duration, isEarly) in [(Int64(44_999), true), (45_000, false)] {
      let exchange = Self.exchange(2, at: 0, takes: duration) { $0.hold = HoldTerms(seconds: 50) }
      #expect(exchange.endsBeforeItsTerms == isEarly && exchange.wasHeld)
    }
    let quick = Self.exchange(2, at: 0, takes: 30_000) { $0.hold = HoldTerms(seconds: 50) }
    #expect(
      !quick.wasHeld && !Self.exchange(1, at: 0, takes: 99_000).wasHeld && !Self.exchange(1, at: 0).endsBeforeItsTerms)
  }

  /// Only records end a hold, or traffic when it is time for it.
  @Test func aHoldEndsByRecordsOrTraffic() {
    func ends(_ types: DataTypeOptions, token: Int64, _ change: (inout RecordedExchange) -> Void = { _ in }) -> Bool {
      let exchange = Self.exchange(2, at: 0) {
        $0.result = .answered(
          Input.Response(request: 2, status: 200, wireBytes: 9, body: .answer(ObservationsAnswer(token: token))))
        ($0.since, $0.spec) = (1000, FetchSpec(area: .world, filter: Filter(types: types)))
        $0.hold = HoldTerms(seconds: 540, urgent: .moderate, ordinarySeconds: 60)
        change(&$0)
      }
      return exchange.endsHold
    }
    #expect(!ends(.turbulence, token: 1540) && ends(.turbulence, token: 1002) { $0.reports = [0] })
    // Five seconds of the minute may be missing.
    #expect(
      ends(.traffic, token: 1055) && !ends(.traffic, token: 1054) && !ends(.traffic, token: 1055) { $0.hold = nil })
    #expect(!ends(.traffic, token: 1055) { $0.result = .failed(.network, sent: nil) })
  }

  @Test func someRefusalsSayNothingAgainstTheServer() {
    let served = [200, 204, 304, 400, 401, 404, 410, 429, 500, 503].filter {
      Self.exchange(1, at: 0, status: $0).isService
    }
    #expect(served == [200, 204, 304, 404, 410])
    #expect(!Self.exchange(1, at: 0) { $0.isUnusable = true }.isService && !Self.lost(1, at: 0).isService)
    for (mode, isUnusable, isUseless) in [
      (FetchMode.repair, true, true), (.repair, false, false), (.delta, true, false), (.full, false, false),
    ] {
      let exchange = Self.exchange(1, at: 0) { ($0.mode, $0.isUnusable) = (mode, isUnusable) }
      #expect(exchange.isUselessRepair == isUseless)
    }
  }

  @Test func theFirstElementAfterAPlaceIsFound() {
    for count in 0..<20 {
      let numbers = Array(0..<count)
      for limit in 0...count + 1 { #expect(numbers.partition { $0 >= limit } == min(limit, count)) }
    }
  }
}
