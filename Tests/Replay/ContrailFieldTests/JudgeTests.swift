import ContrailField
import ContrailWire
import Testing

@testable import ContrailCore

/// Requests that the judge of logs finds, and the like that are right.
@Suite struct JudgeTests {
  @Test func nothingIsFoundInWhatTheEngineDecides() {
    var log = ToldLog(listens: true)
    for _ in 0..<20 {
      log.send(.clockTicked(scope: .corridor, due: log.now + 60_000), after: 60_000)
      log.answer(handle: "a1", holdSeconds: 60)
    }
    #expect(log.findings.isEmpty)
    #expect(log.state.nextRequest > 10)
  }

  // MARK: Numbers

  @Test func numbersOfRequestsRise() {
    var log = ToldLog()
    for number: Int64 in [1, 9, 4, 5, 10] {
      log.tick(after: 60_000)
      log.request { $0.request = number }
      log.cancel()
    }
    #expect(
      log.findings == [
        "accounting due: request 1 follows request 1; a number above 1",
        "accounting due: request 4 follows request 9; a number above 9",
        "accounting due: request 5 follows request 9; a number above 9",
      ])
  }

  @Test func aDecisionNamesTheInputBeforeIt() {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.request { $0.cause -= 1 }
    #expect(log.findings == ["accounting due: the decision names seq 4 as its cause; seq 5, the input before it"])
    // The first line is that of the launch.
    #expect(log.judge.findings.map(\.offsetMS) == [log.now - 1_750_000_000_200])
  }

  @Test(arguments: [2, -1, .max]) func anAnswerToARequestThatWasNotSent(number: Int64) {
    var log = ToldLog()
    log.refuse(503, request: number)
    #expect(
      log.findings == [
        "accounting: an answer to request \(number), which wasn't sent; an answer to a request in the log"
      ])
  }

  @Test func anAnswerMayComeTwiceOrAfterALaunch() {
    var log = ToldLog()
    log.refuse(503, request: 1)
    log.launch()
    log.refuse(503, request: 0)
    #expect(log.findings.isEmpty)
  }

  @Test func whereLinesAreMissingAnyRequestMayBeAnswered() {
    var log = ToldLog()
    log.lose()
    log.send(.connectivityChanged(isOnline: true), isDecided: false)
    log.refuse(503, request: 40)
    log.tick(after: 60_000)
    log.request { $0.request = 3 }
    #expect(log.findings.isEmpty)
  }

  // MARK: What is requested

  @Test func nothingIsSentOffline() {
    var log = ToldLog()
    log.send(.connectivityChanged(isOnline: false))
    log.tick(after: 60_000)
    log.request()
    #expect(log.findings == ["frugality due: request 2 is sent while offline; no request"])
    log = ToldLog()
    log.send(.sessionStarted(.init(engine: EngineVersion.current.description, id: "told-2", seed: 2)))
    log.request()
    #expect(log.findings == ["frugality due: request 2 is sent while offline; no request"])
  }

  @Test func aScopeSendsOneRequestAfterAnInput() {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.request()
    log.cancel()
    log.request()
    #expect(log.findings == ["frugality due: two requests of corridor after one input; one request"])
    log.cancel()
    log.tick(after: 1)
    log.request()
    #expect(log.findings.count == 1)
  }

  @Test func oneRequestIsOpenAtATime() {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.request()
    log.tick(after: 1)
    log.request()
    #expect(
      log.findings == [
        "frugality due: request 3 of corridor is sent while request 2 is open; request 2 cancelled first"
      ])
  }

  /// Requests of another process can have the same numbers.
  @Test func aLaunchForgetsTheOpenRequests() {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.request()
    log.send(
      .sessionStarted(.init(engine: EngineVersion.current.description, id: "told-2", seed: 2)), isDecided: false)
    log.send(.connectivityChanged(isOnline: true), isDecided: false)
    log.change(isDecided: false) { $0.viewport = ToldLog.area(west: 0) }
    log.request(.viewport) { ($0.request, $0.mode, $0.rule, $0.since) = (2, .full, .first, nil) }
    log.tick(after: 1)
    log.request { $0.request = 7 }
    #expect(log.findings == [])
  }

  /// The application shows its map again.
  @Test func aLaunchForgetsTheMap() {
    var log = ToldLog()
    for _ in 0..<2 {
      log.change(isDecided: false) { $0.viewport = ToldLog.area(west: 0) }
      log.requestAll(.viewport, .first)
      log.answer(.viewport)
      log.launch()
    }
    #expect(log.findings == [])
  }

  @Test func nothingIsSentWithoutAWant() {
    var log = ToldLog()
    log.tick(after: 60_000)
    log.request(.viewport)
    log.change { $0.polygon = nil }
    log.request()
    #expect(
      log.findings == [
        "frugality due: request 2 of viewport is sent, and nothing is wanted; no request",
        "frugality due: request 3 of corridor is sent, and nothing is wanted; no request",
      ])
  }

  @Test func whatIsRequestedIsWanted() {
    let changes: [(inout Decision.FetchStarted) -> Void] = [
      { $0.areaDigest += 1 }, { $0.filter.types = .pireps }, { $0.filter.history = .hour },
    ]
    for change in changes {
      var log = ToldLog()
      log.tick(after: 60_000)
      log.request(.corridor, change)
      #expect(
        log.findings == [
          "frugality due: request 2 of corridor doesn't ask for what is wanted; the wanted area, types and history"
        ])
    }
  }

  @Test func aDeltaFollowsTheWatermark() throws {
    var log = ToldLog()
    let watermark = try #require(log.state.scope(.corridor)?.have?.watermark)
    log.tick(after: 60_000)
    log.request { $0.since = watermark - 1 }
    #expect(
      log.findings == [
        "staleness due: request 2 of corridor asks for what is new since \(watermark - 1); "
          + "since \(watermark), the watermark of the held data"
      ])
  }

  // MARK: Savings

  @Test func nothingIsSentWhenTheBudgetIsSpent() {
    var log = ToldLog()
    log.send(.budgetChanged(ByteBudget(bytes: 100)))
    log.tick(after: 60_000)
    log.request()
    #expect(log.findings.isEmpty)
    log.answer()
    log.tick(after: 60_000)
    log.request()
    log.answer()
    log.tick(after: 60_000)
    log.request()
    #expect(
      log.findings.contains("frugality due: request 4 of corridor is sent while bytes are saved (spent); no request"))
  }

  @Test func onlyTheCorridorIsRequestedWhenLittleIsLeft() {
    var log = ToldLog()
    log.send(.budgetChanged(ByteBudget(bytes: 84)))
    log.tick(after: 60_000)
    log.request()
    log.answer()
    #expect(log.state.byteUse.saving == .corridorOnly)
    log.tick(after: 60_000)
    log.request()
    #expect(log.findings.isEmpty)
    log.change(isDecided: false) { $0.viewport = ToldLog.area(west: 0) }
    log.requestAll(.viewport, .first)
    #expect(
      log.findings == [
        "frugality first: request 4 of viewport is sent while bytes are saved (corridorOnly); no request"
      ])
  }

  @Test func savedTrafficIsNotRequested() {
    var log = ToldLog(types: [.turbulence, .traffic])
    log.send(.linkChanged(LinkCost(isExpensive: true)))
    #expect(log.state.byteUse.saving == .noTraffic)
    log.tick(after: 60_000)
    log.request()
    #expect(
      log.findings == [
        "frugality due: request 2 of corridor doesn't ask for what is wanted; the wanted area, types and history"
      ])
    log.cancel()
    log.tick(after: 1)
    log.request { $0.filter.types.remove(.traffic) }
    // The answer is as requested, also if the link has become cheap.
    log.send(.linkChanged(LinkCost()), isDecided: false)
    log.answer()
    #expect(log.findings.count == 1)
  }

  // MARK: Delays

  @Test(arguments: 1...10) func theShortestDelayDoublesUpToTwoAndAHalfMinutes(failures: Int) {
    let shortest = min(Int64(1000) << (failures - 1), 150_000)
    for early: Int64 in [0, 1] {
      var log = ToldLog()
      for failure in 1...failures {
        log.tick(after: 200_000)
        log.request()
        if failure.isMultiple(of: 2) {
          log.send(.responseFailed(request: log.state.nextRequest - 1, failure: .network))
        } else {
          log.refuse(503)
        }
      }
      log.tick(after: shortest - early)
      log.request()
      #expect(
        log.findings
          == (early == 0
            ? []
            : [
              "backoff due: request \(failures + 2) of corridor is sent \(shortest - 1) ms after failure \(failures); "
                + "no request for at least \(shortest) ms"
            ]))
    }
  }

  @Test func aSuccessEndsTheDelay() {
    var log = ToldLog()
    log.fail(3)
    log.tick(after: 4000)
    log.request()
    log.answer()
    log.tick(after: 1)
    log.request()
    #expect(log.findings.isEmpty)
  }

  @Test func nothingShortensTheDelayThatTheServerRequested() {
    for early: Int64 in [0, 1] {
      var log = ToldLog()
      log.tick(after: 60_000)
      log.request()
      log.refuse(503, retryAfter: 7)
      log.send(.connectivityChanged(isOnline: false), after: 0)
      log.send(.connectivityChanged(isOnline: true), after: 0)
      log.send(.refreshRequested(full: false), after: 0, isDecided: false)
      log.tick(after: 7000 - early)
      log.request()
      #expect(
        log.findings
          == (early == 0
            ? []
            : ["backoff due: request 3 of corridor is sent 6999 ms after failure 1; no request for at least 7000 ms"]))
    }
  }

  @Test(arguments: Easing.allCases) func anEventShortensTheDelayToTwoSeconds(event: Easing) {
    for early: Int64 in [0, 1] {
      var log = ToldLog()
      log.fail(5)
      // The last attempt was 200 ms before its failure.
      event.happen(in: &log)
      log.tick(after: 1800 - early)
      log.request()
      #expect(
        log.findings
          == (early == 0
            ? []
            : ["backoff due: request 7 of corridor is sent 1799 ms after failure 5; no request for at least 1800 ms"]))
      // The next failure has its whole delay again.
      guard early == 0 else { continue }
      log.refuse(503)
      log.tick(after: 31_999)
      log.request()
      #expect(
        log.findings == [
          "backoff due: request 8 of corridor is sent 31999 ms after failure 6; no request for at least 32000 ms"
        ])
    }
  }

  /// A request that was cancelled is no attempt that failed, so it doesn't lengthen the delay again.
  @Test func aDelayThatIsOverStaysOver() {
    var log = ToldLog()
    log.fail(5)
    log.send(.connectivityChanged(isOnline: true), after: 0, isDecided: false)
    log.tick(after: 1800)
    log.request()
    log.send(.historyChanged(.hour), after: 100, isDecided: false)
    log.cancel()
    log.request()
    #expect(log.findings.isEmpty)
  }

  enum Easing: CaseIterable {
    case connection
    case refresh
    case query

    func happen(in log: inout ToldLog) {
      switch self {
      case .connection: log.send(.connectivityChanged(isOnline: true), after: 0, isDecided: false)
      case .refresh: log.send(.refreshRequested(full: false), after: 0, isDecided: false)
      case .query: log.send(.historyChanged(.hour), after: 0, isDecided: false)
      }
    }
  }

  @Test(arguments: [408, 425, 429, 500, 502, 504, 599, 302, 410]) func whatIsAFailedAttempt(status: Int) {
    var log = ToldLog()
    log.tick(after: 60_000)
    // A delta that the server doesn't have isn't a failure, a refusal of everything is.
    if status == 410 { log.send(.refreshRequested(full: true)) } else { log.request() }
    log.refuse(status, isDecided: false)
    log.tick(after: 999)
    if status == 410 { log.requestAll(.corridor, .refresh) } else { log.request() }
    #expect(log.findings.first?.hasPrefix("backoff") == true)
    #expect(log.findings.count == 1)
  }
}

extension ToldLog {
  /// Requests that fail one after the other, each after a pause.
  mutating func fail(_ count: Int) {
    for _ in 0..<count {
      tick(after: 200_000)
      request()
      refuse(503)
    }
  }
}
