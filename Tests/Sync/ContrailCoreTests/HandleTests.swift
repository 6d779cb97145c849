import ContrailCore
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

/// Deltas that name an area instead of containing it.
@Suite struct HandleTests {
  /// A flight whose server remembers the area.
  private func flying(_ name: String = "h1") -> Rig {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    rig.answer { $0.handle = name }
    return rig
  }

  private func fetch(_ rig: inout Rig, after seconds: Int64 = 60) -> Decision.FetchStarted? {
    rig.now += seconds * 1000
    guard let wake = rig.state.nextWake else { return nil }
    return rig.decisions(after: .clockTicked(scope: wake.scope, due: wake.at)).lazy.compactMap {
      if case .fetchStarted(let started) = $0 { started } else { nil }
    }.first
  }

  private func handles(_ decisions: [Decision]) -> [String?] {
    decisions.compactMap { if case .fetchStarted(let it) = $0 { .some(it.handle) } else { nil } }
  }

  @Test func aDeltaNamesTheAreaThatTheServerRemembers() {
    var rig = flying()
    let started = fetch(&rig)
    #expect(started?.mode == .delta && started?.handle == "h1")
    #expect(rig.state.scope(.corridor)?.inFlight?.handle == "h1")
    rig.answer()
    #expect(fetch(&rig)?.handle == "h1")
  }

  // MARK: Together

  /// A flight with a corridor and a viewport, each with a handle; the viewport was fetched so many seconds after the corridor.
  private func flyingWithAViewport(after seconds: Int64, handle: String? = "h2") -> Rig {
    var rig = flying()
    rig.now += seconds * 1000
    rig.query { $0.viewport = Rig.otherArea }
    rig.answer(.viewport) { $0.handle = handle }
    return rig
  }

  private func reasons(_ decisions: [Decision]) -> [String] {
    decisions.compactMap {
      if case .fetchStarted(let it) = $0 { "\(it.scope.name) \(it.rule.rawValue)" } else { nil }
    }
  }

  private func wake(_ rig: inout Rig) -> [Decision] {
    guard let wake = rig.state.nextWake else { return [] }
    rig.now = max(rig.now, wake.at)
    return rig.decisions(after: .clockTicked(scope: wake.scope, due: wake.at))
  }

  @Test func aDeltaBringsThatOfAnotherAreaWithItFromHalfOfItsInterval() {
    var rig = flyingWithAViewport(after: 20)
    #expect(reasons(wake(&rig)) == ["corridor due", "viewport together"])
    rig.answer(.corridor)
    rig.answer(.viewport)
    // From then on both are due at once.
    #expect(reasons(wake(&rig)) == ["corridor due", "viewport due"])
    #expect(rig.unrest == [])
  }

  @Test func whatIsFreshIsNotFetchedBeforeHalfOfItsInterval() {
    var rig = flyingWithAViewport(after: 40)
    #expect(reasons(wake(&rig)) == ["corridor due"])
    rig.answer(.corridor)
    #expect(reasons(wake(&rig)) == ["viewport due", "corridor together"])
  }

  @Test func withoutAHandleEachAreaIsFetchedAlone() {
    var rig = flyingWithAViewport(after: 20, handle: nil)
    #expect(reasons(wake(&rig)) == ["corridor due"])
    rig.answer(.corridor)
    #expect(reasons(wake(&rig)) == ["viewport due"], "what has no handle shares no exchange")
  }

  @Test func withoutAHandleNothingChanges() {
    var rig = Rig.flying()
    #expect(fetch(&rig)?.handle == nil)
    #expect(!String(decoding: rig.state.controlJSON, as: UTF8.self).contains("handle"))
  }

  @Test func aFullFetchContainsTheArea() {
    var rig = flying()
    let decisions = rig.decisions(after: .refreshRequested(full: true))
    #expect(handles(decisions) == [nil])
  }

  @Test func anotherAreaHasNoHandleYet() {
    var rig = flying()
    var query = rig.state.query
    query.polygon = Rig.otherArea
    #expect(handles(rig.decisions(after: .queryChanged(query))) == [nil])
    rig.answer()
    #expect(fetch(&rig)?.handle == nil)
    rig.answer { $0.handle = "h2" }
    #expect(fetch(&rig)?.handle == "h2")
  }

