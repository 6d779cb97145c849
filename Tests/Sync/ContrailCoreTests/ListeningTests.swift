import ContrailCore
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

/// Deltas that the server holds until there is news.
@Suite struct ListeningTests {
  /// A flight whose server holds requests and has no data, after the answer that says so.
  func flying(seconds: Int64 = 540, seed: UInt64 = 7) -> Rig {
    var rig = Rig()
    rig.launch(seed: seed)
    rig.query { $0.polygon = Rig.area }
    rig.answerHolding(seconds: seconds)
    return rig
  }

  func hold(_ rig: Rig, _ id: ScopeID = .corridor) -> HoldTerms? { rig.state.scope(id)?.inFlight?.hold?.terms }

  /// Answers what is held in full, without news.
  func stayQuiet(_ rig: inout Rig) -> [String] {
    rig.now += (hold(rig)?.seconds ?? 0) * 1000 + 300
    return rig.answer()
  }

  func wake(_ rig: inout Rig) -> [String] {
    guard let wake = rig.state.nextWake else { return [] }
    rig.now = max(rig.now, wake.at)
    return rig.send(.clockTicked(scope: wake.scope, due: wake.at))
  }

  /// An answer with one report that is new.
  func bringNews(_ rig: inout Rig, sent: SentBytes? = nil) -> [String] {
    var random = SplitMix64(seed: UInt64(rig.now))
    let report = ModelServer.report(at: rig.now / 1000 - 5, using: &random)
    return rig.answer(sent: sent) { $0.reports = [report] }
  }

