import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

/// What an application is told and shown.
@Suite struct TellingTests {
  private func failures(_ rig: DriverRig) -> [ClientError.Code] {
    rig.updates.compactMap { if case .failed(let error) = $0, error.scope != nil { error.code } else { nil } }
  }

  // MARK: Outages

  @Test(arguments: [
    (503, "", ClientError.Code.server), (500, "{}", .server), (408, "", .server), (429, "", .rateLimited),
    (302, "", .notTheService), (200, "<html>Welcome aboard</html>", .notTheService), (200, "", .notTheService),
    (204, "", .notTheService), (200, #"{"data":{"obs"#, .malformedAnswer), (200, " {}", .malformedAnswer),
    (401, "", .unauthorized), (403, "", .unauthorized), (400, "", .badRequest), (404, "", .badRequest),
  ]) func everyFailureOfTheServerIsTold(status: Int, body: String, code: ClientError.Code) {
    var rig = DriverRig.flying()
    rig.fail(status, body: body)
    #expect(failures(rig) == [code])
    guard case .failed(let error)? = rig.updates.last(where: { if case .failed = $0 { true } else { false } }) else {
      return
    }
    #expect(
      error.host == "server.example" && error.scope == .corridor && !error.message.isEmpty && !error.advice.isEmpty)
    #expect(rig.shell.app.shown.status(of: .corridor).lastError?.code == code)
  }

  @Test func anOutageIsToldOnceAndItsEndOnce() {
    var rig = DriverRig.flying()
    for round in 0..<5 {
      if round.isMultiple(of: 2) { rig.fail(.network) } else { rig.fail(503) }
      let count = rig.sent.count
      while rig.sent.count == count, rig.fire() {}
    }
    #expect(failures(rig) == [.network])
    let status = rig.shell.app.shown.status(of: .corridor)
    #expect(status.failures == 5 && status.lastError?.code == .network && status.phase == .fetching)
    rig.answer([])
    #expect(rig.updates.count { $0 == .recovered(.corridor) } == 1)
    #expect(rig.shell.app.shown.status(of: .corridor).lastError == nil)
    rig.turn { $0.refresh(full: true) }
    rig.fail(.timeout)
    #expect(failures(rig) == [.network, .timeout])
  }

  @Test func anOutageOfWhatIsNoLongerWantedIsOver() {
    var rig = DriverRig.flying()
    rig.fail(.network)
    rig.turn { $0.set(DataQuery()) }
    #expect(rig.updates.contains(.recovered(.corridor)))
  }

  @Test func aStatusSaysWhatIsGoingOn() {
    var rig = DriverRig.flying()
    #expect(rig.shell.app.shown.status(of: .corridor).phase == .fetching)
    rig.answer([rig.report()])
    var status = rig.shell.app.shown.status(of: .corridor)
    #expect(status.phase == .current && status.sessionBytes == 100 && status.freshAsOfSecond == rig.now / 1000)
    #expect(status.lastUpdateMS == rig.now && status.nextAttemptMS == rig.now + 60_000)
    rig.turn { $0.refresh(full: false) }
    rig.fail(503)
    status = rig.shell.app.shown.status(of: .corridor)
    #expect(status.phase == .waiting && status.sessionBytes == 150 && status.failures == 1)
    #expect(status.nextAttemptMS ?? 0 > rig.now)
    rig.turn { $0.setOnline(false) }
    #expect(rig.shell.app.shown.status(of: .corridor).phase == .offline)
    #expect(rig.shell.app.shown.status(of: .viewport).phase == .unwanted)
    // The bytes received for an area stay counted after the area is removed.
    rig.turn { $0.set(DataQuery(types: .turbulence)) }
    status = rig.shell.app.shown.status(of: .corridor)
    #expect(status.phase == .unwanted && status.sessionBytes == 150)
  }

  /// What a flight costs is told without a budget, too, and the state has nothing of it.
  @Test func bytesCountWithoutABudget() {
    var rig = DriverRig.flying()
    #expect(ByteStatus(rig.shell.app.shown).sessionBytes == 0)
    rig.answer([rig.report()])
    rig.turn { $0.refresh(full: false) }
    rig.fail(503)
    let status = ByteStatus(rig.shell.app.shown)
    #expect(status.sessionBytes >= 150 && status.used == 0 && status.left == nil)
    #expect(rig.shell.app.shown.state.byteUse.used == 0)
  }

  // MARK: News

  @Test func onlyWhatIsNewIsToldAsNew() {
    var rig = DriverRig.flying()
    let report = rig.report()
    rig.answer([report])
    #expect(rig.updates.contains(.data(.corridor)) && rig.newTypes.contains([.corridor: .turbulence]))
    rig.forgetUpdates()
    rig.now += 1000
    rig.turn { $0.refresh(full: false) }
    rig.answer([])
    #expect(!rig.updates.contains(.data(.corridor)) && rig.updates.contains(.confirmed(.corridor)))
    rig.forgetUpdates()
    rig.turn { $0.refresh(full: true) }
    rig.answer([report])
    #expect(!rig.updates.contains(.data(.corridor)))
    rig.turn { $0.refresh(full: false) }
    rig.answer([rig.report(age: 60)])
    #expect(rig.updates.contains(.data(.corridor)))
  }

