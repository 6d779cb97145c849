import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

/// What is told of the outbox, of airports, of weather, and of several scopes at once.
@Suite struct NewsTests {
  // MARK: Airports

  private static let edition = AirportEdition(cycle: "2501", effectiveMS: Rig.start - 86_400_000)
  private static let next = AirportEdition(cycle: "2502", effectiveMS: Rig.start + 86_400_000)

  private static func load(_ edition: AirportEdition) -> [AirportsEntry] {
    [
      .file(edition, bytes: Array("airports of \(edition.cycle)".utf8), wireBytes: 7),
      .input(.airportsLoaded(.init(edition: edition, count: 3, digest: 5, changes: .init(added: 3)))),
    ]
  }

  @Test func aCycleThatIsInUseIsToldAndTheDatabaseOfAirportsLevelled() {
    let rig = ManualRig.launched()
    let ticket = rig.add { .airports(Self.load(Self.edition), $0) }
    guard case .append(_, let blobs, _)? = rig.command else {
      Issue.record("nothing is written")
      return
    }
    #expect(blobs == [Array("airports of 2501".utf8)] && rig.completed.isEmpty)
    rig.write()
    #expect(rig.completed == [ticket: [nil]])
    #expect(rig.updates.contains(.data(.airports)) && rig.names.count { $0 == "level airports" } == 1)
    rig.forget()
    // One that only waits is no news, but the database is to hold it.
    rig.add(.airports(Self.load(Self.next), nil))
    rig.write()
    #expect(!rig.updates.contains(.data(.airports)) && rig.names.count { $0 == "level airports" } == 1)
    rig.forget()
    rig.turn { $0.set(DataHistoryTime.sixHours) }
    rig.write()
    #expect(!rig.names.contains("level airports"))
  }

  // MARK: Own reports

