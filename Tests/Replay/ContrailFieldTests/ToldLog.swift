import ContrailGeodesy
import ContrailWire

@testable import ContrailCore
@testable import ContrailField

/// A log that a test tells line by line, while the judge watches.
///
/// The decisions of the engine follow an input, unless the test tells others. It begins with a launch, and with an area whose data is held.
struct ToldLog {
  private(set) var state = State()
  private(set) var judge = FlightJudge()
  private(set) var now: Int64 = 1_750_000_000_000

  init(listens: Bool = false, types: DataTypeOptions = .turbulence) {
    launch()
    var query = ResolvedQuery()
    query.types = types
    query.polygon = Self.area(west: -40)
    send(.queryChanged(query))
    answer(handle: listens ? "a1" : nil, holdSeconds: listens ? 60 : 0)
  }

  static func area(west: Int64) -> ResolvedQuery.Points {
    [(40, west), (40, west + 10), (50, west + 10), (50, west), (40, west)].map {
      FixedCoordinate(latitudeE7: $0.0 * FixedCoordinate.degree, longitudeE7: $0.1 * FixedCoordinate.degree)
    }
  }

  /// What the judge found, as `guarantee rule: found; expected`.
  var findings: [String] {
    judge.findings.map {
      "\($0.guarantee.rawValue)\($0.rule.map { " \($0.rawValue)" } ?? ""): \($0.found); \($0.expected)"
    }
  }

  // MARK: Inputs

  mutating func launch() {
    send(.sessionStarted(.init(engine: EngineVersion.current.description, id: "told-1", seed: 1)))
    send(.connectivityChanged(isOnline: true))
  }

  /// An input, and what follows from it: the decisions of the engine, or none.
  mutating func send(_ input: Input, after ms: Int64 = 200, isDecided: Bool = true) {
    now += ms
    write(.input(input))
    guard isDecided else { return }
    for decision in state.decide() { write(.decision(decision)) }
  }

  /// A timer fires, and no decision follows.
  mutating func tick(after ms: Int64) {
    send(.clockTicked(scope: .corridor, due: now + ms), after: ms, isDecided: false)
  }

  mutating func change(isDecided: Bool = true, _ change: (inout ResolvedQuery) -> Void) {
    var query = state.query
    change(&query)
    send(.queryChanged(query), isDecided: isDecided)
  }

  /// A successful answer to the request of a scope in flight. No decision follows.
  mutating func answer(
    _ scope: ScopeID = .corridor, after ms: Int64 = 200, ages: [Int64] = [30], handle: String? = nil,
    holdSeconds: Int64 = 0,
    judged change: (inout State) -> Void = { _ in }
  ) {
    now += ms
    let flight = state.scope(scope)?.inFlight
    let second = now / 1000
    var answer = ObservationsAnswer(token: second, follows: flight?.since)
    answer.reports = ages.map {
      TurbulenceReport(
        cell: 0x0F_1234, altitude: UInt8(second % 50), severity: 2, edrE4: 100, observedAt: UInt32(second - $0))
    }
    let response = Input.Response(
      request: flight?.request ?? 0, status: 200, wireBytes: 80, serverTimeMS: now, handle: handle,
      holdSeconds: holdSeconds,
      body: .answer(answer))
    write(.input(.responseReceived(response)), judged: change)
  }

  /// A refusal of a request: of the last one, or of another.
  mutating func refuse(
    _ status: Int, request: Int64? = nil, retryAfter: Int64? = nil, after ms: Int64 = 200, isDecided: Bool = true
  ) {
    let response = Input.Response(
      request: request ?? state.nextRequest - 1, status: status, wireBytes: 40, serverTimeMS: now + ms,
      retryAfterSeconds: retryAfter)
    send(.responseReceived(response), after: ms, isDecided: isDecided)
  }

  // MARK: Decisions

  /// A request: a delta of the wanted data, or what the test makes of it.
  mutating func request(_ scope: ScopeID = .corridor, _ change: (inout Decision.FetchStarted) -> Void = { _ in }) {
    guard let want = state.scope(scope)?.want ?? state.scopes.first?.have?.spec else { return }
    var started = Decision.FetchStarted(
      request: state.nextRequest, scope: scope, mode: .delta, rule: .due, cause: state.cause,
      since: state.scope(scope)?.have?.watermark, areaDigest: want.areaDigest, filter: want.filter)
    change(&started)
    write(.decision(.fetchStarted(started)))
  }

  /// A request for everything.
  mutating func requestAll(_ scope: ScopeID = .corridor, _ rule: Rule) {
    request(scope) { ($0.mode, $0.rule, $0.since) = (.full, rule, nil) }
  }

  /// A request that the server may hold for a time in seconds.
  mutating func listen(seconds: Int64 = 60) {
    request { ($0.rule, $0.handle, $0.hold) = (.listening, "a1", HoldTerms(seconds: seconds)) }
  }

  mutating func cancel(_ scope: ScopeID = .corridor) {
    guard let request = state.scope(scope)?.inFlight?.request else { return }
    write(.decision(.fetchCancelled(.init(request: request, scope: scope, rule: .unwanted, cause: state.cause))))
  }

  mutating func report(_ code: ReportedIssue, request: Int64 = 1, scope: ScopeID = .corridor) {
    write(
      .decision(.errorReported(.init(scope: scope, rule: .blocked, code: code, request: request, cause: state.cause))))
  }

  mutating func upload(key: String = "a", count: Int64 = 1) {
    write(.decision(.uploadStarted(.init(request: state.nextRequest, key: key, count: count, cause: state.cause))))
  }

  /// A line.
  ///
  /// - Parameter change: What the judge sees of the state that the real one doesn't have, as of an engine with an error.
  mutating func write(_ event: Event, judged change: (inout State) -> Void = { _ in }) {
    let record = Record(seq: state.nextSeq, at: now, event: event)
    state.evolve(record)
    var seen = state
    change(&seen)
    judge.watch(record, at: .init(file: "told", line: Int(record.seq) + 1), state: seen)
  }

  /// Lines are missing.
  mutating func lose(_ count: Int64 = 1) { state.nextSeq += count }
}
