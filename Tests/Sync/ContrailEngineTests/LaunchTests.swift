import ContrailCore
import ContrailEngine
import ContrailTestSupport
import ContrailWire
import Testing

/// Opening and closing, where they take time or fail.
@Suite struct LaunchTests {
  private static let unreadable = EngineError(code: .unknownLine, message: "a line of another version")

  // MARK: Opening

  @Test func whoeverWaitsForTheLogIsToldOnceTheLaunchIsWritten() {
    let rig = ManualRig()
    rig.feed(.launched)
    #expect(rig.names == ["open"])
    let early = rig.add { .awaitOpening($0) }
    rig.open()
    let amid = rig.add { .awaitOpening($0) }
    #expect(rig.completed.isEmpty && !rig.app.shown.isOpen)
    rig.write()
    #expect(rig.completed == [early: [nil], amid: [nil]] && rig.app.shown.isOpen)
    let late = rig.add { .awaitOpening($0) }
    #expect(rig.completed[late] == [nil])
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    rig.add(.stop(nil))
    rig.write()
    #expect(rig.completed.values.allSatisfy { $0 == [nil] })
  }

  @Test func whoeverWaitsForTheLogThenSeesWhatWasSetBefore() {
    let rig = ManualRig.launched()
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    let ticket = rig.add { .awaitOpening($0) }
    // It isn't merged with the change before.
    rig.turn { $0.set(DataHistoryTime.hour) }
    #expect(rig.completed.isEmpty && rig.inputs == [.historyChanged(.sixHours)])
    rig.writeOne()
    #expect(rig.completed == [ticket: [nil]] && rig.app.shown.state.history == .sixHours)
    rig.write()
    #expect(rig.completed == [ticket: [nil]] && rig.app.shown.state.history == .hour)
  }

  @Test func whoeverWaitsForTheLogDoesNotWaitForTheRetryOfAWrite() {
    let rig = ManualRig.launched()
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    let amid = rig.add { .awaitOpening($0) }
    rig.refuse()
    #expect(rig.completed == [amid: [nil]])
    let late = rig.add { .awaitOpening($0) }
    #expect(rig.completed[late] == [nil] && rig.state.history != .sixHours)
    // Nothing of the change is lost.
    rig.fire()
    rig.write()
    #expect(rig.state.history == .sixHours)
  }

  @Test func whoeverWaitsForTheLogBeginsNoSegment() {
    let rig = ManualRig.launched()
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    rig.writeOne(needsRoll: true)
    rig.write()
    rig.forget()
    let ticket = rig.add { .awaitOpening($0) }
    #expect(rig.completed == [ticket: [nil]] && !rig.names.contains("roll"))
  }

  @Test func aLogThatOpensAfterAllTakesReports() {
    let rig = ManualRig()
    rig.feed(.launched)
    rig.feed(.openingFailed(ManualRig.full))
    rig.fire()
    rig.open()
    rig.write()
    let reporting = rig.add { .report(ManualRig.report, $0) }
    rig.write()
    #expect(rig.completed == [reporting: [nil]] && rig.state.outbox.trackedCount == 1)
  }

  @Test func aLogThatCannotBeReadIsToldToEverybodyAndNotTriedAgain() {
    let rig = ManualRig()
    rig.feed(.launched)
    let (opening, reporting) = (rig.add { .awaitOpening($0) }, rig.add { .report(ManualRig.report, $0) })
    let background = rig.add { .background($0) }
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    rig.feed(.openingFailed(Self.unreadable))
    let code = ClientError.Code(rawValue: "unknownLine")
    #expect(rig.completed == [opening: [code], reporting: [code], background: [nil]])
    #expect(rig.updates.map(\.isFailure) == [true] && rig.timer == nil)
    let (later, laterReport) = (rig.add { .awaitOpening($0) }, rig.add { .report(ManualRig.report, $0) })
    #expect(rig.completed[later] == [code] && rig.completed[laterReport] == [code])
    rig.feed(.timerFired)
    #expect(rig.names.count { $0 == "open" } == 1)
    // A result that comes late changes nothing.
    rig.open()
    rig.feed(.openingFailed(ManualRig.full))
    #expect(!rig.names.contains("append") && !rig.names.contains("close") && rig.timer == nil)
    let stop = rig.add { .stop($0) }
    rig.feed(.closed)
    // Nobody is told twice.
    #expect(rig.completed[stop] == [nil] && rig.completed.values.allSatisfy { $0.count == 1 })
  }

  @Test func eachOpeningThatFailsWaitsLongerAndOnlyAnotherReasonIsTold() {
    let rig = ManualRig()
    rig.feed(.launched)
    var waits: [Int64] = []
    for _ in 0..<8 {
      rig.feed(.openingFailed(ManualRig.full))
      waits.append((rig.timer ?? 0) - rig.now)
      rig.fire()
    }
    #expect(waits == [1000, 2000, 4000, 8000, 16_000, 32_000, 32_000, 32_000])
    #expect(rig.names.count { $0 == "open" } == 9)
    #expect(rig.updates.map(\.isFailure) == [true])
    rig.feed(.openingFailed(Self.unreadable))
    #expect(rig.updates.map(\.isFailure) == [true, true])
  }

