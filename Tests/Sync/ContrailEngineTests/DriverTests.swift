import ContrailCore
import ContrailEngine
import ContrailLog
import ContrailTestSupport
import ContrailWire
import Testing

/// The driver: order, refused writes, opening, release.
@Suite struct DriverTests {
  // MARK: Writing

  @Test func aSnapshotLargerThanASegmentDoesNotBeginASegmentWithEachLine() throws {
    let disk = MemoryDisk()
    var rig = DriverRig(disk: disk, segmentBytes: 5000)
    rig.feed(.launched)
    rig.turn { $0.set(DriverRig.query()) }
    rig.answer((0..<200).map { rig.report(age: $0) })
    for _ in 0..<100 {
      rig.now += 60_000
      rig.feed(.timerFired)
      rig.answer()
    }
    let segments = try disk.names(in: DriverRig.path).filter { $0.hasPrefix("0") }
    // The hashes in the marks made 13 of 12.
    #expect((2...13).contains(segments.count), "\(segments.count) segments")
  }

  @Test func aRefusedWriteChangesNothingAndIsTriedAgain() throws {
    let disk = MemoryDisk()
    var rig = DriverRig(disk: disk)
    rig.feed(.launched)
    let before = rig.state
    disk.refuses = { $0 == "write" }
    rig.turn { $0.set(DriverRig.query()) }
    #expect(rig.state == before && rig.sent.isEmpty)
    #expect(rig.updates.count { if case .failed(let error) = $0 { error.code == .disk } else { false } } == 1)

    // Each attempt waits twice as long, half a minute at most; nothing is told again.
    var waits: [Int64] = []
    for _ in 0..<8 {
      let start = rig.now
      rig.fire()
      if rig.now > start { waits.append(rig.now - start) }
    }
    #expect(waits.max() ?? 0 <= 32_000 && waits.filter { $0 >= 16_000 }.count >= 2)
    #expect(rig.updates.count { if case .failed = $0 { true } else { false } } == 1)

    disk.refuses = { _ in false }
    while rig.sent.isEmpty, rig.fire() {}
    #expect(rig.sent.map(\.scope) == [.corridor])
    #expect(rig.updates.contains(.recovered(nil)))
    #expect(rig.state.query == DriverRig.query().resolved())
  }

  @Test func whatCameLaterWaitsBehindARefusedWrite() throws {
    let disk = MemoryDisk()
    var rig = DriverRig.flying(disk: disk)
    disk.refuses = { $0 == "write" }
    rig.answer([rig.report()])
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    #expect(rig.state.scope(.corridor)?.have == nil && rig.state.history == .twoHours)
    disk.refuses = { _ in false }
    while rig.state.history == .twoHours, rig.fire() {}
    let kinds = try rig.inputs().map(\.kind)
    #expect(kinds.suffix(2) == [.responseReceived, .historyChanged])
    #expect(rig.state.scope(.corridor)?.reports.count == 1)
  }

  @Test func severalChangesInOneTurnCostOneRequest() {
    var rig = DriverRig.flying()
    rig.answer([])
    let count = rig.sent.count
    rig.turn { app in
      app.set(DataHistoryTime.sixHours)
      app.set(DriverRig.query(Rig.otherArea, types: [.turbulence, .pireps]))
      app.refresh(full: true)
    }
    #expect(rig.sent.count == count + 1)
  }

  @Test func aNewSegmentGoesOnWhereTheOldOneEnded() throws {
    let disk = MemoryDisk()
    var rig = DriverRig(disk: disk, segmentBytes: 20_000)
    rig.feed(.launched)
    rig.turn { $0.set(DriverRig.query()) }
    for round in 0..<40 {
      rig.answer((0..<40).map { rig.report(age: Int64($0), severity: UInt8(round % 5)) })
      while rig.state.scope(.corridor)?.inFlight == nil, rig.fire() {}
    }
    let expected = rig.state
    #expect(expected.scope(.corridor)?.reports.count ?? 0 > 100)
    rig.turn { $0.add(.stop(nil)) }
    let (_, state, _) = try DirectoryLog.open(path: DriverRig.path, at: rig.now, storage: disk)
    #expect(state.scopes == expected.scopes && state.digest == expected.digest)
    #expect(disk.names.keys.count { $0.hasSuffix(".jsonl") || $0.hasSuffix(".xz") } > 1)
  }

