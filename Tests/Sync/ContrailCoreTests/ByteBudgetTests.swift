import ContrailCore
import ContrailTestSupport
import ContrailWire
import Testing

/// A budget of bytes, and links that cost.
@Suite struct ByteBudgetTests {
  private func flying(_ bytes: Int64?, per period: ByteBudget.Period = .flight("a")) -> Rig {
    var rig = Rig.flying { $0.types = [.turbulence, .traffic] }
    rig.send(.budgetChanged(ByteBudget(bytes: bytes, per: period)))
    return rig
  }

  /// Lets a minute pass and answers with so many bytes.
  private func use(_ bytes: Int64, _ rig: inout Rig) -> [String] {
    rig.pass(seconds: 60) + rig.answer { $0.wireBytes = bytes }
  }

  @Test func dataIsDroppedInOrder() {
    var rig = flying(16_000)
    #expect(use(7_999, &rig) == ["corridor delta due"])
    #expect(use(1, &rig) == ["corridor delta due", "save noTraffic"])
    #expect(rig.pass(seconds: 60) == ["corridor delta due"])
    #expect(rig.state.scope(.corridor)?.inFlight?.spec.types == .turbulence)
    #expect(rig.answer { $0.wireBytes = 4_000 } == ["save slowSurroundings"])
    #expect(use(2_000, &rig) == ["corridor delta due", "save slow"])
    #expect(rig.pass(seconds: 14 * 60) == [] && rig.pass(seconds: 60) == ["corridor delta due"])
    #expect(rig.answer { $0.wireBytes = 1_000 } == ["save corridorOnly"])
    rig.query { $0.viewport = Rig.otherArea }
    #expect(rig.state.plan(.viewport).rule == .saving && rig.state.plan(.viewport).wakesAt == nil)
    #expect(rig.query { $0.polygon = Rig.otherArea } == ["corridor full areaChanged"])
    #expect(rig.answer { $0.wireBytes = 999 } == [])
    rig.send(.refreshRequested(full: false))
    #expect(rig.answer { $0.wireBytes = 500 } == ["save spent"])
    #expect(rig.send(.refreshRequested(full: true)) == [] && rig.state.nextWake == nil)
    #expect(rig.state.byteUse.used == 16_499 && rig.unrest == [])
  }

  @Test func anAnswerUnderWayIsTaken() {
    var rig = flying(16_000)
    _ = use(8_000, &rig)
    #expect(rig.pass(seconds: 60) == ["corridor delta due"])
    let tight = rig.send(.budgetChanged(ByteBudget(bytes: 8_000, per: .flight("a"))))
    #expect(tight == ["save spent"])
    #expect(rig.state.plan(.corridor).rule == .joined)
    _ = rig.answer { $0.wireBytes = 100 }
    #expect(rig.state.plan(.corridor).rule == .saving && rig.unrest == [])
  }

  @Test func aLargerBudgetOrAnotherFlightBringsAllBack() {
    var rig = flying(1_000)
    _ = use(1_000, &rig)
    #expect(rig.state.plan(.corridor).rule == .saving)
    #expect(rig.send(.budgetChanged(ByteBudget(bytes: 16_000, per: .flight("a")))) == ["save off"])
    #expect(rig.state.byteUse.used == 1_000)
    #expect(rig.send(.budgetChanged(ByteBudget(bytes: 1_000, per: .flight("a")))) == ["save spent"])
    #expect(rig.send(.budgetChanged(ByteBudget(bytes: 1_000, per: .flight("b")))) == ["save off"])
    #expect(rig.state.byteUse.used == 0 && rig.unrest == [])
  }