  @Test func whatTheDiskHeldIsNoNews() {
    let disk = MemoryDisk()
    var first = DriverRig.flying(disk: disk)
    first.answer([first.report()])
    first.turn { $0.add(.stop(nil)) }
    var rig = DriverRig(disk: disk)
    rig.feed(.launched)
    #expect(rig.updates.prefix(2) == [.opened, .stored(.corridor)])
    #expect(!rig.updates.contains(.data(.corridor)))
  }

  @Test func anAnswerThatTakesSomethingAwayIsDrawnAgain() {
    var rig = DriverRig.flying()
    rig.answer([rig.report(), rig.report(age: 60)])
    rig.forgetUpdates()
    rig.turn { $0.refresh(full: true) }
    rig.answer([rig.report()])
    #expect(rig.updates.contains(.filtered(.corridor)) && !rig.updates.contains(.data(.corridor)))
  }

  @Test func theStateThatIsShownIsTheEngines() {
    var rig = DriverRig.flying()
    #expect(rig.shell.app.shown.state == rig.state && rig.state.scope(.corridor)?.inFlight != nil)
    rig.turn { $0.setOnline(false) }
    #expect(rig.shell.app.shown.state == rig.state && !rig.shell.app.shown.state.isOnline)
  }

  // MARK: Before the log is open

  @Test func whatTheDatabaseHoldsIsShownUntilTheLogIsOpen() {
    let disk = MemoryDisk()
    var first = DriverRig.flying(disk: disk)
    first.answer([first.report(), first.report(age: 7000)])
    let held = first.state
    first.turn { $0.add(.stop(nil)) }

    disk.refuses = { _ in true }
    var rig = DriverRig(disk: disk, hasProjection: true)
    rig.preview = held
    rig.observe()
    rig.feed(.launched)
    #expect(!rig.shell.app.shown.isOpen && rig.updates.contains(.stored(.corridor)))
    #expect(rig.shell.app.shown.data(of: .corridor, at: rig.now).turbulence.count == 2)
    // It ages as everything that is shown.
    rig.forgetUpdates()
    let end = rig.now + 200_000
    while rig.now < end, !rig.updates.contains(.expired(.corridor)), rig.fire() {}
    #expect(rig.now == Rig.start + 200_000)
    #expect(rig.shell.app.shown.data(of: .corridor, at: rig.now).turbulence.count == 1)

    disk.refuses = { _ in false }
    while !rig.shell.app.shown.isOpen, rig.fire() {}
    #expect(rig.shell.app.shown.state == rig.state && rig.updates.contains(.stored(.corridor)))
    // Once the log is open, the database says nothing more.
    rig.feed(.previewed(State()))
    #expect(rig.shell.app.shown.state == rig.state)
  }

  /// Opening a log of many reports takes longer than reading the database.
  @Test(arguments: [true, false])
  func theLogIsOpenedWhenTheDatabaseIsShown(isHeld: Bool) {
    var driver = Self.unlaunched()
    #expect(driver.handle(.launched, at: Self.time).map(\.name) == ["preview"])
    let actions = driver.handle(.previewed(isHeld ? State() : nil), at: Self.time)
    #expect(actions.map(\.name) == (isHeld ? ["publish", "open"] : ["open"]))
  }

  @Test func aClientThatIsStoppedWhileTheDatabaseIsReadOpensNoLog() {
    var driver = Self.unlaunched()
    _ = driver.handle(.launched, at: Self.time)
    #expect(driver.handle(.app([.stop(nil)]), at: Self.time).map(\.name) == ["close"])
    #expect(driver.handle(.previewed(State()), at: Self.time).isEmpty)
  }

  private static let time = EngineTime(now: Rig.start, wall: Rig.start)

  private static func unlaunched() -> Driver {
    Driver(
      .init(
        session: ManualRig.session, credentials: Credentials(apiKey: "first-key"), host: "server.example",
        hasProjection: true))
  }

  // MARK: Age

  @Test func whatIsShownAgesWithoutALink() {
    var rig = DriverRig.flying()
    rig.observe()
    rig.answer([rig.report(), rig.report(age: 3600)])
    rig.turn { $0.setOnline(false) }
    #expect(rig.shell.app.shown.data(of: .corridor, at: rig.now).turbulence.count == 2)
    let start = rig.now
    #expect(rig.shell.app.shown.data(of: .corridor, at: start + 3_600_000 - 1).turbulence.count == 2)
    #expect(rig.shell.app.shown.data(of: .corridor, at: start + 3_600_000).turbulence.count == 1)
    #expect(rig.shell.app.shown.data(of: .corridor, at: start + 7_200_000).turbulence.isEmpty)
    // Each is told at its second, and nothing polls.
    rig.forgetUpdates()
    var told: [Int64] = []
    while rig.fire() {
      if rig.updates.contains(.expired(.corridor)) { told.append(rig.now - start) }
      rig.forgetUpdates()
    }
    #expect(told == [3_600_000, 7_200_000])
  }