  /// Simulated flight 38.
  @Test func theLogsTimeGoesOnWhereTheDevicesClockWasSetBackBeforeALaunch() throws {
    let disk = MemoryDisk()
    var first = DriverRig.flying(disk: disk)
    first.now += 1000
    first.turn { $0.add(.stop(nil)) }
    var rig = DriverRig(disk: disk)
    rig.now = Rig.start - 7_200_000
    rig.feed(.launched)
    #expect(rig.state.now == Rig.start + 1000)
    let launched = rig.now
    rig.now += 5000
    rig.fail(.network)
    #expect(rig.state.now == Rig.start + 6000)
    // The wait is by the device's clock; the log has it by its own.
    while rig.sent.count < 2, rig.fire() {}
    #expect((launched + 5500...launched + 8000).contains(rig.now))
    #expect(rig.state.now == Rig.start + 1000 + rig.now - launched)
  }

  @Test func aClockThatWasSetIsInTheLogOnce() throws {
    var rig = DriverRig.flying()
    rig.wallLeadMS = 3_600_000
    rig.turn { $0.add(.clockChanged) }
    rig.turn { $0.refresh(full: false) }
    rig.wallLeadMS += 1500
    rig.turn { $0.refresh(full: false) }
    #expect(try rig.inputs().filter { $0.kind == .clockAdjusted } == [.clockAdjusted(byMS: 3_600_000)])
  }

  @Test func eachSettingOfTheClockIsCountedFromTheOneBefore() throws {
    var rig = DriverRig.flying()
    for lead in [3_600_000, -1_800_000, 0] as [Int64] {
      rig.wallLeadMS = lead
      rig.turn { $0.add(.clockChanged) }
    }
    let moves = try rig.inputs().compactMap {
      if case .clockAdjusted(let milliseconds) = $0 { milliseconds } else { nil }
    }
    #expect(moves == [3_600_000, -5_400_000, 1_800_000])
  }

  @Test(arguments: [(2000, 0), (2001, 1), (-2000, 0), (-2001, 1)] as [(Int64, Int)])
  func aClockThatDriftsByTwoSecondsWasNotSet(byMS: Int64, count: Int) throws {
    var rig = DriverRig.flying()
    rig.wallLeadMS = byMS
    rig.turn { $0.add(.clockChanged) }
    #expect(try rig.inputs().count { $0.kind == .clockAdjusted } == count)
  }

  // MARK: Reports, background

  @Test func aReportIsDoneWithOnceItIsOnStableStorage() throws {
    let disk = MemoryDisk()
    var rig = DriverRig.flying(disk: disk)
    let ticket = rig.ticket()
    let syncs = disk.syncCount
    let ticketReport = rig.report()
    rig.turn { $0.add(.report(ticketReport, ticket)) }
    #expect(disk.syncCount > syncs && rig.completed[ticket] == .some(nil))

    disk.refuses = { $0 == "write" }
    let refused = rig.ticket()
    let refusedReport = rig.report()
    rig.turn { $0.add(.report(refusedReport, refused)) }
    #expect((rig.completed[refused] ?? nil)?.code == .disk)
    #expect(rig.state.outbox.trackedCount == 1)

    disk.refuses = { $0 == "sync" }
    let unsynced = rig.ticket()
    let unsyncedReport = rig.report(age: 1)
    rig.turn { $0.add(.report(unsyncedReport, unsynced)) }
    #expect((rig.completed[unsynced] ?? nil)?.code == .disk)
  }

