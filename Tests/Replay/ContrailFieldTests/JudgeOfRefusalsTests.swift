import ContrailField
import ContrailGeodesy
import ContrailWire
import Testing

@testable import ContrailCore

/// What the judge of logs takes for a refusal, a failure or a cause, and what ends one.
@Suite struct JudgeOfRefusalsTests {
  @Test(arguments: [401, 403, 400, 404, 422]) func whatEndsARefusal(status: Int) {
    let isOfKey = status == 401 || status == 403
    let ends: [(Input, Bool)] = [
      (.credentialsChanged, isOfKey), (.refreshRequested(full: false), true), (.historyChanged(.hour), !isOfKey),
      (.connectivityChanged(isOnline: true), false),
    ]
    for (input, isEnd) in ends {
      var log = ToldLog()
      log.tick(after: 60_000)
      log.request()
      log.refuse(status)
      log.send(input, after: 60_000, isDecided: false)
      log.request()
      let until = isOfKey ? "the credentials change" : "the query changes"
      #expect(
        log.findings
          == (isEnd
            ? []
            : [
              "backoff due: request 3 of corridor is sent after a refusal; no request until \(until) or a refresh is requested"
            ]),
        "\(input.kind)")
    }
  }

  @Test func aLaunchEndsARefusalOfTheKeyOnly() {
    for (status, count) in [(401, 0), (400, 1)] {
      var log = ToldLog()
      log.tick(after: 60_000)
      log.request()
      log.refuse(status)
      log.send(
        .sessionStarted(.init(engine: EngineVersion.current.description, id: "told-2", seed: 2)), after: 60_000,
        isDecided: false)
      log.send(.connectivityChanged(isOnline: true), isDecided: false)
      log.request()
      #expect(log.findings.count == count)
    }
  }

  @Test func aRefusalInTheMillisecondOfAnAnswerIsOne() {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.request()
    log.answer()
    log.tick(after: 0)
    log.request()
    log.refuse(401, after: 0, isDecided: false)
    log.tick(after: 1)
    #expect(log.findings.map { $0.prefix(33) } == ["outages blocked: request 3 was re"])
  }

  @Test func anAnswerThatWasNotAppliedIsAFailedAttempt() {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.request()
    log.answer { $0.scopes[0].lastSuccessAt = 0 }
    log.tick(after: 998)
    log.request()
    #expect(log.findings.contains { $0.hasPrefix("backoff due: request 3 of corridor is sent 998 ms after failure 1") })
  }

  @Test(arguments: [401, 403]) func aRefusalOfOldCredentialsIsNone(status: Int) {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.request()
    log.send(.credentialsChanged, isDecided: false)
    log.refuse(status, isDecided: false)
    log.tick(after: 1)
    log.request()
    #expect(log.findings.isEmpty)
  }

  @Test(arguments: [401, 403, 400]) func aRefusalIsReportedBeforeTheNextInput(status: Int) throws {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.request()
    log.refuse(status, isDecided: false)
    let seq = log.state.cause
    log.report(.unauthorized, request: 7)
    log.tick(after: 1)
    #expect(
      log.findings == [
        "outages blocked: request 2 was refused, and nothing reports it; an error.reported that names request 2"
      ])
    let finding = try #require(log.judge.findings.first)
    #expect(finding.seq == seq)
    #expect(finding.line == Int(seq) + 1)
    log.tick(after: 1)
    #expect(log.findings.count == 1)
  }

  /// A repair that was refused for its key says nothing of the data.
  @Test(arguments: [401, 403]) func aRefusalOfTheKeyIsNoFailedRepair(status: Int) {
    var log = ToldLog()
    for _ in 0..<3 {
      log.tick(after: 60_000)
      log.request { ($0.mode, $0.rule, $0.cells) = (.repair, .countDiffers, 64) }
      log.refuse(status)
      log.send(.credentialsChanged, isDecided: false)
    }
    #expect(!log.findings.contains { $0.contains("repairs of the same data that failed") })
  }

  /// A delta that doesn't fit, or that the server doesn't have, and a repair that it refuses lead to another request at once.
  @Test(arguments: [200, 410, 409]) func whatIsNoFailureEndsTheDelay(status: Int) {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.request()
    log.refuse(503, retryAfter: 600, isDecided: false)
    log.tick(after: 60_000)
    log.request { if status == 409 { ($0.mode, $0.rule, $0.cells) = (.repair, .countDiffers, 64) } }
    if status == 200 {
      log.write(.input(.responseReceived(.init(request: 3, status: 200, wireBytes: 9)))) {
        $0.scopes[0].have?.condition = .broken(.countDiffers)
      }
    } else {
      log.refuse(status, isDecided: false)
    }
    log.tick(after: 1)
    log.request()
    #expect(log.findings.filter { $0.hasPrefix("backoff") }.count == 1)
  }

  // MARK: Causes

  @Test func anAnswerEndsTheCausesBeforeIt() {
    var log = ToldLog()
    log.send(.refreshRequested(full: false), after: 60_000, isDecided: false)
    log.request()
    log.answer()
    log.tick(after: 60_000)
    log.requestAll(.corridor, .typesWidened)
    #expect(
      log.findings == [
        "frugality typesWidened: corridor is fetched in full by typesWidened without a new cause; a delta, or nothing"
      ])
  }

  @Test(arguments: [true, false]) func anAreaThatIsWantedAgainIsFetchedAtOnce(isLeft: Bool) {
    var log = ToldLog()
    log.send(.refreshRequested(full: false), after: 60_000, isDecided: false)
    log.requestAll(.corridor, .areaChanged)
    log.answer()
    if isLeft {
      log.change(isDecided: false) { $0.polygon = nil }
      log.change(isDecided: false) { $0.polygon = ToldLog.area(west: -40) }
    } else {
      log.send(.refreshRequested(full: false), isDecided: false)
    }
    log.requestAll(.corridor, .areaChanged)
    #expect(log.findings.count == (isLeft ? 0 : 1))
  }

  @Test func nothingIsHeldWithoutAnAnnouncement() {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.listen(seconds: 1)
    #expect(
      log.findings == [
        "frugality listening: request 2 of corridor may be held for 1 s; at most 0 s, as the server announced"
      ])
  }

  @Test func anAnswerEndsTheCountOfRepairsThatFailed() {
    var log = ToldLog()
    for isAfterAnAnswer in [false, true] {
      for _ in 0..<2 {
        log.tick(after: 60_000)
        log.request { ($0.mode, $0.rule, $0.cells) = (.repair, .countDiffers, 64) }
        log.refuse(409, isDecided: false)
      }
      #expect(!log.findings.contains { $0.contains("2 repairs of the same data") }, "\(isAfterAnAnswer)")
      log.tick(after: 60_000)
      log.request()
      log.answer()
    }
  }

  @Test func theFirstRefusalOfTheWeatherServiceIsReported() {
    var log = ToldLog()
    log.change(isDecided: false) { $0.viewport = ToldLog.area(west: 0) }
    log.report(.weatherRefused, scope: .viewport)
    #expect(log.findings.isEmpty)
    log.tick(after: 1)
    log.report(.weatherRefused, scope: .viewport)
    #expect(log.findings.count == 1)
  }

  // MARK: Traffic and PIREPs

  /// While bytes are saved, traffic that is wanted after a request isn't asked for either.
  @Test func trafficThatIsWantedWhileBytesAreSavedIsNotMissing() {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.request()
    log.send(.linkChanged(LinkCost(isExpensive: true)), isDecided: false)
    log.change(isDecided: false) { $0.types = [.turbulence, .traffic] }
    log.answer()
    #expect(log.findings.isEmpty)
  }

  @Test(arguments: [(Int64(7200), true), (7199, false)]) func pirepsAreNoOlderThanTheHistory(age: Int64, isFound: Bool)
  {
    var log = ToldLog(types: .pireps)
    log.tick(after: 60_000)
    log.request()
    let (request, second) = (log.state.scope(.corridor)?.inFlight, log.now / 1000)
    var answer = ObservationsAnswer(token: second, follows: request?.since)
    answer.pireps = [(10, "new"), (60, "old"), (20, "last")].map { age, id in
      PIREP(
        id: id, position: .init(latitudeE7: 450_000_000, longitudeE7: -350_000_000), flightLevel: nil, severity: nil,
        isUrgent: false, observedAt: second - age, updatedAt: second - age, text: "")
    }
    let response = Input.Response(
      request: request?.request ?? 0, status: 200, wireBytes: 80, serverTimeMS: log.now, body: .answer(answer))
    log.write(.input(.responseReceived(response))) { $0.scopes[0].have?.watermark = second - 60 + age }
    #expect(
      log.findings
        == (isFound
          ? ["window: corridor holds a record of 7200 s before its watermark; records of less than 7200 s"] : []))
  }
}