  @Test func afterAnAnswerTheClientListens() {
    let rig = flying()
    #expect(
      hold(rig) == HoldTerms(seconds: 50, urgent: .moderate, ordinarySeconds: 60) && rig.unrest == [])
    #expect(rig.state.plan(.corridor).rule == .joined)
    #expect(rig.state.nextWake?.at == rig.now + 70_000)
    #expect(rig.state.outgoingRequest(.corridor)?.target.hasSuffix("&urgent=3&by=60") == true)
  }

  @Test func aServerThatAnnouncesNothingIsAskedAsBefore() {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    #expect(rig.answer { $0.handle = "h1" } == [])
    #expect(hold(rig) == nil && !String(decoding: rig.state.controlJSON, as: UTF8.self).contains("listening"))
  }

  @Test func anAnswerAtTheEndForgivesEarlyEnds() {
    var rig = flying()
    for isEarly in [true, true, false, true, true] {
      if isEarly {
        rig.now += 20_000
        #expect(rig.answer() == [] && wake(&rig) == ["corridor delta listening"])
      } else {
        #expect(stayQuiet(&rig) == ["corridor delta listening"])
      }
    }
    #expect(!rig.state.listening.isPolling && hold(rig) != nil)
  }

  @Test func newsIsFollowedByListening() {
    var rig = flying()
    rig.now += 9_000
    #expect(bringNews(&rig) == ["corridor delta listening"])
    #expect(hold(rig)?.seconds == 50, "an answer with news says nothing about the longest hold")
  }

  @Test func newsInQuickSuccessionCostsNoRequestEach() {
    var rig = flying()
    rig.now += 300
    #expect(bringNews(&rig) == [])
    #expect(rig.state.nextWake?.at == rig.now + 1_700)
    #expect(wake(&rig) == ["corridor delta listening"])
  }

  /// Otherwise the answers of a stream pile up: each waits for the pauses after those before it.
  @Test func newsInQuickSuccessionIsTakenAtOnceIfNoRequestIsSentForIt() {
    var rig = flying()
    for _ in 0..<5 {
      rig.now += 300
      #expect(bringNews(&rig, sent: .zero) == ["corridor delta listening"])
    }
    rig.now += 300
    #expect(bringNews(&rig, sent: SentBytes(total: 70, head: 70)) == [])
  }

  @Test func anEarlyEndHalvesTheHoldAndIsConfirmedAfterAPause() {
    var rig = flying()
    _ = stayQuiet(&rig)
    #expect(hold(rig)?.seconds == 100)
    rig.now += 30_000
    let watermark = rig.state.scope(.corridor)?.have?.watermark
    #expect(rig.fail() == [] && rig.state.scope(.corridor)?.retry.failures == 0)
    #expect(rig.state.scope(.corridor)?.have?.watermark == watermark, "silence confirms nothing")
    let pause = (rig.state.nextWake?.at ?? 0) - rig.now
    #expect((8_000...16_000).contains(pause), "\(pause) ms")
    #expect(wake(&rig) == ["corridor delta unconfirmed"])
    rig.now += 500
    #expect(rig.answer() == ["corridor delta listening"])
    #expect(hold(rig)?.seconds == 50)
    _ = stayQuiet(&rig)
    #expect(hold(rig)?.seconds == 50, "it doesn't grow beyond what ended early")
    #expect(rig.unrest == [])
  }

  @Test func aClientThatIsDueWaitsAsWell() {
    var rig = flying()
    _ = stayQuiet(&rig)
    rig.now += 70_000
    #expect(rig.fail() == [], "all clients of a server that restarts would be due at once")
    let pause = (rig.state.nextWake?.at ?? 0) - rig.now
    #expect((8_000...16_000).contains(pause), "\(pause) ms")
    #expect(wake(&rig) == ["corridor delta due"])
  }

  @Test(arguments: [408, 502, 504]) func theTimeoutOfAProxyIsAnEarlyEnd(status: Int) {
    var rig = flying()
    rig.now += 30_000
    #expect(rig.answer(status: status) == [])
    #expect(rig.state.scope(.corridor)?.retry.failures == 0 && rig.state.listening.seconds == 25)
  }

  @Test func anErrorOfTheServerIsAFailure() {
    var rig = flying()
    rig.now += 30_000
    #expect(rig.answer(status: 503, retryAfter: 100) == [])
    #expect(rig.state.scope(.corridor)?.retry.failures == 1 && rig.state.listening.seconds == 50)
    #expect(rig.state.nextWake?.at == rig.now + 100_000)
  }

  /// Otherwise the outage would last until the next held request is answered.
  @Test(arguments: [401, 403, 500]) func theEndOfAnOutageIsConfirmedByAnAnswerAtOnce(status: Int) {
    var rig = flying()
    rig.send(.frequencyChanged(.minimal))
    rig.now += 10_000
    #expect(rig.answer(status: status).allSatisfy { !$0.hasPrefix("corridor delta") })
    let decided = status == 500 ? wake(&rig) : rig.send(.credentialsChanged)
    #expect(decided == ["corridor delta unconfirmed"])
    rig.now += 300
    #expect(rig.answer() == ["corridor delta listening"] && rig.state.scope(.corridor)?.confirmAt == nil)
    #expect(rig.unrest == [])
  }

  @Test func afterSeveralEarlyEndsTheClientPollsUntilTheLinkChanges() {
    var rig = flying()
    for round in 1...3 {
      rig.now += 5_000
      #expect(rig.fail() == [], "round \(round)")
      #expect(wake(&rig) == ["corridor delta unconfirmed"])
      rig.now += 500
      let next = rig.answer()
      #expect(next == [] || round < 3 && next == ["corridor delta listening"])
      if round < 3, next == [] { #expect(wake(&rig) == ["corridor delta listening"]) }
    }
    #expect(rig.state.listening.isPolling)
    #expect(wake(&rig) == ["corridor delta due"])
    rig.now += 500
    #expect(rig.answer() == [])
    rig.send(.connectivityChanged(isOnline: false))
    #expect(rig.send(.connectivityChanged(isOnline: true)) == ["corridor delta listening"])
    #expect(rig.unrest == [])
  }

  @Test func anUnansweredRequestIsLostAndADeltaFollowsAtOnce() {
    var rig = flying()
    rig.now += 69_999
    #expect(rig.send(.clockTicked(scope: .corridor, due: rig.now)) == [])
    rig.now += 1
    #expect(
      rig.send(.clockTicked(scope: .corridor, due: rig.now))
        == ["corridor cancel silent", "corridor delta due"], "the interval has passed as well")
    #expect(hold(rig) == nil && rig.unrest == [])
    #expect(rig.state.listening.seconds == 25)
  }

  @Test func atASlowFrequencyALostRequestIsConfirmed() {
    var rig = flying()
    rig.send(.frequencyChanged(.minimal))
    #expect(hold(rig)?.ordinarySeconds == 900)
    #expect(wake(&rig) == ["corridor cancel silent", "corridor delta unconfirmed"])
    // The link itself was down: that says nothing about holding.
    rig.now += 30_000
    #expect(rig.fail() == [])
    #expect(rig.state.listening.seconds == 50 && rig.state.scope(.corridor)?.retry.failures == 1)
  }

  @Test func anEmptyEarlyAnswerIsFollowedByAPause() {
    // A server that stops answers everything.
    var rig = flying()
    rig.now += 20_000
    #expect(rig.answer() == [])
    let pause = (rig.state.nextWake?.at ?? 0) - rig.now
    #expect((8_000...16_000).contains(pause), "\(pause) ms")
    #expect(rig.state.listening.seconds == 50 && rig.state.listening.earlyEnds == 1)
    #expect(wake(&rig) == ["corridor delta listening"])
  }

  /// Clocks run at different rates.
  @Test(arguments: [(48_000 as Int64, 0 as Int64), (47_999, 1)])
  func anEndIsEarlyMoreThanTwoSecondsBeforeItsTime(_ milliseconds: Int64, _ earlyEnds: Int64) {
    var rig = flying()
    rig.now += milliseconds
    rig.answer()
    #expect(rig.state.listening.earlyEnds == earlyEnds)
  }

  /// A service that restarts answers all requests that it holds, or loses them, at one time.
  @Test(arguments: [true, false]) func theTabletsOfAServiceThatRestartsComeBackOneByOne(isDrained: Bool) {
    var returns: [Int64: Int] = [:]
    for seed in 1...1000 as ClosedRange<UInt64> {
      var rig = flying(seed: seed)
      rig.now += 20_000
      let stopped = rig.now
      #expect((isDrained ? rig.answer() : rig.fail()) == [])
      returns[((rig.state.nextWake?.at ?? 0) - stopped) / 1000, default: 0] += 1
    }
    #expect(returns.keys.allSatisfy { (8...16).contains($0) }, "\(returns)")
    #expect(returns.values.allSatisfy { $0 < 180 }, "eight seconds for 1,000: 125 each, \(returns)")
  }

  @Test func trafficThatHasLeftIsNews() {
    var rig = flying()
    rig.query {
      $0.polygon = Rig.area
      $0.types = [.turbulence, .traffic]
    }
    rig.answerHolding(seconds: 540)
    #expect(wake(&rig) == ["corridor delta listening"])
    func answer(_ traffic: [TrafficPosition]) -> [String] {
      rig.now += 20_000
      return rig.answer {
        guard var answer = try? $0.body.observations() else { return }
        answer.traffic = traffic
        $0.body = .answer(answer)
      }
    }
    let position = TrafficPosition(
      id: "4b1800", callsign: "", position: FixedCoordinate(latitudeE7: 0, longitudeE7: 0), altitudeFeet: nil,
      groundSpeedKnots: nil, trackDegrees: nil, observedAt: rig.now / 1000)
    #expect(answer([position]) == ["corridor delta listening"])
    #expect(answer([]) == ["corridor delta listening"])
    #expect(rig.state.listening.earlyEnds == 0)
    #expect(answer([]) == [] && rig.state.listening.earlyEnds == 1, "nothing has changed")
  }

  /// If traffic is wanted, a server answers after the time for ordinary news, even if there is no aircraft.
  @Test func theSkyMayBeEmpty() {
    var rig = flying()
    rig.query {
      $0.polygon = Rig.area
      $0.types = [.turbulence, .traffic]
    }
    rig.answerHolding(seconds: 540)
    _ = wake(&rig)
    for _ in 0..<10 {
      guard let hold = hold(rig) else { break }
      rig.now += hold.ordinarySeconds * 1000
      rig.answer()
    }
    #expect(hold(rig) != nil && rig.state.listening.earlyEnds == 0)
    rig.now += 20_000
    rig.answer()
    #expect(rig.state.listening.earlyEnds == 1, "earlier than for traffic")
  }

  @Test func aServerThatAnswersAtOnceIsPolled() {
    var rig = flying()
    for _ in 0..<10 {
      if hold(rig) == nil { _ = wake(&rig) }
      rig.now += 200
      rig.answer()
    }
    #expect(rig.state.listening.isPolling && hold(rig) == nil)
  }

  // MARK: What ends a held request

  @Test func aRequestedUpdateIsntServedByAHeldRequest() {
    var rig = flying()
    rig.now += 5_000
    #expect(
      rig.send(.refreshRequested(full: false)) == ["corridor cancel superseded", "corridor delta requested"])
    rig.now += 500
    #expect(rig.answer() == ["corridor delta listening"] && rig.unrest == [])
  }

  @Test func aWiderQueryEndsIt() {
    var rig = flying()
    #expect(rig.query { $0.types.insert(.pireps) } == ["corridor cancel superseded", "corridor full typesWidened"])
  }

  @Test func aNarrowerQueryDoesnt() {
    var rig = flying()
    #expect(rig.query { $0.severities = [.atLeast(.light)] } == [])
  }

  @Test func theLossOfTheLinkEndsIt() {
    var rig = flying()
    #expect(rig.send(.connectivityChanged(isOnline: false)) == ["corridor cancel offline"])
    #expect(rig.state.listening.seconds == 50 && rig.state.listening.earlyEnds == 0 && rig.unrest == [])
  }

  @Test func otherSettingsEndIt() {
    var rig = flying()
    var settings = ListeningSettings()
    settings.urgentSeverity = .light
    #expect(rig.send(.listeningChanged(settings)) == ["corridor cancel superseded", "corridor delta listening"])
    #expect(hold(rig)?.urgent == .light)
    rig.now += 3_000
    #expect(rig.send(.frequencyChanged(.medium)) == ["corridor cancel superseded", "corridor delta listening"])
    #expect(hold(rig)?.ordinarySeconds == 300)
    #expect(rig.send(.frequencyChanged(.none)) == ["corridor cancel superseded"])
    #expect(rig.unrest == [])
  }

  @Test func otherCredentialsEndIt() {
    var rig = flying()
    rig.now += 3_000
    #expect(rig.send(.credentialsChanged) == ["corridor cancel superseded", "corridor delta listening"])
  }

  @Test func theBackgroundEndsIt() {
    var rig = flying()
    rig.now += 3_000
    #expect(rig.send(.backgroundChanged(isInBackground: true)) == ["corridor cancel superseded"])
    #expect(rig.state.nextWake == nil)
    rig.now += 30_000
    #expect(rig.send(.backgroundChanged(isInBackground: false)) == ["corridor delta listening"])
    rig.now += 3_000
    _ = rig.send(.backgroundChanged(isInBackground: true))
    rig.now += 60_000
    #expect(rig.send(.backgroundChanged(isInBackground: false)) == ["corridor delta due"])
  }

  @Test func aClockThatIsSetMakesItDoubtful() {
    var rig = flying()
    rig.now += 3_000
    #expect(
      rig.send(.clockAdjusted(byMS: 600_000)) == ["corridor cancel silent", "corridor delta unconfirmed"])
    #expect(rig.state.listening.earlyEnds == 0, "that isn't the fault of the path")
  }

  @Test func aConfirmationIsHadInTime() {
    var rig = flying()
    var settings = ListeningSettings()
    settings.confirmationMinutes = 3
    rig.send(.listeningChanged(settings))
    for _ in 0..<5 { _ = stayQuiet(&rig) }
    #expect(hold(rig)?.seconds == 180)
  }

  @Test func listeningCanBeSwitchedOff() {
    var rig = flying()
    var settings = ListeningSettings()
    settings.isEnabled = false
    #expect(rig.send(.listeningChanged(settings)) == ["corridor cancel superseded"])
    #expect(wake(&rig) == ["corridor delta due"])
  }

  // MARK: Persistence

  @Test func aLaunchBeginsAnew() {
    var rig = flying()
    _ = stayQuiet(&rig)
    #expect(rig.launch() == ["corridor delta requested"])
    rig.now += 500
    #expect(rig.answer() == ["corridor delta listening"] && hold(rig)?.seconds == 50)
  }

  @Test func aSnapshotKeepsAHeldRequest() {
    var rig = flyingWithAViewport()
    rig.answerHolding(.viewport)
    var settings = ListeningSettings()
    settings.urgentSeverity = nil
    rig.now += 2_000
    rig.send(.listeningChanged(settings))
    let restored = restored(rig)
    #expect(restored.digest == rig.state.digest && restored.listening == rig.state.listening)
    #expect(restored.scope(.viewport)?.inFlight == rig.state.scope(.viewport)?.inFlight)
  }

  func restored(_ rig: Rig) -> State {
    var state = State()
    for mark in rig.state.snapshotParts.map({ Mark.snapshotPart($0) }) + [.snapshotEnded] {
      state.evolve(mark, seq: rig.state.nextSeq - 1, at: rig.state.now)
    }
    return state
  }
}