  @Test func aReportThatIsTrackedAndOneThatIsConfirmedAreNews() throws {
    let rig = ManualRig.launched()
    let ticket = rig.add { .report(ManualRig.report, $0) }
    rig.write()
    #expect(rig.completed == [ticket: [nil]] && rig.updates.filter { $0 == .data(.outbox) }.count == 1)
    #expect(rig.app.shown.status(of: .outbox).phase == .fetching && rig.statuses == [.outbox])
    rig.forget()
    let upload = try #require(rig.state.outbox.upload?.request)
    rig.feed(.responded(upload, .failed(.network, message: "no route")))
    rig.write()
    #expect(rig.told == ["failed outbox network"])
    var status = rig.app.shown.status(of: .outbox)
    #expect(status.failures == 1 && status.lastError?.code == .network && status.phase == .waiting)
    #expect(status.nextAttemptMS ?? 0 > rig.now)
    rig.forget()
    while rig.sent.isEmpty {
      rig.fire()
      rig.write()
    }
    let body = Array(#"{"data":{"accepted":1},"meta":{},"links":{},"warnings":{}}"#.utf8)
    rig.forget()
    let again = try #require(rig.state.outbox.upload?.request)
    rig.answer(200, body, to: OutgoingRequest(number: again, scope: .outbox, mode: .full, method: .post, target: "/"))
    rig.write()
    #expect(rig.state.outbox.reports.isEmpty)
    #expect(rig.updates.contains(.data(.outbox)) && rig.updates.count { $0 == .recovered(.outbox) } == 1)
    status = rig.app.shown.status(of: .outbox)
    #expect(status.failures == 0 && status.lastError == nil && status.sessionBytes == 100)
  }

  // MARK: Weather

  @Test func weatherThatExpiredIsTold() throws {
    let rig = ManualRig.launched(weatherHost: "weather.example")
    rig.turn { app in
      var query = DataQuery(types: [])
      query.weather.places = [Rig.place]
      app.set(query)
    }
    rig.write()
    let body = Array(#"{"status":"ok","server_time":\#(rig.now / 1000),"result":{}}"#.utf8)
    rig.answer(200, body, to: try rig.request(ManualRig.london))
    rig.write()
    #expect(rig.updates.contains(.data(ManualRig.london)))
    rig.turn { $0.setOnline(false) }
    rig.write()
    rig.forget()
    while let timer = rig.timer, timer < Rig.start + 86_400_000, rig.updates.isEmpty {
      rig.fire()
      rig.write()
    }
    #expect(rig.updates == [.expired(ManualRig.london)])
  }

  @Test func aFailureNamesTheHostThatWasAsked() throws {
    for (weatherHost, expected) in [("weather.example", "weather.example"), (nil, "server.example")] {
      let rig = ManualRig.launched(weatherHost: weatherHost)
      rig.turn { app in
        var query = DriverRig.query()
        query.weather.places = [Rig.place]
        app.set(query)
      }
      rig.write()
      rig.answer(503, to: try rig.request(ManualRig.london))
      rig.answer(503, to: try rig.request(.corridor))
      rig.write()
      let status = rig.app.shown.status(of:)
      #expect(status(ManualRig.london).lastError?.host == expected)
      #expect(status(.corridor).lastError?.host == "server.example")
    }
  }

  @Test func whyTheWeatherServiceRefusesStaysUntilItAnswers() throws {
    let rig = ManualRig.launched()
    rig.turn { app in
      var query = DataQuery(types: [])
      query.weather.places = [Rig.place]
      app.set(query)
    }
    rig.write()
    rig.answer(
      200, Array(#"{"status":"failed","error":"not entitled","server_time":1}"#.utf8),
      to: try rig.request(ManualRig.london))
    rig.write()
    #expect(rig.told == ["failed \(ManualRig.london.name) weatherRefused"])
    #expect(rig.app.shown.status(of: ManualRig.london).lastError?.code == .weatherRefused)
    rig.forget()
    while rig.sent.isEmpty {
      rig.fire()
      rig.write()
    }
    let request = try rig.request(ManualRig.london)
    rig.forget()
    rig.feed(.responded(request.number, .failed(.timeout, message: "")))
    rig.write()
    #expect(rig.told == [] && rig.app.shown.status(of: ManualRig.london).lastError?.code == .weatherRefused)
  }

  // MARK: Queries

  @Test func aQueryThatIsInvalidIsTold() {
    let rig = ManualRig.launched()
    rig.turn { $0.set(DataQuery(polygon: [.init(latitude: 0, longitude: 0), .init(latitude: 1, longitude: 1)])) }
    rig.write()
    #expect(rig.told == ["failed corridor invalidQuery"])
  }

  // MARK: What is new

  @Test func anAnswerThatIsNoLineIsKeptBesideTheLog() throws {
    let rig = ManualRig.launched()
    rig.turn { $0.set(DriverRig.query()) }
    rig.write()
    let body = Array("{\n}".utf8)
    rig.answer(200, body, to: try rig.request(.corridor))
    guard case .append(_, let blobs, _) = try #require(rig.command) else {
      Issue.record("nothing is written")
      return
    }
    #expect(blobs == [body])
  }

  @Test func eachTypeThatAnAnswerBringsIsNamed() throws {
    var rig = DriverRig(disk: MemoryDisk())
    rig.feed(.launched)
    rig.turn { $0.set(DriverRig.query(types: [.turbulence, .pireps, .traffic])) }
    rig.answer()
    let second = rig.now / 1000
    let place = FixedCoordinate(latitudeE7: 450_000_000, longitudeE7: -350_000_000)
    let pirep = PIREP(
      id: "a", position: place, flightLevel: 340, severity: .light, isUrgent: false, observedAt: second - 60,
      updatedAt: second - 60, text: "UA")
    let aircraft = TrafficPosition(
      id: "4ca1", callsign: "EIN1", position: place, altitudeFeet: 35_000, groundSpeedKnots: 450, trackDegrees: 90,
      observedAt: second)
    func next(_ change: (inout ObservationsAnswer) -> Void) -> [[ScopeID: DataTypeOptions]] {
      rig.forgetUpdates()
      rig.now += 1000
      rig.turn { $0.refresh(full: true) }
      guard let request = rig.sent.last else { return [] }
      var answer = ObservationsAnswer(token: rig.now / 1000, traffic: [])
      change(&answer)
      rig.answer200(answer.json, to: request)
      return rig.newTypes.filter { !$0.isEmpty }
    }
    #expect(next { $0.pireps = [pirep] } == [[.corridor: .pireps]])
    #expect(
      next {
        $0.pireps = [pirep]; $0.traffic = [aircraft]
      } == [[.corridor: .traffic]])
    let report = rig.report()
    #expect(
      next {
        $0.pireps = [pirep]; $0.traffic = [aircraft]; $0.reports = [report]
      } == [[.corridor: .turbulence]])
    // What an answer takes away is no news, but is drawn anew.
    #expect(
      next {
        $0.traffic = [aircraft]; $0.reports = [report]
      } == [] && rig.updates.contains(.filtered(.corridor)))
    #expect(next { $0.reports = [report] } == [] && rig.updates.contains(.filtered(.corridor)))
    #expect(next { $0.reports = [report] } == [] && rig.updates.contains(.confirmed(.corridor)))
    #expect(!rig.updates.contains(.filtered(.corridor)))
    #expect(next { _ in } == [] && rig.updates.contains(.filtered(.corridor)))
  }

  @Test func otherPolygonsAreNews() throws {
    var rig = DriverRig(disk: MemoryDisk())
    rig.feed(.launched)
    rig.turn { $0.set(DataQuery(types: .turbulencePolygons)) }
    func answer(_ name: String) throws {
      let request = try #require(rig.sent.last)
      let body = #"{"type":"FeatureCollection","lastUpdatedAt":\#(rig.now / 1000),"name":"\#(name)","features":[]}"#
      rig.answer200(Array(body.utf8), to: request)
    }
    try answer("a")
    for (name, types) in [("a", nil), ("b", .turbulencePolygons)] as [(String, DataTypeOptions?)] {
      rig.now += 1000
      rig.turn { $0.refresh(full: true) }
      rig.forgetUpdates()
      // The same bytes but for the time, then others.
      try answer(name)
      if let types { #expect(rig.newTypes.contains([.global(.twoHours): types])) }
    }
  }

  @Test(arguments: [(7199, false), (7198, true)] as [(Int64, Bool)], [true, false])
  func whatGoesBecauseItIsOldIsNotDrawnAnew(_ held: (age: Int64, isDrawn: Bool), isReport: Bool) throws {
    var rig = DriverRig(disk: MemoryDisk())
    rig.feed(.launched)
    rig.turn { $0.set(DriverRig.query(types: [.turbulence, .pireps])) }
    let observedAt = rig.now / 1000 - held.age
    var answer = ObservationsAnswer(token: rig.now / 1000)
    if isReport {
      answer.reports = [rig.report(age: held.age)]
    } else {
      let place = FixedCoordinate(latitudeE7: 450_000_000, longitudeE7: -350_000_000)
      answer.pireps = [
        PIREP(
          id: "a", position: place, flightLevel: 340, severity: .light, isUrgent: false, observedAt: observedAt,
          updatedAt: observedAt, text: "UA")
      ]
    }
    rig.answer200(answer.json, to: try #require(rig.sent.last))
    rig.now += 1000
    rig.turn { $0.refresh(full: true) }
    rig.forgetUpdates()
    // What was held is as old as the history now, or a second younger.
    rig.answer200(ObservationsAnswer(token: rig.now / 1000).json, to: try #require(rig.sent.last))
    #expect(rig.updates.contains(.filtered(.corridor)) == held.isDrawn)
  }

  @Test func aViewportThatIsTakenAwayIsDrawnOnceAndWasNeverInTheDatabase() throws {
    var rig = DriverRig(disk: MemoryDisk(), hasProjection: true)
    rig.feed(.launched)
    rig.feed(.projected(.done(nil)))
    rig.turn { app in
      var query = DataQuery(types: .turbulence)
      query.viewport = Rig.area.compactMap { $0?.coordinate }
      app.set(query)
    }
    rig.answer([rig.report()])
    #expect(rig.updates.contains(.data(.viewport)) && rig.state.scope(.viewport)?.have != nil)
    rig.forgetUpdates()
    rig.turn { $0.set(DataQuery(types: .turbulence)) }
    #expect(rig.state.scope(.viewport)?.have == nil && rig.updates == [.filtered(.viewport)])
    #expect(rig.projected.map(\.name) == ["open"])
  }

  @Test func aScopeThatGoesIsDrawnAnewAndGoesFromTheDatabase() throws {
    var rig = DriverRig(disk: MemoryDisk(), hasProjection: true)
    rig.feed(.launched)
    rig.turn { app in
      var query = DataQuery(types: [])
      query.weather.places = [Rig.place]
      app.set(query)
    }
    let request = try #require(rig.sent.last)
    rig.answer200(Array(#"{"status":"ok","server_time":\#(rig.now / 1000),"result":{}}"#.utf8), to: request)
    rig.turn { $0.set(DataQuery(types: [])) }
    rig.project()
    #expect(rig.shell.app.shown.status(of: ManualRig.london).sessionBytes == 100)
    rig.now += 7_200_000
    rig.forgetUpdates()
    let count = rig.projected.count
    rig.turn { $0.setOnline(false) }
    #expect(rig.state.scope(ManualRig.london) == nil && rig.updates == [.filtered(ManualRig.london)])
    #expect(rig.projected.count == count + 1 && rig.projected.last?.name == "apply")
    // What was counted of it is forgotten.
    #expect(rig.shell.app.shown.status(of: ManualRig.london).sessionBytes == 0)
  }

  @Test func recordsOfTheSameMomentReachTheDatabase() {
    var rig = DriverRig.flying(hasProjection: true)
    rig.answer([])
    rig.project()
    let count = rig.projected.count
    rig.turn { $0.refresh(full: true) }
    rig.answer([rig.report()])
    #expect(rig.updates.contains(.data(.corridor)) && rig.projected.count == count + 1)
  }

  @Test func anotherFilterIsDrawnAnewAndNoNews() {
    var rig = DriverRig.flying()
    rig.answer([rig.report()])
    rig.forgetUpdates()
    rig.turn { app in
      var query = DriverRig.query()
      query.sevs = [.moderateSevere]
      app.set(query)
    }
    #expect(rig.updates == [.filtered(.corridor)])
    rig.forgetUpdates()
    rig.turn { $0.set(DataQuery(types: [])) }
    #expect(rig.updates == [.filtered(.corridor)])
    #expect(rig.shell.app.shown.data(of: .corridor, at: rig.now).isEmpty)
  }

  /// While a map moves, nothing is current that isn't held, and a request under way is no rest.
  @Test func aMapThatMovesIsFetchingOrWaits() throws {
    var rig = DriverRig.flying()
    func show(_ area: [FixedCoordinate?]) {
      rig.turn { app in
        var query = DriverRig.query()
        query.viewport = area.compactMap { $0?.coordinate }
        app.set(query)
      }
    }
    show(Rig.area)
    #expect(rig.shell.app.shown.status(of: .viewport).phase == .fetching)
    rig.now += 100
    show(Rig.otherArea)
    #expect(rig.state.plan(.viewport).rule == .moving && rig.state.scope(.viewport)?.inFlight != nil)
    #expect(rig.shell.app.shown.status(of: .viewport).phase == .fetching)
    let request = try #require(rig.sent.last { $0.scope == .viewport })
    rig.feed(.responded(request.number, .failed(.network, message: "no route")))
    #expect(rig.state.scope(.viewport)?.inFlight == nil && rig.state.scope(.viewport)?.have == nil)
    #expect(rig.shell.app.shown.status(of: .viewport).phase == .waiting)
  }
}
