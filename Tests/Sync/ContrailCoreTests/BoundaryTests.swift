import ContrailCore
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

/// What the rules promise where two of them meet, and at the ends of intervals.
@Suite struct BoundaryTests {
  private func pirep(_ id: String, observedAt: Int64, updatedAt: Int64) -> PIREP {
    PIREP(
      id: id, position: FixedCoordinate(latitudeE7: 450_000_000, longitudeE7: -350_000_000), flightLevel: nil,
      severity: nil, isUrgent: false, observedAt: observedAt, updatedAt: updatedAt, text: "UA \(id)")
  }

  // MARK: What an answer claims to be held

  /// A flight that holds three PIREPs, and the answer to its next delta, which brings a fourth.
  private func withPIREPs() -> (rig: Rig, answer: ObservationsAnswer) {
    var rig = Rig()
    let second = rig.now / 1000
    rig.server.pireps = (0..<3).map { pirep("p\($0)", observedAt: second - 600, updatedAt: second - 300) }
    rig.launch()
    rig.query {
      $0.polygon = Rig.area
      $0.types = [.turbulence, .pireps]
    }
    rig.answer()
    rig.pass(seconds: 60)
    var answer = ObservationsAnswer(token: second + 60, follows: second, held: HeldSum(count: 0, checksum: 0))
    answer.pireps = [pirep("p3", observedAt: second, updatedAt: second + 30)]
    var all = PIREPSet()
    (rig.server.pireps + answer.pireps).forEach { all.insert($0) }
    answer.heldPIREPs = HeldSum(count: all.count, checksum: all.checksum)
    return (rig, answer)
  }

  @Test func pirepsThatAreAsTheServerSaysAreTakenIn() {
    var (rig, answer) = withPIREPs()
    #expect(rig.answer { $0.body = .inline(answer.json) } == [])
    #expect(rig.state.scope(.corridor)?.pireps.count == 4)
    answer.heldPIREPs = nil
  }

  @Test func aWrongCountOrChecksumOfPIREPsIsBroken() throws {
    for (count, checksum, reason) in [
      (0, UInt64(1), "checksumDiffers"), (1, 0, "countDiffers"), (-1, 0, "countDiffers"),
    ] {
      var (rig, answer) = withPIREPs()
      answer.heldPIREPs?.count += count
      answer.heldPIREPs?.checksum ^= checksum
      #expect(rig.answer { $0.body = .inline(answer.json) } == ["corridor full \(reason)"])
      #expect(rig.state.scope(.corridor)?.have?.broken?.rawValue == reason)
    }
  }

  /// The right count, of another update.
  @Test func anOutdatedPIREPIsBroken() {
    var (rig, answer) = withPIREPs()
    answer.pireps[0].updatedAt -= 1
    #expect(rig.answer { $0.body = .inline(answer.json) } == ["corridor full checksumDiffers"])
  }

  @Test func aFullAnswerWithAWrongChecksumOfPIREPsIsReported() {
    var (rig, answer) = withPIREPs()
    rig.send(.refreshRequested(full: true))
    answer.follows = nil
    answer.heldPIREPs = HeldSum(count: 1, checksum: answer.pireps[0].digest &+ 1)
    #expect(rig.answer { $0.body = .inline(answer.json) } == ["corridor report checksumDiffers serverInconsistent"])
    #expect(rig.state.scope(.corridor)?.pireps.count == 1)
  }

  // MARK: guarded: the guard

  /// A history that grew, shrank and grew again, with one delta in between.
  private func historyGrownTwice(isVerified: Bool) -> (rig: Rig, lines: [String]) {
    var rig = Rig.flying()
    #expect(rig.send(.historyChanged(.fourHours)) == ["corridor full historyWidened"])
    #expect(rig.answer() == [])
    #expect(rig.send(.historyChanged(.twoHours)) == [])
    #expect(rig.send(.refreshRequested(full: false)) == ["corridor delta requested"])
    let scope = rig.state.scope(.corridor)
    let token = scope?.have?.watermark ?? 0
    if isVerified {
      #expect(rig.answer() == [])
    } else {
      #expect(rig.answer { $0.body = .inline(ObservationsAnswer(token: token, follows: token).json) } == [])
    }
    #expect(rig.state.scope(.corridor)?.have?.spec.history == .twoHours)
    let lines = rig.send(.historyChanged(.fourHours))
    return (rig, lines)
  }

