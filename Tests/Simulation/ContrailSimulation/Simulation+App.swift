package import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire

// What the application does.

extension Simulation {
  func perform(_ step: Step) {
    switch step {
    case .pass(let milliseconds):
      if sabotage == .refreshesUntold { submit { $0.refresh(full: true) } }
      pass(milliseconds)
    case .sleep(let milliseconds):
      tally.count("app.sleep")
      trueMS += milliseconds
      isWaking = true
      pass(0)
      isWaking = false
    case .meet(let isBefore, let changes): meet(isBefore: isBefore, changes)
    case .set(let changes):
      set(changes)
      // Another turn of the application's loop, or this one.
      if script.setting.turnsAreLate { add(.endOfTurn, at: trueMS + 3) } else { endTurn() }
    case .setChecked(let change): setChecked(change)
    case .refresh(let isFull):
      judge.noteRefresh()
      submit { $0.refresh(full: isFull) }
    case .track(let count): track(count)
    case .link(let isUp, let isTold): setLink(isUp, isTold: isTold)
    case .linkCost(let isExpensive, let isConstrained):
      submit { $0.set(LinkCost(isExpensive: isExpensive, isConstrained: isConstrained)) }
    case .revokeKey:
      server.key = server.key == "first-key" ? "second-key" : "first-key"
      server.issuer?.revoke()
    case .renewKey: renewKey()
    case .provider(let faults): if server.issuer != nil { providerFaults += faults }
    case .setWeatherToken: submit { $0.set(CredentialsChange(weatherToken: .some("token"))) }
    case .clock(let milliseconds):
      tally.count("clock.\(milliseconds < 0 ? "back" : "ahead")")
      wallAheadMS += milliseconds
      submit { $0.add(.clockChanged) }
    case .answers(let faults):
      spoils += faults.filter { !$0.isOfHolds }
      holdSpoils += faults.filter(\.isOfHolds)
    case .latency(let milliseconds): latencyMS = milliseconds
    case .retention(let seconds): server.retentionSeconds = seconds
    case .disk(let trouble): perform(trouble)
    case .relaunch(let ending): plan(ending)
    case .database(let trouble):
      if database != nil { tally.count("database.\(trouble)") }
      database?.suffer(trouble)
      if trouble != .left { plan(.kill) }
    case .background: goToBackground()
    case .foreground:
      tally.count("app.foreground")
      judge.presence = .foreground
      submit { $0.add(.foreground) }
    case .airports(let cycle, let step): perform(step, of: cycle)
    case .airportFiles(let faults): airportFaults += faults
    case .lookup(let place, let isAnswered): lookUp(place, isAnswered: isAnswered)
    }
    watchApp()
  }

  private func perform(_ step: AirportStep, of cycle: Int) {
    guard let airports = SimulatedAirports.cycles[safe: cycle] else { return }
    tally.count("airports.\(step.rawValue)")
    let ticket = app.makeTicket()
    awaited.insert(ticket)
    submit { $0.add(.airports(airports.entries(step), ticket)) }
  }

  private func lookUp(_ place: Int, isAnswered: Bool) {
    tally.count("weather.lookup")
    let lookup = WeatherLookup(place: SimulatedWorld.places[place], version: "v2.6", spec: WeatherSpec())
    let body = ledger.nextLookup()
    let ticket = app.makeTicket()
    awaited.insert(ticket)
    submit {
      $0.add(
        .weather(
          WeatherEntry(
            lookup,
            isAnswered
              ? .answered(status: 200, wireBytes: Int64(body.count), body: Array(body.utf8)) : .failed(.timeout)),
          ticket))
    }
  }

  func renewKey() {
    let key = goodKey()
    submit { $0.set(CredentialsChange(apiKey: .some(key))) }
  }

  /// Changes something and ends the turn.
  func submit(_ change: (inout AppSide) -> Void) {
    guard ending == nil else { return }
    tally.appActions += 1
    change(&app)
    endTurn()
  }

  private func goToBackground() {
    tally.count("app.background")
    let ticket = app.makeTicket()
    awaited.insert(ticket)
    backgroundTicket = ticket
    judge.presence = .leaving
    submit { $0.add(.background(ticket)) }
    if sabotage == .backgroundIsOverlooked { submit { $0.add(.foreground) } }
  }

  /// Each report is on stable storage before the application is told that it is kept.
  private func track(_ count: Int) {
    for _ in 0..<count where ending == nil {
      tally.reportsTracked += 1
      let report = server.uploads.next(atSecond: trueMS / 1000)
      let ticket = app.makeTicket()
      awaited.insert(ticket)
      reportTickets.insert(ticket)
      submit { $0.add(.report(report, ticket)) }
    }
  }

  private func plan(_ ending: Ending) {
    switch ending {
    case .orderly:
      tally.count("process.relaunch")
      release()
      if self.ending == nil { self.ending = .orderly }
    case .kill:
      tally.count("process.kill")
      self.ending = .kill
    case .powerLoss:
      tally.count("process.powerLoss")
      isPowerToFail = true
      self.ending = .powerLoss
    case .killBeforeAction: isToDieBeforeAction = true
    case .killAmid(let count): disk.faults[disk.operationCount + count] = .death
    case .powerLossAmid(let count):
      disk.faults[disk.operationCount + count] = .death
      isPowerToFail = true
    }
  }

