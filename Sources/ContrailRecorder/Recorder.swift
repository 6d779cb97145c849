public import Contrail
import ContrailAirportData
public import ContrailCore
import ContrailGeodesy
import ContrailLog
public import ContrailWire

/// Flies a track against a server and records it: the engine and HTTP are real, the clock is not.
///
/// Recorder and server go in lockstep. The clock stands while requests are open; what an answer takes is modelled (``Link``), and
/// answers are delivered in the order of their simulated arrival, then of their requests. So a recording can be made again, byte for
/// byte but for bytes on the wire and crc.
public struct Recorder {
  /// How to record.
  public struct Options: Sendable {
    /// Where the log goes.
    public var path: String
    public var seed: UInt64 = 1
    /// The corridor's width from edge to edge, in nautical miles; nil for no corridor.
    public var widthNM: Double? = 100
    public var types: DataTypeOptions = .turbulence
    public var history = DataHistoryTime.twoHours
    public var frequency = DataUpdateFrequency.fast
    public var viewport = Scenario.Viewport.off
    public var link = Link()
    /// Stop so many milliseconds after the first fix; nil to fly to the last.
    public var untilMS: Int64?

    public init(path: String) {
      self.path = path
    }
  }

  /// What was recorded.
  public struct Summary: Sendable {
    public var events = 0
    public var spanMS: Int64 = 0
    public var fulls = 0
    public var deltas = 0
    public var uploads = 0
    public var cancelled = 0
    public var failures = 0
    public var wireBytes: Int64 = 0
    public var digest: StateDigest
    /// The corridor against a full answer for the same second; nil where there is none to compare.
    public var comparison: Comparison?
  }

  /// The corridor at the end against a full answer as of its token.
  public struct Comparison: Sendable, Equatable {
    /// The second as of which both are.
    public var token: Int64
    public var held: Int
    public var expected: Int
    /// Records that one has and the other hasn't.
    public var missing: Int
    public var extra: Int

    public var isEqual: Bool { missing == 0 && extra == 0 }
  }

  private let options: Options
  private let courier: Courier
  private let track: Track
  private var pending: [Pending] = []
  private var deliveries: [Delivery] = []
  private var engine: Engine
  private var settings = ClientSettings()
  private var viewport: Scenario.Viewport
  private var mapCentre: Coordinate?
  private var isPanned = false
  private var position: Coordinate
  private var altitudeFeet: Double?
  private var isLinkUp = true
  private var isKeyValid = true
  private var faults: [(from: Int64, to: Int64, text: String)] = []
  private var launches = 0
  /// Made when they are first asked for.
  private var airports: RecordedAirports?
  private var now: Int64
  private var summary: Summary

  /// Something that is to happen at a time, in the order in which things were planned.
  private struct Pending {
    var at: Int64
    var step: Step
  }

  private enum Step {
    case action(Scenario.Action)
    /// The map comes to rest here.
    case map(Coordinate)
    /// The aircraft feels this where it is.
    case report(TurbulenceSeverity)
    /// What was asked about airports is answered.
    case airportOffers(AIRACCycle, [AirportOffer]?)
    case airportFile(AIRACCycle, Courier.Outcome)
  }

  /// An answer, or the lack of one, on its way.
  private struct Delivery {
    var at: Int64
    var request: Int64
    var outcome: Courier.Outcome
    var isCancelled = false
  }

  /// A recording needs few marks: nothing is lost with it that can't be recorded again.
  private static let syncPolicy = LogWriter.SyncPolicy.interval(milliseconds: 600_000)

  /// - Throws: ``EngineError`` where the log can't be begun.
  public init(
    options: Options, courier: Courier, track: Track, scenario: Scenario
  ) throws(EngineError) {
    self.options = options
    self.courier = courier
    self.track = track
    let start = track.fixes[0].at
    now = start
    position = track.fixes[0].position
    viewport = options.viewport
    pending = scenario.events.map { Pending(at: start + $0.at, step: .action($0.action)) }
    engine = Engine(
      state: State(), log: try FileLog.create(path: options.path, at: start, policy: Self.syncPolicy))
    summary = Summary(digest: State().digest)
  }