  @Test func whatAClockThatGoesBackShowsAgainExpiresAgain() throws {
    var rig = DriverRig.flying()
    rig.observe()
    rig.answer([rig.report(), rig.report(age: 7100)])
    rig.now += 200_000
    rig.feed(.timerFired)
    #expect(rig.updates.contains(.expired(.corridor)))
    #expect(rig.shell.app.shown.data(of: .corridor, at: rig.now).turbulence.count == 1)
    // The server's clock is slow in the first answer for the viewport, and right in the second.
    for (slowMS, west, count) in [(1_800_000, 100, 2), (0, 120, 1)] as [(Int64, Int64, _)] {
      rig.now += 10_000
      let serverTimeMS = rig.now - slowMS
      var query = DriverRig.query()
      query.viewport = Rig.square(south: 10, west: west).compactMap { $0?.coordinate }
      rig.turn { [query] in $0.set(query) }
      let request = try #require(rig.sent.last { $0.scope == .viewport })
      rig.forgetUpdates()
      let answer = ObservationsAnswer(token: serverTimeMS / 1000, follows: nil)
      rig.respond(
        .init(
          request: request.number, status: 200, wireBytes: 100, serverTimeMS: serverTimeMS, body: .answer(answer)))
      #expect(rig.shell.app.shown.data(of: .corridor, at: rig.now).turbulence.count == count)
    }
    #expect(rig.updates.contains(.expired(.corridor)))
  }

  @Test func whatAServerHasSentThatNeverToldItsTimeAgesByTheDevicesClock() throws {
    var rig = DriverRig.flying()
    rig.observe()
    let request = try #require(rig.sent.last)
    var answer = ObservationsAnswer(token: rig.now / 1000, follows: nil)
    answer.reports = [rig.report(age: 3600)]
    rig.respond(.init(request: request.number, status: 200, wireBytes: 100, body: .answer(answer)))
    #expect(rig.state.serverOffsetMS == nil)
    rig.turn { $0.setOnline(false) }
    rig.forgetUpdates()
    let start = rig.now
    while !rig.updates.contains(.expired(.corridor)), rig.fire() {}
    #expect(rig.now == start + 3_600_000)
  }

  @Test func polygonsAgeToo() {
    var rig = DriverRig(disk: MemoryDisk())
    rig.feed(.launched)
    rig.turn { $0.set(DataQuery(types: .turbulencePolygons)) }
    guard let request = rig.sent.last else { return }
    let body = #"{"type":"FeatureCollection","lastUpdatedAt":\#(rig.now / 1000),"features":[]}"#
    rig.answer200(Array(body.utf8), to: request)
    let id = ScopeID.global(.twoHours)
    #expect(rig.shell.app.shown.data(of: id, at: rig.now).polygons != nil)
    #expect(rig.shell.app.shown.data(of: id, at: rig.now + 7_199_000).polygons != nil)
    #expect(rig.shell.app.shown.data(of: id, at: rig.now + 7_200_000).polygons == nil)
  }

  @Test func whatExpiredInTheBackgroundIsToldOnComingBack() {
    var rig = DriverRig.flying()
    rig.observe()
    rig.answer([rig.report(age: 7000)])
    rig.turn { $0.setOnline(false) }
    let ticket = rig.ticket()
    rig.turn { $0.add(.background(ticket)) }
    rig.now += 600_000
    rig.forgetUpdates()
    rig.turn { $0.add(.foreground) }
    #expect(rig.updates.contains(.expired(.corridor)))
  }

  // MARK: Every response is a line

  @Test func theAnswerToASupersededRequestIsInTheLog() throws {
    var rig = DriverRig.flying()
    let first = try #require(rig.sent.last)
    rig.turn { $0.set(DriverRig.query(Rig.otherArea)) }
    #expect(rig.cancelled == [first.number] && rig.sent.count == 2)
    rig.respond(.init(request: first.number, status: 200, wireBytes: 4321, body: .inline(Array("{}".utf8))))
    let bytes = try rig.inputs().compactMap { if case .responseReceived(let it) = $0 { it.wireBytes } else { nil } }
    #expect(bytes == [4321] && rig.state.droppedAnswers == 1)
    #expect(rig.shell.app.shown.status(of: .corridor).sessionBytes == 4321)
    // That it was given up is no failure.
    rig.turn { $0.set(DriverRig.query()) }
    let second = try #require(rig.sent.dropLast().last)
    rig.feed(.responded(second.number, .failed(.network, message: "cancelled")))
    #expect(failures(rig).isEmpty)
  }
}