  @Test func aTimerThatFiresTooEarlyOpensNothing() {
    let rig = ManualRig()
    rig.feed(.launched)
    rig.feed(.openingFailed(ManualRig.full))
    rig.now += 999
    rig.feed(.timerFired)
    #expect(rig.names.count { $0 == "open" } == 1 && rig.timer == Rig.start + 1000)
    rig.now += 1
    rig.feed(.timerFired)
    #expect(rig.names.count { $0 == "open" } == 2)
  }

  @Test func aSecondLaunchOpensNothing() {
    let rig = ManualRig()
    rig.feed(.launched)
    rig.feed(.launched)
    #expect(rig.names == ["open"])
    rig.open()
    rig.write()
    rig.open()
    rig.feed(.openingFailed(ManualRig.full))
    #expect(!rig.names.contains("close") && rig.isIdle && rig.app.shown.isOpen)
    #expect(rig.updates == [.opened])
  }

  @Test func whatIsSetBeforeTheLaunchIsWrittenWithIt() {
    let rig = ManualRig()
    rig.turn { app in
      app.setOnline(false)
      app.set(CredentialsChange(apiKey: .some("second-key")))
    }
    rig.add(.airports([.input(.airportsChecked(.init(wanted: AirportEdition(cycle: "2501", effectiveMS: 0))))], nil))
    rig.turn { app in
      app.set(DataHistoryTime.sixHours)
      app.refresh(full: true)
    }
    rig.feed(.launched)
    rig.open()
    // A link that was taken away stays away, whatever was set after it.
    #expect(rig.inputs.map(\.kind) == [.sessionStarted, .historyChanged, .credentialsChanged, .refreshRequested])
    rig.writeOne()
    #expect(rig.inputs.map(\.kind) == [.airportsChecked])
    rig.write()
    rig.turn { app in
      app.setOnline(true)
      app.set(DriverRig.query())
    }
    rig.write()
    let keys = rig.actions.compactMap { if case .send(_, let credentials) = $0 { credentials.apiKey } else { nil } }
    #expect(keys == ["second-key"])
  }

  @Test func aLinkThatCameBackBeforeTheLaunchIsThere() {
    let rig = ManualRig()
    rig.turn { $0.setOnline(false) }
    rig.turn { $0.setOnline(true) }
    rig.feed(.launched)
    rig.open()
    #expect(rig.inputs == [.sessionStarted(ManualRig.session), .connectivityChanged(isOnline: true)])
  }

  @Test func aDriverHasNoDatabaseUnlessItIsSaidTo() {
    let configuration = Driver.Configuration(session: ManualRig.session)
    #expect(!configuration.hasProjection && configuration.syncDelayMS == 1000)
  }

  // MARK: Stopping

  /// Settings and reports that were accepted before a stop are written, although the log wasn't open yet.
  @Test(arguments: ["unlaunched", "previewing", "opening"])
  func whatWasSetBeforeAStopIsWrittenOnceTheLogIsOpen(phase: String) {
    let rig = ManualRig(hasProjection: phase == "previewing", awaitsApplication: true)
    if phase != "unlaunched" { rig.feed(.launched) }
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    let (opening, reporting) = (rig.add { .awaitOpening($0) }, rig.add { .report(ManualRig.report, $0) })
    let stop = rig.add { .stop($0) }
    #expect(rig.completed == [opening: [.stopped]] && rig.isClosing && !rig.names.contains("close"))
    let late = rig.add { .report(ManualRig.report, $0) }
    #expect(rig.completed[late] == [.stopped])
    if phase == "unlaunched" { rig.feed(.launched) }
    rig.open()
    rig.write()
    if phase == "previewing" { rig.feed(.projected(.done(nil))) }
    #expect(rig.state.history == .sixHours && rig.state.outbox.reports.count == 1 && rig.sent.isEmpty)
    #expect(rig.completed[reporting] == [nil] && rig.names.last == "close")
    rig.feed(.closed)
    #expect(rig.completed[stop] == [nil] && rig.isClosed)
  }

  @Test func aStopBeforeALogThatCannotBeOpenedTellsTheReasonAndDoesNotTryAgain() {
    let rig = ManualRig()
    rig.feed(.launched)
    let reporting = rig.add { .report(ManualRig.report, $0) }
    let stop = rig.add { .stop($0) }
    rig.feed(.openingFailed(ManualRig.full))
    #expect(rig.completed == [reporting: [.disk]] && rig.names.last == "close" && rig.timer == nil && rig.isIdle)
    rig.feed(.closed)
    #expect(rig.completed[stop] == [nil])
  }

  @Test func aStopBetweenTwoOpeningsTriesOnceMoreIfSomethingWasSet() {
    for isSet in [true, false] {
      let rig = ManualRig()
      rig.feed(.launched)
      rig.feed(.openingFailed(ManualRig.full))
      if isSet { rig.turn { $0.set(DataHistoryTime.sixHours) } }
      rig.add(.stop(nil))
      #expect(rig.names.count { $0 == "open" } == (isSet ? 2 : 1))
      guard isSet else { continue }
      rig.open()
      rig.write()
      #expect(rig.state.history == .sixHours && rig.names.last == "close")
    }
  }

