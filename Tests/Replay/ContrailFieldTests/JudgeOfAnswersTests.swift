import ContrailWire
import Testing

@testable import ContrailCore
@testable import ContrailField

/// Answers, held requests, full fetches and reports that the judge of logs finds, and the like that are right.
@Suite struct JudgeOfAnswersTests {
  // MARK: What an answer changes

  @Test func onlyAnAnswerChangesData() {
    let changes: [(inout State) -> Void] = [
      { $0.scopes[0].have?.watermark += 1 }, { $0.scopes[0].records = AreaRecords() }, { $0.scopes[0].have = nil },
    ]
    for (index, change) in changes.enumerated() {
      var log = ToldLog()
      log.write(.input(.clockTicked(scope: .corridor, due: log.now)), judged: change)
      #expect(
        log.findings
          == (index == 2
            ? [] : ["staleness: the data of corridor changed without an answer; the same data as before the input"]))
    }
  }

  @Test func onlyTheOpenRequestChangesData() {
    let change: (inout State) -> Void = { $0.scopes[0].have?.watermark += 1 }
    let found = "staleness: an answer to request 2, which isn't open, changed corridor; the answer dropped"
    for isWhole in [true, false] {
      var log = ToldLog()
      log.tick(after: 60_000)
      log.request()
      log.cancel()
      if !isWhole { log.lose() }
      log.tick(after: 1)
      let response = Input.Response(request: 2, status: 503, wireBytes: 40)
      log.write(.input(.responseReceived(response)), judged: change)
      #expect(log.findings == (isWhole ? [found] : []))
    }
    var log = ToldLog()
    log.tick(after: 60_000)
    log.request()
    log.write(.input(.responseFailed(request: 2, failure: .network)), judged: change)
    #expect(log.findings == [found])
  }

  @Test func anAnswerIsThatOfItsRequest() {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.request()
    log.answer { $0.scopes[0].have?.spec.filter.history = .sixHours }
    #expect(
      log.findings.first
        == "staleness: corridor holds something that its request didn't ask for; the data of the request")
  }

  @Test func anAnswerToAnOldQueryIsFound() {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.request()
    log.change(isDecided: false) { $0.polygon = ToldLog.area(west: 0) }
    log.answer()
    #expect(
      log.findings == [
        "staleness: corridor applied the answer to an old query; the request cancelled when the query changed"
      ])
    // Another full fetch has a cause then.
    log.tick(after: 60_000)
    log.requestAll(.corridor, .areaChanged)
    #expect(log.findings.count == 1)
    // Nothing is wanted any more.
    log = ToldLog()
    log.tick(after: 60_000)
    log.request()
    log.change(isDecided: false) { $0.polygon = nil }
    log.answer()
    #expect(log.findings.first?.contains("applied the answer to an old query") == true)
  }

  @Test func anAnswerThatCannotBeReadIsAFailedAttempt() {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.request()
    let body = Input.Body.inline(Array(#"{"data":1}"#.utf8))
    log.send(.responseReceived(.init(request: 2, status: 200, wireBytes: 9, body: body)), isDecided: false)
    log.tick(after: 999)
    log.request()
    #expect(
      log.findings == [
        "backoff due: request 3 of corridor is sent 999 ms after failure 1; no request for at least 1000 ms"
      ])
  }

  @Test func aFullAnswerThatCannotBeReadLeavesBrokenDataAndIsAFailedAttempt() {
    var log = ToldLog()
    log.send(.refreshRequested(full: true), after: 60_000, isDecided: false)
    log.requestAll(.corridor, .refresh)
    let body = Input.Body.inline(Array(#"{"data":1}"#.utf8))
    let response = Input.Response(request: 2, status: 200, wireBytes: 9, body: body)
    log.write(.input(.responseReceived(response))) { $0.scopes[0].have?.condition = .broken(.countDiffers) }
    log.tick(after: 999)
    log.requestAll(.corridor, .refresh)
    #expect(log.findings.contains { $0.hasPrefix("backoff refresh: request 3 of corridor is sent 999 ms after") })
  }

  @Test func aSuccessEndsTheDelayThatTheServerRequested() {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.request()
    log.refuse(503, retryAfter: 600, isDecided: false)
    log.tick(after: 60_000)
    log.request()
    #expect(log.findings.count == 1)
    log.answer()
    log.tick(after: 60_000)
    log.request()
    #expect(log.findings.count == 1)
  }

  @Test(arguments: [(7200, true), (7199, false)]) func recordsAreNoOlderThanTheHistory(age: Int64, isFound: Bool) {
    var log = ToldLog()
    let observedAt = log.state.scope(.corridor)!.have!.watermark - 30
    log.tick(after: 60_000)
    log.request()
    log.answer { $0.scopes[0].have?.watermark = observedAt + age }
    #expect(
      log.findings
        == (isFound
          ? ["window: corridor holds a record of 7200 s before its watermark; records of less than 7200 s"] : []))
  }

  // MARK: Held requests

  @Test func aHeldRequestIsADeltaByHandle() {
    let changes: [(inout Decision.FetchStarted) -> Void] = [
      { $0.handle = nil }, { ($0.mode, $0.rule, $0.since) = (.full, .refresh, nil) },
    ]
    for change in changes {
      var log = ToldLog(listens: true)
      log.send(.refreshRequested(full: true), after: 60_000, isDecided: false)
      log.request {
        ($0.rule, $0.handle, $0.hold) = (.listening, "a1", HoldTerms(seconds: 60))
        change(&$0)
      }
      #expect(log.findings.count == 1)
      #expect(log.findings.first?.hasSuffix("request 2 of corridor may be held; a delta by handle") == true)
    }
  }

  @Test(arguments: [60, 61]) func aRequestIsHeldNoLongerThanAnnounced(seconds: Int64) {
    var log = ToldLog(listens: true)
    log.tick(after: 60_000)
    log.listen(seconds: seconds)
    #expect(
      log.findings
        == (seconds == 60
          ? []
          : ["frugality listening: request 2 of corridor may be held for 61 s; at most 60 s, as the server announced"]))
  }

  @Test(arguments: [0, 1]) func aHeldRequestEnds(early: Int64) {
    var log = ToldLog(listens: true)
    log.tick(after: 60_000)
    log.listen()
    log.tick(after: 60_000 + Listening.graceMS - early)
    #expect(log.findings.isEmpty)
    log.tick(after: 0)
    #expect(
      log.findings == (early == 1 ? [] : ["staleness silent: request 2 is held past its end; request 2 cancelled"]))
    log.tick(after: 0)
    #expect(log.findings.count == (early == 1 ? 0 : 1))
  }

  @Test func aHeldRequestThatIsCancelledInTimeIsNotLate() {
    var log = ToldLog(listens: true)
    log.tick(after: 60_000)
    log.listen()
    log.tick(after: 60_000 + Listening.graceMS)
    log.cancel()
    log.tick(after: 1)
    #expect(log.findings.isEmpty)
  }

  @Test(arguments: HoldEnd.allCases, [0, 1]) func afterAHeldRequestThatWasLostIsAPause(end: HoldEnd, early: Int64) {
    var log = ToldLog(listens: true)
    log.tick(after: 60_000)
    log.listen()
    log.tick(after: 5000)
    end.happen(in: &log)
    // It is no failed attempt: a request that isn't held may follow at once.
    log.tick(after: 0)
    log.request()
    log.answer(after: 1000, handle: "a1", holdSeconds: 60)
    log.tick(after: 7000 - early)
    log.listen()
    #expect(
      log.findings
        == (early == 0
          ? []
          : [
            "backoff listening: request 4 of corridor is held soon after one that ended early; no held request for 1 ms more"
          ]))
  }

  enum HoldEnd: CaseIterable {
    case network, timeout, status408, status502, status504

    func happen(in log: inout ToldLog) {
      switch self {
      case .network: log.send(.responseFailed(request: 2, failure: .network), isDecided: false)
      case .timeout: log.send(.responseFailed(request: 2, failure: .timeout), isDecided: false)
      case .status408: log.refuse(408, isDecided: false)
      case .status502: log.refuse(502, isDecided: false)
      case .status504: log.refuse(504, isDecided: false)
      }
    }
  }

  @Test func anotherFailureOfAHeldRequestIsAFailedAttempt() {
    for failure in [TransportFailure.security, .tooLarge] {
      var log = ToldLog(listens: true)
      log.tick(after: 60_000)
      log.listen()
      log.send(.responseFailed(request: 2, failure: failure), isDecided: false)
      log.tick(after: 999)
      log.request()
      #expect(
        log.findings == [
          "backoff due: request 3 of corridor is sent 999 ms after failure 1; no request for at least 1000 ms"
        ])
    }
  }

  @Test func aConnectionOrALaunchEndsThePauseOfHeldRequests() {
    for isLaunch in [true, false] {
      var log = ToldLog(listens: true)
      log.tick(after: 60_000)
      log.listen()
      log.refuse(504, isDecided: false)
      if isLaunch {
        log.send(
          .sessionStarted(.init(engine: EngineVersion.current.description, id: "told-2", seed: 2)), after: 0,
          isDecided: false)
      }
      log.send(.connectivityChanged(isOnline: true), after: 0, isDecided: false)
      log.listen()
      #expect(log.findings.isEmpty)
    }
  }

  // MARK: Full fetches and repairs

  @Test func aFullFetchNeedsACause() {
    var log = ToldLog()
    let found = { (rule: String) in
      "frugality \(rule): corridor is fetched in full by \(rule) without a new cause; a delta, or nothing"
    }
    log.tick(after: 60_000)
    log.requestAll(.corridor, .typesWidened)
    #expect(log.findings == [found("typesWidened")])
    log.answer()
    log.send(.refreshRequested(full: true), isDecided: false)
    log.requestAll(.corridor, .refresh)
    #expect(log.findings.count == 1)
    log.cancel()
    log.tick(after: 1)
    log.requestAll(.corridor, .refresh)
    #expect(log.findings.last == found("refresh"))
    #expect(log.findings.count == 2)
  }

  @Test func whatIsACauseOfAFullFetch() {
    let causes: [(inout ToldLog) -> Void] = [
      { $0.launch() }, { $0.send(.historyChanged(.fourHours), isDecided: false) },
      { $0.send(.refreshRequested(full: true), isDecided: false) },
      { $0.write(.decision(.savingChanged(.init(saving: .off, used: 0, budget: nil, cause: $0.state.cause)))) },
      {
        $0.request()
        $0.refuse(503, after: 1, isDecided: false)
        $0.tick(after: 5000)
      },
      {
        $0.request()
        $0.send(.responseFailed(request: 2, failure: .timeout), after: 1, isDecided: false)
        $0.tick(after: 5000)
      },
    ]
    for (index, cause) in causes.enumerated() {
      var log = ToldLog()
      log.tick(after: 600_000)
      cause(&log)
      log.cancel()
      log.requestAll(.corridor, .historyWidened)
      #expect(log.findings.filter { $0.contains("without a new cause") } == [], "cause \(index)")
    }
  }

  @Test(arguments: [0, 1]) func aFullFetchByTheSameRuleWaits(early: Int64) {
    var log = ToldLog()
    log.send(.refreshRequested(full: false), after: 60_000, isDecided: false)
    log.requestAll(.corridor, .areaChanged)
    log.answer()
    log.send(.refreshRequested(full: false), after: 1000 - early, isDecided: false)
    log.requestAll(.corridor, .areaChanged)
    #expect(
      log.findings
        == (early == 0
          ? []
          : [
            "frugality areaChanged: corridor is fetched in full by areaChanged again, 999 ms after the last answer; "
              + "no full fetch for at least 1000 ms (guarded)"
          ]))
  }

  @Test func aRepairThatIsLostIsAFailedOne() {
    var log = ToldLog()
    for number: Int64 in 2...4 {
      log.tick(after: 200_000)
      log.request { ($0.mode, $0.rule, $0.cells) = (.repair, .countDiffers, 64) }
      log.send(.responseFailed(request: number, failure: .network), isDecided: false)
    }
    #expect(
      log.findings.last
        == "frugality countDiffers: request 4 of corridor follows 2 repairs of the same data that failed; a full fetch after 2"
    )
  }

  @Test(arguments: [7199, 7200]) func dataExpireWithTheHistory(age: Int64) {
    var log = ToldLog()
    let watermark = log.state.scope(.corridor)!.have!.watermark
    log.tick(after: (watermark + age) * 1000 - log.now)
    log.requestAll(.corridor, .expired)
    #expect(
      log.findings
        == (age == 7200
          ? []
          : [
            "frugality expired: corridor is fetched in full as expired, 7199 s after its watermark; a delta up to 7200 s"
          ]))
  }

  @Test func onlyBrokenDataAreRepairedAndNotMoreThanTwice() {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.request { ($0.mode, $0.rule, $0.cells) = (.repair, .countDiffers, 64) }
    #expect(
      log.findings == ["frugality countDiffers: request 2 of corridor repairs data that match the server's; a delta"])
    log.refuse(409, isDecided: false)
    for failure in 3...4 {
      log.tick(after: 1)
      log.request { ($0.mode, $0.rule, $0.cells) = (.repair, .countDiffers, 64) }
      log.refuse(failure == 3 ? 404 : 409, isDecided: false)
    }
    #expect(
      log.findings.last
        == "frugality countDiffers: request 4 of corridor follows 2 repairs of the same data that failed; a full fetch after 2"
    )
    #expect(log.findings.filter { $0.contains("2 repairs") }.count == 1)
    #expect(!log.findings.contains { $0.hasPrefix("backoff") })
  }

  // MARK: What is reported

  @Test func anIssueIsReportedOnceAfterAnInput() {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.report(.serverInconsistent, request: 3)
    log.report(.serverInconsistent, request: 4)
    log.report(.badRequest, request: 4)
    #expect(log.findings.isEmpty)
    log.report(.badRequest, request: 4)
    #expect(log.findings == ["outages blocked: badRequest of request 4 is reported twice; one report"])
    log.tick(after: 1)
    log.report(.badRequest, request: 4)
    #expect(log.findings.count == 1)
  }

  @Test func whatLastsIsReportedOnce() {
    var log = ToldLog()
    for _ in 0..<2 {
      log.tick(after: 60_000)
      log.report(.weatherRefused)
      log.report(.refetchLoop)
      log.write(.decision(.weatherExpired(.init(scope: .corridor, since: 4, cause: log.state.cause))))
    }
    #expect(
      log.findings == [
        "outages blocked: the refusal of the weather service is reported while it lasts; one report until the service answers again",
        "outages blocked: the same loop of full fetches is reported again; one report",
        "outages expired: the expiry of the same weather is reported again; one report",
      ])
    // An answer ends it.
    log.tick(after: 60_000)
    log.request()
    log.answer()
    log.tick(after: 60_000)
    log.report(.weatherRefused)
    log.report(.refetchLoop)
    log.write(.decision(.weatherExpired(.init(scope: .corridor, since: 5, cause: log.state.cause))))
    #expect(log.findings.count == 3)
  }

  // MARK: Launches

  /// The last decisions of a process may be missing, and with them the numbers of requests.
  @Test func aLaunchBeginsAnew() {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.request { $0.request = 9 }
    log.refuse(401, request: 9, isDecided: false)
    log.send(
      .sessionStarted(.init(engine: EngineVersion.current.description, id: "told-2", seed: 2)), isDecided: false)
    log.send(.connectivityChanged(isOnline: true), isDecided: false)
    log.tick(after: 60_000)
    log.request { $0.request = 2 }
    #expect(log.findings == [])
  }

  // MARK: Logs that begin in the middle

  @Test func afterMissingLinesOnlyTheSnapshotIsKnown() {
    var log = ToldLog()
    log.tick(after: 200_000)
    log.request()
    log.refuse(503)
    log.lose()
    log.write(.mark(.snapshotEnded))
    // Two full fetches may have a cause in the missing lines, and a request may be open.
    for count in [0, 0, 1] {
      log.tick(after: 1)
      log.requestAll(.corridor, .areaChanged)
      log.cancel()
      #expect(log.findings.count == count)
    }
    #expect(log.findings.first?.hasSuffix("without a new cause; a delta, or nothing") == true)
  }
}