  @Test func aDayBeginsAtMidnight() {
    var rig = flying(1_000, per: .day)
    _ = use(1_000, &rig)
    let midnight = (rig.now / 86_400_000 + 1) * 86_400_000
    #expect(rig.state.nextWake?.at == midnight)
    rig.now = midnight
    #expect(
      rig.send(.clockTicked(scope: .corridor, due: midnight)) == ["save off", "corridor full expired"])
    #expect(rig.state.byteUse.used == 0 && rig.unrest == [])
  }

  @Test func trafficComesBackByAFullFetch() {
    var rig = flying(16_000)
    _ = use(8_000, &rig)
    _ = use(0, &rig)
    #expect(rig.state.scope(.corridor)?.have?.spec.types == .turbulence)
    #expect(rig.send(.budgetChanged(ByteBudget())) == ["save off", "corridor full typesWidened"])
  }

  @Test func linksThatCostAreSpared() {
    var rig = flying(nil)
    #expect(rig.send(.linkChanged(LinkCost(isExpensive: true))) == ["save noTraffic"])
    #expect(rig.send(.linkChanged(LinkCost(isConstrained: true))) == ["save slowSurroundings"])
    #expect(rig.send(.linkChanged(LinkCost())) == ["save off"])
    var budget = ByteBudget()
    (budget.savesOnExpensiveLink, budget.savesOnConstrainedLink) = (false, false)
    rig.send(.budgetChanged(budget))
    #expect(rig.send(.linkChanged(LinkCost(isExpensive: true, isConstrained: true))) == [])
    rig.send(.budgetChanged(ByteBudget()))
    #expect(rig.state.byteUse.saving == .slowSurroundings)
    #expect(rig.launch().first == "save off", "a launch knows nothing of the link")
  }

  /// An application may give any text: also a long one, or one of control characters, which take six bytes each in the log.
  @Test(arguments: ["x", "\u{1}", "é", "✈️", "\"", "e\u{301}"]) func anyTextOfAFlightIsWrittenAndRead(part: String)
    throws
  {
    for count in [0, 1, 1023, 1024, 1025, 100_000] {
      let budget = ByteBudget(bytes: 1, per: .flight(String(repeating: part, count: count))).normalized
      #expect(budget.normalized == budget)
      if count * part.unicodeScalars.count <= 1024 {
        #expect(budget.period == .flight(String(repeating: part, count: count)))
      }
      let event = Event.input(.budgetChanged(budget))
      #expect(try Event(kind: event.kind.rawValue, payload: event.payload, blob: { _ in nil }) == event)
    }
  }

  @Test func aHeldRequestEndsWhenAllIsUsed() {
    var rig = Rig()
    rig.launch()
    rig.send(.budgetChanged(ByteBudget(bytes: 1_000, per: .flight("a"))))
    rig.query { $0.polygon = Rig.area }
    rig.answerHolding()
    #expect(rig.state.scope(.corridor)?.isHeld == true)
    rig.now += 10_000
    let slower = rig.send(.weatherReceived(.init(lookup: Self.lookup, status: 200, wireBytes: 900, body: .none)))
    #expect(slower == ["save slow", "corridor cancel superseded", "corridor delta listening"])
    #expect(rig.state.scope(.corridor)?.inFlight?.hold?.terms.ordinarySeconds == 900)
    rig.now += 10_000
    let ends = rig.send(.weatherReceived(.init(lookup: Self.lookup, status: 200, wireBytes: 900, body: .none)))
    #expect(ends == ["save spent", "corridor cancel superseded"] && rig.unrest == [])
  }

  @Test func uploadsWaitWhenAllIsUsed() {
    var rig = flying(1_000)
    _ = use(1_000, &rig)
    var random = SplitMix64(seed: 4)
    #expect(rig.send(.reportTracked(ModelServer.report(at: rig.now / 1000, using: &random))) == [])
    #expect(rig.state.uploadPlan.rule == .saving)
    rig.send(.budgetChanged(ByteBudget()))
    #expect(rig.state.outbox.upload != nil)
  }

  @Test func aSnapshotHoldsTheCount() throws {
    var rig = flying(16_000)
    _ = use(9_000, &rig)
    rig.send(.linkChanged(LinkCost(isExpensive: true)))
    var restored = State()
    for (index, part) in rig.state.snapshotParts.enumerated() {
      let event = Event.mark(.snapshotPart(part))
      let read = try Event(kind: event.kind.rawValue, payload: event.payload)
      restored.evolve(Record(seq: Int64(index), at: rig.now, event: read))
    }
    restored.evolve(Record(seq: rig.state.nextSeq - 1, at: rig.now, event: .mark(.snapshotEnded)))
    #expect(restored.byteUse == rig.state.byteUse && restored.digest == rig.state.digest)
  }

  @Test func withoutABudgetNothingIsCounted() {
    var rig = Rig.flying()
    _ = rig.pass(seconds: 60)
    rig.answer { $0.wireBytes = 5_000 }
    #expect(!String(decoding: rig.state.controlJSON, as: UTF8.self).contains("\"bytes\""))
  }

  private static let lookup = WeatherLookup(place: Rig.place, version: "v2.6", spec: WeatherSpec())
}