  @Test func aStopWhileTheLogIsBeingOpenedLetsGoOfItWhenItIs() {
    let rig = ManualRig()
    rig.feed(.launched)
    let opening = rig.add { .awaitOpening($0) }
    let stop = rig.add { .stop($0) }
    #expect(rig.completed == [opening: [.stopped]])
    #expect(rig.names.count { $0 == "close" } == 1 && rig.isIdle)
    rig.open()
    #expect(rig.names.count { $0 == "close" } == 2)
    rig.feed(.closed)
    #expect(rig.completed[stop] == [nil] && rig.isClosed)
    rig.open()
    #expect(rig.names.count { $0 == "close" } == 3 && !rig.names.contains("append"))
  }

  @Test func aStopBeforeTheLaunchIsWrittenAnswersWhoeverWaitsOnce() {
    let rig = ManualRig()
    rig.feed(.launched)
    rig.open()
    let opening = rig.add { .awaitOpening($0) }
    rig.add(.stop(nil))
    #expect(rig.completed == [opening: [.stopped]])
    rig.write()
    #expect(rig.completed == [opening: [.stopped]] && rig.names.last == "close")
  }

  @Test func whatComesAfterAStopIsAnsweredAtOnce() {
    let rig = ManualRig.launched()
    let stop = rig.add { .stop($0) }
    #expect(rig.isClosing && !rig.isClosed)
    let (opening, reporting) = (rig.add { .awaitOpening($0) }, rig.add { .report(ManualRig.report, $0) })
    let airports = rig.add { .airports([], $0) }
    let background = rig.add { .background($0) }
    let again = rig.add { .stop($0) }
    #expect(
      rig.completed == [opening: [.stopped], reporting: [.stopped], airports: [.stopped], background: [nil]])
    rig.write()
    #expect(rig.names.last == "close" && rig.completed[stop] == nil && rig.completed[again] == nil)
    rig.feed(.closed)
    #expect(rig.completed[stop] == [nil] && rig.completed[again] == [nil])
    let last = rig.add { .stop($0) }
    #expect(rig.completed[last] == [nil])
    // Nobody is told twice.
    rig.feed(.closed)
    #expect(rig.completed.values.allSatisfy { $0.count == 1 })
  }

  @Test func aStopGivesUpRequestsInTheirOrderAndOnlyThoseUnderWay() throws {
    let rig = ManualRig.launched()
    rig.turn { app in
      var query = DriverRig.query()
      query.weather.places = [Rig.place, Rig.otherPlace]
      app.set(query)
    }
    rig.write()
    let numbers = rig.sent.map(\.number)
    #expect(numbers.count == 3)
    // One is given up, and its failure comes; it is done with.
    rig.turn { $0.set(DriverRig.query()) }
    rig.write()
    let cancelled = rig.names.filter { $0.hasPrefix("cancel") }
    #expect(cancelled.count == 2)
    for number in numbers.dropFirst() where cancelled.contains("cancel \(number)") {
      rig.feed(.responded(number, .failed(.network, message: "cancelled")))
    }
    #expect(rig.isIdle)
    rig.turn { $0.set(DriverRig.query(Rig.otherArea)) }
    rig.write()
    rig.forget()
    rig.add(.stop(nil))
    let left = rig.names.filter { $0.hasPrefix("cancel") }
    #expect(left.count == 2 && left == left.sorted())
  }

  @Test func aDriverThatClosesSendsNothingMore() {
    let rig = ManualRig.launched()
    rig.turn { app in
      app.set(DriverRig.query())
      app.add(.stop(nil))
    }
    rig.write()
    #expect(rig.sent.isEmpty && rig.names.last == "close")
  }

  @Test func aStopCompletesWhatTheLogRefusesThen() {
    let rig = ManualRig.launched()
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    let reporting = rig.add { .report(ManualRig.report, $0) }
    let stop = rig.add { .stop($0) }
    rig.refuse()
    #expect(rig.completed == [reporting: [.disk]])
    #expect(rig.names.last == "close" && rig.isIdle)
    rig.feed(.closed)
    #expect(rig.completed[stop] == [nil])
  }

  @Test func aStopWaitsForTheDatabase() {
    let rig = ManualRig.launched(hasProjection: true)
    rig.feed(.projected(.done(nil)))
    rig.turn { $0.set(DriverRig.query()) }
    rig.write()
    rig.feed(.projected(.done(nil)))
    rig.forget()
    rig.turn { app in
      app.set(DriverRig.query(Rig.otherArea))
      app.add(.stop(nil))
    }
    rig.write()
    #expect(rig.names.contains("apply") && !rig.names.contains("close"))
    rig.feed(.projected(.done(nil)))
    #expect(rig.names.last == "close")
  }
}

extension ClientUpdate {
  var isFailure: Bool { if case .failed = self { true } else { false } }
}
