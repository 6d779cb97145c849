import ContrailCore
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

/// Each rule by what it promises. The lines are what the planner decided, in its own words.
@Suite struct RuleTests {
  // MARK: unwanted unwanted

  @Test func nothingIsFetchedWithoutAnArea() {
    var rig = Rig()
    rig.launch()
    #expect(rig.query { $0.types = [.turbulence, .pireps] } == [])
  }

  @Test func removingTheAreaCancelsTheRequest() {
    var rig = Rig.flying()
    #expect(rig.pass(seconds: 60) == ["corridor delta due"])
    #expect(rig.query { $0.polygon = nil } == ["corridor cancel unwanted"])
  }

  @Test func routeSetASecondAfterTheTypesLosesNothing() {
    var rig = Rig.flying()
    let held = rig.state.scope(.corridor)?.reports
    rig.query { $0.types = [] }
    #expect(rig.state.scope(.corridor)?.want == nil)
    rig.now += 1000
    #expect(rig.query { $0.types = .turbulence } == [])
    #expect(rig.state.scope(.corridor)?.reports == held)
    #expect(held?.count ?? 0 > 100)
  }

  @Test func polygonsOfTheCorridorAreUnwantedWithoutOne() {
    var rig = Rig()
    rig.launch()
    rig.query {
      $0.types = .turbulencePolygons
      $0.globalEnabled = false
      $0.polygon = Rig.area
    }
    #expect(rig.state.scope(.global(.twoHours))?.want != nil)
    #expect(rig.query { $0.polygon = nil } == ["global.7200 cancel unwanted"])
    #expect(rig.state.scope(.global(.twoHours))?.want == nil)
  }

  @Test func polygonsAreWantedForTheHistoryAndIfAskedForAllShorterOnes() {
    func wanted(_ rig: Rig) -> [DataHistoryTime] {
      DataHistoryTime.allCases.filter { rig.state.scope(.global($0))?.want != nil }
    }
    var rig = Rig()
    rig.launch()
    #expect(rig.query { $0.types = .turbulencePolygons } == ["global.7200 full first"])
    rig.send(.historyChanged(.hour))
    #expect(wanted(rig) == [.hour])
    rig.query { $0.isUpToEnabled = true }
    #expect(wanted(rig) == [.halfHour, .hour])
  }

  @Test func viewportIsDroppedAtOnceWhenItIsTakenAway() {
    var rig = Rig.flying { $0.viewport = Rig.otherArea }
    rig.answer(.viewport)
    #expect(rig.state.scope(.viewport)?.recordCount ?? 0 > 0)
    rig.query { $0.viewport = nil }
    #expect(rig.state.scope(.viewport) == nil)
  }

  @Test func unwantedDataGoWhenTheyHaveExpired() {
    var rig = Rig.flying()
    rig.query { $0.polygon = nil }
    rig.now += 7_199_000
    rig.send(.connectivityChanged(isOnline: true))
    #expect(rig.state.scope(.corridor) != nil)
    rig.now += 1000
    rig.send(.connectivityChanged(isOnline: true))
    #expect(rig.state.scope(.corridor) == nil)
  }

