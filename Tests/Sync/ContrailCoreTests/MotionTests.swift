import ContrailCore
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

/// moving: a viewport that is being moved is fetched when it rests, and at the latest after some seconds.
@Suite struct MotionTests {
  private static func area(_ west: Int64) -> [FixedCoordinate?] { Rig.square(south: 0, west: west) }

  /// A flight whose viewport was fetched, and has rested since.
  private static func resting() -> Rig {
    var rig = Rig()
    rig.launch()
    rig.query { $0.viewport = area(0) }
    rig.answer(.viewport)
    rig.now += 20_000
    return rig
  }

  private static func move(_ rig: inout Rig, to west: Int64, after milliseconds: Int64) -> [String] {
    rig.now += milliseconds
    return rig.query { $0.viewport = area(west) }
  }

  /// Wakes the viewport at the time it asked for.
  private static func wake(_ rig: inout Rig) -> [String] {
    guard let wake = rig.state.nextWake else { return ["never"] }
    rig.now = wake.at
    return rig.send(.clockTicked(scope: wake.scope, due: wake.at))
  }

  @Test func theFirstChangeIsFetchedAtOnceAndTheNextOnesWhenTheViewportRests() {
    var rig = Self.resting()
    #expect(Self.move(&rig, to: 1, after: 0) == ["viewport full areaChanged"])
    for west in Int64(2)...6 { #expect(Self.move(&rig, to: west, after: 300) == []) }
    #expect(rig.state.plan(.viewport).rule == .moving)
    #expect(rig.state.nextWake?.at == rig.now + Scope.Motion.restMS && rig.state.nextWake?.scope == .viewport)
    #expect(Self.wake(&rig) == ["viewport cancel superseded", "viewport full areaChanged"])
    #expect(rig.state.scope(.viewport)?.inFlight?.spec == rig.state.scope(.viewport)?.want)
    #expect(rig.answer(.viewport) == [] && rig.state.plan(.viewport).rule == .fresh && rig.unrest == [])
  }

  @Test func theRequestForAnEarlierAreaMayEndWhileTheViewportMoves() {
    var rig = Self.resting()
    _ = Self.move(&rig, to: 1, after: 0)
    let first = rig.state.scope(.viewport)?.inFlight?.spec
    #expect(Self.move(&rig, to: 2, after: 400) == [])
    #expect(rig.answer(.viewport) == [])
    #expect(rig.state.scope(.viewport)?.have?.spec == first && rig.state.plan(.viewport).rule == .moving)
    #expect(Self.wake(&rig) == ["viewport full areaChanged"])
  }

  @Test func aViewportThatNeverRestsIsFetchedAllTheSame() {
    var rig = Self.resting()
    var fetchedAt: [Int64] = []
    let start = rig.now
    for step in Int64(0)..<100 {
      if let wake = rig.state.nextWake, wake.at <= rig.now + 200, wake.scope == .viewport {
        rig.now = wake.at
        if rig.send(.clockTicked(scope: .viewport, due: wake.at)).contains("viewport full areaChanged") {
          fetchedAt.append(rig.now - start)
        }
        rig.answer(.viewport)
      }
      let decisions = Self.move(&rig, to: 1 + step % 20, after: start + step * 200 - rig.now)
      if decisions.contains("viewport full areaChanged") { fetchedAt.append(rig.now - start) }
    }
    #expect(fetchedAt == [0, 5000, 10_000, 15_000])
  }

  @Test func aChangeAfterARestIsFetchedAtOnce() {
    var rig = Self.resting()
    #expect(Self.move(&rig, to: 1, after: 0) == ["viewport full areaChanged"])
    #expect(
      Self.move(&rig, to: 2, after: Scope.Motion.restMS) == ["viewport cancel superseded", "viewport full areaChanged"])
    #expect(Self.move(&rig, to: 3, after: Scope.Motion.restMS - 1) == [])
  }

  @Test func backAtTheHeldAreaNothingIsFetchedAndTheOtherRequestIsCancelled() {
    var rig = Self.resting()
    _ = Self.move(&rig, to: 1, after: 0)
    #expect(Self.move(&rig, to: 2, after: 200) == [])
    #expect(Self.move(&rig, to: 0, after: 200) == ["viewport cancel superseded"])
    #expect(rig.state.plan(.viewport).rule == .fresh)
  }

  @Test func aFailedFetchIsRepeatedWithoutWaitingForARest() {
    var rig = Self.resting()
    _ = Self.move(&rig, to: 1, after: 0)
    #expect(Self.move(&rig, to: 2, after: 200) == [])
    #expect(Self.wake(&rig).last == "viewport full areaChanged")
    #expect(rig.fail(.viewport) == [])
    #expect(Self.wake(&rig) == ["viewport full areaChanged"])
  }

  @Test func otherAreasAndOtherChangesDoNotWait() {
    var rig = Self.resting()
    _ = Self.move(&rig, to: 1, after: 0)
    rig.answer(.viewport)
    rig.now += 100
    #expect(rig.query { $0.severities = SeveritySet([.moderate]) } == [])
    #expect(rig.query { $0.severities = .all } == [])
    #expect(rig.query { $0.types.insert(.pireps) } == ["viewport full typesWidened"])
    rig.query { $0.polygon = Rig.area }
    rig.now += 100
    let other = rig.query { $0.polygon = Rig.otherArea }
    #expect(other == ["corridor cancel superseded", "corridor full first"])
  }

  @Test func aViewportThatWasClosedIsFetchedAtOnceWhenItOpens() {
    var rig = Self.resting()
    _ = Self.move(&rig, to: 1, after: 0)
    #expect(Self.move(&rig, to: 2, after: 100) == [])
    rig.query { $0.viewport = nil }
    #expect(rig.state.scope(.viewport)?.motion == nil)
    #expect(Self.move(&rig, to: 3, after: 100).last == "viewport full first")
  }

  @Test func aMotionSurvivesASnapshot() {
    var rig = Self.resting()
    _ = Self.move(&rig, to: 1, after: 0)
    _ = Self.move(&rig, to: 2, after: 100)
    var restored = State()
    let marks = rig.state.snapshotParts.map { Mark.snapshotPart($0) } + [.snapshotEnded]
    for mark in marks { restored.evolve(mark, seq: rig.state.nextSeq - 1, at: rig.now) }
    #expect(restored.digest == rig.state.digest && restored.scope(.viewport)?.motion?.isWaiting == true)
    #expect(restored.nextWake?.at == rig.state.nextWake?.at)
  }
}