  @Test func inTheBackgroundEverythingIsOnDisk() {
    let disk = MemoryDisk()
    var rig = DriverRig.flying(disk: disk, hasProjection: true)
    rig.answer([rig.report()])
    let ticket = rig.ticket()
    rig.turn { $0.add(.background(ticket)) }
    // The database is still being written.
    #expect(rig.completed[ticket] == nil)
    while rig.projected.count < 4, rig.completed[ticket] == nil { rig.feed(.projected(.done(nil))) }
    #expect(rig.completed[ticket] == .some(nil))
    let synced = rig.state
    disk.losePower()
    let reopened = try? DirectoryLog.open(path: DriverRig.path, at: rig.now, storage: disk)
    #expect(reopened?.state.digest == synced.digest)
  }

  @Test func inTheBackgroundNothingIsSentBecauseItsTimeHasCome() throws {
    var rig = DriverRig.flying()
    rig.answer([])
    let ticket = rig.ticket()
    rig.turn { $0.add(.background(ticket)) }
    let count = rig.sent.count
    rig.now += 600_000
    rig.fire()
    #expect(rig.sent.count == count && rig.shell.timer == nil)
    // What the application asks for is sent.
    rig.turn { $0.refresh(full: false) }
    #expect(rig.sent.count == count + 1)
    rig.answer([])
    rig.now += 600_000
    rig.fire()
    #expect(rig.sent.count == count + 1)
    rig.turn { $0.add(.foreground) }
    #expect(rig.sent.count == count + 2)
  }

  @Test func onComingBackOneLineFetchesWhatBecameDue() throws {
    var rig = DriverRig.flying()
    rig.answer([])
    let ticket = rig.ticket()
    rig.turn { $0.add(.background(ticket)) }
    rig.now += 3_600_000
    let count = rig.sent.count
    rig.turn { $0.add(.foreground) }
    #expect(rig.sent.count == count + 1)
    #expect(try rig.inputs().last?.kind == .backgroundChanged)
  }

  // MARK: Opening

  @Test func whatIsSetBeforeTheLogIsOpenCountsAlsoWhereItIsTheDefault() {
    let disk = MemoryDisk()
    var first = DriverRig.flying(disk: disk)
    first.turn { app in
      var query = DriverRig.query(types: [.turbulence, .pireps, .traffic])
      query.sevs = [.moderateSevere]
      app.set(query)
      app.set(DataHistoryTime.sixHours)
      app.set(DataUpdateFrequency.none)
    }
    first.turn { $0.add(.stop(nil)) }

    var rig = DriverRig(disk: disk, settings: first.shell.app.settings)
    rig.turn { app in
      app.set(DataQuery(types: .turbulence))
      app.set(DataHistoryTime.twoHours)
      app.set(DataUpdateFrequency.fast)
    }
    rig.feed(.launched)
    #expect(rig.state.query == DataQuery().resolved())
    #expect(rig.state.history == .twoHours && rig.state.frequency == .fast)
    #expect(rig.shell.app.settings.dataQuery == DataQuery())
  }

  @Test func afterAnOpeningThatFailedEverythingSetIsFollowed() {
    let disk = MemoryDisk()
    disk.refuses = { $0 == "create" }
    var rig = DriverRig(disk: disk)
    rig.turn { $0.setOnline(true) }
    rig.feed(.launched)
    let ticket = rig.ticket()
    rig.turn { $0.add(.awaitOpening(ticket)) }
    #expect(rig.shell.app.openingError?.code == .disk)
    rig.turn { $0.set(DriverRig.query()) }
    rig.fire()
    #expect((rig.completed[ticket] ?? nil)?.code == .disk)
    #expect(rig.updates.count { if case .failed = $0 { true } else { false } } == 1)
    disk.refuses = { _ in false }
    while !rig.shell.app.shown.isOpen, rig.fire() {}
    #expect(rig.updates.contains(.opened) && rig.shell.app.openingError == nil)
    #expect(rig.sent.map(\.scope) == [.corridor])
    rig.turn { $0.set(DriverRig.query(Rig.otherArea)) }
    #expect(rig.state.query == DriverRig.query(Rig.otherArea).resolved())
  }

