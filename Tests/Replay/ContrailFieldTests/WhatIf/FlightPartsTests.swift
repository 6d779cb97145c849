import ContrailCore
import ContrailGeodesy
import ContrailLog
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailField

/// The parts of which a flight is flown again: what is recorded of it, its answers under way, and the link of a future.
@Suite struct FlightPartsTests {
  // MARK: Answers under way

  private static func delivery(_ request: Int64, at time: Int64, outlives: Bool = false) -> PlannedDeliveries.Delivery {
    .init(
      at: time, request: request, input: .responseReceived(.init(request: request, status: 200, wireBytes: 5)),
      bytes: .init(
        up: .init(bytes: 10 * request, deviation: 0, isRecorded: true), down: .none, isRecorded: false, share: .whole,
        isLinkKnown: true), outlivesCancel: outlives)
  }

  private static func taken(_ planned: PlannedDeliveries) -> [PlannedDeliveries.Delivery] {
    var (planned, taken) = (planned, [PlannedDeliveries.Delivery]())
    while planned.nextAt < .max { taken.append(planned.removeFirst()) }
    return taken
  }

  @Test func answersComeInTheOrderOfTimeThenOfRequests() {
    var planned = PlannedDeliveries()
    #expect(planned.nextAt == .max && !planned.contains(1))
    for (request, time) in [(Int64(4), Int64(50)), (2, 70), (1, 50), (3, 50), (5, 20)] {
      planned.insert(Self.delivery(request, at: time))
    }
    #expect(planned.nextAt == 20 && planned.contains(5) && !planned.contains(6))
    #expect(Self.taken(planned).map { $0.request } == [5, 1, 3, 4, 2])
    planned.removeAll()
    #expect(planned.nextAt == .max)
  }