  /// Flies to the end.
  ///
  /// - Parameter progress: Called after each fix with the share of the flight that is done, 0…1.
  public mutating func run(progress: (Double) -> Void = { _ in }) async throws(EngineError) -> Summary {
    let start = track.fixes[0].at
    var end = track.fixes[track.fixes.count - 1].at
    if let until = options.untilMS { end = min(end, start + until) }
    let fixes = track.fixes
    var fix = 0
    try await launch()
    settings.dataHistoryTime = options.history
    settings.dataUpdateFrequency = options.frequency
    settings.dataQuery.types = options.types
    if let width = options.widthNM {
      settings.dataQuery.route = Self.route(of: fixes)
      settings.dataQuery.routeWidth = width
    }
    while true {
      let nextFix = fix < fixes.count ? fixes[fix].at : .max
      let wake = await engine.wake
      let next = min(pending.first?.at ?? .max, nextFix, deliveries.first?.at ?? .max, max(wake?.at ?? .max, now))
      guard next <= end else { break }
      now = max(now, next)
      if let first = pending.first, first.at <= next {
        pending.removeFirst()
        switch first.step {
        case .action(let action): try await perform(action)
        case .map(let centre): moveMap(to: centre)
        case .report(let severity): try await track(severity)
        case .airportOffers(let cycle, let offers):
          // No answer is no finding.
          guard let offers, isLinkUp else { break }
          try await take([.airportsChecked(.init(wanted: AirportEdition(cycle), offers: offers))])
        case .airportFile(let cycle, let outcome): try await load(cycle, outcome)
        }
      } else if nextFix <= next {
        position = fixes[fix].position
        altitudeFeet = fixes[fix].altitudeFeet
        fix += 1
        progress(Double(now - start) / Double(max(end - start, 1)))
      } else if let first = deliveries.first, first.at <= next {
        deliveries.removeFirst()
        try await deliver(first)
      } else if let wake {
        try await take([.clockTicked(scope: wake.scope, due: wake.at)])
      }
      followAircraft()
      let changes = settings.drain()
      if !changes.isEmpty { try await take(changes) }
    }
    now = end
    return try await finish(spanMS: end - start)
  }

  // MARK: What happens

  private mutating func launch() async throws(EngineError) {
    launches += 1
    let session = Input.Session(engine: Engine.version, id: "\(options.seed)-\(launches)", seed: options.seed)
    var inputs = [Input.sessionStarted(session)]
    if isLinkUp { inputs.append(.connectivityChanged(isOnline: true)) }
    try await take(inputs)
  }

  private mutating func perform(_ action: Scenario.Action) async throws(EngineError) {
    switch action {
    case .connectivity(let isOnline): try await setLink(isOnline)
    case .relaunch: try await relaunch()
    case .refresh(let isFull): try await take([.refreshRequested(full: isFull)])
    case .history(let history): settings.dataHistoryTime = history
    case .frequency(let frequency): settings.dataUpdateFrequency = frequency
    case .types(let types): settings.dataQuery.types = types
    case .viewportTypes(let types): settings.dataQuery.viewportTypes = types
    case .severities(let severities): settings.dataQuery.sevs = severities
    case .altitudes(let range): settings.dataQuery.altRange = range
    case .route(let route, let width):
      settings.dataQuery.route = route
      settings.dataQuery.routeWidth = route == nil ? nil : width
    case .polygon(let polygon): settings.dataQuery.polygon = polygon
    case .viewport(let viewport):
      self.viewport = viewport
      mapCentre = nil
      isPanned = false
      if viewport == .off { settings.dataQuery.viewport = nil }
    case .pan(let count, let every, let step): pan(count, every, step)
    case .globalEnabled(let isEnabled): settings.dataQuery.globalEnabled = isEnabled
    case .upToEnabled(let isEnabled): settings.dataQuery.globalTurbulencePolygonsUpToEnabled = isEnabled
    case .fault(let text, let span): faults.append((now, now + span, text))
    case .key(let isValid):
      isKeyValid = isValid
      try await take([.credentialsChanged])
    case .report(let severity, let count, let every):
      for index in 0..<count { plan(.report(severity), at: now + every * Int64(index)) }
    case .weather(let query): settings.dataQuery.weather = query
    case .clock(let milliseconds): try await take([.clockAdjusted(byMS: milliseconds)])
    case .airports(let verb, let cycle): try await perform(verb, cycle)
    }
  }

