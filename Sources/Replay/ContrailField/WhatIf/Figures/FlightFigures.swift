package import ContrailCore
import ContrailWire

/// The cost of a flight and the age of its data, from the lines of a recorded, simulated or predicted log.
package struct FlightFigures: Sendable {
  /// What bytes were for.
  package struct Heading: Hashable, Sendable, Comparable {
    package var scope: String
    package var rule: String

    package static func < (a: Heading, b: Heading) -> Bool { (a.scope, a.rule) < (b.scope, b.rule) }
  }

  /// The requests of one heading and their bytes.
  package struct Account: Sendable, Hashable {
    package var requests = 0
    package var up: Int64 = 0
    package var down: Int64 = 0

    package init() {}

    fileprivate mutating func add(up: Int64, down: Int64) {
      self.up += up
      self.down += down
    }
  }

  package private(set) var accounts: [Heading: Account] = [:]
  /// The exchanges with bytes, in the order of their ends.
  package private(set) var activity: [Tariff.Session] = []
  /// The ages of the shown data: in the corridor, or in the viewport while there is no corridor.
  package private(set) var ages = AgeHistogram()
  /// The time for which an area was wanted, and nothing valid was shown, in milliseconds.
  package private(set) var withoutMS: Int64 = 0
  /// The time at which each turbulence report of a world was first shown.
  package private(set) var firstShown = ShownReports()

  private var open: [Int64: Request] = [:]
  private var lastAt: Int64?
  private var uncounted: [(request: Int64, heading: Heading, activity: Int)] = []

  private struct Request {
    var scope: ScopeID
    var heading: Heading
    var spec: FetchSpec?
    var sentAt: Int64
  }

  package init() {}

  package var requests: Int { accounts.values.reduce(0) { $0 + $1.requests } }
  package var upBytes: Int64 { accounts.values.reduce(0) { $0 + $1.up } }
  package var downBytes: Int64 { accounts.values.reduce(0) { $0 + $1.down } }

  // MARK: Folding

  /// Adds the time up to a line, for which the state before it was shown.
  package mutating func beforeLine(_ state: borrowing State, at: Int64) {
    if let lastAt, at > lastAt { pass(state, from: lastAt, to: at) }
    lastAt = max(lastAt ?? at, at)
  }

  /// Adds a line.
  ///
  /// - Parameters:
  ///   - event: The line.
  ///   - state: The state after it.
  ///   - world: The world that contains the reports of all answers.
  package mutating func afterLine(_ event: Event, _ state: borrowing State, in world: RecordedWorld) {
    switch event {
    case .decision(.fetchStarted(let started)):
      begin(
        started.request, started.scope, started.rule,
        state.index(of: started.scope).flatMap { state.scopes[$0].inFlight?.spec }, state.now)
    case .decision(.uploadStarted(let started)): begin(started.request, .outbox, .upload, nil, state.now)
    case .input(.sessionStarted): open = [:]
    case .input(.responseReceived(let response)): end(response, state, world)
    case .input(.responseFailed(let number, _, let sent)):
      guard let request = open.removeValue(forKey: number) else { return }
      accounts[request.heading]?.up += sent?.total ?? 0
      activity.append(.init(fromMS: request.sentAt, toMS: state.now, bytes: sent?.total ?? 0))
    case .input(.weatherReceived(let received)): add(outside: received.wireBytes, ScopeID.weatherHeading, state.now)
    case .input(.airportsDownloaded(let file)):
      add(outside: file.wireBytes, Heading(scope: ScopeID.airports.name, rule: ""), state.now)
    default: break
    }
  }

  /// Adds the time up to the end.
  package mutating func finish(_ state: borrowing State, at: Int64) { beforeLine(state, at: at) }

  private mutating func begin(_ number: Int64, _ scope: ScopeID, _ rule: Rule, _ spec: FetchSpec?, _ at: Int64) {
    let heading = Heading(scope: scope.name, rule: rule.rawValue)
    accounts[heading, default: Account()].requests += 1
    open[number] = Request(scope: scope, heading: heading, spec: spec, sentAt: at)
  }

  private mutating func add(outside bytes: Int64, _ heading: Heading, _ at: Int64) {
    accounts[heading, default: Account()].requests += 1
    accounts[heading]?.down += bytes
    activity.append(.init(fromMS: at, toMS: at, bytes: bytes))
  }

  private mutating func end(_ response: Input.Response, _ state: borrowing State, _ world: RecordedWorld) {
    let request = open.removeValue(forKey: response.request)
    let heading = request?.heading ?? Heading(scope: "late", rule: "")
    let up = response.sent?.total ?? 0
    accounts[heading, default: Account()].add(up: up, down: response.wireBytes)
    if response.sent == nil, request != nil { uncounted.append((response.request, heading, activity.count)) }
    activity.append(
      .init(fromMS: request?.sentAt ?? state.now, toMS: state.now, bytes: up + response.wireBytes))
    guard response.status == 200, let request, let spec = request.spec, spec.types.contains(.turbulence),
      request.scope.hasDeltas, let answer = try? response.body.observations(),
      let index = state.index(of: request.scope), state.scopes[index].have?.watermark == answer.token
    else { return }
    let filter = spec.filter.reports(asOf: answer.token)
    for report in answer.reports where filter.admits(report) {
      if let index = world.index(of: report) { firstShown.note(index, at: state.now) }
    }
  }

  private mutating func pass(_ state: borrowing State, from: Int64, to: Int64) {
    // Only the needed parts of a scope are copied.
    guard var index = state.index(of: .corridor) ?? state.index(of: .viewport) else { return }
    if case .none = state.scopes[index].want, let other = state.index(of: .viewport) { index = other }
    guard case .some = state.scopes[index].want else { return }
    guard let have = state.scopes[index].have else {
      withoutMS += to - from
      return
    }
    let age = from + (state.serverOffsetMS ?? 0) - have.watermark * 1000
    let left = max(have.spec.history.seconds * 1000 - age, 0)
    let shown = min(to - from, left)
    ages.add(fromMS: age, lengthMS: shown)
    withoutMS += to - from - shown
  }

  // MARK: Completing

  /// Adds estimates for the request bytes that a log doesn't count.
  mutating func complete(with wire: WireModel, _ exchanges: [RecordedExchange]) {
    guard !uncounted.isEmpty else { return }
    let byNumber = Dictionary(exchanges.map { ($0.request, $0) }) { first, _ in first }
    for (number, heading, index) in uncounted {
      guard let exchange = byNumber[number], let size = exchange.size else { continue }
      let bytes = wire.upBytes(size, isWeather: exchange.scope.weatherPlace != nil).bytes
      accounts[heading]?.up += bytes
      activity[index].bytes += bytes
    }
  }

  /// The number of requests whose bytes were estimated.
  package var uncountedRequests: Int { uncounted.count }

  /// The sessions of the link under a tariff.
  package func sessions(_ tariff: Tariff) -> [Tariff.Session] {
    tariff.sessions(activity.sorted { ($0.fromMS, $0.toMS) < ($1.fromMS, $1.toMS) })
  }
}

extension ScopeID {
  fileprivate static let weatherHeading = FlightFigures.Heading(scope: "weather", rule: "")
}