  @Test func settingsReachTheLogInTheOrderInWhichTheyWereSet() throws {
    var rig = DriverRig(disk: MemoryDisk())
    rig.feed(.launched)
    for history in [DataHistoryTime.hour, .sixHours, .halfHour, .fourHours] {
      rig.turn { app in
        app.set(CredentialsChange(apiKey: .some("another-key")))
        app.set(history)
      }
    }
    let histories = try rig.inputs().compactMap { if case .historyChanged(let history) = $0 { history } else { nil } }
    #expect(histories == [.hour, .sixHours, .halfHour, .fourHours])
    #expect(try rig.inputs().count { $0 == .credentialsChanged } == 4)
  }

  /// The power failed before the log was synced, and the copy of the settings outlived that.
  @Test(arguments: [nil, 0, 1, 100] as [Int64?])
  func whatTheLogLostOfTheSettingsIsWrittenAgain(copiedAt seq: Int64?) {
    var before = AppSide()
    before.set(DriverRig.query())
    before.set(DataHistoryTime.sixHours)
    var rig = DriverRig(disk: MemoryDisk(), settings: before.settings, settingsSeq: seq)
    rig.turn { app in
      app.set(DriverRig.query())
      app.set(DataUpdateFrequency.medium)
    }
    rig.feed(.launched)
    let isBehind = seq == 100
    #expect(rig.state.query == (isBehind ? DriverRig.query() : DataQuery()).resolved())
    #expect(rig.state.history == (isBehind ? .sixHours : .twoHours) && rig.state.frequency == .medium)
    #expect(rig.shell.app.settings == AppSettings(rig.state))
  }

  @Test(arguments: [DataHistoryTime.halfHour, .sixHours])
  func aQueryAndTheHistorySetWithItAreRequestedOnce(_ history: DataHistoryTime) throws {
    var rig = DriverRig(disk: MemoryDisk())
    rig.feed(.launched)
    rig.turn { $0.setOnline(true) }
    rig.turn { app in
      app.set(DriverRig.query())
      app.set(history)
      app.set(DataUpdateFrequency.medium)
    }
    #expect(rig.sent.map(\.scope) == [.corridor] && rig.state.nextRequest == 2)
    #expect(rig.state.scope(.corridor)?.inFlight?.spec.history == history)
    #expect(try rig.inputs().last?.kind == .queryChanged)
  }

  @Test(arguments: [DataHistoryTime.halfHour, .sixHours])
  func nothingIsRequestedForWhereTheViewportWas(_ history: DataHistoryTime) {
    var rig = DriverRig(disk: MemoryDisk())
    rig.feed(.launched)
    func query(_ area: ResolvedQuery.Points) -> DataQuery {
      var query = DataQuery(types: .turbulence)
      query.viewport = DriverRig.query(area).polygon
      return query
    }
    rig.turn { $0.set(query(Rig.area)) }
    rig.answer()
    // Soon enough that the viewport moves.
    rig.now += Scope.Motion.restMS / 2
    rig.turn { app in
      app.set(query(Rig.otherArea))
      app.set(history)
    }
    #expect(rig.sent.count == 1)
    rig.now += Scope.Motion.restMS
    rig.feed(.timerFired)
    let wanted = rig.state.scope(.viewport)?.want
    #expect(wanted?.history == history && rig.state.scope(.viewport)?.inFlight?.spec == wanted)
    #expect(rig.sent.count == 2)
  }

  @Test func aRequestCarriesTheKeyThatWasSetBeforeIt() {
    var rig = DriverRig(disk: MemoryDisk())
    rig.feed(.launched)
    rig.turn { app in
      app.set(CredentialsChange(apiKey: .some("second-key")))
      app.set(DriverRig.query())
    }
    #expect(rig.credentials.map(\.apiKey) == ["second-key"])
  }

