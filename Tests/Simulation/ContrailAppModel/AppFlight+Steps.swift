import Contrail
import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailQuery
import ContrailSimulation
import ContrailTestSupport
import ContrailTesting
import ContrailWire
import Foundation

// What the application, its network and its device do, with the client and in the model.

extension AppFlight {
  func perform(_ step: AppStep) async {
    switch step {
    case .set:
      note(step)
      // Changes in one turn of the main actor cost one request.
      await MainActor.run { [client, key = serverKey] in Self.act(step, on: client, key: key) }
      if sabotage == .settingIsForgotten { client.dataQuery.types.remove(.pireps) }
      if client.dataQuery != network.with({ $0.model.query }) { find("a setting is read back as another at once") }
    case .setChecked(let change): setChecked(change)
    case .refresh, .online, .linkCost, .foreground:
      note(step)
      Self.act(step, on: client, key: serverKey)
    case .systemLink(let hasLink):
      note(step)
      Self.act(step, on: client, key: serverKey)
      if sabotage == .systemUndoesTheSwitch, hasLink { client.isOnline = true }
    case .renewKey:
      note(step)
      if sabotage != .keyIsForgotten { Self.act(step, on: client, key: serverKey) }
    case .pass(let milliseconds): await pass(milliseconds)
    case .faults(let faults): network.with { $0.faults += faults }
    case .outage(let isOut): network.with { $0.isOut = isOut }
    case .latency(let milliseconds): network.with { $0.latencyMS = milliseconds }
    case .revokeKey: network.with { $0.server.key = $0.server.key == "first-key" ? "second-key" : "first-key" }
    case .report(let feet, let severity, let edrE4, let ago): await report(feet, severity, edrE4, secondsAgo: ago)
    case .background:
      network.with { $0.model.isInBackground = true }
      await client.enterBackground()
    case .wall(let aheadMS): clock.setWall(ahead: aheadMS)
    case .observe(let observer):
      // Who listens now isn't told what was before.
      if !observers.isTold { network.with { ($0.model.due, $0.model.allowed, $0.model.news) = ([:], [:], [:]) } }
      observers.add(observer, isDeaf: sabotage == .observersAreForgotten)
    case .stopObserving: observers = Observers(of: client)
    case .read(let seed): read(seed)
    case .lookUpAirport: await lookUpAirport()
    case .lookUpWeather: await lookUpWeather()
    case .deferAirports: await deferAirports()
    case .relaunch: await relaunch()
    case .relaunchInHaste(let changes):
      await relaunch(first: [.set(changes)])
      await relaunch(isHasty: true)
    case .launch(let first): await relaunch(first: first)
    case .afterStop(let late): await relaunch(late: late)
    }
  }

  private var serverKey: String { network.with { $0.server.key } }

  // MARK: At once

  /// Tells the model what the application does at once. The model knows it first, because the client sends at once.
  private func note(_ step: AppStep) {
    let second = second
    let now = clock.now
    network.with { state in
      switch step {
      case .set(let changes): state.model.set(changes, at: second, now: now)
      case .setChecked(let change):
        guard !Wishes.hasFault(state.model.resolved(after: change)) else { return }
        state.model.set([change], at: second, now: now)
      case .refresh: state.model.refresh()
      case .online(let isOnline): state.model.isOnline = isOnline
      case .systemLink(let hasLink): state.model.hasLink = hasLink
      case .linkCost(let isExpensive, let isConstrained):
        state.model.linkCost = LinkCost(isExpensive: isExpensive, isConstrained: isConstrained)
      case .renewKey: state.renewKey()
      case .foreground: state.model.isInBackground = false
      default: break
      }
    }
  }