  @Test func aLinkThatGoesDownFailsAllRequestsAtOnce() {
    var planned = PlannedDeliveries()
    for (request, time) in [(Int64(2), Int64(50)), (1, 70)] { planned.insert(Self.delivery(request, at: time)) }
    planned.failAll(at: 30)
    let failed = Self.taken(planned)
    #expect(failed.map { $0.at } == [30, 30])
    #expect(
      failed.map { $0.input }
        == [1, 2].map {
          .responseFailed(request: $0, failure: .network, sent: SentBytes(total: 10 * $0, head: 0))
        })
  }

  @Test func aCancelledRequestHasNoAnswerUnlessItCameAllTheSame() {
    var planned = PlannedDeliveries()
    planned.insert(Self.delivery(1, at: 10))
    planned.insert(Self.delivery(2, at: 20))
    planned.insert(Self.delivery(3, at: 30, outlives: true))
    for request in Int64(2)...3 { planned.cancel(request) }
    #expect(Self.taken(planned).map { $0.request } == [1, 3])
  }

  // MARK: The link of a future

  private static let minute: Int64 = 60_000

  private static let flight = Result { try RecordedFlight(path: Logs.recording("offline-past-expiry")) }

  /// A flight of an hour with these changes of the link and these exchanges.
  private static func flight(
    _ changes: [(at: Int64, isOnline: Bool)], _ exchanges: [(sent: Int64, ended: Int64, isServed: Bool)] = []
  ) throws -> RecordedFlight {
    var flight = try flight.get()
    (flight.startMS, flight.endMS) = (1000 * minute, 1060 * minute)
    flight.inputs = changes.enumerated().map { index, change in
      .init(
        at: flight.startMS + change.at * minute, input: .connectivityChanged(isOnline: change.isOnline),
        seq: Int64(index))
    }
    flight.trace = LinkTrace(
      exchanges.enumerated().map { index, exchange in
        var made = RecordedExchange(
          request: Int64(index), scope: .corridor, rule: .due, leader: Int64(index),
          sentAtMS: flight.startMS + exchange.sent * minute, endedAtMS: flight.startMS + exchange.ended * minute,
          result: .failed(.network, sent: nil))
        if exchange.isServed { made.result = .answered(.init(request: Int64(index), status: 200, wireBytes: 9)) }
        return made
      })
    return flight
  }

  @Test func outagesAreTheTimesWithoutALinkThatTheDeviceKnewOf() throws {
    func outages(_ changes: [(Int64, Bool)]) throws -> [[Int64]] {
      let flight = try flight(changes.map { (at: $0.0, isOnline: $0.1) })
      return flight.outages.map {
        [($0.lowerBound - flight.startMS) / minute, ($0.upperBound - flight.startMS) / minute]
      }
    }
    let minute = Self.minute
    func flight(_ changes: [(at: Int64, isOnline: Bool)]) throws -> RecordedFlight { try Self.flight(changes) }
    #expect(try outages([]) == [] && outages([(5, true)]) == [])
    #expect(try outages([(5, false), (9, true), (20, false), (21, true)]) == [[5, 9], [20, 21]])
    #expect(try outages([(5, false), (7, false), (9, true)]) == [[5, 9]] && outages([(5, false), (5, true)]) == [])
    #expect(try outages([(50, false)]) == [[50, 60]] && outages([(60, false)]) == [])
    #expect(try flight([(at: 50, isOnline: false)]).outages[0].upperBound == 1060 * minute + 1)
  }

  @Test func aMovedLinkGoesRoundTheFlight() throws {
    let flight = try Self.flight([(at: 10, isOnline: false), (at: 20, isOnline: true)])
    func course(_ shift: Int64, from: Int64 = 0) -> LinkCourse {
      LinkCourse(link: .moved(byMS: shift * Self.minute), from: flight.startMS + from * Self.minute)
    }
    func time(_ at: Int64, _ shift: Int64) -> Int64 {
      (course(shift).recordedTime(at: flight.startMS + at * Self.minute, in: flight) - flight.startMS) / Self.minute
    }
    #expect(time(5, 0) == 5 && time(5, 20) == 25 && time(50, 20) == 10 && time(40, 20) == 0 && time(5, -10) == 55)
    let model = try #require(LinkModel.named("leo"))
    for link in [LinkCourse.Link.model(model), .perfect] {
      let course = LinkCourse(link: link, from: 0)
      #expect(course.recordedTime(at: 77, in: flight) == 77 && course.outages(of: flight).isEmpty)
    }
    func outages(_ shift: Int64, from: Int64 = 0) -> [[Int64]] {
      course(shift, from: from).outages(of: flight).map {
        [$0.span.lowerBound / Self.minute, $0.span.upperBound / Self.minute]
      }
    }
    #expect(outages(0) == [[10, 20]] && outages(5) == [[5, 15]] && outages(-5) == [[15, 25]])
    // Over the end, it goes on at the start.
    #expect(outages(15) == [[0, 5], [55, 60]] && outages(30) == [[40, 50]])
    #expect(outages(0, from: 15) == [[15, 20]] && outages(0, from: 20) == [] && outages(15, from: 30) == [[55, 60]])
    #expect(course(15).outages(of: flight).map { $0.span.upperBound }.max() == 60 * Self.minute + 1)
    #expect(course(0).outages(of: flight).allSatisfy { $0.kind == .outage && !$0.isOnce })
    #expect(course(0, from: 5).isFree(at: flight.startMS + 5 * Self.minute))
    #expect(!course(0, from: 5).isFree(at: flight.startMS + 5 * Self.minute - 1))
  }

  @Test func inAFlightOfOneMomentTheLinkIsThatOfTheMoment() throws {
    var flight = try Self.flight([])
    flight.endMS = flight.startMS
    let course = LinkCourse(link: .moved(byMS: 7), from: 0)
    #expect(course.recordedTime(at: flight.startMS + 8, in: flight) == flight.startMS)
    #expect(course.outages(of: flight).isEmpty)
  }

  /// Until a request is served again.
  @Test func troubleEndsWhenTheServiceIsThereAgain() throws {
    let minute = Self.minute
    func end(at time: Int64, _ exchanges: [(Int64, Bool)], offlineUntil ups: [Int64]? = nil) throws -> Int64? {
      let flight = try Self.flight(
        (ups ?? []).flatMap { [(at: $0 - 1, isOnline: false), (at: $0, isOnline: true)] },
        exchanges.map { (sent: $0.0, ended: $0.0 + 1, isServed: $0.1) })
      return flight.troubleEnd(at: flight.startMS + time * minute, isOnline: ups == nil).map { $0 - flight.startMS }
    }
    let (served, lost, again, still) = ((Int64(5), true), (Int64(10), false), (Int64(30), true), (Int64(20), false))
    #expect(try end(at: 1, [served]) == nil && end(at: 8, [served, lost]) == nil)
    #expect(try end(at: 11, [served, lost, again]) == 30 * minute - 1 && end(at: 10, [served, lost, again]) == nil)
    #expect(try end(at: 30, [served, lost, again]) == 30 * minute && end(at: 31, [served, lost, again]) == nil)
    #expect(try end(at: 12, [served, lost]) == 60 * minute)
    // A device that is offline waits for its link, which may still fail.
    #expect(try end(at: 12, [served, lost], offlineUntil: []) == 60 * minute)
    #expect(try end(at: 12, [served, lost], offlineUntil: [20]) == 20 * minute)
    #expect(try end(at: 12, [served, lost, again], offlineUntil: [20]) == 20 * minute)
    #expect(try end(at: 12, [lost, still, again], offlineUntil: [20]) == 30 * minute - 1)
    #expect(try end(at: 12, [lost, still], offlineUntil: [20]) == 60 * minute)
    #expect(try end(at: 20, [lost, again], offlineUntil: [20]) == 20 * minute)
    #expect(try end(at: 21, [lost], offlineUntil: [20, 40]) == 40 * minute)
    // Two exchanges end at the same time: the one that was sent first decides.
    let atOnce = try Self.flight([], [(sent: 5, ended: 11, isServed: true), (sent: 10, ended: 11, isServed: false)])
    #expect(atOnce.troubleEnd(at: atOnce.startMS + 12 * minute, isOnline: true) == nil)
  }

  // MARK: Settings

  private static func plan(_ initial: State = State(), _ change: (inout Alternative) -> Void) -> SettingsPlan {
    SettingsPlan(Alternative(change), startMS: 1000, initial: initial, corridors: CorridorCache())
  }

  @Test func settingsBeginAndEndWithTheirPart() {
    let aloft = Rig.flying().state
    #expect(Self.plan(aloft) { $0.span = 10..<20 }.boundaries == [] && !Self.plan(aloft) { $0.wire = .json }.isActive)
    // A flight that begins with a snapshot has other settings from its start on.
    #expect(Self.plan(aloft) { $0.frequency = .minimal }.boundaries == [1000])
    #expect(Self.plan { $0.frequency = .minimal }.boundaries == [])
    #expect(Self.plan { ($0.frequency, $0.span) = (.minimal, 10..<20) }.boundaries == [1010, 1020])
    #expect(Self.plan { ($0.frequency, $0.span) = (.minimal, 10..<Int64.max) }.boundaries == [1010])
  }

  @Test func settingsAreThoseOfTheAlternativeInItsPart() {
    var plan = Self.plan { ($0.frequency, $0.history, $0.span) = (.minimal, .hour, 10..<20) }
    let areSettings = [Input.frequencyChanged(.medium), .connectivityChanged(isOnline: true)].map { plan.note($0) }
    #expect(areSettings == [true, false])
    let (recorded, other): ([Input], [Input]) = (
      [.frequencyChanged(.medium)], [.historyChanged(.hour), .frequencyChanged(.minimal)]
    )
    for (time, inputs) in [(Int64(1009), recorded), (1010, other), (1019, other), (1020, recorded)] {
      #expect(plan.inputs(for: State(), at: time) == inputs)
    }
  }

  /// A launch shows no map until the application does.
  @Test func aLaunchForgetsTheMap() {
    var plan = Self.plan { $0.frequency = .minimal }
    var query = ResolvedQuery()
    query.viewport = Rig.area
    _ = plan.note(.queryChanged(query))
    #expect(plan.inputs(for: State(), at: 1000) == [.frequencyChanged(.minimal), .queryChanged(query)])
    plan.launch()
    #expect(plan.inputs(for: State(), at: 1000) == [.frequencyChanged(.minimal)])
  }

  /// A route whose width was missing has a corridor.
  @Test func aWidthMendsARouteWithoutOne() throws {
    var plan = Self.plan { $0.widthMilliNM = 50_000 }
    var given = DataQuery()
    given.route = [Coordinate(latitude: 50, longitude: 8), Coordinate(latitude: 51, longitude: 9)]
    #expect(given.resolved().corridorError != nil)
    _ = plan.note(.queryChanged(given.resolved()))
    given.routeWidth = 50
    #expect(plan.inputs(for: State(), at: 1000) == [.queryChanged(given.resolved())])
  }

  // MARK: What is recorded

  private static func recorded(_ rig: Rig) throws -> RecordedFlight {
    let disk = MemoryDisk()
    try rig.writeLog(to: "/a.jsonl", storage: disk)
    return try RecordedFlight(path: "/a.jsonl", storage: disk)
  }

  @Test func anExchangeHasItsRequestAndItsResult() throws {
    var rig = Rig()
    rig.launch()
    rig.query { ($0.polygon, $0.viewport) = (Rig.area, Rig.otherArea) }
    rig.now += 700
    rig.answerHolding()
    rig.now += 100
    rig.answer(.viewport, status: 503)
    rig.pass(seconds: 300)
    rig.now += 50
    rig.fail()
    let flight = try Self.recorded(rig)
    let first = flight.exchanges[0]
    #expect(first.scope == .corridor && first.rule == .first && first.mode == .full && first.since == nil)
    #expect(first.sentAtMS == Rig.start && first.endedAtMS == Rig.start + 700 && first.durationMS == 700)
    #expect(first.isService && first.response?.status == 200 && first.hasResult && first.leader == first.request)
    #expect(first.size != nil && first.sharing == 1 && first.spec?.area != flight.exchanges[1].spec?.area)
    let refused = flight.exchanges[1]
    #expect(refused.scope == .viewport && !refused.isService && refused.hasResult && refused.response?.status == 503)
    #expect(refused.endedAtMS == Rig.start + 800 && refused.durationMS == 800)
    #expect(flight.world.holdSeconds == 540 && flight.world.handles.values.contains("h-corridor"))
    #expect(flight.startMS == Rig.start && flight.endMS == rig.now && flight.path == "/a.jsonl")
    #expect(flight.inputs.map { $0.input.kind } == [.sessionStarted, .connectivityChanged, .queryChanged])
    let held = try #require(flight.exchanges.first { $0.hold != nil })
    #expect(held.handle == "h-corridor" && held.since == first.response.map { _ in (Rig.start + 700) / 1000 })
    #expect(held.rule == .listening && held.mode == .delta)
  }

  /// Requests by handle share one exchange, whose bytes are counted with the first.
  @Test func requestsByHandleShareAnExchange() throws {
    var rig = Rig()
    rig.launch()
    rig.query { ($0.polygon, $0.viewport) = (Rig.area, Rig.otherArea) }
    for (id, name) in [(ScopeID.corridor, "a"), (.viewport, "b")] { rig.answer(id) { $0.handle = name } }
    rig.send(.refreshRequested(full: false))
    for id in [ScopeID.corridor, .viewport] { rig.answer(id) }
    let flight = try Self.recorded(rig)
    let (first, second) = (flight.exchanges[2], flight.exchanges[3])
    #expect(flight.exchanges.map { $0.sharing } == [1, 1, 2, 2])
    #expect(first.leader == first.request && second.leader == first.request)
    #expect(first.size != nil && second.size == nil)
    #expect([first, second].map { $0.handle } == ["a", "b"])
  }

  @Test func aRequestWithoutAResultEndsWithItsProcess() throws {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    let sent = rig.now
    rig.now += 4000
    rig.launch()
    rig.now += 1000
    rig.query { $0.severities = .atLeast(.light) }
    // Another area replaces the request under way.
    rig.now += 500
    rig.query { $0.polygon = Rig.otherArea }
    let replaced = rig.now
    rig.now += 3000
    rig.send(.clockAdjusted(byMS: 0))
    let flight = try Self.recorded(rig)
    let lost = try #require(flight.exchanges.first { $0.sentAtMS == sent })
    #expect(!lost.hasResult && !lost.isCancelled && lost.endedAtMS == sent + 4000 && lost.sent == nil)
    let cancelled = try #require(flight.exchanges.first { $0.isCancelled })
    #expect(cancelled.endedAtMS == replaced && !cancelled.hasResult)
    let last = try #require(flight.exchanges.last)
    #expect(last.sentAtMS == replaced && last.endedAtMS == rig.now + 1 && !last.isService)
    #expect(flight.trace.exchanges.allSatisfy { $0.hasResult })
  }

  @Test func theServerIsKnownByItsAnswers() throws {
    for repairs in [false, true] {
      var rig = Rig()
      rig.launch()
      rig.query { $0.polygon = Rig.area }
      rig.answer {
        ($0.handle, $0.repairs) = ("a1", repairs)
        $0.body = .answer(ObservationsAnswer(token: Rig.start / 1000))
      }
      let flight = try Self.recorded(rig)
      #expect(flight.world.hasRepairs == repairs && flight.world.holdSeconds == 0 && !flight.world.hasSums)
      #expect(flight.world.handles.values.map { $0 } == ["a1"] && flight.wire.isCompact)
    }
  }

  /// The records of a full answer are taken although its sums are wrong.
  @Test func aFullAnswerWithWrongSumsIsNoted() throws {
    var rig = Rig()
    rig.launch()
    rig.query { $0.polygon = Rig.area }
    rig.answer {
      ($0.handle, $0.holdSeconds) = ("a1", 1)
      var answer = ObservationsAnswer(token: Rig.start / 1000)
      answer.held = HeldSum(count: 5, checksum: 1)
      $0.body = .answer(answer)
    }
    rig.now += 10
    rig.send(.refreshRequested(full: false))
    let flight = try Self.recorded(rig)
    #expect(flight.exchanges[0].misfit != nil && flight.world.holdSeconds == 1)
    // The requests of the last line have their sizes, too.
    #expect(flight.exchanges.count > 1 && flight.exchanges.allSatisfy { $0.size != nil })
  }

  @Test func aLogThatDivergesIsRefusedUnlessItMay() throws {
    let draft = try LogDraft(path: Logs.recording("atlantic")).withDecisions { decision in
      guard case .fetchStarted(var started) = decision, started.request == 5 else { return [decision] }
      started.since = started.since.map { $0 - 60 }
      return [.fetchStarted(started)]
    }
    let (path, storage) = draft.inMemory
    #expect(throws: WhatIfError.self) { try RecordedFlight(path: path, storage: storage) }
    let flight = try RecordedFlight(path: path, storage: storage, mayDiverge: true)
    #expect(flight.exchanges.count > 5)
  }

  @Test func aTimerThatFiredLateIsRemembered() throws {
    var rig = Rig.flying()
    let due = try #require(rig.state.nextWake)
    rig.now = due.at + 1234
    rig.send(.clockTicked(scope: due.scope, due: due.at))
    rig.now += 10
    rig.answer()
    let flight = try Self.recorded(rig)
    #expect(flight.ticks == [.init(scope: .corridor, due: due.at): due.at + 1234])
    #expect(flight.exchanges.last?.sentAtMS == due.at + 1234)
  }

  /// A response with status 200 can be unreadable, or its sums can differ from the held records.
  @Test func anAnswerThatCannotBeUsedIsNoService() throws {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    rig.answer { $0.body = .inline(Array(#"{"data":1}"#.utf8)) }
    rig.pass(seconds: 600)
    rig.answer()
    rig.pass(seconds: 60)
    rig.answer { $0.held = HeldSum(count: 1_000_003, checksum: 0) }
    rig.now += 10
    rig.answer()
    let flight = try Self.recorded(rig)
    #expect(flight.exchanges.map { $0.isUnusable } == [false, true, false, false, false])
    #expect(flight.exchanges.map { $0.isService } == [true, false, true, true, true])
    #expect(flight.exchanges.map { $0.misfit } == [nil, nil, nil, .countDiffers, nil])
    #expect(flight.exchanges.last?.rule == .countDiffers && flight.world.hasSums)
  }
}