  // MARK: Stopping

  @Test func aReleasedDriverStopsAndFreesTheLog() throws {
    let disk = MemoryDisk()
    var rig = DriverRig.flying(disk: disk)
    let report = rig.ticket()
    let stop = rig.ticket()
    let felt = rig.report()
    rig.turn { app in
      app.add(.report(felt, report))
      app.add(.stop(stop))
    }
    #expect(
      rig.isClosed && rig.cancelled == [1] && rig.completed[report] == .some(nil) && rig.completed[stop] == .some(nil))
    #expect(rig.shell.timer == nil && rig.shell.log == nil)
    // The log can be had again, and what was set last is in it.
    let (_, state, _) = try DirectoryLog.open(path: DriverRig.path, at: rig.now, storage: disk)
    #expect(state.outbox.reports.count == 1)
    let late = rig.ticket()
    let lateReport = rig.report()
    rig.turn { $0.add(.report(lateReport, late)) }
    #expect((rig.completed[late] ?? nil)?.code == .stopped)
    let count = rig.sent.count
    rig.answer([])
    rig.feed(.timerFired)
    #expect(rig.sent.count == count)
  }

  @Test func whatWasSetJustBeforeAStopIsInTheLog() throws {
    let disk = MemoryDisk()
    var rig = DriverRig.flying(disk: disk)
    rig.turn { app in
      app.set(DataHistoryTime.sixHours)
      app.add(.stop(nil))
    }
    let (_, state, _) = try DirectoryLog.open(path: DriverRig.path, at: rig.now, storage: disk)
    #expect(state.history == .sixHours)
  }

  @Test func aStopOverAFullDiskStillEnds() {
    let disk = MemoryDisk()
    var rig = DriverRig.flying(disk: disk)
    disk.refuses = { $0 == "write" || $0 == "sync" }
    let stop = rig.ticket()
    rig.turn { app in
      app.set(DataHistoryTime.sixHours)
      app.add(.stop(stop))
    }
    #expect(rig.isClosed && rig.completed[stop] == .some(nil))
  }

  // MARK: The database

  @Test func aChangeThatDoesNotFitTheDatabaseIsMadeUpForWhole() {
    var rig = DriverRig.flying(hasProjection: true)
    #expect(rig.projected.map(\.name) == ["open"])
    rig.feed(.projected(.done(nil)))
    rig.answer([rig.report()])
    // What came while it was being opened is written next.
    while rig.projected.last?.name != "apply", rig.projected.count < 5 { rig.feed(.projected(.done(nil))) }
    rig.feed(.projected(.outOfStep))
    #expect(rig.projected.last?.name == "rebuild")
    rig.feed(.projected(.done(.fromAnotherLog)))
    #expect(rig.updates.contains(.rebuilt(.fromAnotherLog)))
  }

  @Test func aDatabaseThatRefusesIsTriedAgainLaterAndLaterAndToldOnce() {
    var rig = DriverRig.flying(hasProjection: true)
    let error = ClientError(.store, message: "full", advice: "", isTransient: true)
    var waits: [Int64] = []
    for _ in 0..<8 {
      rig.feed(.projected(.failed(error)))
      let (start, count) = (rig.now, rig.projected.count)
      while rig.projected.count == count, rig.fire() {}
      waits.append(rig.now - start)
    }
    #expect(waits.first ?? 0 >= 1000 && waits.last == 32_000)
    #expect(rig.updates.count { $0 == .failed(error) } == 1)
    #expect(Set(rig.projected.map(\.name)) == ["open"])
    rig.feed(.projected(.done(nil)))
    #expect(rig.sent.count > 0)
  }
}

extension ProjectionCommand {
  var name: String {
    switch self {
    case .open: "open"
    case .apply: "apply"
    case .catchUp: "catchUp"
    case .rebuild: "rebuild"
    }
  }
}
