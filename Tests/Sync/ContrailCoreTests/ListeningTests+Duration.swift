import ContrailCore
import ContrailTestSupport
import ContrailWire
import Testing

// How long requests are held.

extension ListeningTests {
  /// Lets the held request fail, answers the delta that follows, and waits until the next request is held.
  func lose(_ rig: inout Rig, thenHolding seconds: Int64 = 540) {
    rig.now += 5_000
    rig.fail()
    _ = wake(&rig)
    rig.answerHolding(seconds: seconds)
    if hold(rig) == nil { _ = wake(&rig) }
  }

  /// Such a server would be asked each few seconds.
  @Test(arguments: [(1, false), (14, false), (15, true)])
  func aServerThatHoldsBrieflyIsAskedAsBefore(_ seconds: Int64, _ isHeld: Bool) {
    var rig = flying(seconds: seconds)
    #expect((hold(rig) != nil) == isHeld)
    #expect(wake(&rig) == (isHeld ? ["corridor cancel silent", "corridor delta unconfirmed"] : ["corridor delta due"]))
  }

  @Test func theHoldGrowsWhileAnswersComeWhole() {
    var rig = flying()
    var seconds: [Int64] = []
    for _ in 0..<6 {
      seconds.append(hold(rig)?.seconds ?? 0)
      #expect(stayQuiet(&rig) == ["corridor delta listening"])
    }
    #expect(seconds == [50, 100, 200, 400, 540, 540] && rig.unrest == [])
  }

  @Test func theServerSaysHowLongItHolds() {
    var rig = flying(seconds: 120)
    for _ in 0..<3 { _ = stayQuiet(&rig) }
    #expect(hold(rig)?.seconds == 120)
  }

  @Test func theHoldHasBounds() {
    var rig = flying(seconds: 3600)
    for _ in 0..<6 { _ = stayQuiet(&rig) }
    #expect(hold(rig)?.seconds == 540)
    rig = flying()
    for _ in 0..<2 {
      rig.now += 5_000
      rig.fail()
      #expect(wake(&rig) == ["corridor delta unconfirmed"])
      rig.now += 500
      rig.answer()
    }
    #expect(hold(rig)?.seconds == 15)
  }

  /// If the link becomes faster, the next answer of a stream comes sooner, although the server held it in full.
  @Test func anAnswerOfAStreamIsHeldByTheServersClock() {
    var rig = flying()
    func answer(after milliseconds: Int64, madeBefore late: Int64, sent: SentBytes?) -> [String] {
      rig.now += milliseconds
      let token = (rig.now - late) / 1000
      return rig.answer(sent: sent) { $0.token = token }
    }
    #expect(answer(after: 64_300, madeBefore: 14_000, sent: nil) == ["corridor delta listening"])
    #expect(hold(rig)?.seconds == 100)
    #expect(answer(after: 86_600, madeBefore: 300, sent: .zero) == ["corridor delta listening"])
    #expect(rig.state.listening.earlyEnds == 0 && hold(rig)?.seconds == 200)
    #expect(answer(after: 90_000, madeBefore: -110_000, sent: .zero) == [])
    #expect(rig.state.listening.earlyEnds == 1, "a server is believed half of the time")
  }

  /// Connections break for other reasons, too: a handover, a restart of a proxy.
  @Test func aLongerTimeIsTriedAgainAfterManyFullHolds() {
    var rig = flying()
    lose(&rig)
    for _ in 1...31 { _ = stayQuiet(&rig) }
    #expect(hold(rig)?.seconds == 25 && rig.state.listening.fullHolds == 31)
    #expect(restored(rig).listening == rig.state.listening)
    _ = stayQuiet(&rig)
    #expect(hold(rig)?.seconds == 50 && rig.state.listening.ceiling == 50)
    #expect(rig.state.listening.fullHolds == 0, "the next time is tried after as many")
    _ = stayQuiet(&rig)
    lose(&rig)
    #expect(hold(rig)?.seconds == 25 && rig.state.listening.fullHolds == 0, "a loss begins anew")
  }

  @Test func holdsOfTheLongestTimeAreNotCounted() {
    var rig = flying()
    for _ in 0..<8 { _ = stayQuiet(&rig) }
    #expect(hold(rig)?.seconds == 540 && rig.state.listening.fullHolds == 0)
  }

  /// A hold of 46 s that was full by the server's clock began as long ago, but half of its time has passed here.
  @Test(arguments: [(60_000, 0), (40_000, 6_000), (10_000, 23_000)] as [(Int64, Int64)])
  func aFullHoldBeganEarlier(answeredAfter milliseconds: Int64, by earlier: Int64) throws {
    var rig = flyingWithAViewport()
    rig.answerHolding(.viewport)
    let start = try #require(rig.state.listening.exchange?.startedAt)
    #expect(hold(rig)?.seconds == 46 && start == rig.now)
    rig.now += milliseconds
    _ = rig.answer(sent: .zero) { $0.token = start / 1000 + 60 }
    #expect(rig.state.listening.exchange?.startedAt == start - earlier)
  }

  @Test func briefHoldsDontCallForLongerOnes() {
    var rig = flying()
    lose(&rig, thenHolding: 20)
    for _ in 1...40 { _ = stayQuiet(&rig) }
    #expect(hold(rig)?.seconds == 20 && rig.state.listening.fullHolds == 0)
  }

  /// An application that requires a confirmation has it from a server that holds nothing, too.
  @Test(arguments: [true, false]) func aConfirmationIsHadInTimeWithoutHolds(isEnabled: Bool) {
    var rig = Rig.flying()
    rig.send(.frequencyChanged(.minimal))
    var settings = ListeningSettings()
    settings.isEnabled = isEnabled
    settings.confirmationMinutes = 3
    rig.send(.listeningChanged(settings))
    for _ in 0..<3 {
      let answered = rig.now
      #expect(wake(&rig) == ["corridor delta due"])
      #expect(rig.now == answered + 180_000)
      rig.answer()
    }
    rig.send(.frequencyChanged(.none))
    #expect(wake(&rig) == [])
  }
}
