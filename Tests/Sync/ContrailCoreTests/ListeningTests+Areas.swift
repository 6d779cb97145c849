import ContrailCore
import ContrailTestSupport
import ContrailWire
import Testing

// Several areas share one exchange.

extension ListeningTests {
  func flyingWithAViewport() -> Rig {
    var rig = flying()
    rig.now += 4_000
    rig.query { $0.viewport = Rig.otherArea }
    rig.now += 500
    return rig
  }

  @Test func allAreasAreHeldTogether() {
    var rig = flyingWithAViewport()
    #expect(
      rig.answerHolding(.viewport) == [
        "corridor cancel together", "corridor delta listening", "viewport delta listening",
      ])
    let requests = [ScopeID.corridor, .viewport].compactMap { rig.state.outgoingRequest($0) }
    #expect(OutgoingRequest.exchanges(requests).count == 1 && rig.unrest == [])
  }

  @Test func theAnswersOfOneExchangeAreAwaited() {
    var rig = flyingWithAViewport()
    rig.answerHolding(.viewport)
    rig.now += 30_000
    #expect(bringNews(&rig) == [])
    #expect(rig.answer(.viewport) == ["corridor delta listening", "viewport delta listening"])
    #expect(rig.unrest == [])
  }

  @Test func anAreaThatMovesJoinsTheOthersWithItsAnswer() {
    var rig = flyingWithAViewport()
    rig.answerHolding(.viewport)
    rig.now += 5_000
    #expect(
      rig.query { $0.viewport = Rig.area } == [
        "viewport cancel superseded", "viewport full areaChanged",
      ])
    rig.now += 500
    #expect(
      rig.answerHolding(.viewport) == [
        "corridor cancel together", "corridor delta listening", "viewport delta listening",
      ])
    #expect(
      rig.query { $0.viewport = nil } == [
        "viewport cancel unwanted", "corridor cancel together", "corridor delta listening",
      ])
    #expect(rig.unrest == [])
  }

  @Test func anAreaWhoseHandleAnnouncesNothingIsntHeld() {
    var rig = flyingWithAViewport()
    #expect(rig.answer(.viewport) { $0.handle = "plain" } == [])
    #expect(hold(rig)?.seconds == 50 && hold(rig, .viewport) == nil)
  }

  @Test func anExchangeIsHeldForTheShortestTimeOfItsAreas() {
    var rig = flying()
    #expect(stayQuiet(&rig) == ["corridor delta listening"] && hold(rig)?.seconds == 100)
    rig.now += 4_000
    rig.query { $0.viewport = Rig.otherArea }
    rig.now += 500
    rig.answerHolding(.viewport, seconds: 60)
    #expect(hold(rig)?.seconds == 60 && hold(rig, .viewport)?.seconds == 60 && rig.unrest == [])
  }

  @Test func afterAPauseTheFirstAreaWakes() {
    var rig = flyingWithAViewport()
    rig.answerHolding(.viewport)
    rig.now += 20_000
    #expect(rig.answer() == [] && rig.answer(.viewport) == [] && rig.state.listening.earlyEnds == 1)
    #expect(rig.state.nextWake?.scope == .corridor)
    #expect(wake(&rig) == ["corridor delta listening", "viewport delta listening"])
  }

  /// A request that is held while the viewport moves would be cancelled when it rests.
  @Test func aViewportThatMovesIsAwaited() {
    var rig = flyingWithAViewport()
    rig.answerHolding(.viewport)
    rig.now += 20_000
    rig.query { $0.viewport = Rig.square(south: 0, west: 1) }
    rig.now += 300
    #expect(rig.query { $0.viewport = Rig.square(south: 0, west: 2) } == [])
    #expect(rig.answerHolding(.viewport) == [] && rig.state.plan(.viewport).rule == .moving)
    #expect(bringNews(&rig) == [] && hold(rig) == nil)
    #expect(wake(&rig) == ["viewport full areaChanged"])
    #expect(rig.answerHolding(.viewport) == ["corridor delta listening", "viewport delta listening"])
  }

  @Test func anEarlyEndCountsAfterAnotherAreaWasCancelled() {
    var rig = flyingWithAViewport()
    rig.answerHolding(.viewport)
    rig.now += 5_000
    rig.query { $0.viewport = Rig.area }
    rig.now += 100
    #expect(rig.fail(.corridor) == [])
    #expect(rig.state.listening.earlyEnds == 1 && rig.state.listening.notBefore >= rig.now + 8_000)
    #expect(rig.unrest == [])
  }

  /// The server answers both when there is news for the area that was cancelled.
  @Test func anEarlyAnswerDoesntCountAfterAnotherAreaWasCancelled() {
    var rig = flyingWithAViewport()
    for _ in 0..<4 {
      rig.now += 5_000
      rig.answerHolding(.viewport)
      #expect(hold(rig) != nil && hold(rig, .viewport) != nil)
      rig.now += 5_000
      rig.query { $0.viewport = $0.viewport == Rig.area ? Rig.otherArea : Rig.area }
      rig.now += 100
      #expect(rig.answer() == [])
    }
    #expect(rig.state.listening.earlyEnds == 0 && rig.unrest == [])
  }

  @Test func aLostExchangeIsConfirmedTogether() {
    var rig = flyingWithAViewport()
    rig.answerHolding(.viewport)
    rig.now += 9_000
    #expect(rig.fail(.corridor) == [] && rig.fail(.viewport) == [])
    #expect(rig.state.listening.earlyEnds == 1, "one end counts once")
    #expect(wake(&rig) == ["corridor delta unconfirmed", "viewport delta unconfirmed"])
    #expect(rig.unrest == [])
  }

  @Test func aLostExchangeIsFollowedByAPauseAlsoIfTheRestOfItIsCancelled() {
    var rig = flyingWithAViewport()
    rig.answerHolding(.viewport)
    rig.now += 9_000
    #expect(rig.fail(.corridor) == [])
    #expect(rig.query { $0.viewport = nil } == ["viewport cancel unwanted"])
    #expect(rig.state.listening.earlyEnds == 1 && rig.state.listening.notBefore >= rig.now + 8_000)
    #expect(wake(&rig) == ["corridor delta unconfirmed"])
    #expect(rig.unrest == [])
  }

  @Test func aLostRequestIsConfirmedWhileALaterExchangeGoesOn() {
    var rig = flying()
    rig.now += 5_000
    #expect(rig.fail(.corridor) == [])
    #expect(wake(&rig) == ["corridor delta unconfirmed"])
    rig.fail(.corridor)
    rig.query { $0.viewport = Rig.otherArea }
    rig.now += 100
    rig.answerHolding(.viewport)
    var decided: [String] = []
    for _ in 0..<4 where !decided.contains(where: { $0.hasPrefix("corridor") }) { decided = wake(&rig) }
    #expect(decided == ["corridor delta unconfirmed"] && hold(rig, .viewport) != nil)
    #expect(rig.unrest == [])
  }

  /// A confirmation that fails forgives early ends, because the link may be why, but the pause after one goes on.
  @Test(arguments: [TransportFailure.network, .tooLarge])
  func aConfirmationThatFailsLeavesThePauseOfAnotherArea(_ failure: TransportFailure) {
    var rig = flyingWithAViewport()
    rig.answerHolding(.viewport)
    rig.now += 9_000
    #expect(rig.fail(.corridor) == [] && rig.fail(.viewport) == [])
    #expect(wake(&rig) == ["corridor delta unconfirmed", "viewport delta unconfirmed"])
    rig.fail(.corridor)
    #expect(rig.answerHolding(.viewport) == ["viewport delta listening"])
    #expect(wake(&rig) == ["corridor delta unconfirmed"])
    rig.fail(.viewport)
    let pauseEnds = rig.state.listening.notBefore
    #expect(pauseEnds >= rig.now + 8_000 && rig.state.listening.earlyEnds > 0)
    rig.now += 100
    rig.fail(.corridor, failure)
    #expect(rig.state.listening.notBefore == pauseEnds && (rig.state.listening.earlyEnds == 0) == (failure == .network))
    #expect(rig.unrest == [])
  }

  /// Of the viewport's time much is left, but without a held request it is due by its interval.
  @Test func areasThatWereHeldTogetherAreConfirmedTogether() {
    var rig = flying()
    for _ in 0..<3 { _ = stayQuiet(&rig) }
    rig.now += 199_500
    rig.query { $0.viewport = Rig.otherArea }
    rig.now += 500
    rig.answerHolding(.viewport)
    #expect(hold(rig)?.seconds == 200 && hold(rig, .viewport)?.seconds == 200)
    rig.now += 190_000
    #expect(
      rig.send(.linkChanged(LinkCost(isConstrained: true))) == [
        "save slowSurroundings", "viewport cancel superseded", "corridor cancel together",
        "corridor delta unconfirmed", "viewport delta unconfirmed",
      ])
    #expect(rig.unrest == [])
  }

  /// An area that was just fetched isn't confirmed with one of whose time little is left.
  @Test(arguments: [540, 15]) func onlyAnAreaThatWasHeldIsConfirmed(holding seconds: Int64) {
    var rig = flying(seconds: seconds)
    for _ in 0..<3 { _ = stayQuiet(&rig) }
    rig.now += (hold(rig)?.seconds ?? 0) * 1000 - 8_000
    rig.query { $0.viewport = Rig.otherArea }
    rig.now += 500
    let decided = rig.answerHolding(.viewport, seconds: seconds)
    #expect(decided == ["corridor cancel together", "corridor delta unconfirmed"])
    #expect(rig.answerHolding(seconds: seconds) == ["corridor delta listening", "viewport delta listening"])
    #expect(rig.unrest == [])
  }

  /// Each move of the map begins the hold of the corridor again.
  @Test(arguments: [10, 40, 70]) func aMapThatIsMovedDoesntPutOffTheConfirmation(_ seconds: Int64) {
    var rig = flying()
    for _ in 0..<3 { _ = stayQuiet(&rig) }
    #expect(rig.state.listening.seconds == 400)
    var oldest: Int64 = 0
    for move in 0..<60 {
      rig.now += seconds * 1000
      while let wake = rig.state.nextWake, wake.at <= rig.now {
        rig.send(.clockTicked(scope: wake.scope, due: wake.at))
      }
      oldest = max(oldest, rig.now - (rig.state.scope(.corridor)?.lastSuccessAt ?? 0))
      if let terms = hold(rig), let start = rig.state.listening.exchange?.startedAt,
        rig.now >= start + terms.seconds * 1000
      {
        rig.answerHolding()
        if hold(rig, .viewport) != nil { rig.answerHolding(.viewport) }
      }
      rig.query { $0.viewport = move % 2 == 0 ? Rig.otherArea : Rig.area }
      rig.now += 300
      if rig.state.scope(.corridor)?.inFlight != nil, hold(rig) == nil { rig.answerHolding() }
      rig.answerHolding(.viewport)
    }
    #expect(oldest <= (400 + 15 + seconds) * 1000, "\(oldest / 1000) s")
  }
}