  /// Does with a client what an application, or the system, does at once.
  private static func act(_ step: AppStep, on client: ContrailClient, key: String) {
    switch step {
    case .set(let changes):
      for change in changes {
        if !setBesidesQuery(change, of: client) { client.dataQuery.apply(change) }
      }
    case .setChecked(let change):
      var query = client.dataQuery
      query.apply(change)
      if (try? client.setDataQuery(query)) != nil { _ = setBesidesQuery(change, of: client) }
    case .refresh(let isFull): client.fetchData(refresh: isFull)
    case .online(let isOnline): client.isOnline = isOnline
    case .systemLink(let hasLink): client.setSystemLink(hasLink)
    case .linkCost(let isExpensive, let isConstrained):
      client.linkCost = LinkCost(isExpensive: isExpensive, isConstrained: isConstrained)
    case .renewKey: client.setAPIKey(key)
    case .foreground: client.enterForeground()
    default: break
    }
  }

  /// Sets a setting that isn't part of the query, and returns whether the change is one.
  private static func setBesidesQuery(_ change: Change, of client: ContrailClient) -> Bool {
    switch change {
    case .history(let span): client.dataHistoryTime = span
    case .frequency(let rate): client.dataUpdateFrequency = rate
    case .byteBudget(let bytes, let flight): client.byteBudget = ByteBudget(bytes, flight: flight)
    case .listening: if let settings = ListeningSettings(change) { client.listening = settings }
    default: return false
    }
    return true
  }

  private func setChecked(_ change: Change) {
    var query = client.dataQuery
    query.apply(change)
    let isValid = network.with { !Wishes.hasFault($0.model.resolved(after: change)) }
    note(.setChecked(change))
    do {
      try client.setDataQuery(query)
      if !isValid { find("an invalid query is accepted") }
      _ = Self.setBesidesQuery(change, of: client)
    } catch {
      if isValid { find("a valid query is refused: \(error)") }
      if error.code != .invalidQuery { find("a query is refused with \(error.code.rawValue)") }
    }
  }

  // MARK: Reports

  private static let position = Coordinate(latitude: 45, longitude: -30)

  private func report(_ feet: Double, _ severity: TurbulenceSeverity, _ edrE4: Int, secondsAgo: Int64?) async {
    let (knowsTime, ahead, slack) = network.with { ($0.model.knowsServerTime, $0.serverAheadMS, $0.slackMS) }
    let now = clock.now + (knowsTime ? ahead : 0)
    let observed = now / 1000 - (secondsAgo ?? 0)
    let seconds = secondsAgo == nil ? observed - slack / 1000 - 1...observed : observed...observed
    let own = AppModel.Own(
      altitude: UInt8((feet / 1000).rounded()), severity: severity, edrE4: UInt16(edrE4), seconds: seconds)
    // The model knows it first, because the client sends at once.
    network.with { $0.model.report(own) }
    do {
      try await client.report(
        at: Self.position, altitudeFeet: feet, severity: severity, edr: Double(edrE4) / 10_000,
        observedAt: (sabotage == .reportsAreLate ? 40 : secondsAgo).map {
          Date(timeIntervalSince1970: Double(now / 1000 - $0))
        })
    } catch {
      network.with { $0.model.withdraw() }
      // The client's estimate of the server's time may be late by the latency.
      if secondsAgo.map({ $0 * 1000 > slack + 1000 }) ?? true { find("a report is refused: \(error)") }
    }
  }

  // MARK: What the application asks by itself

  private func lookUpAirport() async {
    let (mayUseLink, isReachable) = network.with {
      ($0.model.mayUseLink, !$0.isOut && $0.faults.isEmpty && $0.latencyMS == 0)
    }
    guard isReachable else { return }
    let before = network.with { $0.requests }
    do {
      let airport = try await AirportSearchManager.createOnlineManager(context: client).searchById("ZZZZ").value
      if airport != nil { find("an airport that there isn't is found") }
    } catch {
      if mayUseLink { find("the search of airports fails: \(error)") }
    }
    if mayUseLink, network.with({ $0.requests }) == before { find("the search of airports asks nobody") }
  }