  @Test func aForgottenAreaIsSentAtOnce() {
    var rig = flying()
    _ = fetch(&rig)
    let since = rig.state.scope(.corridor)?.have?.watermark
    let request = rig.state.scope(.corridor)?.inFlight?.request ?? 0
    let again = rig.decisions(after: .responseReceived(.init(request: request, status: 404, wireBytes: 90)))
    #expect(again.map(Rig.line) == ["corridor delta due"] && handles(again) == [nil])
    guard case .fetchStarted(let started) = again.first else { return }
    #expect(started.since == since)
    rig.answer { $0.handle = "h2" }
    #expect(fetch(&rig)?.handle == "h2")
  }

  @Test func aServerThatForgetsAgainAndAgainGetsTheAreaUntilTheNextLaunch() {
    var rig = flying()
    for round in 1...3 {
      #expect(fetch(&rig)?.handle != nil, "round \(round)")
      rig.answer(status: 404)
      rig.answer { $0.handle = "h\(round)" }
    }
    for _ in 0..<5 {
      #expect(fetch(&rig)?.handle == nil)
      rig.answer { $0.handle = "h9" }
    }
    rig.launch()
    _ = fetch(&rig)
    rig.answer { $0.handle = "h9" }
    #expect(fetch(&rig)?.handle == "h9")
  }

  @Test func aSuccessEndsACountOfLosses() {
    var rig = flying()
    for round in 1...6 {
      #expect(fetch(&rig)?.handle != nil, "round \(round)")
      rig.answer(status: 404)
      rig.answer { $0.handle = "h\(round)" }
      #expect(fetch(&rig)?.handle == "h\(round)")
      rig.answer()
    }
  }

  @Test(arguments: [true, false]) func aSuccessAndALaunchStartTheCountOfLossesAnew(isLaunch: Bool) {
    var rig = flying()
    if isLaunch {
      rig.launch()
    } else {
      _ = fetch(&rig)
      rig.answer()
    }
    for loss in 1..<Scope.HandleState.maximumLosses {
      #expect(fetch(&rig)?.handle != nil, "before loss \(loss)")
      rig.answer(status: 404)
      rig.answer { $0.handle = "h\(loss)" }
    }
    #expect(fetch(&rig)?.handle != nil)
  }

  @Test func a404ToARequestWithItsAreaBlocksAsBefore() {
    var rig = Rig.flying()
    _ = fetch(&rig)
    #expect(rig.answer(status: 404) == ["corridor report blocked badRequest"])
  }

  @Test func anUnreadableAnswerCostsTheHandleAndWaits() {
    var rig = flying()
    _ = fetch(&rig)
    #expect(rig.answer { $0.body = .inline(Array("[]".utf8)) } == [])
    #expect(rig.state.scope(.corridor)?.retry.failures == 1)
    #expect(fetch(&rig)?.handle == nil)
  }

  @Test func aWrongAnswerIsPutRightWithTheAreaItself() {
    // The handle may be that of another area, whose own sums are right.
    var rig = flying()
    _ = fetch(&rig)
    let (second, since) = (rig.now / 1000, rig.state.scope(.corridor)?.inFlight?.since)
    let decisions = rig.answer { response in
      var answer = ObservationsAnswer(token: second, follows: since)
      answer.held = HeldSum(count: 12_345, checksum: 1)
      response.body = .inline(answer.json)
    }
    #expect(decisions == ["corridor full countDiffers"])
    #expect(rig.state.scope(.corridor)?.inFlight?.handle == nil)
    rig.answer { $0.handle = "h2" }
    #expect(fetch(&rig)?.handle == "h2")
  }

  @Test func aSnapshotKeepsTheHandle() {
    var rig = flying()
    rig.answer(status: 404)
    _ = fetch(&rig)
    rig.answer(status: 404)
    rig.answer { $0.handle = "h3" }
    _ = fetch(&rig)
    let restored = State(restoring: rig.state)
    #expect(restored.digest == rig.state.digest && restored.scope(.corridor)?.inFlight?.handle == "h3")
  }
}

extension State {
  /// The state from its own snapshot.
  fileprivate init(restoring state: State) {
    var restored = State()
    let marks = state.snapshotParts.map { Mark.snapshotPart($0) } + [.snapshotEnded]
    for mark in marks { restored.evolve(mark, seq: state.nextSeq - 1, at: state.now) }
    self = restored
  }
}
