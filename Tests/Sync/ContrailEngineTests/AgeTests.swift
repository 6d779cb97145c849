import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

/// How what is shown ages, and when the driver wakes for it.
@Suite struct AgeTests {
  private static let place = FixedCoordinate(latitudeE7: 450_000_000, longitudeE7: -350_000_000)

  private static func pirep(_ id: String = "a", observedAt: Int64) -> PIREP {
    PIREP(
      id: id, position: place, flightLevel: 340, severity: .light, isUrgent: false, observedAt: observedAt,
      updatedAt: observedAt, text: "UA")
  }

  private static func aircraft(_ id: String = "4ca1", observedAt: Int64) -> TrafficPosition {
    TrafficPosition(
      id: id, callsign: "EIN1", position: place, altitudeFeet: 35_000, groundSpeedKnots: 450, trackDegrees: 90,
      observedAt: observedAt)
  }

  /// A rig somebody looks at, without a link, that holds an answer.
  private static func holding(
    types: DataTypeOptions = [.turbulence, .pireps, .traffic], serverAheadMS: Int64 = 0,
    _ change: (inout ObservationsAnswer, Int64) -> Void
  ) throws -> DriverRig {
    var rig = DriverRig(disk: MemoryDisk())
    rig.feed(.launched)
    rig.observe()
    rig.turn { $0.set(DriverRig.query(types: types)) }
    let second = (rig.now + serverAheadMS) / 1000
    var answer = ObservationsAnswer(token: second, traffic: types.contains(.traffic) ? [] : nil)
    change(&answer, second)
    let request = try #require(rig.sent.last)
    rig.respond(
      .init(
        request: request.number, status: 200, wireBytes: 100, serverTimeMS: rig.now + serverAheadMS,
        body: .answer(answer)))
    rig.turn { $0.setOnline(false) }
    rig.forgetUpdates()
    return rig
  }

  /// The times at which something is told to have expired, in seconds from now.
  private func expiries(_ rig: inout DriverRig) -> [Int64] {
    let start = rig.now
    var told: [Int64] = []
    while told.count < 10, rig.fire() {
      if rig.updates.contains(.expired(.corridor)) { told.append((rig.now - start) / 1000) }
      rig.forgetUpdates()
    }
    return told
  }

  private func shown(_ rig: DriverRig, after seconds: Int64) -> HeldData {
    rig.shell.app.shown.data(of: .corridor, at: rig.now + seconds * 1000)
  }

  // MARK: Each type

  @Test func pirepsAreShownForTheHistoryTheOldestFirst() throws {
    var rig = try Self.holding { answer, second in
      answer.pireps = [Self.pirep("new", observedAt: second), Self.pirep("old", observedAt: second - 3600)]
    }
    #expect(shown(rig, after: 0).pireps.map(\.id) == ["old", "new"])
    #expect(shown(rig, after: 3599).pireps.count == 2 && shown(rig, after: 3600).pireps.map(\.id) == ["new"])
    #expect(shown(rig, after: 7200).pireps.isEmpty && shown(rig, after: 0).turbulence.isEmpty)
    #expect(expiries(&rig) == [3600, 7200])
  }

  @Test func trafficIsShownForFiveMinutesInTheServersOrder() throws {
    var rig = try Self.holding { answer, second in
      answer.traffic = [Self.aircraft("b", observedAt: second), Self.aircraft("a", observedAt: second - 100)]
    }
    #expect(shown(rig, after: 0).traffic.map(\.id) == ["b", "a"])
    #expect(shown(rig, after: 199).traffic.count == 2 && shown(rig, after: 200).traffic.map(\.id) == ["b"])
    #expect(shown(rig, after: 300).traffic.isEmpty)
    #expect(expiries(&rig) == [200, 300])
  }

  @Test func whatExpiresFirstIsTheNextToBeTold() throws {
    let report = TurbulenceReport(
      cell: 0x0F_1234, altitude: 34, severity: 2, edrE4: 1800, observedAt: UInt32(Rig.start / 1000 - 6000))
    var rig = try Self.holding { answer, second in
      answer.reports = [report]
      answer.pireps = [Self.pirep(observedAt: second - 5000)]
      answer.traffic = [Self.aircraft(observedAt: second)]
    }
    #expect(expiries(&rig) == [300, 1200, 2200])
  }

