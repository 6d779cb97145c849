package import ContrailCore
import ContrailGeodesy
import ContrailWire

/// A flight that a seed decides: what the application wants, what the link and the server do, when the clock ticks.
package struct RandomFlight: Sendable {
  package let seed: UInt64
  package var rig: Rig
  private var random: SplitMix64
  /// For budgets and the cost of links: the rest of the flight is chosen alike with and without.
  private var costs: SplitMix64
  /// Whether the last input was an answer just as the server's rules have it.
  package private(set) var isRightAnswer = false
  /// Requests that have gone out, so that answers can come late or twice.
  private var past: [Asked] = []

  private struct Asked {
    var scope: ScopeID
    var request: Int64
    var spec: FetchSpec
    var since: Int64?
  }

  package init(seed: UInt64) {
    self.seed = seed
    random = SplitMix64(seed: seed)
    costs = SplitMix64(seed: seed ^ 0x636f_7374)
    rig = Rig()
    rig.server = Self.server(&random)
  }

  /// A sparse world over some days: reports, some of them late, and PIREPs with updates.
  private static func server(_ random: inout SplitMix64) -> ModelServer {
    var server = ModelServer()
    let start = Rig.start / 1000
    for second in stride(from: start - 25_000, to: start + 250_000, by: 900) {
      let observed = second + Int64.random(in: 0..<900, using: &random)
      let delay =
        random.chance(10) ? Int64.random(in: 600...9000, using: &random) : Int64.random(in: 1...60, using: &random)
      server.arrivals.append(.init(report: ModelServer.report(at: observed, using: &random), second: observed + delay))
      guard random.chance(20) else { continue }
      for update in 0...Int64.random(in: 0...2, using: &random) {
        server.pireps.append(
          PIREP(
            id: "p\(second)", position: FixedCoordinate(latitudeE7: 0, longitudeE7: 0), flightLevel: 300, severity: nil,
            isUrgent: false, observedAt: observed, updatedAt: observed + update * 700, text: "\(update)"))
      }
    }
    // Some servers have no delta at all.
    server.retentionSeconds = [-1, 600, 3 * 3600, 12 * 3600].randomElement(using: &random) ?? 0
    return server
  }

  /// Chooses what happens next, and lets the time pass until then.
  package mutating func nextInput() -> Input {
    isRightAnswer = false
    guard rig.state.session != nil else { return launch() }
    if seed % 8 == 5, costs.chance(4) {
      if costs.chance(40) {
        return .linkChanged(LinkCost(isExpensive: costs.chance(40), isConstrained: costs.chance(40)))
      }
      return .budgetChanged(
        ByteBudget(bytes: costs.chance(40) ? 0 : nil, per: costs.chance(50) ? .day : .flight("random")))
    }
    if !rig.state.isOnline, random.chance(30) { return .connectivityChanged(isOnline: true) }
    if rig.state.query.polygon == nil, random.chance(20) {
      var query = rig.state.query
      query.polygon = Rig.area
      query.corridorError = nil
      return .queryChanged(query)
    }
    // A map that is dragged.
    if let viewport = rig.state.query.viewport, rig.state.scope(.viewport)?.motion?.changedAt == rig.now,
      random.chance(40)
    {
      rig.now += 200
      var query = rig.state.query
      query.viewport = viewport == Rig.area ? Rig.otherArea : Rig.area
      return .queryChanged(query)
    }
    // An impatient user of a server without deltas.
    if rig.server.retentionSeconds < 0, random.chance(60) {
      return answer(withinMS: 300) ?? .refreshRequested(full: false)
    }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<30: return tick()
    case 30..<62: return answer() ?? tick()
    case 62..<67: return lateAnswer() ?? tick()
    case 67..<77: return .queryChanged(query())
    case 77..<80: return .historyChanged(DataHistoryTime.allCases.randomElement(using: &random) ?? .hour)
    case 80..<83: return .frequencyChanged(DataUpdateFrequency.allCases.randomElement(using: &random) ?? .fast)
    case 83..<88: return .refreshRequested(full: random.chance(40))
    case 88..<94: return .connectivityChanged(isOnline: random.chance(rig.state.isOnline ? 30 : 80))
    case 94..<96: return .credentialsChanged
    case 96:
      rig.now += Int64.random(in: 0...8 * 3_600_000, using: &random)
      return .clockAdjusted(byMS: Int64.random(in: -9_000_000...9_000_000, using: &random))
    case 97, 98: return launch()
    default:
      rig.now += Int64.random(in: 0...30_000_000, using: &random)
      return .connectivityChanged(isOnline: true)
    }
  }

  /// Folds the input and what follows.
  package mutating func send(_ input: Input) -> [Decision] {
    let decisions = rig.decisions(after: input)
    for case .fetchStarted(let started) in decisions {
      guard let inFlight = rig.state.scope(started.scope)?.inFlight else { continue }
      past.append(Asked(scope: started.scope, request: inFlight.request, spec: inFlight.spec, since: inFlight.since))
    }
    return decisions
  }

  private func launch() -> Input {
    .sessionStarted(.init(engine: "test", id: "s\(rig.state.nextSeq)", seed: seed))
  }

  private mutating func tick() -> Input {
    guard let wake = rig.state.nextWake, random.chance(85) else {
      rig.now += Int64.random(in: 0...400_000, using: &random)
      return .clockTicked(scope: .corridor, due: rig.now)
    }
    // Now and then too early, as timers may be.
    rig.now = max(rig.now, random.chance(90) ? wake.at : wake.at - 500)
    return .clockTicked(scope: wake.scope, due: wake.at)
  }

  // MARK: Queries

  private mutating func query() -> ResolvedQuery {
    var query = rig.state.query
    // Some flights want weather too; the others are what they were before there was any.
    if seed.isMultiple(of: 3), random.chance(30) {
      query.weather = WeatherQuery(
        places: [Rig.place, Rig.otherPlace].filter { _ in random.chance(60) },
        spec: WeatherSpec(language: random.chance(80) ? "en_US" : "ja", hours: random.chance(50) ? 48 : 12))
      return query
    }
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1, 2: query.polygon = [Rig.area, Rig.otherArea].randomElement(using: &random)
    case 3: query.polygon = random.chance(50) ? nil : Rig.area
    case 4: query.viewport = random.chance(70) ? [Rig.area, Rig.otherArea].randomElement(using: &random) : nil
    case 5: query.types = DataTypeOptions(rawValue: UInt8.random(in: 0...15, using: &random))
    case 6: query.severities = SeveritySet(rawValue: UInt8.random(in: 0...31, using: &random))
    case 7:
      let lower = Int64.random(in: 0...40_000, using: &random)
      query.altitudes =
        random.chance(30) ? nil : .init(lower: lower, upper: lower + Int64.random(in: 0...20_000, using: &random))
    case 8: query.globalEnabled.toggle()
    case 9: query.isUpToEnabled.toggle()
    case 10:
      query.viewportTypes =
        random.chance(50) ? nil : [[], .turbulence, [.turbulence, .pireps]].randomElement(using: &random)
    default:
      // Something that is no query.
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        var ring = Rig.area
        if seed.isMultiple(of: 2) { ring.removeLast() } else { ring.swapAt(1, 2) }
        query.polygon = ring
      case 1: query.viewport = [nil, nil]
      case 2: query.altitudes = .init(lower: 30_000, upper: 10_000)
      default:
        query.polygon = nil
        query.corridorError = .init(code: "widthOutOfRange", place: "routeWidth")
      }
    }
    if query.polygon != nil { query.corridorError = nil }
    return query
  }

  // MARK: Answers

  private mutating func answer(withinMS delay: Int64 = 20_000) -> Input? {
    let flying = rig.state.scopes.compactMap { scope in scope.inFlight.map { (scope.id, $0) } }
    guard let (id, inFlight) = flying.randomElement(using: &random) else { return nil }
    rig.now += Int64.random(in: 50...delay, using: &random)
    if random.chance(8) {
      return .responseFailed(
        request: inFlight.request, failure: TransportFailure.allCases.randomElement(using: &random) ?? .network)
    }
    return .responseReceived(
      response(
        Asked(scope: id, request: inFlight.request, spec: inFlight.spec, since: inFlight.since),
        isSpoilt: random.chance(35)))
  }

  private mutating func lateAnswer() -> Input? {
    let open = Set(rig.state.scopes.compactMap(\.inFlight?.request))
    guard let asked = past.filter({ !open.contains($0.request) }).randomElement(using: &random) else { return nil }
    rig.now += Int64.random(in: 0...20_000, using: &random)
    return random.chance(20)
      ? .responseFailed(request: asked.request, failure: .timeout)
      : .responseReceived(response(asked, isSpoilt: random.chance(30)))
  }

  private mutating func response(_ asked: Asked, isSpoilt: Bool) -> Input.Response {
    var response = rig.response(asked.request, asked.scope, asked.spec, asked.since)
    // Every other server remembers areas, and every other of these repairs.
    if seed % 2 == 1, asked.scope.hasDeltas {
      response.handle = "h-\(asked.scope.name)"
      response.repairs = seed % 4 == 1
      // Every other of these holds requests.
      if seed % 8 == 1 || seed % 8 == 7 { response.holdSeconds = 540 }
    }
    isRightAnswer = !isSpoilt
    guard isSpoilt else { return response }
    let token = rig.now / 1000
    switch Int.random(in: 0..<13, using: &random) {
    case 0:
      response.body = .inline(
        ObservationsAnswer(token: token, follows: asked.since, held: .init(count: 9999, checksum: 1)).json)
    case 1:
      response.body = .inline(
        ObservationsAnswer(token: token, follows: asked.since, held: .init(count: 0, checksum: 1)).json)
    case 2: response.body = .inline(ObservationsAnswer(token: token, follows: (asked.since ?? token) - 1).json)
    case 3: response.body = .inline(ObservationsAnswer(token: token - 90_000, follows: asked.since).json)
    case 4: response.body = .blob(.init(sha256: "", byteCount: 0), Array(response.body.bytes.dropLast(7)))
    case 5: response.body = .blob(.init(sha256: "", byteCount: 0), Array("<html>Welcome aboard</html>".utf8))
    case 6: response.body = .none
    case 7: response.serverTimeMS = rig.now + Int64.random(in: -9_000_000...9_000_000, using: &random)
    default:
      response.status =
        [304, 400, 401, 403, 408, 410, 410, 429, 500, 503, 204, 302].randomElement(using: &random) ?? 500
      response.body = .none
      if random.chance(30) { response.retryAfterSeconds = Int64.random(in: 0...600, using: &random) }
    }
    return response
  }
}