  @Test func emptyViewportTypesMeanNoViewport() {
    var rig = Rig.flying()
    #expect(
      rig.query {
        $0.viewport = Rig.otherArea
        $0.viewportTypes = []
      } == [])
    #expect(rig.query { $0.viewportTypes = nil } == ["viewport full first"])
  }

  @Test func noSeveritiesMeanNoTurbulence() {
    var rig = Rig()
    rig.launch()
    #expect(
      rig.query {
        $0.polygon = Rig.area
        $0.severities = []
      } == [])
  }

  // MARK: invalid invalid

  @Test func anOpenRingIsRejectedAndTheOldAreaKept() {
    var rig = Rig.flying()
    let want = rig.state.scope(.corridor)?.want
    #expect(rig.query { $0.polygon = Array(Rig.otherArea.dropLast()) } == ["corridor reject ringOpen polygon"])
    #expect(rig.state.scope(.corridor)?.want == want)
    #expect(rig.pass(seconds: 60) == ["corridor delta due"])
  }

  @Test func aPointThatIsNoNumberIsNamed() {
    var rig = Rig.flying()
    var ring = Rig.otherArea
    ring[2] = nil
    #expect(rig.query { $0.polygon = ring } == ["corridor reject notFinite polygon[2]"])
  }

  @Test func otherScopesGoOnWhenOneIsRejected() {
    var rig = Rig.flying()
    #expect(
      rig.query {
        $0.polygon = Rig.otherArea
        $0.viewport = [nil, nil, nil]
      } == ["viewport reject tooFewPoints viewport[3]", "corridor full areaChanged"])
  }

  @Test func rejectionsAreMadeOfflineToo() {
    var rig = Rig.flying()
    rig.send(.connectivityChanged(isOnline: false))
    #expect(rig.query { $0.polygon = [] } == ["corridor reject tooFewPoints polygon[0]"])
  }

  @Test func anInvertedAltitudeRangeIsRejected() {
    var rig = Rig.flying()
    #expect(
      rig.query { $0.altitudes = .init(lower: 30_000, upper: 20_000) }
        == ["corridor reject altitudesInverted altRange"])
    #expect(rig.query { $0.altitudes = .init(lower: nil, upper: 20_000) }.count == 1)
  }

  @Test func aCorridorThatCouldNotBeBuiltNamesTheRoute() {
    var rig = Rig.flying { $0.polygon = Rig.area }
    #expect(
      rig.query {
        $0.polygon = nil
        $0.corridorError = .init(code: "widthOutOfRange", place: "routeWidth")
      } == ["corridor reject widthOutOfRange routeWidth"])
    #expect(rig.state.scope(.corridor)?.want != nil)
  }

  // MARK: offline offline

  @Test func offlineNothingIsAskedAndTheFirstChanceIsTaken() {
    var rig = Rig.flying()
    rig.send(.connectivityChanged(isOnline: false))
    #expect(rig.pass(seconds: 600) == [])
    #expect(rig.send(.connectivityChanged(isOnline: true)) == ["corridor delta due"])
  }

  @Test func aDemandSurvivesBeingOffline() {
    var rig = Rig.flying()
    rig.send(.connectivityChanged(isOnline: false))
    #expect(rig.send(.refreshRequested(full: true)) == [])
    #expect(rig.send(.connectivityChanged(isOnline: true)) == ["corridor full refresh"])
  }

  // MARK: joined joined

  @Test func narrowingNeverCancels() {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    #expect(rig.send(.historyChanged(.hour)) == [])
    #expect(rig.query { $0.severities = SeveritySet([.moderate]) } == [])
    #expect(rig.state.plan(.corridor).rule == .joined)
  }

  @Test func aRefreshJoinsAFullRequestUnderWay() {
    var rig = Rig.flying()
    #expect(rig.send(.refreshRequested(full: true)) == ["corridor full refresh"])
    #expect(rig.send(.refreshRequested(full: true)) == [])
    #expect(rig.send(.refreshRequested(full: false)) == [])
    #expect(rig.answer() == [])
    #expect(rig.state.scope(.corridor)?.pendingRefresh == Scope.PendingRefresh.none)
  }

  // MARK: superseded superseded

  @Test func aFullDemandReplacesADelta() {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    #expect(rig.send(.refreshRequested(full: true)) == ["corridor cancel superseded", "corridor full refresh"])
  }

  @Test func anotherAreaReplacesTheRequestAndTheOldAnswerIsDropped() {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    let old = rig.state.scope(.corridor)!.inFlight!.request
    #expect(rig.query { $0.polygon = Rig.otherArea } == ["corridor cancel superseded", "corridor full areaChanged"])
    let digest = rig.state.digest.scopes
    #expect(rig.send(.responseReceived(.init(request: old, status: 200, wireBytes: 0))) == [])
    #expect(rig.state.digest.scopes == digest)
    #expect(rig.state.droppedAnswers == 1)
  }

  @Test func oldDataStayVisibleUntilTheirReplacementIsComplete() {
    var rig = Rig.flying()
    let before = rig.state.scope(.corridor)?.reports
    rig.query { $0.polygon = Rig.otherArea }
    #expect(rig.state.scope(.corridor)?.reports == before)
    rig.fail()
    #expect(rig.state.scope(.corridor)?.reports == before)
  }

  // MARK: first, areaChanged, historyWidened, typesWidened, refresh

  @Test func theFirstFetchIsFull() {
    var rig = Rig()
    rig.launch()
    #expect(rig.query { $0.polygon = Rig.area } == ["corridor full first"])
  }

  @Test func sameRingInAnotherSpellingIsNoOtherArea() {
    var rig = Rig.flying()
    let ring = Rig.area.compactMap { $0 }
    #expect(rig.query { $0.polygon = ring.reversed() } == [])
    #expect(rig.query { $0.polygon = ring[1...] + [ring[1]] } == [])
    #expect(
      rig.query {
        $0.polygon = ring.map {
          FixedCoordinate(latitudeE7: $0.latitudeE7, longitudeE7: $0.longitudeE7 + 360 * FixedCoordinate.degree)
        }
      } == [])
  }

  @Test func fullRefetchWhenHistoryGrows() {
    var rig = Rig.flying()
    #expect(rig.send(.historyChanged(.fourHours)) == ["corridor full historyWidened"])
  }

  @Test func fullRefetchWhenTypesSeveritiesOrAltitudesGrow() {
    var rig = Rig.flying {
      $0.severities = SeveritySet([.moderate])
      $0.altitudes = .init(lower: 20_000, upper: 30_000)
    }
    #expect(
      rig.query { $0.types = [.turbulence, .pireps] } == ["corridor full typesWidened"])
    rig.answer()
    #expect(
      rig.query { $0.severities = SeveritySet([.moderate, .light]) } == ["corridor full severitiesWidened"])
    rig.answer()
    #expect(
      rig.query { $0.altitudes = .init(lower: 20_000, upper: 30_001) } == ["corridor full altitudesWidened"])
  }

  @Test func altitudesAreRoundedOutwardBeforeTheyAreCompared() {
    var rig = Rig.flying { $0.altitudes = .init(lower: 20_000, upper: 30_000) }
    #expect(rig.query { $0.altitudes = .init(lower: 20_001, upper: 29_001) } == [])
    #expect(rig.query { $0.altitudes = .init(lower: 19_999, upper: 30_000) } != [])
    #expect(AltitudeBand(feet: -500, 90_000) == .all)
  }

  @Test func fullRefetchWhenARefreshIsAskedFor() {
    var rig = Rig.flying()
    #expect(rig.send(.refreshRequested(full: true)) == ["corridor full refresh"])
  }

  // MARK: expired

  @Test func fullRefetchWhenTheTokenIsOlderThanTheHistory() {
    var rig = Rig.flying()
    rig.send(.connectivityChanged(isOnline: false))
    rig.now += 7_200_000
    #expect(rig.send(.connectivityChanged(isOnline: true)) == ["corridor full expired"])
  }

  @Test func deltaOneSecondBeforeTheTokenExpires() {
    var rig = Rig.flying()
    rig.send(.connectivityChanged(isOnline: false))
    rig.now += 7_199_000
    #expect(rig.send(.connectivityChanged(isOnline: true)) == ["corridor delta due"])
  }

  @Test func anEmptyAreaDoesNotExpireEarly() {
    var rig = Rig()
    rig.launch()
    rig.query { $0.polygon = Rig.area }
    rig.answer()
    #expect(rig.state.scope(.corridor)?.recordCount == 0)
    #expect(rig.pass(seconds: 60) == ["corridor delta due"])
  }

  @Test func expiryIsByTheServersClock() {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    // The server's clock is two hours ahead of ours from here on.
    let serverTime = rig.now + 7_200_000
    rig.answer { $0.serverTimeMS = serverTime }
    #expect(rig.pass(seconds: 60) == ["corridor full expired"])
  }

  // MARK: Inconsistent

  @Test func fullRefetchWhenTheServerHasNoDelta() {
    var rig = Rig.flying()
    rig.server.retentionSeconds = 30
    rig.pass(seconds: 60)
    #expect(rig.answer() == ["corridor full deltaUnavailable"])
    #expect(rig.answer() == [])
  }

  @Test func fullRefetchWhenADeltaFollowsAnotherToken() {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    let token = rig.state.scope(.corridor)!.have!.watermark
    #expect(
      rig.answer { $0.body = .inline(ObservationsAnswer(token: token + 60, follows: token - 1).json) }
        == ["corridor full followsDiffers"])
  }

  @Test func fullRefetchWhenTheTokenGoesBack() {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    let token = rig.state.scope(.corridor)!.have!.watermark
    #expect(
      rig.answer { $0.body = .inline(ObservationsAnswer(token: token - 1, follows: token).json) }
        == ["corridor full watermarkWentBack"])
  }

  @Test func fullRefetchWhenCountOrChecksumDiffer() {
    for (count, reason) in [(0, "countDiffers"), (nil, "checksumDiffers")] as [(Int?, String)] {
      var rig = Rig.flying()
      rig.pass(seconds: 60)
      let token = rig.state.scope(.corridor)!.have!.watermark
      let held = rig.server.held(rig.state.scope(.corridor)!.want!, asOf: token + 60)
      let sum = HeldSum(count: count ?? held.count, checksum: held.checksum &+ 1)
      var answer = ObservationsAnswer(token: token + 60, follows: token, held: sum)
      answer.reports = held.sorted
      #expect(rig.answer { $0.body = .inline(answer.json) } == ["corridor full \(reason)"])
      #expect(rig.answer() == [])
      #expect(rig.state.scope(.corridor)?.have?.broken == nil)
    }
  }

  @Test func aFullAnswerThatDoesNotMatchIsAcceptedAndReported() {
    var rig = Rig.flying()
    rig.send(.refreshRequested(full: true))
    let wrong = ObservationsAnswer(token: rig.now / 1000, held: HeldSum(count: 3, checksum: 4))
    #expect(rig.answer { $0.body = .inline(wrong.json) } == ["corridor report countDiffers serverInconsistent"])
    #expect(rig.state.scope(.corridor)?.recordCount == 0)
    #expect(rig.state.plan(.corridor).rule == .fresh)
  }

  // MARK: narrowed, due, fresh

  @Test func narrowerIsServedAtOnceWithoutARequest() {
    var rig = Rig.flying()
    #expect(rig.send(.historyChanged(.halfHour)) == [])
    #expect(rig.query { $0.severities = SeveritySet([.moderate, .moderateSevere]) } == [])
    #expect(rig.state.plan(.corridor).rule == .narrowed)
  }

  @Test func aDeltaNarrowsWhatIsHeld() {
    var rig = Rig.flying()
    rig.send(.historyChanged(.hour))
    rig.query { $0.altitudes = .init(lower: 10_000, upper: 40_000) }
    #expect(rig.pass(seconds: 60) == ["corridor delta due"])
    rig.answer()
    let scope = rig.state.scope(.corridor)!
    #expect(scope.have?.spec == scope.want)
    #expect(scope.reports == rig.server.held(scope.want!, asOf: scope.have!.watermark))
    #expect(rig.send(.historyChanged(.twoHours)) == ["corridor full historyWidened"])
  }

  @Test func dataAreBroughtUpToDateAtTheIntervalOfTheFrequency() {
    let intervals: [(DataUpdateFrequency, Int64)] = [(.fast, 60), (.medium, 300), (.minimal, 900)]
    for (frequency, seconds) in intervals {
      var rig = Rig.flying()
      rig.send(.frequencyChanged(frequency))
      #expect(rig.pass(seconds: seconds - 1) == [])
      #expect(rig.pass(seconds: 1) == ["corridor delta due"])
    }
  }

  @Test func withFrequencyNoneOnlyARefreshFetches() {
    var rig = Rig.flying()
    rig.send(.frequencyChanged(.none))
    #expect(rig.state.nextWake == nil)
    #expect(rig.pass(seconds: 3600) == [])
    #expect(rig.send(.refreshRequested(full: false)) == ["corridor delta requested"])
  }

  @Test func aChangedQueryIsFetchedAtOnceEvenWithFrequencyNone() {
    var rig = Rig.flying()
    rig.send(.frequencyChanged(.none))
    #expect(rig.query { $0.polygon = Rig.otherArea } == ["corridor full areaChanged"])
  }

  // MARK: backingOff back-off

  @Test func failuresWaitLongerAndLongerUpToFiveMinutes() {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    var waits: [Int64] = []
    for _ in 0..<12 {
      #expect(rig.fail() == [])
      let wake = rig.state.nextWake!
      waits.append(wake.at - rig.now)
      rig.now = wake.at - 1
      #expect(rig.send(.clockTicked(scope: .corridor, due: wake.at)) == [])
      rig.now = wake.at
      #expect(rig.send(.clockTicked(scope: .corridor, due: wake.at)) == ["corridor delta due"])
    }
    for (index, wait) in waits.enumerated() {
      let full = min(300_000, 1000 << Int64(min(index + 1, 20)))
      #expect(full / 2 <= wait && wait <= full)
    }
  }

  @Test func anAnswerThatIsNoneCountsAsAFailure() {
    for body in ["", "<html>Welcome aboard</html>", "{}", #"{"data":{"lastUpdatedAt":1}}"#] {
      var rig = Rig.flying()
      rig.pass(seconds: 60)
      let digest = rig.state.digest.scopes
      #expect(rig.answer { $0.body = .blob(.init(sha256: "", byteCount: 0), Array(body.utf8)) } == [])
      #expect(rig.state.scope(.corridor)?.retry.failures == 1)
      #expect(rig.state.digest.scopes == digest)
    }
  }

  @Test func serverErrorsTimeoutsAndTooManyRequestsBackOff() {
    for status in [408, 429, 500, 502, 503, 504, 599, 301, 204] {
      var rig = Rig.flying()
      rig.pass(seconds: 60)
      #expect(rig.answer(status: status) == [])
      #expect(rig.state.scope(.corridor)?.retry.failures == 1, "\(status)")
    }
  }

  @Test func retryAfterIsNeverUndercut() {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    rig.answer(status: 503, retryAfter: 120)
    #expect(rig.state.nextWake!.at == rig.now + 120_000)
    rig.send(.connectivityChanged(isOnline: true))
    rig.send(.refreshRequested(full: true))
    #expect(rig.state.nextWake!.at == rig.now + 120_000)
  }

  @Test func reconnectQueryAndDemandShortenTheWaitToTwoSecondsAfterTheLastAttempt() {
    let hastening: [(inout Rig) -> Void] = [
      { $0.send(.connectivityChanged(isOnline: true)) },
      { $0.query { $0.polygon = Rig.otherArea } },
      { $0.send(.refreshRequested(full: false)) },
    ]
    for shortenBackoff in hastening {
      var rig = Rig.flying()
      rig.pass(seconds: 60)
      for _ in 0..<6 {
        rig.fail()
        rig.now = rig.state.nextWake!.at
        rig.send(.clockTicked(scope: .corridor, due: rig.now))
      }
      rig.fail()
      #expect(rig.state.nextWake!.at > rig.now + 20_000)
      shortenBackoff(&rig)
      #expect(rig.state.nextWake?.at == rig.now + 2_000)
    }
  }

  @Test func clientsWithDifferentSeedsRetryAtDifferentTimes() throws {
    /// The waits after a failed fetch, a failed upload and an unverified full fetch.
    func waits(seed: UInt64) throws -> [Int64] {
      var rig = Rig()
      rig.send(.sessionStarted(.init(engine: "test", id: "s", seed: seed)))
      rig.send(.connectivityChanged(isOnline: true))
      rig.query { $0.polygon = Rig.area }
      rig.answer()
      rig.send(.refreshRequested(full: true))
      rig.fail()
      let second = UInt32(rig.now / 1000)
      rig.send(.reportTracked(.init(cell: 1 << 15, altitude: 35, severity: 2, edrE4: 1800, observedAt: second)))
      rig.answerUpload(status: 503)
      let scope = try #require(rig.state.scope(.corridor))
      return [scope.retry.notBefore, rig.state.outbox.retry.notBefore, try #require(scope.lastFull).notBefore]
    }
    let (one, other) = (try waits(seed: 1), try waits(seed: 2))
    #expect(zip(one, other).allSatisfy { $0 != $1 }, "\(one) \(other)")
    #expect(try waits(seed: 1) == one)
  }

  @Test func anyResponseOfTheServerEndsTheFailuresInARow() {
    let responses: [(inout Rig) -> Void] = [
      { $0.answer(status: 410) },
      { $0.answer { $0.follows = 1 } },
    ]
    for respond in responses {
      var rig = Rig.flying()
      rig.pass(seconds: 60)
      rig.fail()
      rig.pass(seconds: 3)
      #expect(rig.state.scope(.corridor)?.retry.failures == 1)
      respond(&rig)
      #expect(rig.state.scope(.corridor)?.retry.failures == 0)
    }
  }

  // MARK: guarded guard

  @Test func aServerThatNeverHasADeltaIsNotAskedForEverythingOverAndOver() {
    var rig = Rig.flying()
    rig.server.retentionSeconds = -1
    rig.pass(seconds: 60)
    // The first full answer was `first`; one more for the new reason is allowed.
    #expect(rig.answer() == ["corridor full deltaUnavailable"])
    #expect(rig.answer() == [])
    var fulls = 0
    var reports = 0
    for _ in 0..<120 {
      let lines = rig.pass(seconds: 30) + rig.answer()
      fulls += lines.count { $0.hasPrefix("corridor full") }
      reports += lines.count { $0 == "corridor report guarded refetchLoop" }
    }
    #expect(reports == 1)
    #expect((5...20).contains(fulls), "\(fulls) full fetches in an hour")
  }

  @Test func oneVerifiedDeltaLiftsTheGuard() {
    var rig = Rig.flying()
    for _ in 0..<3 {
      rig.server.retentionSeconds = 30
      rig.pass(seconds: 60)
      #expect(rig.answer() == ["corridor full deltaUnavailable"])
      rig.answer()
      rig.server.retentionSeconds = 3600
      rig.pass(seconds: 60)
      #expect(rig.answer() == [])
    }
  }

  // MARK: blocked blocked

  @Test func aRefusalOfTheOldKeyDoesNotBlockTheNewOne() {
    var rig = Rig.flying()
    #expect(rig.pass(seconds: 60) == ["corridor delta due"])
    #expect(rig.send(.credentialsChanged) == [])
    #expect(rig.answer(status: 401) == ["corridor delta due"])
    #expect(rig.answer(status: 401) == ["corridor report blocked unauthorized"])
  }

  @Test func aSnapshotRemembersThatARequestHasOldCredentials() throws {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    let control = rig.state.controlJSON
    rig.send(.credentialsChanged)
    #expect(rig.state.controlJSON != control)
    var state = State()
    for part in rig.state.snapshotParts {
      let event = Event.mark(.snapshotPart(part))
      let read = try Event(kind: event.kind.rawValue, payload: event.payload)
      state.evolve(Record(seq: state.nextSeq, at: rig.now, event: read))
    }
    state.evolve(Record(seq: state.nextSeq, at: rig.now, event: .mark(.snapshotEnded)))
    #expect(state.scope(.corridor)?.inFlight?.hasOldCredentials == true)
    #expect(state.digest == rig.state.digest)
  }

  @Test func unauthorizedIsReportedOnceAndBlocksUntilTheCredentialsChange() {
    for status in [401, 403] {
      var rig = Rig.flying()
      rig.pass(seconds: 60)
      #expect(rig.answer(status: status) == ["corridor report blocked unauthorized"])
      #expect(rig.pass(seconds: 3600) == [])
      #expect(rig.query { $0.polygon = Rig.otherArea } == [])
      #expect(rig.send(.credentialsChanged) == ["corridor full areaChanged"])
    }
  }

  @Test func aDemandOrALaunchTriesAgainAfterUnauthorized() {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    rig.answer(status: 401)
    #expect(rig.send(.refreshRequested(full: false)) == ["corridor delta due"])
    rig.answer(status: 401)
    #expect(rig.launch() == ["corridor delta due"])
  }

  @Test func aRefusedRequestIsTriedAgainWhenItChanges() {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    #expect(rig.answer(status: 400) == ["corridor report blocked badRequest"])
    #expect(rig.send(.credentialsChanged) == [])
    #expect(rig.launch() == [])
    #expect(rig.query { $0.polygon = Rig.otherArea } == ["corridor full areaChanged"])
  }
}