  @Test func polygonsExpireAndAreTold() throws {
    var rig = DriverRig(disk: MemoryDisk())
    rig.feed(.launched)
    rig.observe()
    rig.turn { $0.set(DataQuery(types: .turbulencePolygons)) }
    let request = try #require(rig.sent.last)
    let body = #"{"type":"FeatureCollection","lastUpdatedAt":\#(rig.now / 1000 - 60),"features":[]}"#
    rig.answer200(Array(body.utf8), to: request)
    rig.turn { $0.setOnline(false) }
    let id = ScopeID.global(.twoHours)
    #expect(rig.shell.app.shown.data(of: id, at: rig.now).polygons?.hasPrefix(#"{"type":"FeatureCollection""#) == true)
    let start = rig.now
    rig.forgetUpdates()
    while rig.fire(), !rig.updates.contains(.expired(id)) {}
    #expect(rig.now == start + 7_140_000)
  }

  @Test func whatIsNotWantedIsNotShownAndNotTold() throws {
    var rig = try Self.holding { answer, second in
      answer.pireps = [Self.pirep(observedAt: second)]
      answer.traffic = [Self.aircraft(observedAt: second)]
    }
    rig.turn { $0.set(DriverRig.query(types: .turbulence)) }
    #expect(shown(rig, after: 0).pireps.isEmpty && shown(rig, after: 0).traffic.isEmpty)
    rig.forgetUpdates()
    #expect(expiries(&rig) == [])
  }

  @Test func whatIsHeldIsEmptyOnceNothingOfItIsWanted() throws {
    var rig = DriverRig.flying()
    #expect(shown(rig, after: 0).isEmpty && shown(rig, after: 0).asOfSecond == nil)
    rig.answer()
    #expect(!shown(rig, after: 0).isEmpty)
    #expect(shown(rig, after: 0).asOfSecond == rig.now / 1000 && shown(rig, after: 0).lastUpdateMS == rig.now)
    rig.turn { $0.set(DataQuery(types: .turbulence)) }
    #expect(rig.state.scope(.corridor)?.have != nil && shown(rig, after: 0).isEmpty)
    let nothing = rig.shell.app.shown.data(of: .viewport, at: rig.now)
    #expect(nothing.isEmpty && nothing.turbulence.isEmpty && nothing.pireps.isEmpty && nothing.traffic.isEmpty)
    #expect(nothing.polygons == nil && nothing.lastUpdateMS == nil)
  }

  // MARK: Clocks

  @Test(arguments: [90_000, -90_000] as [Int64]) func ageIsByTheServersClock(aheadMS: Int64) throws {
    var rig = try Self.holding(serverAheadMS: aheadMS) { answer, second in
      answer.pireps = [Self.pirep(observedAt: second - 7000)]
    }
    #expect(rig.shell.app.shown.serverSecond(at: rig.now) == (rig.now + aheadMS) / 1000)
    #expect(shown(rig, after: 199).pireps.count == 1 && shown(rig, after: 200).pireps.isEmpty)
    #expect(expiries(&rig) == [200])
  }

  @Test func nothingIsYoungerThanTheStateThatItIsAPartOf() throws {
    let rig = try Self.holding { answer, second in answer.pireps = [Self.pirep(observedAt: second)] }
    let data = rig.shell.app.shown.data(of: .corridor, at: rig.now - 3_600_000)
    #expect(data.now == rig.state.now && data.serverSecond == rig.state.now / 1000)
    #expect(HeldData(scope: .corridor, state: rig.state, now: 0).now == rig.state.now)
  }

  // MARK: Who looks