  /// Sets some properties, in place or the whole query at once.
  func set(_ changes: [Change]) {
    guard ending == nil, knowsSettings || app.shown.isOpen else { return }
    tally.appActions += changes.count
    let phase = app.shown.isOpen ? app.mayUseLink ? "online" : "offline" : isFirstTurnOver ? "opening" : "launch"
    for change in changes {
      for member in change.members { tally.count("set.\(member).\(phase)") }
      appJudge.set(change)
      switch change {
      case .history(let span): app.set(span)
      case .frequency(let rate): app.set(rate)
      case .byteBudget(let bytes, let flight): app.set(ByteBudget(bytes, flight: flight))
      case .listening(let isEnabled, let urgent, let altitudes, let minutes):
        app.set(
          ListeningSettings(
            isEnabled: isEnabled, urgent: urgent, altitudes: altitudes, confirmationMinutes: minutes))
      default:
        // In place, or the whole query by an application that keeps its own: both set all that the application reads.
        var query = app.settings.dataQuery
        query.apply(change)
        app.set(query)
      }
    }
  }

  /// The engine must find the same parts invalid as the design does.
  private func setChecked(_ change: Change) {
    guard ending == nil, knowsSettings || app.shown.isOpen else { return }
    var query = app.settings.dataQuery
    query.apply(change)
    let isRefused = !query.resolved().rejections.isEmpty
    tally.count(isRefused ? "app.queryRefused" : "app.queryAccepted")
    if isRefused != Wishes.hasFault(query.resolved()) {
      judge.find(.settings, "a query is \(isRefused ? "refused" : "accepted") against the design")
    }
    guard !isRefused else { return }
    set([change])
    if script.setting.turnsAreLate { add(.endOfTurn, at: trueMS + 3) } else { endTurn() }
  }

  private func meet(isBefore: Bool, _ changes: [Change]) {
    let next = events.compactMap { event -> Int64? in
      if case .delivery = event.what { event.at } else { nil }
    }.min()
    func setNow() {
      set(changes)
      endTurn()
    }
    guard let next else {
      // The answer is not even under way: to the server it is, then.
      guard let arrival = events.map(\.at).min() else { return setNow() }
      pass(max(0, arrival - trueMS))
      return setNow()
    }
    tally.changesInTurnWithAnswer += 1
    pass(max(0, next - 1 - trueMS))
    guard ending == nil, judge.finding == nil else { return }
    trueMS = max(trueMS, next)
    if isBefore { setNow() }
    pass(0)
    if !isBefore, ending == nil { setNow() }
  }
}

extension DataQuery {
  /// The query after a change; what is about history and frequency is not of the query.
  package mutating func apply(_ change: Change) {
    func coordinates(_ points: ResolvedQuery.Points) -> [Coordinate] {
      points.map { $0?.coordinate ?? Coordinate(latitude: .nan, longitude: .nan) }
    }
    switch change {
    case .polygon(let area): polygon = area.map { coordinates(SimulatedWorld.areas[$0]) }
    case .turnedPolygon(let area): polygon = coordinates(SimulatedWorld.turned(area))
    case .openPolygon: polygon = coordinates(SimulatedWorld.areas[0].dropLast())
    case .crossingPolygon: polygon = coordinates(SimulatedWorld.crossing)
    case .routeWithoutCorridor:
      polygon = nil
      routeWidth = nil
      route = coordinates(SimulatedWorld.route)
    case .route:
      polygon = nil
      routeWidth = SimulatedWorld.routeWidthNM
      route = coordinates(SimulatedWorld.route)
    case .onePointRoute:
      polygon = nil
      routeWidth = SimulatedWorld.routeWidthNM
      route = coordinates(Array(SimulatedWorld.route.prefix(1)))
    case .rectangle(let number, true): viewport = coordinates(SimulatedWorld.rectangles[number].given)
    case .rectangle(let number, false): polygon = coordinates(SimulatedWorld.rectangles[number].given)
    case .viewport(let area): viewport = area.map { coordinates(SimulatedWorld.areas[$0]) }
    case .brokenViewport: viewport = coordinates([nil, nil])
    case .invalidViewport(let isOpen):
      viewport = coordinates(isOpen ? SimulatedWorld.areas[0].dropLast() : SimulatedWorld.crossing)
    case .types(let types): self.types = DataTypeOptions(rawValue: types)
    case .insertType(let type): types.insert(DataTypeOptions(rawValue: type))
    case .removeType(let type): types.remove(DataTypeOptions(rawValue: type))
    case .viewportTypes(let types): viewportTypes = types.map { DataTypeOptions(rawValue: $0) }
    case .severities(let severities): sevs = SeveritySet(rawValue: severities).severities
    case .altitudes(let range): altRange = range.map { Double($0.lower)...Double(max($0.lower, $0.upper)) }
    case .globalEnabled(let isOn): globalEnabled = isOn
    case .upTo(let isOn): globalTurbulencePolygonsUpToEnabled = isOn
    case .weather(let places): weather.places = places.map { SimulatedWorld.places[$0] }
    case .weatherSpec(let language, let hours): weather.spec = WeatherSpec(language: language, hours: hours)
    case .weatherMember(let member): weather.spec.apply(member)
    case .history, .frequency, .byteBudget, .listening: break
    }
  }
}

extension WeatherSpec {
  mutating func apply(_ member: Change.WeatherMember) {
    switch member {
    case .language(let language): self.language = language
    case .unit(let unit): self.unit = unit
    case .version(let version): self.version = version
    case .file(let file): self.file = file
    case .includesAlerts(let includesAlerts): self.includesAlerts = includesAlerts
    case .hours(let hours): self.hours = hours
    case .days(let days): self.days = days
    }
  }
}
