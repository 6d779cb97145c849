import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

/// What an application sets, and reads of it.
@Suite struct AppSideTests {
  private func turns(_ events: [AppEvent]) -> [AppTurn] {
    events.compactMap { if case .turn(let turn) = $0 { turn } else { nil } }
  }

  private func expectNothing(_ app: inout AppSide, sourceLocation: SourceLocation = #_sourceLocation) {
    let events = app.takeEvents()
    #expect(events.isEmpty, sourceLocation: sourceLocation)
  }

  @Test func theLinkNeedsTheSwitchesOfApplicationAndSystem() {
    var app = AppSide()
    #expect(app.isOnline && app.hasLink && app.mayUseLink)
    func told(_ change: (inout AppSide) -> Void) -> [Bool?] {
      change(&app)
      app.endTurn()
      return turns(app.takeEvents()).map(\.isOnline)
    }
    #expect(told { $0.setOnline(true) } == [])
    #expect(told { $0.setOnline(false) } == [false])
    // The system's link doesn't undo the application's switch.
    #expect(told { $0.setLink(false) } == [])
    #expect(told { $0.setLink(true) } == [])
    #expect(!app.isOnline && !app.mayUseLink)
    #expect(told { $0.setOnline(true) } == [true])
    #expect(told { $0.setLink(false) } == [false])
    #expect(app.isOnline && !app.hasLink)
  }

  @Test func aLaunchCanBeginOffline() {
    var app = AppSide(isOnline: false)
    #expect(!app.isOnline)
    app.add(.ready)
    let events = app.takeEvents()
    #expect(turns(events) == [AppTurn(isOnline: false)] && events.count == 2)
  }

  @Test func aTurnWithoutAChangeIsNone() {
    var app = AppSide()
    app.endTurn()
    expectNothing(&app)
    app.set(DataHistoryTime.sixHours)
    app.endTurn()
    app.endTurn()
    let events = app.takeEvents()
    #expect(turns(events).count == 1)
    expectNothing(&app)
  }

  @Test func anEventStandsBehindWhatWasSetBeforeIt() {
    var app = AppSide()
    app.set(DataHistoryTime.sixHours)
    app.add(.foreground)
    app.set(DataHistoryTime.hour)
    app.endTurn()
    let events = app.takeEvents()
    #expect(events.count == 3)
    #expect(turns(events).map(\.settings.history) == [.sixHours, .hour])
    guard case .foreground = events[1] else {
      Issue.record("\(events)")
      return
    }
  }

  @Test func whatIsSetLaterInATurnReplacesWhatWasSetBefore() {
    var app = AppSide()
    app.set(CredentialsChange(apiKey: .some("first"), weatherToken: .some("token")))
    app.set(CredentialsChange(apiKey: .some(nil)))
    app.set(DataHistoryTime.sixHours)
    app.set(DataUpdateFrequency.none)
    app.set(DataHistoryTime.hour)
    app.set(DataQuery(types: .pireps))
    app.set(DataQuery(types: .traffic))
    app.endTurn()
    let turn = turns(app.takeEvents()).first
    #expect(turn?.credentials == CredentialsChange(apiKey: .some(nil), weatherToken: .some("token")))
    #expect(turn?.settings.history == .hour && turn?.settings.frequency == DataUpdateFrequency.none)
    #expect(turn?.settings.dataQuery?.types == .traffic && turn?.isOnline == nil && turn?.refresh == nil)
    #expect(app.settings.dataHistoryTime == .hour && app.settings.dataUpdateFrequency == .none)
    #expect(app.settings.dataQuery.types == .traffic)
  }

  @Test(arguments: [(false, false, false), (false, true, true), (true, false, true), (true, true, true)])
  func aFullRefreshIsNotMadeLessByADelta(first: Bool, second: Bool, both: Bool) {
    var app = AppSide()
    app.refresh(full: first)
    app.refresh(full: second)
    app.endTurn()
    let events = app.takeEvents()
    #expect(turns(events).map(\.refresh) == [both])
  }