  @Test func nobodyIsWokenForWhatNobodyLooksAt() throws {
    var rig = try Self.holding { answer, second in answer.pireps = [Self.pirep(observedAt: second - 3600)] }
    rig.now += 1000
    while let timer = rig.shell.timer, timer <= rig.now { rig.fire() }
    #expect(rig.shell.timer == Rig.start + 3_600_000)
    rig.observe(false)
    #expect(rig.shell.timer == nil)
    rig.observe()
    #expect(rig.shell.timer == Rig.start + 3_600_000)
    // What is on disk is synced, then nothing wakes the process in the background.
    let ticket = rig.ticket()
    rig.turn { $0.add(.background(ticket)) }
    #expect(rig.shell.isInBackground && rig.shell.timer == nil)
    rig.turn { $0.add(.foreground) }
    rig.now += 1000
    while let timer = rig.shell.timer, timer <= rig.now { rig.fire() }
    #expect(!rig.shell.isInBackground && rig.shell.timer == Rig.start + 3_600_000)
  }

  @Test func whatExpiresWithAnotherUpdateIsToldOnce() throws {
    var rig = try Self.holding { answer, second in
      answer.pireps = [Self.pirep(observedAt: second - 3600), Self.pirep("b", observedAt: second)]
    }
    rig.now += 3_600_000
    // The change draws the scope anew, with what has expired.
    rig.turn { app in
      var query = DriverRig.query(types: [.turbulence, .pireps, .traffic])
      query.sevs = [.light]
      app.set(query)
    }
    #expect(rig.updates.contains(.filtered(.corridor)) && !rig.updates.contains(.expired(.corridor)))
    rig.forgetUpdates()
    #expect(expiries(&rig) == [3600])
  }

  @Test func aScopeThatAgesIsToldAlsoWhereAnotherChanges() throws {
    var rig = try Self.holding { answer, second in answer.pireps = [Self.pirep(observedAt: second - 3600)] }
    rig.now += 3_600_000
    rig.turn { $0.set(DataUpdateFrequency.none) }
    #expect(rig.updates.contains(.expired(.corridor)))
    rig.forgetUpdates()
    rig.turn { $0.set(DataUpdateFrequency.fast) }
    #expect(!rig.updates.contains(.expired(.corridor)))
  }

  @Test func severalScopesThatExpireTogetherAreToldInTheirOrder() throws {
    var rig = DriverRig(disk: MemoryDisk())
    rig.feed(.launched)
    rig.observe()
    rig.turn { app in
      var query = DriverRig.query(types: [.pireps, .turbulencePolygons])
      query.viewport = Rig.area.compactMap { $0?.coordinate }
      app.set(query)
    }
    for request in rig.sent {
      if case .global = request.scope {
        let body = #"{"type":"FeatureCollection","lastUpdatedAt":\#(rig.now / 1000),"features":[]}"#
        rig.answer200(Array(body.utf8), to: request)
      } else {
        var answer = ObservationsAnswer(token: rig.now / 1000)
        answer.pireps = [Self.pirep(observedAt: rig.now / 1000)]
        rig.answer200(answer.json, to: request)
      }
    }
    rig.turn { $0.setOnline(false) }
    rig.forgetUpdates()
    while rig.updates.isEmpty, rig.fire() {}
    #expect(rig.updates == [.expired(.corridor), .expired(.viewport), .expired(.global(.twoHours))])
  }

  @Test func anAnswerOfTheSameMomentTakesItsExpiryAlong() throws {
    // Another token in the same millisecond, and the same token a little later.
    for (later, token) in [(0, 1), (100, 0)] as [(Int64, Int64)] {
      var rig = DriverRig.flying()
      rig.observe()
      rig.turn { $0.set(DataUpdateFrequency.none) }
      let second = rig.now / 1000
      rig.answer([rig.report(age: 7000)], token: second)
      rig.now += later
      rig.turn { $0.refresh(full: true) }
      rig.answer([], token: second + token)
      #expect(rig.state.scope(.corridor)?.reports.count == 0)
      rig.forgetUpdates()
      #expect(expiries(&rig) == [])
    }
  }

  @Test func timeIsTheDevicesBeforeAnythingIsKnown() {
    let shown = Shown()
    #expect(shown.logTime(at: 1999) == 1999 && shown.serverSecond(at: 1999) == 1 && !shown.isOpen)
    #expect(shown.status(of: .viewport).failures == 0)
  }