  private static let weather = Data(#"{"status":"ok"}"#.utf8)

  private func lookUpWeather() async {
    let mayUseLink = network.with { $0.model.mayUseLink }
    let (isSent, isAnswered) = await askForWeather()
    if isSent != mayUseLink { find("a request for weather is \(isSent ? "sent without" : "not sent with") a link") }
    if isAnswered != isSent { find("an answer with weather is \(isAnswered ? "made up" : "lost")") }
    let now = clock.now
    if isAnswered { network.with { $0.model.count(lookup: Int64(Self.weather.count), at: now) } }
  }

  /// Asks a service that always answers.
  private func askForWeather() async -> (isSent: Bool, isAnswered: Bool) {
    let path = "v2.6/token/\(SimulatedWorld.places[0].key)/weather.json"
    guard let url = URL(string: "http://weather.invalid/\(path)") else { return (false, false) }
    let before = network.with { $0.lookups }
    let transport = client.loggedWeatherTransport(
      over: WeatherTransportFunction { [network, weather = Self.weather] _ in
        network.with { $0.lookups += 1 }
        return (status: 200, body: weather)
      })
    let isAnswered = (try? await transport.get(url)) != nil
    return (network.with { $0.lookups } > before, isAnswered)
  }

  /// Nothing is in use, so the cycle stays due.
  private func deferAirports() async {
    guard let cycle = AIRACCycle(at: second) else { return }
    await client.airports.deferLoad(of: cycle)
  }

  // MARK: Launching and stopping

  /// - Parameters:
  ///   - late: What the application does with the stopped client.
  ///   - first: What it does in its first turn with the next one.
  ///   - isHasty: Whether the client was launched just before.
  private func relaunch(late: [AppStep] = [], first: [AppStep] = [], isHasty: Bool = false) async {
    await stop(then: late)
    guard finding == nil else { return }
    let key = network.with { state in
      state.isStopped = false
      state.model.relaunch(isHasty: isHasty)
      return state.model.key
    }
    for step in first { note(step) }
    weak let former = client.airports
    do {
      client = try await MainActor.run { [network, clock, path = directory.path, serverKey = serverKey] in
        let client = try Self.client(path, network, clock, key)
        for step in first { Self.act(step, on: client, key: serverKey) }
        return client
      }
    } catch {
      find("the client can't be created again: \(error)")
    }
    observers = Observers(of: client)
    alerts = AlertModel()
    guard await eventually({ former == nil }) else { return find("a client that was let go is still in memory") }
    // Settings are there before the log is open.
    compareSettings()
  }

  /// Stops the client: nothing is under way, nothing comes, and whoever waits is told the end.
  ///
  /// - Parameter late: What the application does with it all the same.
  func stop(then late: [AppStep] = []) async {
    let streams = observers.streams
    await client.stop()
    network.with { state in
      let count = state.open.count
      if count > 0 { state.find("\(count) requests go on after the client was stopped") }
      state.isStopped = true
    }
    for step in late { await performLate(step) }
    compareStopped()
    guard await eventually({ streams.allSatisfy(\.isOver) }) else {
      return find("a stream goes on after the client was stopped")
    }
    clock.advance(by: 7_200_000)
    for _ in 0..<20 { await Task.yield() }
  }

  /// Does with a stopped client what the application does. The model knows nothing of it, because nothing follows.
  private func performLate(_ step: AppStep) async {
    switch step {
    case .report(let feet, let severity, let edrE4, _):
      do {
        try await client.report(
          at: Self.position, altitudeFeet: feet, severity: severity, edr: Double(edrE4) / 10_000)
        find("a stopped client takes a report")
      } catch {
        if error.code != .stopped { find("a stopped client refuses a report with \(error.code.rawValue)") }
      }
    case .background: await client.enterBackground()
    case .lookUpWeather: _ = await askForWeather()
    case .deferAirports: await deferAirports()
    case .relaunch: await client.stop()
    default: await MainActor.run { [client, key = serverKey] in Self.act(step, on: client, key: key) }
    }
  }

  private func compareStopped() {
    for scope in AppModel.scopes + [.outbox] {
      let status = client.status(of: scope)
      if status.phase != .stopped { find("\(scope.name) is \(status.phase.rawValue) after the client was stopped") }
      if status.nextAttempt != nil { find("\(scope.name) is to be requested after the client was stopped") }
    }
  }
}