  @Test func settingsAreTheDefaultsUntilTheyAreSet() {
    let settings = AppSettings()
    #expect(settings.dataHistoryTime == .twoHours && settings.dataUpdateFrequency == .fast)
  }

  @Test func aTicketIsMadeOnce() {
    var app = AppSide()
    let tickets = (0..<3).map { _ in app.makeTicket() }
    #expect(Set(tickets).count == 3)
  }

  @Test func whetherAnybodyLooksIsToldWhenItChanges() {
    var app = AppSide()
    // Each element: whether it is news, and what is told then.
    func observe(_ now: Int64?) -> (Bool, [Int64?]) {
      let isNews = app.setObserved(at: now)
      let told = app.takeEvents().compactMap { if case .observing(let since) = $0 { .some(since) } else { nil } }
      return (isNews, told)
    }
    #expect(observe(nil) == (false, []))
    #expect(observe(1000) == (true, [.max]))
    #expect(observe(2000) == (false, []))
    #expect(observe(nil) == (true, [nil]))
    // Until the driver knows, it stays news; set back before that, it is none.
    let news = [3000, 4000, nil].map { app.setObserved(at: $0) }
    #expect(news == [true, true, false])
    let none = app.takeEvents()
    #expect(none.isEmpty)
  }

  @Test func theFirstWhoLooksSeesTheOldestData() throws {
    var rig = DriverRig.flying()
    rig.answer([rig.report()])
    var app = rig.shell.app
    for later: Int64 in [2000, 5000] { _ = app.setObserved(at: rig.now + later) }
    guard case .observing(let since)? = app.takeEvents().first else {
      Issue.record("nothing is told")
      return
    }
    #expect(since == app.shown.serverSecond(at: rig.now + 2000))
  }

  @Test func whetherAnybodyLooksIsToldBeforeWhatElseHappened() {
    var app = AppSide()
    app.add(.foreground)
    _ = app.setObserved(at: 1000)
    let events = app.takeEvents()
    guard events.count == 2, case .observing(since: .max) = events[0], case .foreground = events[1] else {
      Issue.record("\(events)")
      return
    }
  }

  // MARK: What earlier launches had set

  /// A disk on which a launch has set everything.
  private func disk() -> MemoryDisk {
    let disk = MemoryDisk()
    var rig = DriverRig(disk: disk)
    rig.feed(.launched)
    rig.turn { app in
      var query = DriverRig.query(types: [.pireps, .traffic])
      query.viewport = Rig.otherArea.compactMap { $0?.coordinate }
      app.set(query)
      app.set(DataHistoryTime.sixHours)
      app.set(DataUpdateFrequency.none)
    }
    rig.turn { $0.add(.stop(nil)) }
    return disk
  }

  @Test func whatAnEarlierLaunchHadSetIsReadOnceTheLogIsOpen() {
    var rig = DriverRig(disk: disk())
    #expect(rig.shell.app.settings.dataHistoryTime == .twoHours)
    rig.feed(.launched)
    let settings = rig.shell.app.settings
    #expect(settings.dataHistoryTime == .sixHours && settings.dataUpdateFrequency == .none)
    #expect(settings.dataQuery.types == [.pireps, .traffic] && settings.dataQuery.polygon != nil)
    // A viewport lasts until the next launch.
    #expect(settings.dataQuery.viewport == nil)
  }

  @Test func editsOfAnOutdatedCopyAreAppliedToTheLogsSettings() {
    var rig = DriverRig(disk: disk())
    rig.turn { app in
      var query = app.settings.dataQuery
      query.sevs = [.moderateSevere]
      query.weather.places = [Self.place]
      app.set(query)
    }
    rig.feed(.launched)
    let query = rig.shell.app.settings.dataQuery
    #expect(query.sevs == [.moderateSevere] && query.weather.places == [Self.place])
    #expect(query.types == [.pireps, .traffic] && query.polygon != nil)
    #expect(query.resolved() == rig.state.query)
  }