  /// Plans to move the map by hand, a viewport at a time.
  private mutating func pan(_ count: Int, _ every: Int64, _ step: Double) {
    guard let centre = mapCentre else { return }
    for index in 1...count {
      let moved = Coordinate(
        latitude: centre.latitude, longitude: Self.wrapped(centre.longitude + step * Double(index)))
      plan(.map(moved), at: now + every * Int64(index))
    }
    isPanned = true
  }

  private mutating func plan(_ step: Step, at time: Int64) {
    pending.insert(Pending(at: time, step: step), at: pending.firstIndex { $0.at > time } ?? pending.count)
  }

  /// Hands in what the aircraft feels, at the height and by the clock of the last fix.
  private mutating func track(_ severity: TurbulenceSeverity) async throws(EngineError) {
    let edr = [0.02, 0.12, 0.18, 0.3, 0.5][Int(severity.rawValue)]
    // A track's fixes are on Earth, or they were left out.
    guard
      let report = try? TurbulenceReport(
        at: position, altitudeFeet: min(max(altitudeFeet ?? 35_000, 0), 52_000), severity: severity, edr: edr,
        observedAt: now / 1000)
    else { return }
    try await take([.reportTracked(report)])
  }

  private mutating func perform(_ verb: Scenario.Airports, _ cycle: AIRACCycle) async throws(EngineError) {
    let courier = courier.adding([(WireHeader.simulatedTime, String(now))])
    let delay = options.link.delayMS(request: 0, seed: options.seed, byteCount: 0)
    switch verb {
    case .check where isLinkUp: plan(.airportOffers(cycle, await courier.airportOffers()), at: now + delay)
    case .load where isLinkUp:
      plan(.airportFile(cycle, await courier.airportFile(AirportEdition(cycle))), at: now + delay)
    case .check, .load: plan(.airportFile(cycle, .failed(.network, message: "there is no link")), at: now)
    case .defer: try await take([.airportsDeferred(AirportEdition(cycle))])
    }
  }

  /// A file that is on its way when the link is lost is lost with it.
  private mutating func load(_ cycle: AIRACCycle, _ outcome: Courier.Outcome) async throws(EngineError) {
    let airports: RecordedAirports
    if let made = self.airports {
      airports = made
    } else {
      airports = try RecordedAirports(folder: options.path + ".airports")
      self.airports = airports
    }
    let arrived = isLinkUp ? outcome : .failed(.network, message: "the link was lost")
    try await carryOut(try await engine.take(await airports.load(cycle, arrived), at: now))
  }

  private mutating func moveMap(to centre: Coordinate) {
    guard case .following(let height) = viewport else { return }
    mapCentre = centre
    settings.dataQuery.viewport = Self.rectangle(centre, heightDegrees: height)
  }

  private mutating func setLink(_ isUp: Bool) async throws(EngineError) {
    isLinkUp = isUp
    if !isUp {
      // What is on its way is lost with the link, and the sockets say so at once.
      for index in deliveries.indices {
        deliveries[index].at = now
        deliveries[index].outcome = .failed(.network, message: "the link was lost")
      }
      deliveries.removeAll { $0.isCancelled }
      deliveries.sort { $0.request < $1.request }
    }
    try await take([.connectivityChanged(isOnline: isUp)])
  }

  /// The process ends without a word; another reads the log from the disk and goes on.
  private mutating func relaunch() async throws(EngineError) {
    try await engine.sync(at: now)
    deliveries = []
    let (log, state) = try FileLog.open(path: options.path, policy: Self.syncPolicy)
    engine = Engine(state: state, log: log)
    settings = ClientSettings(state)
    settings.dataQuery.viewport = nil
    _ = settings.drain()
    mapCentre = nil
    try await launch()
  }

