import ContrailCore
import ContrailEngine
import ContrailLog
import ContrailTestSupport
import ContrailWire
import Testing

/// What becomes of what the log refuses.
@Suite struct RefusalTests {
  private static let checked = AirportsEntry.input(
    .airportsChecked(.init(wanted: AirportEdition(cycle: "2501", effectiveMS: Rig.start))))

  @Test func aLineThatNoLogCanHoldIsGivenUp() {
    let rig = ManualRig.launched()
    let airports = rig.add { .airports([Self.checked], $0) }
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    rig.refuse(ManualRig.unwritable)
    #expect(rig.completed == [airports: [.disk]] && rig.updates.map(\.isFailure) == [true])
    // What came after it is written without a wait.
    #expect(rig.inputs == [.historyChanged(.sixHours)])
    rig.write()
    #expect(rig.isIdle && rig.updates.contains(.recovered(nil)))
    // Each refusal is told once, and its end once.
    rig.forget()
    rig.turn { $0.set(DataHistoryTime.hour) }
    rig.write()
    #expect(rig.updates.isEmpty)
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    rig.refuse()
    #expect(rig.updates.map(\.isFailure) == [true])
  }

  @Test func aReportThatNoLogCanHoldIsToldToWhoeverReports() {
    let rig = ManualRig.launched()
    let first = rig.add { .report(ManualRig.report, $0) }
    rig.refuse()
    #expect(rig.completed == [first: [.disk]] && rig.isIdle)
  }

  /// The simulator found this: the report was written, and requests were sent, before the session.
  @Test func aReportAfterARefusedLaunchComesAfterTheSession() {
    let rig = ManualRig()
    rig.feed(.launched)
    rig.open()
    #expect(rig.inputs.first?.kind == .sessionStarted)
    rig.refuse()
    let first = rig.add { .report(ManualRig.report, $0) }
    #expect(rig.inputs.first?.kind == .sessionStarted)
    rig.refuse()
    #expect(rig.completed == [first: [.disk]] && rig.command == nil)
    let second = rig.add { .report(ManualRig.report, $0) }
    #expect(rig.inputs.first?.kind == .sessionStarted)
    rig.writeOne()
    #expect(rig.inputs.map(\.kind) == [.reportTracked])
    rig.write()
    #expect(rig.completed[second] == [nil] && rig.isIdle)
  }

  @Test func anAnswerThatNoLogCanHoldIsAFailureInItsPlace() throws {
    let rig = ManualRig.launched()
    rig.turn { $0.set(DriverRig.query()) }
    rig.write()
    let request = try #require(rig.sent.last)
    rig.answer(200, Array("{}".utf8), to: request)
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    rig.refuse(ManualRig.unwritable)
    #expect(rig.inputs == [.responseFailed(request: request.number, failure: .tooLarge)])
    rig.writeOne()
    #expect(rig.inputs == [.historyChanged(.sixHours)])
    #expect(rig.app.shown.status(of: .corridor).lastError?.code == .tooLarge)
  }

  @Test func whatAFullSegmentRefusesGoesToTheNextOne() {
    let rig = ManualRig.launched()
    // The launch is synced.
    rig.fire()
    rig.write()
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    rig.forget()
    rig.refuse(ManualRig.unwritable, needsRoll: true)
    // It waits, for the new segment may be refused, too.
    #expect(rig.command == nil && rig.timer == rig.now + 1000)
    rig.fire()
    #expect(rig.names.last { $0 != "timer" && $0 != "publish" } == "roll")
    rig.refuse(ManualRig.unwritable, needsRoll: true)
    #expect(rig.command == nil && rig.timer == rig.now + 2000)
    rig.fire()
    rig.writeOne()
    #expect(rig.inputs == [.historyChanged(.sixHours)])
    rig.write()
    #expect(rig.state.history == .sixHours && rig.updates.count { $0.isFailure } == 1)
  }