  private static let place = RoundedCoordinate("-0.4500,51.4700")!

  @Test func aLaunchWaitsForTheApplicationsFirstTurn() throws {
    let rig = ManualRig(awaitsApplication: true)
    rig.feed(.launched)
    rig.open()
    #expect(rig.command == nil && !rig.app.shown.isOpen)
    rig.turn { $0.setOnline(false) }
    rig.write()
    #expect(rig.app.shown.isOpen && !rig.app.shown.state.isOnline)
  }

  @Test func whatIsSetBeforeTheLogIsOpenStays() {
    var rig = DriverRig(disk: disk())
    rig.turn { app in
      app.set(DataHistoryTime.hour)
      app.set(DataUpdateFrequency.fast)
    }
    rig.feed(.launched)
    let settings = rig.shell.app.settings
    #expect(settings.dataHistoryTime == .hour && settings.dataUpdateFrequency == .fast)
    #expect(rig.state.history == .hour && rig.state.frequency == .fast)
    #expect(settings.dataQuery.types == [.pireps, .traffic])
  }

  @Test func aViewportSetAgainAfterALaunchIsLogged() throws {
    var rig = DriverRig(disk: disk())
    let viewport = Rig.otherArea.compactMap { $0?.coordinate }
    rig.turn { app in
      var query = app.settings.dataQuery
      query.viewport = viewport
      app.set(query)
    }
    rig.feed(.launched)
    #expect(try rig.inputs().count { $0.kind == .queryChanged } == 2)
    #expect(rig.state.scope(.viewport)?.want != nil)
    // Set once more, it is what it was.
    rig.turn { app in
      var query = app.settings.dataQuery
      query.viewport = viewport
      app.set(query)
    }
    #expect(try rig.inputs().count { $0.kind == .queryChanged } == 2)
  }

  @Test func whatIsSetToWhatItWasIsNotLogged() throws {
    var rig = DriverRig(disk: disk())
    rig.feed(.launched)
    let count = try rig.inputs().count
    rig.turn { app in
      app.set(DataHistoryTime.sixHours)
      app.set(DataUpdateFrequency.none)
      app.setOnline(true)
    }
    #expect(try rig.inputs().count == count)
    rig.turn { $0.set(DataUpdateFrequency.fast) }
    rig.turn { $0.setOnline(false) }
    rig.turn { $0.setOnline(true) }
    #expect(
      try rig.inputs().dropFirst(count).map(\.kind) == [.frequencyChanged, .connectivityChanged, .connectivityChanged])
  }

  @Test func aLinkIsLostBeforeAndRegainedAfterWhatIsSetWithIt() throws {
    var rig = DriverRig.flying()
    rig.turn { app in
      app.set(CredentialsChange(apiKey: .some("second")))
      app.set(DataHistoryTime.sixHours)
      app.setOnline(false)
    }
    let lost = try rig.inputs().suffix(3)
    #expect(lost.map(\.kind) == [.connectivityChanged, .historyChanged, .credentialsChanged])
    rig.turn { app in
      app.set(CredentialsChange(apiKey: .some("third")))
      app.set(DataHistoryTime.hour)
      app.setOnline(true)
    }
    #expect(try rig.inputs().suffix(3).map(\.kind) == [.historyChanged, .credentialsChanged, .connectivityChanged])
  }

  @Test func onlyWhatKeepsTheLogShutIsAnOpeningError() {
    let rig = ManualRig()
    rig.feed(.launched)
    #expect(rig.app.openingError == nil)
    rig.feed(.openingFailed(ManualRig.full))
    #expect(rig.app.openingError?.code == .disk)
    rig.fire()
    rig.open()
    rig.write()
    #expect(rig.app.openingError == nil)
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    rig.refuse()
    #expect(rig.updates.contains { $0.isFailure } && rig.app.openingError == nil)
  }
}