  @Test func theFirstExpiryOfSeveralScopesIsWaitedFor() throws {
    var rig = DriverRig(disk: MemoryDisk())
    rig.feed(.launched)
    rig.observe()
    rig.turn { app in
      var query = DriverRig.query(types: .pireps)
      query.viewport = Rig.area.compactMap { $0?.coordinate }
      app.set(query)
    }
    let second = rig.now / 1000
    for request in rig.sent {
      var answer = ObservationsAnswer(token: second)
      answer.pireps = [Self.pirep(observedAt: request.scope == .viewport ? second - 3600 : second)]
      rig.answer200(answer.json, to: request)
    }
    rig.turn { $0.setOnline(false) }
    rig.forgetUpdates()
    while rig.updates.isEmpty, rig.fire() {}
    #expect(rig.updates == [.expired(.viewport)] && rig.now / 1000 == second + 3600)
  }

  @Test func whatExpiresBeforeTheDriverKnowsOfAnObserverIsTold() throws {
    var rig = DriverRig.flying()
    rig.answer([rig.report(age: 7000)])
    rig.turn { $0.setOnline(false) }
    _ = rig.shell.app.setObserved(at: rig.now)
    rig.now += 600_000
    rig.forgetUpdates()
    rig.turn { _ in }
    #expect(rig.updates == [.expired(.corridor)])
  }

  /// The server's clock isn't known before.
  @Test func whoListensBeforeTheLogIsOpenIsToldOfNoExpiry() throws {
    let disk = MemoryDisk()
    var first = DriverRig(disk: disk)
    first.feed(.launched)
    first.turn { $0.set(DriverRig.query()) }
    let request = try #require(first.sent.last)
    first.respond(
      .init(
        request: request.number, status: 200, wireBytes: 100, serverTimeMS: first.now + 60_000,
        body: .answer(ObservationsAnswer(token: first.now / 1000 + 60))))
    first.turn { $0.add(.stop(nil)) }
    var rig = DriverRig(disk: disk)
    _ = rig.shell.app.setObserved(at: rig.now)
    rig.feed(.launched)
    rig.turn { _ in }
    #expect(rig.state.serverOffsetMS == 60_000 && rig.updates.contains(.stored(.corridor)))
    #expect(!rig.updates.contains(.expired(.corridor)))
  }

  @Test func nobodyLooksAtFirst() {
    var rig = DriverRig.flying()
    rig.answer([rig.report()])
    rig.turn { $0.setOnline(false) }
    while rig.shell.timer ?? .max <= rig.now + 1000 { rig.fire() }
    #expect(rig.shell.timer == nil)
  }

  @Test func whatExpiresWhileNobodyLooksIsNotTold() throws {
    var rig = try Self.holding { answer, second in answer.pireps = [Self.pirep(observedAt: second - 3600)] }
    rig.observe(false)
    rig.now += 3_600_000
    rig.turn { $0.set(DataUpdateFrequency.none) }
    #expect(!rig.updates.contains(.expired(.corridor)))
  }

  @Test func whereTheDevicesClockIsBehindTheLogsAgeIsByTheLogs() throws {
    let disk = MemoryDisk()
    var first = DriverRig.flying(disk: disk)
    first.answer([first.report()])
    first.turn { $0.add(.stop(nil)) }
    var rig = DriverRig(disk: disk)
    rig.now = Rig.start - 7_200_000
    rig.feed(.launched)
    let shown = rig.shell.app.shown
    #expect(shown.logTime(at: rig.now) == Rig.start && shown.logTime(at: rig.now + 5000) == Rig.start + 5000)
    #expect(shown.data(of: .corridor, at: rig.now + 7_199_000).turbulence.count == 1)
    #expect(shown.data(of: .corridor, at: rig.now + 7_200_000).turbulence.isEmpty)
    // Times are told by the device's clock.
    let status = shown.status(of: .corridor)
    #expect(status.lastUpdateMS == rig.now && status.nextAttemptMS == rig.now + 60_000)
    let ticket = rig.ticket()
    let report = rig.report()
    rig.turn { $0.add(.report(report, ticket)) }
    let upload = try #require(rig.sent.last)
    #expect(upload.scope == .outbox)
    rig.fail(503)
    let wait = try #require(rig.shell.app.shown.status(of: .outbox).nextAttemptMS) - rig.now
    #expect((0...60_000).contains(wait))
  }
}
