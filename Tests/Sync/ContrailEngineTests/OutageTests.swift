import ContrailCore
import ContrailEngine
import ContrailTestSupport
import ContrailWire
import Testing

/// Each outage is told once, and its end once.
@Suite struct OutageTests {
  // MARK: Fetches

  private func failing() throws -> ManualRig {
    let rig = ManualRig.launched()
    rig.turn { app in
      var query = DriverRig.query()
      query.weather.places = [Rig.otherPlace, Rig.place]
      app.set(query)
    }
    rig.write()
    for scope in [ManualRig.singapore, .corridor, ManualRig.london] {
      rig.answer(503, to: try rig.request(scope))
      rig.write()
    }
    rig.forget()
    return rig
  }

  @Test func theEndOfSeveralOutagesIsToldInTheOrderOfTheScopes() throws {
    let rig = try failing()
    rig.turn { $0.set(DataQuery(types: [])) }
    rig.write()
    #expect(
      rig.told.filter { $0.hasPrefix("recovered") } == [
        "recovered corridor", "recovered \(ManualRig.london.name)", "recovered \(ManualRig.singapore.name)",
      ])
    #expect(rig.app.shown.status(of: .corridor).lastError == nil)
    rig.forget()
    // What was forgotten begins anew, and is told anew.
    rig.turn { $0.set(DriverRig.query()) }
    rig.write()
    #expect(rig.told.filter { $0.hasPrefix("recovered") } == [])
    while rig.sent.isEmpty {
      rig.fire()
      rig.write()
    }
    rig.answer(503, to: try rig.request(.corridor))
    rig.write()
    #expect(rig.told == ["failed corridor server"])
  }

  @Test func anOutageOfOneScopeSaysNothingOfAnother() throws {
    let rig = try failing()
    rig.turn { app in
      var query = app.settings.dataQuery
      query.weather.places = [Rig.place]
      app.set(query)
    }
    rig.write()
    #expect(rig.told.filter { $0.hasPrefix("recovered") } == ["recovered \(ManualRig.singapore.name)"])
    #expect(rig.app.shown.status(of: ManualRig.london).lastError?.code == .server)
    #expect(rig.app.shown.status(of: .corridor).lastError?.code == .server)
  }

  @Test func theLastErrorIsThatOfTheLastAttempt() throws {
    let rig = try failing()
    while rig.sent.last(where: { $0.scope == .corridor }) == nil {
      rig.fire()
      rig.write()
    }
    rig.feed(.responded(try rig.request(.corridor).number, .failed(.timeout, message: "")))
    rig.write()
    #expect(rig.app.shown.status(of: .corridor).lastError?.code == .timeout)
    #expect(rig.app.shown.status(of: .corridor).failures == 2 && rig.updates.isEmpty)
  }

  @Test func aRefusalOfTheOldKeyEndsNoOutage() throws {
    let rig = try failing()
    while rig.sent.last(where: { $0.scope == .corridor }) == nil {
      rig.fire()
      rig.write()
    }
    let request = try rig.request(.corridor)
    rig.turn { $0.set(CredentialsChange(apiKey: .some("second-key"))) }
    rig.write()
    rig.answer(401, to: request)
    rig.write()
    #expect(rig.app.shown.status(of: .corridor).lastError?.code == .server)
    #expect(rig.told.filter { $0.contains("corridor") } == [])
  }

  @Test func aRefusalOfTheOldKeyDoesNotEndThatOfTheFirst() throws {
    let rig = ManualRig.launched()
    rig.turn { $0.set(DriverRig.query()) }
    rig.write()
    rig.answer(401, to: try rig.request(.corridor))
    rig.write()
    for key in ["second-key", "third-key"] {
      rig.turn { $0.set(CredentialsChange(apiKey: .some(key))) }
      rig.write()
    }
    rig.forget()
    let request = try #require(rig.state.scope(.corridor)?.inFlight?.request)
    rig.answer(401, to: OutgoingRequest(number: request, scope: .corridor, mode: .full, method: .post, target: "/"))
    rig.write()
    #expect(rig.updates.isEmpty && rig.app.shown.status(of: .corridor).lastError?.code == .unauthorized)
  }

  @Test func aStatusThatChangesIsToldAndNoOther() throws {
    let rig = try failing()
    rig.turn { $0.set(DataUpdateFrequency.none) }
    rig.write()
    #expect(rig.statuses == [])
    rig.turn { $0.setOnline(false) }
    rig.write()
    #expect(rig.statuses == [.corridor, ManualRig.london, ManualRig.singapore])
    rig.forget()
    rig.turn { $0.set(DriverRig.query()) }
    rig.write()
    #expect(rig.statuses == [ManualRig.london, ManualRig.singapore])
  }

  @Test func aKeyThatIsRefusedIsTheOutageUntilAnotherIsTaken() throws {
    let rig = ManualRig.launched()
    rig.turn { $0.set(DriverRig.query()) }
    rig.write()
    rig.answer(401, to: try rig.request(.corridor))
    rig.write()
    #expect(rig.told == ["failed corridor unauthorized"])
    #expect(rig.app.shown.status(of: .corridor).phase == .blocked)
    rig.forget()
    rig.turn { $0.set(CredentialsChange(apiKey: .some("second-key"))) }
    rig.write()
    let answer = ObservationsAnswer(token: rig.now / 1000)
    rig.answer(200, answer.json, to: try rig.request(.corridor))
    rig.write()
    #expect(rig.told.filter { $0.hasPrefix("recovered") } == ["recovered corridor"])
    #expect(rig.app.shown.status(of: .corridor).lastError == nil)
  }

  // MARK: The outbox

  /// An outbox whose first report failed to go out and is tried again, with another report behind it.
  private static func tryingAgain() -> (ManualRig, OutgoingRequest) {
    let rig = ManualRig.launched()
    rig.add(.report(ManualRig.report, rig.app.makeTicket()))
    rig.write()
    rig.feed(.responded(rig.state.outbox.upload?.request ?? 0, .failed(.network, message: "")))
    rig.write()
    rig.add(.report(ManualRig.report, rig.app.makeTicket()))
    rig.write()
    rig.forget()
    while rig.state.outbox.upload?.request == nil {
      rig.fire()
      rig.write()
    }
    rig.forget()
    let number = rig.state.outbox.upload?.request ?? 0
    return (rig, OutgoingRequest(number: number, scope: .outbox, mode: .full, method: .post, target: "/"))
  }

  @Test func anOutageOfTheOutboxEndsWithTheFirstReportsThatAreConfirmed() {
    let (rig, request) = Self.tryingAgain()
    rig.answer(200, Array(#"{"data":{"accepted":1},"meta":{},"links":{},"warnings":{}}"#.utf8), to: request)
    rig.write()
    #expect(rig.state.outbox.reports.count == 1)
    #expect(rig.updates.count { $0 == .recovered(.outbox) } == 1)
    #expect(rig.app.shown.status(of: .outbox).lastError == nil)
  }

  @Test func aKeyThatIsRefusedEndsNoOutageOfTheOutbox() {
    let (rig, request) = Self.tryingAgain()
    rig.answer(401, to: request)
    rig.write()
    #expect(rig.state.outbox.reports.count == 2 && !rig.updates.contains(.recovered(.outbox)))
    #expect(rig.app.shown.status(of: .outbox).lastError?.code == .unauthorized)
    #expect(rig.app.shown.status(of: .outbox).phase == .blocked)
  }
}