  @Test func aHistoryThatGrowsAgainAfterAVerifiedDeltaIsFetchedAtOnce() {
    #expect(historyGrownTwice(isVerified: true).lines == ["corridor full historyWidened"])
  }

  @Test func aHistoryThatGrowsAgainAfterAnUnverifiedDeltaWaits() throws {
    var (rig, lines) = historyGrownTwice(isVerified: false)
    #expect(lines == ["corridor report guarded refetchLoop"])
    #expect(rig.state.plan(.corridor).rule == .guarded)
    let wake = try #require(rig.state.nextWake)
    #expect(wake.scope == .corridor && wake.at > rig.now)
    rig.now = wake.at - 1
    #expect(rig.send(.clockTicked(scope: .corridor, due: wake.at)) == [])
    rig.now = wake.at
    #expect(rig.send(.clockTicked(scope: .corridor, due: wake.at)) == ["corridor full historyWidened"])
  }

  /// Only a sum proves that the data is the server's.
  @Test func aDeltaWithoutASumDoesNotLiftTheGuard() {
    for isVerified in [false, true] {
      var rig = Rig.flying()
      rig.server.retentionSeconds = -1
      rig.send(.refreshRequested(full: false))
      #expect(rig.answer() == ["corridor full deltaUnavailable"])
      rig.answer()
      rig.server.retentionSeconds = 3600
      rig.send(.refreshRequested(full: false))
      let token = rig.state.scope(.corridor)?.have?.watermark ?? 0
      rig.answer {
        if !isVerified { $0.body = .inline(ObservationsAnswer(token: token, follows: token).json) }
      }
      #expect(rig.state.scope(.corridor)?.lastFull?.isVerified == isVerified)
      rig.server.retentionSeconds = -1
      rig.send(.refreshRequested(full: false))
      #expect(
        rig.answer() == [isVerified ? "corridor full deltaUnavailable" : "corridor report guarded refetchLoop"])
    }
  }

  // MARK: blocked: refusals of an old key

  @Test(arguments: [401, 403]) func aRefusalOfTheOldKeySaysNothingOfTheNewOne(status: Int) {
    var rig = Rig.flying()
    #expect(rig.pass(seconds: 60) == ["corridor delta due"])
    #expect(rig.send(.credentialsChanged) == [])
    #expect(rig.answer(status: status) == ["corridor delta due"])
    #expect(rig.state.scope(.corridor)?.block == nil)
    #expect(rig.answer(status: status) == ["corridor report blocked unauthorized"])
    #expect(rig.state.scope(.corridor)?.block == .unauthorized)
  }

  // MARK: typesWidened, narrowed: severities without turbulence

  /// Severities are those of turbulence: without it, there is nothing to widen.
  @Test func narrowSeveritiesNeedNothingWhenTurbulenceIsDropped() {
    var rig = Rig.flying {
      $0.types = [.turbulence, .pireps]
      $0.severities = SeveritySet([.moderate])
      $0.altitudes = .init(lower: 20_000, upper: 30_000)
    }
    #expect(rig.query { $0.types = .pireps } == [])
    #expect(rig.state.plan(.corridor).rule == .narrowed)
    // What is held stays until a delta narrows it, and is shown again if turbulence is wanted again.
    #expect(rig.query { $0.types = [.turbulence, .pireps] } == [])
    #expect(rig.query { $0.types = .pireps } == [])
    #expect(rig.pass(seconds: 60) == ["corridor delta due"])
    #expect(rig.answer() == [])
    #expect(rig.state.scope(.corridor)?.reports.count == 0)
    #expect(rig.pass(seconds: 60) == ["corridor delta due"])
    #expect(rig.answer() == [])
    #expect(rig.query { $0.types = [.turbulence, .pireps] } == ["corridor full typesWidened"])
  }

  // MARK: Demands

  @Test func aFullDemandOverADeltaUnderWayOutlivesALaunch() {
    var rig = Rig.flying()
    #expect(rig.pass(seconds: 60) == ["corridor delta due"])
    rig.send(.connectivityChanged(isOnline: false))
    #expect(rig.send(.refreshRequested(full: true)) == ["corridor cancel superseded"])
    #expect(rig.launch() == ["corridor full refresh"])
    #expect(rig.answer() == [])
    #expect(rig.state.scope(.corridor)?.pendingRefresh == Scope.PendingRefresh.none)
  }

  /// The process ends after the demand is written and before the decision to cancel the delta is.
  @Test func aFullDemandWithTheDeltaStillUnderWayAtALaunchStaysFull() {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    var state = rig.state
    func fold(_ input: Input) { state.evolve(input, seq: state.nextSeq, at: rig.now) }
    fold(.refreshRequested(full: true))
    #expect(state.scope(.corridor)?.inFlight?.mode == .delta)
    fold(.sessionStarted(.init(engine: "test", id: "again", seed: 7)))
    #expect(state.scope(.corridor)?.inFlight == nil)
    #expect(state.scope(.corridor)?.pendingRefresh == .full)
    fold(.connectivityChanged(isOnline: true))
    #expect(state.decide().map(Rig.line) == ["corridor full refresh"])
  }

  @Test func aDeltaUnderWayAtALaunchIsAskedForAgain() {
    var rig = Rig.flying()
    rig.send(.frequencyChanged(.none))
    #expect(rig.send(.refreshRequested(full: false)) == ["corridor delta requested"])
    #expect(rig.launch() == ["corridor delta requested"])
  }

  /// The demand was for what was wanted then.
  @Test func aDemandEndsWithTheAreaItWasFor() {
    for isFull in [false, true] {
      var rig = Rig.flying()
      rig.send(.frequencyChanged(.none))
      rig.send(.connectivityChanged(isOnline: false))
      #expect(rig.send(.refreshRequested(full: isFull)) == [])
      #expect(rig.query { $0.polygon = nil } == [])
      #expect(rig.state.scope(.corridor)?.pendingRefresh == Scope.PendingRefresh.none)
      #expect(rig.query { $0.polygon = Rig.area } == [])
      #expect(rig.send(.connectivityChanged(isOnline: true)) == [])
      #expect(rig.state.plan(.corridor).rule == .fresh)
    }
  }

  // MARK: The end of the history

  /// Observed exactly two hours before the token: expired; a second later: held. In full answers and in deltas.
  @Test func recordsAtTheEndOfTheHistoryAreGoneAndASecondLaterHeld() {
    var rig = Rig()
    let second = rig.now / 1000
    func report(_ observedAt: Int64) -> TurbulenceReport {
      TurbulenceReport(cell: 9, altitude: 1, severity: 1, edrE4: 1, observedAt: UInt32(observedAt))
    }
    func held() -> (reports: [Int64], pireps: [Int64]) {
      let scope = rig.state.scope(.corridor)
      return (scope?.reports.sorted.map { Int64($0.observedAt) } ?? [], scope?.pireps.sorted.map(\.observedAt) ?? [])
    }
    func answer(token: Int64, follows: Int64?, _ observed: [Int64]) -> [UInt8] {
      var answer = ObservationsAnswer(token: token, follows: follows)
      answer.reports = observed.map(report)
      answer.pireps = observed.map { pirep("p\($0)", observedAt: $0, updatedAt: token) }
      return answer.json
    }
    rig.launch()
    rig.query {
      $0.polygon = Rig.area
      $0.types = [.turbulence, .pireps]
    }
    let end = second - 7200
    rig.answer { $0.body = .inline(answer(token: second, follows: nil, [end - 1, end, end + 1, end + 60, end + 61])) }
    #expect(held().reports == [end + 1, end + 60, end + 61])
    #expect(held().pireps == [end + 1, end + 60, end + 61])
    rig.pass(seconds: 60)
    rig.answer {
      $0.body = .inline(answer(token: second + 60, follows: second, [end + 59, end + 60, end + 61, end + 62]))
    }
    #expect(held().reports == [end + 61, end + 62])
    #expect(held().pireps == [end + 61, end + 62])
    // A narrower history ends where it does, for what is held as for what comes.
    rig.send(.historyChanged(.hour))
    rig.pass(seconds: 60)
    let late = second + 120 - 3600
    rig.answer { $0.body = .inline(answer(token: second + 120, follows: second + 60, [late, late + 1])) }
    #expect(held().reports == [late + 1])
    #expect(held().pireps == [late + 1])
  }
}