  @Test func aSegmentBeginsWithASnapshotAndEndsItWithAMark() throws {
    let rig = ManualRig()
    rig.feed(.launched)
    rig.open(needsRoll: true)
    guard case .roll(let events, let at) = try #require(rig.command) else {
      Issue.record("no segment begins")
      return
    }
    #expect(events.count > 1 && events.last == .mark(.snapshotEnded) && at == rig.now)
    // However large its snapshot is, a segment takes one entry.
    rig.writeOne(needsRoll: true)
    #expect(rig.inputs.first == .sessionStarted(ManualRig.session))
    rig.writeOne(needsRoll: true)
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    #expect(rig.names.last { $0 != "timer" && $0 != "publish" } == "roll")
  }

  @Test func turnsAreNotMergedPastWhatCameBetween() {
    let rig = ManualRig.launched()
    rig.turn { $0.set(DataHistoryTime.hour) }
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    let airports = rig.add { .airports([Self.checked], $0) }
    rig.turn { $0.set(DataHistoryTime.halfHour) }
    rig.turn { $0.set(DataHistoryTime.fourHours) }
    var written: [[Input]] = []
    while rig.command != nil {
      if !rig.inputs.isEmpty { written.append(rig.inputs) }
      rig.writeOne()
    }
    #expect(
      written.map { $0.map(\.kind) } == [[.historyChanged], [.historyChanged], [.airportsChecked], [.historyChanged]])
    #expect(written[1] == [.historyChanged(.sixHours)] && written[3] == [.historyChanged(.fourHours)])
    #expect(rig.completed == [airports: [nil]])
  }

  @Test func aReportOvertakesWhatTheLogRefusesForNow() {
    let rig = ManualRig.launched()
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    rig.refuse()
    #expect(rig.timer == rig.now + 1000)
    rig.turn { $0.set(DataUpdateFrequency.none) }
    #expect(rig.command == nil)
    let reporting = rig.add { .report(ManualRig.report, $0) }
    #expect(rig.inputs.map(\.kind) == [.reportTracked])
    rig.write()
    #expect(rig.completed == [reporting: [nil]])
    // What the log takes ends the wait.
    #expect(rig.state.history == .sixHours && rig.state.frequency == .none)
  }

  @Test func aDriverIsIdleWhenNothingWaitsAndNothingIsWritten() {
    let rig = ManualRig.launched()
    #expect(rig.isIdle)
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    #expect(!rig.isIdle)
    rig.refuse()
    #expect(rig.command == nil && !rig.isIdle)
  }

  // MARK: Syncs

  @Test func whatWasWrittenIsSyncedASecondLater() {
    let rig = ManualRig.launched()
    #expect(rig.timer == rig.now + 1000)
    rig.now += 400
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    rig.write()
    // Counted from the first line that was not synced.
    #expect(rig.timer == Rig.start + 1000)
    rig.forget()
    rig.now = Rig.start + 999
    rig.feed(.timerFired)
    #expect(rig.command == nil && rig.timer == Rig.start + 1000)
    rig.now += 1
    rig.feed(.timerFired)
    #expect(rig.names.contains("sync") && rig.timer == nil)
    rig.write()
    #expect(rig.timer == nil && rig.isIdle)
    rig.turn { $0.set(DataHistoryTime.hour) }
    rig.write()
    #expect(rig.timer == rig.now + 1000)
  }

  @Test func aSyncThatIsRefusedIsToldAndTriedAgain() {
    let rig = ManualRig.launched()
    let reporting = rig.add { .report(ManualRig.report, $0) }
    rig.writeOne()
    #expect(rig.names.last { $0 != "timer" } == "sync" && rig.completed.isEmpty)
    rig.refuse(ManualRig.unwritable)
    #expect(rig.completed == [reporting: [.disk]])
    #expect(rig.updates.count { $0.isFailure } == 1 && rig.timer == rig.now + 1000)
    rig.fire()
    rig.refuse(ManualRig.unwritable)
    #expect(rig.updates.count { $0.isFailure } == 1)
    // A log that can't be synced any more begins a new segment, whose snapshot is synced.
    rig.fire()
    rig.refuse(ManualRig.unwritable, needsRoll: true)
    rig.forget()
    rig.fire()
    #expect(rig.names.contains("roll") && !rig.names.contains("sync"))
    rig.write()
    #expect(rig.timer == nil && rig.completed == [reporting: [.disk]])
  }

  @Test func aReportIsDoneWithOnceANewSegmentIsWritten() {
    let rig = ManualRig.launched()
    let reporting = rig.add { .report(ManualRig.report, $0) }
    rig.writeOne(needsRoll: true)
    #expect(rig.names.last { $0 != "timer" } == "roll" && rig.completed.isEmpty)
    rig.write()
    #expect(rig.completed == [reporting: [nil]])
  }

  // MARK: Ticks

  /// A rig whose corridor is current and due in a minute; everything is synced.
  private static func current() throws -> ManualRig {
    let rig = ManualRig.launched()
    rig.turn { $0.set(DriverRig.query()) }
    rig.write()
    rig.answer(200, ObservationsAnswer(token: rig.now / 1000).json, to: try #require(rig.sent.last))
    rig.write()
    rig.fire()
    rig.write()
    rig.forget()
    return rig
  }

  @Test func whileATickIsWrittenNothingFiresForIt() throws {
    let rig = try Self.current()
    rig.fire()
    #expect(rig.inputs.map(\.kind) == [.clockTicked] && rig.timer == nil)
    rig.write()
    #expect(rig.sent.count == 1)
  }

  @Test func aTickWaitsBehindWhatIsWritten() throws {
    let rig = try Self.current()
    let due = try #require(rig.timer)
    rig.turn { $0.set(CredentialsChange(apiKey: .some("second-key"))) }
    rig.turn { $0.set(DataHistoryTime.hour) }
    #expect(rig.timer == due)
    rig.fire()
    #expect(rig.timer == nil && rig.inputs == [.credentialsChanged])
    rig.writeOne()
    #expect(rig.inputs == [.historyChanged(.hour)])
    rig.writeOne()
    // What was due went out with the first line; the tick has nothing left to ask for.
    #expect(rig.command == nil && rig.sent.count == 1)
  }

  // MARK: Rest

  @Test func theBackgroundDoesNotWaitForALogThatRefuses() {
    let rig = ManualRig.launched()
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    let background = rig.add { .background($0) }
    #expect(rig.completed.isEmpty)
    rig.refuse()
    // The digest is tried once.
    #expect(rig.names.last { $0 != "timer" && $0 != "publish" } == "append" && rig.completed.isEmpty)
    rig.refuse()
    #expect(rig.completed == [background: [nil]])
  }

  @Test func theBackgroundWaitsForTheSync() {
    let rig = ManualRig.launched()
    let background = rig.add { .background($0) }
    #expect(rig.inputs == [.backgroundChanged(isInBackground: true)])
    rig.writeOne()
    // The digest.
    rig.writeOne()
    #expect(rig.names.last { $0 != "timer" } == "sync" && rig.completed.isEmpty)
    rig.writeOne()
    #expect(rig.completed == [background: [nil]])
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    rig.write()
    #expect(rig.completed == [background: [nil]])
  }
}
