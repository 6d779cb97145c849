package import Contrail
import ContrailAirportData
package import ContrailCore
package import ContrailEngine
package import ContrailField
import ContrailGeodesy
import ContrailLog
package import ContrailWire

/// Simulates a flight along a track against a server and records it. The engine and HTTP are real; the clock is simulated.
///
/// ``Link`` models the duration of responses. Recording again produces the same bytes, except for sizes on the wire and CRCs.
package struct Recorder {
  /// The options of a recording.
  package struct Options: Sendable {
    /// The path of the log.
    package var path: String
    package var seed: UInt64 = 1
    /// The full width of the corridor in nautical miles, or `nil` for no corridor.
    package var widthNM: Double? = 100
    package var types: DataTypeOptions = .turbulence
    package var history = DataHistoryTime.twoHours
    package var frequency = DataUpdateFrequency.fast
    package var viewport = Scenario.Viewport.off
    package var link = Link.steady(SteadyLink())
    /// The time after the first fix at which the flight ends in milliseconds, or `nil` for the last fix.
    package var untilMS: Int64?
    /// What is different from the settings of the flight: the truth for a prediction of what-if. Its wire is for the server, and
    /// its link for ``link``.
    package var alternative = Alternative()

    package init(path: String) {
      self.path = path
    }
  }

  private let options: Options
  let sender: RequestSender
  let credentials: Credentials
  private let track: Track
  private var pending: [Pending] = []
  private var arrivals = Arrivals()
  private var shell: SteppedShell
  /// The settings of the flight. The application gets those of the alternative.
  private var wanted: Wanted
  private var map: RecordedMap
  private var position: Coordinate
  private var altitudeFeet: Double?
  private var isLinkUp = true
  private var isKeyValid = true
  private var faults: [(from: Int64, to: Int64, text: String)] = []
  private var launches = 0
  /// The airports, created when they are first needed.
  private var airports: RecordedAirports?
  /// The digest of the airports in use.
  private var airportsInUse: UInt64?
  private var now: Int64
  private var summary: Summary

  private struct Wanted {
    var query = DataQuery()
    var history: DataHistoryTime
    var frequency: DataUpdateFrequency
  }

  /// A planned step. Steps with the same time keep their order.
  private struct Pending {
    var at: Int64
    var step: Step
  }

  private enum Step {
    case action(Scenario.Action)
    /// The map is moved to this centre.
    case map(Coordinate)
    /// The aircraft reports turbulence at its position.
    case report(TurbulenceSeverity)
    /// The alternative begins or ends.
    case settings
    /// The response to a check for airport cycles.
    case airportOffers(AIRACCycle, [AirportOffer]?)
    case airportFile(AIRACCycle, RequestResult)
  }

  /// The offset of the wall clock from the simulated clock in milliseconds.
  private var wallLeadMS: Int64 = 0

  /// The interval between sync marks. A recording needs few of them, because it can be recorded again.
  private static let syncDelayMS: Int64 = 600_000

  /// Creates a recorder and its log.
  ///
  /// - Throws: ``EngineError`` if the log can't be created.
  package init(
    options: Options, sender: RequestSender, credentials: Credentials, track: Track, scenario: Scenario
  ) throws(EngineError) {
    self.options = options
    self.sender = sender
    self.credentials = credentials
    self.track = track
    let start = track.fixes[0].at
    now = start
    position = track.fixes[0].position
    map = RecordedMap(options.viewport)
    wanted = Wanted(history: options.history, frequency: options.frequency)
    pending = scenario.events.map { Pending(at: start + $0.at, step: .action($0.action)) }
    let log = try FileLog.create(path: options.path, at: start, policy: .interval(milliseconds: Self.syncDelayMS))
    shell = SteppedShell(Self.configuration(options, credentials, launch: 1)) { _ in (log, State()) }
    launches = 1
    summary = Summary(digest: State().digest)
    if let span = options.alternative.span {
      for bound in [span.lowerBound, span.upperBound] where bound < .max { plan(.settings, at: start + bound) }
    }
  }

  /// Runs the flight to its end.
  ///
  /// - Parameter progress: A closure that is called after each fix with the completed fraction of the flight.
  /// - Returns: The summary.
  /// - Throws: ``EngineError`` if the log or the airport database can't be written.
  package mutating func run(progress: (Double) -> Void = { _ in }) async throws(EngineError) -> Summary {
    let start = track.fixes[0].at
    var end = track.fixes[track.fixes.count - 1].at
    if let until = options.untilMS { end = min(end, start + until) }
    let fixes = track.fixes
    var fix = 0
    try await feed(.launched)
    setHistory(options.history)
    setFrequency(options.frequency)
    let (types, width) = (options.types, options.widthNM)
    setQuery { query in
      query.types = types
      guard let width else { return }
      query.routeWidth = width
      query.route = Self.route(of: fixes)
    }
    while true {
      let nextFix = fix < fixes.count ? fixes[fix].at : .max
      let timer = shell.timer
      let next = min(pending.first?.at ?? .max, nextFix, arrivals.nextAt, max(timer ?? .max, now))
      guard next <= end else { break }
      now = max(now, next)
      if let first = pending.first, first.at <= next {
        pending.removeFirst()
        switch first.step {
        case .action(let action): try await perform(action)
        case .map(let centre): if let region = map.move(to: centre) { setQuery { $0.viewport = region } }
        case .report(let severity): try await track(severity)
        case .settings:
          setHistory(wanted.history)
          setFrequency(wanted.frequency)
          setQuery { _ in }
        case .airportOffers(let cycle, let offers):
          // Without a response, the check has no result.
          guard let offers, isLinkUp else { break }
          try await add(
            .airports([.input(.airportsChecked(.init(wanted: AirportEdition(cycle), offers: offers)))], nil))
        case .airportFile(let cycle, let outcome): try await load(cycle, outcome)
        }
      } else if nextFix <= next {
        position = fixes[fix].position
        altitudeFeet = fixes[fix].altitudeFeet
        fix += 1
        progress(Double(now - start) / Double(max(end - start, 1)))
      } else if arrivals.nextAt <= next {
        try await deliver(arrivals.removeFirst())
      } else if timer != nil {
        try await feed(.timerFired)
      }
      if let region = map.follow(position) { setQuery { $0.viewport = region } }
      try await endTurn()
    }
    now = end
    return try await finish(spanMS: end - start)
  }

  // MARK: Events

  private static func configuration(
    _ options: Options, _ credentials: Credentials, launch: Int
  ) -> Driver.Configuration {
    Driver.Configuration(
      session: .init(engine: EngineVersion.current, id: "\(options.seed)-\(launch)", seed: options.seed),
      credentials: credentials, syncDelayMS: syncDelayMS)
  }

  /// The alternative, while it applies.
  private var alternative: Alternative {
    let applies = options.alternative.span?.contains(now - track.fixes[0].at) ?? true
    return applies ? options.alternative : Alternative()
  }

  private mutating func setHistory(_ history: DataHistoryTime) {
    wanted.history = history
    shell.app.set(alternative.history ?? history)
  }

  private mutating func setFrequency(_ frequency: DataUpdateFrequency) {
    wanted.frequency = frequency
    shell.app.set(alternative.frequency ?? frequency)
  }

  private mutating func setQuery(_ change: (inout DataQuery) -> Void) {
    change(&wanted.query)
    let query = alternative.query(wanted.query)
    if query != shell.app.settings.dataQuery { shell.app.set(query) }
  }

  private mutating func perform(_ action: Scenario.Action) async throws(EngineError) {
    switch action {
    case .connectivity(let isOnline): try await setLink(isOnline)
    case .relaunch: try await relaunch()
    case .refresh(let isFull):
      shell.app.refresh(full: isFull)
      try await endTurn()
    case .history(let history): setHistory(history)
    case .frequency(let frequency): setFrequency(frequency)
    case .budget(let bytes): shell.app.set(ByteBudget(bytes: bytes, per: .flight("recording")))
    case .link(let cost): shell.app.set(cost)
    case .types(let types): setQuery { $0.types = types }
    case .viewportTypes(let types): setQuery { $0.viewportTypes = types }
    case .severities(let severities): setQuery { $0.sevs = severities }
    case .altitudes(let range): setQuery { $0.altRange = range }
    case .route(let route, let width):
      setQuery { query in
        query.routeWidth = route == nil ? nil : width
        query.route = route
      }
    case .polygon(let polygon): setQuery { $0.polygon = polygon }
    case .viewport(let viewport):
      map.show(viewport)
      if viewport == .off { setQuery { $0.viewport = nil } }
    case .pan(let count, let every, let step):
      for (index, centre) in map.pan(count, by: step).enumerated() {
        plan(.map(centre), at: now + every * Int64(index + 1))
      }
    case .globalEnabled(let isEnabled): setQuery { $0.globalEnabled = isEnabled }
    case .upToEnabled(let isEnabled): setQuery { $0.globalTurbulencePolygonsUpToEnabled = isEnabled }
    case .fault(let text, let span): faults.append((now, now + span, text))
    case .key(let isValid):
      isKeyValid = isValid
      shell.app.set(CredentialsChange(apiKey: .some(credentials.apiKey)))
      try await endTurn()
    case .report(let severity, let count, let every):
      for index in 0..<count { plan(.report(severity), at: now + every * Int64(index)) }
    case .weather(let query): setQuery { $0.weather = query }
    case .clock(let milliseconds):
      wallLeadMS += milliseconds
      try await add(.clockChanged)
    case .airports(let verb, let cycle): try await perform(verb, cycle)
    }
  }

  private mutating func plan(_ step: Step, at time: Int64) {
    pending.insert(Pending(at: time, step: step), at: pending.firstIndex { $0.at > time } ?? pending.count)
  }

  /// Reports turbulence at the position, altitude and time of the last fix.
  private mutating func track(_ severity: TurbulenceSeverity) async throws(EngineError) {
    let edr = [0.02, 0.12, 0.18, 0.3, 0.5][Int(severity.rawValue)]
    // Fixes outside the earth were already skipped.
    guard
      let report = try? TurbulenceReport(
        at: position, altitudeFeet: min(max(altitudeFeet ?? 35_000, 0), 52_000), severity: severity, edr: edr,
        observedAt: now / 1000)
    else { return }
    let ticket = shell.app.makeTicket()
    try await add(.report(report, ticket))
  }

  private mutating func perform(_ verb: Scenario.Airports, _ cycle: AIRACCycle) async throws(EngineError) {
    let sender = sender.adding([(WireHeader.simulatedTime, String(now))])
    let delay = options.delayOutsideMS(at: now)
    switch verb {
    case .check where isLinkUp:
      plan(.airportOffers(cycle, await sender.airportOffers(with: credentials)), at: now + delay)
    case .load where isLinkUp:
      plan(.airportFile(cycle, await sender.airportFile(AirportEdition(cycle), with: credentials)), at: now + delay)
    case .check, .load: plan(.airportFile(cycle, .failed(.network, message: "there is no link")), at: now)
    case .deliver: try await add(.airports([.input(.airportsDelivery(isAutomatic: true))], nil))
    case .defer: try await add(.airports([.input(.airportsDeferred(AirportEdition(cycle)))], nil))
    }
  }

  /// Loads a downloaded file. If the link was lost in the meantime, the download fails.
  private mutating func load(_ cycle: AIRACCycle, _ outcome: RequestResult) async throws(EngineError) {
    let airports: RecordedAirports
    if let made = self.airports {
      airports = made
    } else {
      airports = try RecordedAirports(folder: options.path + ".airports")
      self.airports = airports
    }
    let arrived = isLinkUp ? outcome : .failed(.network, message: "the link was lost")
    try await add(.airports(await airports.load(cycle, arrived), nil))
  }

  private mutating func setLink(_ isUp: Bool) async throws(EngineError) {
    isLinkUp = isUp
    if !isUp { arrivals.failAll(at: now) }
    shell.app.setOnline(isUp)
    try await endTurn()
  }

  /// Simulates the end of the process and a relaunch from the log on disk.
  private mutating func relaunch() async throws(EngineError) {
    _ = try shell.log?.perform(.sync(at: state.now))
    arrivals.removeAll()
    launches += 1
    let path = options.path
    shell = SteppedShell(Self.configuration(options, credentials, launch: launches)) { _ throws(EngineError) in
      let (log, state) = try FileLog.open(path: path, policy: .interval(milliseconds: Self.syncDelayMS))
      return (log, state)
    }
    map.close()
    wanted.query.viewport = nil
    if !isLinkUp {
      shell.app.setOnline(false)
      try await endTurn()
    }
    try await feed(.launched)
  }

  private mutating func deliver(_ delivery: Arrivals.Arrival) async throws(EngineError) {
    switch delivery.outcome {
    case .answered(let response): summary.estimatedBytes += response.wireBytes + (response.sent?.total ?? 0)
    case .failed(_, _, let sent):
      summary.failures += 1
      summary.estimatedBytes += sent?.total ?? 0
    }
    let before = state
    try await feed(.responded(delivery.request, delivery.outcome))
    guard case .answered = delivery.outcome else { return }
    if let scope = before.scopes.first(where: { $0.inFlight?.request == delivery.request }) {
      if let success = state.scope(scope.id)?.lastSuccessAt, success != scope.lastSuccessAt { summary.accepted += 1 }
    } else if before.outbox.upload?.request == delivery.request, state.outbox.retry.failures == 0 {
      summary.accepted += 1
    }
  }

  // MARK: Driver and server

  private var state: State { shell.state }

  private var time: EngineTime { EngineTime(now: now, wall: now + wallLeadMS) }

  private mutating func endTurn() async throws(EngineError) {
    try await carryOut { shell, time in shell.endTurn(at: time) }
  }

  private mutating func add(_ event: AppEvent) async throws(EngineError) {
    shell.app.add(event)
    try await endTurn()
  }

  private mutating func feed(_ event: DriverEvent) async throws(EngineError) {
    try await carryOut { shell, time in shell.feed(event, at: time) }
  }

  /// Carries out the actions of a turn. By the policy that does so, a change of the settings or the map is followed by a full refresh.
  private mutating func carryOut(_ turn: (SteppedShell, EngineTime) -> [DriverAction]) async throws(EngineError) {
    guard options.alternative.policy == .seed else { return try await carryOut(turn(shell, time)) }
    let (query, history) = (state.query, state.history)
    try await carryOut(turn(shell, time))
    guard state.query != query || state.history != history else { return }
    shell.app.refresh(full: true)
    try await carryOut(shell.endTurn(at: time))
  }

  private mutating func carryOut(_ actions: [DriverAction]) async throws(EngineError) {
    for action in actions {
      switch action {
      case .send(let requests, _):
        for request in requests {
          switch request.mode {
          case .full: summary.fulls += 1
          case .delta: summary.deltas += 1
          case .repair: summary.repairs += 1
          case nil: summary.uploads += 1
          }
        }
        try await send(requests)
      case .cancel(let number): if arrivals.cancel(number, at: now) { summary.cancelled += 1 }
      case .loadAirports(let effectiveMS):
        if let cycle = AIRACCycle(at: effectiveMS / 1000) { try await perform(.load, cycle) }
      case .levelAirports(let holdings):
        if let held = holdings.inUse, held.digest != airportsInUse {
          try airports?.activate(held)
          airportsInUse = held.digest
        }
      case .publish(let publication):
        // Fails immediately, because nobody frees space on the disk during a recording.
        for case .failed(let error) in publication.updates where error.code == .disk || error.code == .inUse {
          throw EngineError(code: .log, message: error.message)
        }
      default: break
      }
    }
  }

  private mutating func send(_ requests: [OutgoingRequest]) async throws(EngineError) {
    var headers = [(name: WireHeader.simulatedTime, value: String(now))]
    var wanted = faults.filter { $0.from <= now && now < $0.to }.map(\.text)
    if !isKeyValid { wanted.append("unauthorized") }
    // The server would wait in real time.
    let latencyMS = Scenario.takeLatency(of: &wanted)
    if !wanted.isEmpty { headers.append((WireHeader.fault, wanted.joined(separator: ","))) }
    guard !requests.isEmpty else { return }
    let outcomes = await sender.adding(headers).send(requests, with: credentials)
    if let seconds = requests.first?.holdSeconds {
      let exchange = Arrivals.HeldExchange(requests: requests, seconds: seconds, sentAt: now, headers: headers)
      return arrivals.hold(exchange, outcomes, over: options)
    }
    // An upload may be the news that another request waits for.
    if requests.contains(where: { $0.mode == nil }) { await holdAnew() }
    let (delay, arrived) = options.passage(of: requests, outcomes, at: now)
    let timeoutMS = Int64(RequestPacker.timeoutSeconds) * 1000
    if latencyMS >= timeoutMS {
      let late = RequestResult.failed(.timeout, message: "the server sent no response in time")
      arrivals.add(requests, requests.map { _ in late }, at: now + timeoutMS)
    } else {
      arrivals.add(requests, arrived, at: now + delay + latencyMS)
    }
  }

  /// Holds requests again from the time at which they were sent, because the server has other news now.
  private mutating func holdAnew() async {
    guard let held = arrivals.takeHeld() else { return }
    let outcomes = await sender.adding(held.headers).send(held.requests, with: credentials)
    arrivals.hold(held, outcomes, over: options)
  }

  // MARK: End

  private mutating func finish(spanMS: Int64) async throws(EngineError) -> Summary {
    try await add(.stop(nil))
    airports?.remove()
    summary.lines = Int(state.nextSeq)
    summary.spanMS = spanMS
    summary.digest = state.digest
    // The scenario may have set the device's clock, before or after the last launch.
    summary.serverLeadMS = state.serverOffsetMS.flatMap { offset in
      [offset, offset + wallLeadMS].min { abs($0) < abs($1) }
    }
    summary.comparison = await compare(state)
    return summary
  }
}