  private mutating func deliver(_ delivery: Delivery) async throws(EngineError) {
    switch delivery.outcome {
    case .answered(let answer):
      summary.wireBytes += answer.response.wireBytes
      try await carryOut(try await engine.take(answer, at: now))
    case .failed(let failure, _):
      summary.failures += 1
      try await take([.responseFailed(request: delivery.request, failure: failure)])
    }
  }

  // MARK: Between engine and server

  private mutating func take(_ inputs: [Input]) async throws(EngineError) {
    try await carryOut(try await engine.take(inputs, at: now))
  }

  private mutating func carryOut(_ outcome: Engine.Outcome) async throws(EngineError) {
    for number in outcome.cancelled {
      summary.cancelled += 1
      // An answer that is about to arrive comes all the same; one further off is given up.
      guard let index = deliveries.firstIndex(where: { $0.request == number }) else { continue }
      if deliveries[index].at > now + 500 { deliveries.remove(at: index) } else { deliveries[index].isCancelled = true }
    }
    for request in outcome.requests {
      switch request.mode {
      case .full: summary.fulls += 1
      case .delta: summary.deltas += 1
      case nil: summary.uploads += 1
      }
      try await send(request)
    }
    for case .airportsSwitched(let switched) in outcome.decisions { try airports?.activate(switched) }
    if outcome.isSyncDue { try await engine.sync(at: now) }
  }

  private mutating func send(_ request: OutgoingRequest) async throws(EngineError) {
    var headers = [(name: WireHeader.simulatedTime, value: String(now))]
    var wanted = faults.filter { $0.from <= now && now < $0.to }.map(\.text)
    if !isKeyValid { wanted.append("unauthorized") }
    if !wanted.isEmpty { headers.append((WireHeader.fault, wanted.joined(separator: ","))) }
    let outcome = await courier.adding(headers).carry(request)
    let byteCount: Int
    switch outcome {
    case .answered(let answer): byteCount = answer.body.count + request.body.count
    case .failed: byteCount = request.body.count
    }
    let delay = options.link.delayMS(request: request.number, seed: options.seed, byteCount: byteCount)
    deliveries.append(Delivery(at: now + delay, request: request.number, outcome: outcome))
    deliveries.sort { ($0.at, $0.request) < ($1.at, $1.request) }
  }

  /// Moves the map when the aircraft nears its edge, until the pilot moves it by hand.
  private mutating func followAircraft() {
    guard case .following(let height) = viewport, !isPanned else { return }
    if let mapCentre, mapCentre.distanceNM(to: position) < height * 60 / 4 { return }
    moveMap(to: position)
  }

  // MARK: The end

  private mutating func finish(spanMS: Int64) async throws(EngineError) -> Summary {
    try await engine.settle(at: now)
    let state = await engine.state
    airports?.remove()
    summary.events = Int(state.nextSeq)
    summary.spanMS = spanMS
    summary.digest = state.digest
    summary.comparison = await compare(state)
    return summary
  }

  /// Asks for everything as of the corridor's token and compares, record by record.
  private func compare(_ state: State) async -> Comparison? {
    guard let scope = state.scope(.corridor), let have = scope.have, have.broken == nil,
      case .ring(let ring) = have.spec.area
    else { return nil }
    let request = ObservationsRequest(
      ring: ring, types: have.spec.types, severities: have.spec.severities, altitudes: have.spec.altitudes,
      history: have.spec.history)
    let outgoing = OutgoingRequest(
      number: 0, scope: .corridor, mode: .full, method: .post, target: ObservationsRequest.path, ifNoneMatch: nil,
      body: request.json)
    let outcome = await courier.adding([(WireHeader.simulatedTime, String(have.token * 1000))]).carry(outgoing)
    guard case .answered(let answer) = outcome, answer.response.status == 200 else { return nil }
    let full = answer.body.withUnsafeBytes { try? ObservationsAnswer(json: $0) }
    guard let full else { return nil }
    var expected = ReportSet()
    full.reports.forEach { expected.insert($0) }
    let held = scope.reports
    return Comparison(
      token: have.token, held: held.count, expected: expected.count,
      missing: expected.sorted.count { !held.contains($0) }, extra: held.sorted.count { !expected.contains($0) })
  }
}
