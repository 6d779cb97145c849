package import ContrailCore
import ContrailWire

/// Watches a log line by line and compares it with the guarantees of ``Finding/Guarantee``.
///
/// The judge knows nothing of the server: it uses only the lines and the state that they fold to. It never asks the engine for
/// a decision, so it also finds errors that the engine of today would repeat. The simulator runs it on the log of each flight.
///
/// ```swift
/// var judge = FlightJudge()
/// while let entry = try reader.next() {
///   replayer.fold(entry)
///   judge.watch(entry.record, at: .init(file: entry.file, line: entry.line), state: replayer.state)
/// }
/// ```
package struct FlightJudge: Sendable {
  /// The violations, in the order of the log; at most ``maximumFindings``.
  package private(set) var findings: [Finding] = []
  /// The number of violations, also of those that were not kept.
  package private(set) var findingCount = 0
  /// The maximum number of findings that are kept, so that a hopeless log doesn't fill the memory.
  package static let maximumFindings = 200

  /// The place of a line.
  package struct Place: Hashable, Sendable {
    package var file: String
    package var line: Int

    package init(file: String, line: Int) {
      self.file = file
      self.line = line
    }
  }

  // What is known of the log so far. Facets in other files use it.

  var place = Place(file: "", line: 0)
  var seq: Int64 = -1
  var at: Int64 = 0
  private var firstAt: Int64?
  var isOnline = false
  /// The knowledge of each scope.
  var scopes: [ScopeID: Watched] = [:]
  /// The fetches of this process by number. An answered one is kept until the next launch, to recognize a second answer.
  var sent: [Int64: Sent] = [:]
  var outbox = WatchedOutbox()
  var turn = Turn()
  /// The earliest time at which a request may be held again, after a held request ended early.
  var holdsAgainAt: Int64 = 0
  /// The number of the last request; nil before the first.
  var lastRequest: Int64?
  /// Whether the log was followed from its start, or from a launch. Otherwise, requests may have been sent before.
  var isWhole = false
  private var nextSeq: Int64?

  package init() {}

  /// A scope, as far as the guarantees need it.
  struct Watched: Sendable {
    var want: FetchSpec?
    var have: Scope.Have?
    var sum: UInt64 = 0
    /// The last request of this process, which may be answered.
    var open: Int64?
    var budget = FullFetchBudget()
    var wait = Wait()
    var refusal: Refusal?
    /// The number of repairs that failed since the last answer that was applied.
    var repairs: Int64 = 0
    /// The changes of the viewport.
    var motion = WatchedMotion()
    /// Whether the area was being moved after the last input.
    var isMoving = false
    /// Whether a refusal of the weather service was reported since the last success.
    var isRefusalTold = false
    var expiredTold: Int64?
    /// The longest time that the server holds a request, in seconds.
    var holdSeconds: Int64 = 0

    /// Notes a change of the viewport.
    mutating func move(from want: FetchSpec?, to scope: Scope, at now: Int64) {
      motion.change(from: want, to: scope.want, at: now)
      isMoving = motion.isMoving(at: now)
    }
  }

  /// The delay after failures.
  struct Wait: Sendable {
    var failures = 0
    var failedAt: Int64 = 0
    /// The end of the delay that the server requested.
    var requestedUntil: Int64 = 0
    var lastAttemptAt: Int64 = 0
    /// The end of the delay as an event shortened it; nil if none did.
    var easedUntil: Int64?

    /// The earliest time of the next request that any jitter allows.
    var earliest: Int64 {
      let shortest = failedAt + min(300, Int64(1) << Int64(min(failures, 9))) * 500
      return max(requestedUntil, min(shortest, easedUntil ?? shortest))
    }

    /// Shortens the delay to two seconds after the last attempt.
    mutating func ease() { easedUntil = min(easedUntil ?? .max, lastAttemptAt + 2000) }

    mutating func fail(at now: Int64, retryAfterSeconds: Int64?) {
      failures += 1
      failedAt = now
      requestedUntil = retryAfterSeconds.map { now + $0 * 1000 } ?? 0
      easedUntil = nil
    }

    mutating func succeed() {
      failures = 0
      requestedUntil = 0
    }
  }

  enum Refusal: Sendable {
    case unauthorized
    case badRequest
  }

  /// A fetch that was sent.
  struct Sent: Sendable {
    var scope: ScopeID
    var spec: FetchSpec
    var isFull: Bool
    var rule: Rule
    var handle: String?
    var isRepair: Bool
    /// Whether traffic wasn't asked for, to save bytes.
    var savesTraffic: Bool
    /// The time from which a held request is lost; nil for another.
    var lostAt: Int64?
    var isOpen = true
    var hasOldCredentials = false
  }

  /// An input and what follows from it.
  struct Turn: Sendable {
    var cause: Int64?
    /// The time of the input; nothing is late before the first.
    var at: Int64 = 0
    var started: Set<ScopeID> = []
    /// A refusal that must be reported before the next input.
    var owed: (scope: ScopeID, request: Int64, place: Place, seq: Int64)?
    var told: Set<Told> = []

    struct Told: Hashable, Sendable {
      var scope: ScopeID
      var code: String
      var request: Int64
    }
  }

  // MARK: Watching

  /// Watches a line.
  ///
  /// - Parameters:
  ///   - record: The line.
  ///   - place: Its file and number.
  ///   - state: The state after the line.
  /// - Complexity: O(scopes), and O(*n*) in the reports that a scope holds after its answer.
  package mutating func watch(_ record: Record, at place: Place, state: State) {
    if let nextSeq, record.seq != nextSeq { startAnew() }
    nextSeq = record.seq &+ 1
    if firstAt == nil { firstAt = record.at }
    self.place = place
    seq = record.seq
    at = state.now
    switch record.event {
    case .input(let input): watch(input, state)
    case .decision(let decision): watch(decision, state)
    case .mark(.snapshotEnded): if !isWhole { learn(state) }
    case .mark: break
    }
  }

  /// Forgets the knowledge, because lines are missing.
  private mutating func startAnew() {
    let (findings, count, firstAt) = (findings, findingCount, firstAt)
    self = FlightJudge()
    (self.findings, findingCount, self.firstAt) = (findings, count, firstAt)
  }

  /// Takes over the values of a snapshot. Earlier events are unknown, so every decision may have a cause.
  private mutating func learn(_ state: State) {
    isOnline = state.isOnline
    for index in state.scopes.indices {
      let scope = state.scopes[index]
      look(at: scope) {
        $0.budget.allow(2)
        $0.motion = scope.motion.map { WatchedMotion($0) } ?? WatchedMotion()
      }
    }
    outbox = WatchedOutbox(state.outbox)
  }

  private mutating func watch(_ input: Input, _ state: State) {
    if case .sessionStarted = input { turn = Turn() }
    endTurn()
    turn.cause = seq
    turn.at = at
    switch input {
    case .sessionStarted: launch()
    case .connectivityChanged(let isOnline):
      self.isOnline = isOnline
      holdsAgainAt = 0
      if isOnline { ease() }
    case .refreshRequested:
      ease()
      for id in scopes.keys where scopes[id]?.want != nil {
        scopes[id]?.budget.allow()
        scopes[id]?.refusal = nil
      }
      outbox.isBlocked = false
    case .credentialsChanged:
      for id in scopes.keys where scopes[id]?.refusal == .unauthorized { scopes[id]?.refusal = nil }
      for number in sent.keys where sent[number]?.isOpen == true { sent[number]?.hasOldCredentials = true }
      outbox.isBlocked = false
      outbox.hasOldCredentials = outbox.open != nil
    case .responseReceived(let response): watch(response, state)
    case .responseFailed(let request, let failure, _): watchFailure(of: request, failure, state)
    default: break
    }
    watchWants(input, state)
  }

  private mutating func launch() {
    isOnline = false
    isWhole = true
    sent = [:]
    lastRequest = nil
    outbox.relaunch()
    for id in scopes.keys {
      scopes[id]?.open = nil
      scopes[id]?.budget.allow()
      if scopes[id]?.refusal == .unauthorized { scopes[id]?.refusal = nil }
    }
  }

  /// A reconnection or a refresh shortens every delay, but not one that the server requested.
  private mutating func ease() {
    for id in scopes.keys { scopes[id]?.wait.ease() }
    outbox.wait.ease()
  }

  /// Compares what each scope wants and holds with what it did before the input.
  private mutating func watchWants(_ input: Input, _ state: State) {
    let isAnswer: Bool
    switch input {
    case .responseReceived, .responseFailed: isAnswer = true
    default: isAnswer = false
    }
    var present: Set<ScopeID> = []
    for index in state.scopes.indices {
      let scope = state.scopes[index]
      present.insert(scope.id)
      let before = scopes[scope.id]
      if !isAnswer, let before, scope.have != nil, isChanged(before, scope) {
        find(
          .staleness, nil, scope.id, "the data of \(scope.id.name) changed without an answer",
          "the same data as before the input")
      }
      look(at: scope) { watched in
        if scope.id == .viewport { watched.move(from: before?.want, to: scope, at: state.now) }
        guard watched.want != before?.want else { return }
        watched.budget.allow()
        watched.wait.ease()
        if watched.refusal == .badRequest { watched.refusal = nil }
        if watched.want == nil { watched.budget.endSeries() }
      }
    }
    for id in scopes.keys where !present.contains(id) { scopes[id] = nil }
  }

  func isChanged(_ before: Watched, _ scope: Scope) -> Bool {
    !Scope.Have.isSame(before.have, scope.have) || before.sum != Self.sum(of: scope)
  }

  /// A number that changes with the records of an area. Polygons and weather change only with ``Scope/Have``.
  static func sum(of scope: Scope) -> UInt64 {
    guard scope.id.hasDeltas else { return 0 }
    return scope.traffic.reduce(scope.reports.checksum &+ scope.pireps.checksum) { $0 &+ $1.digest }
  }

  /// Takes over what a scope holds, and then applies a change.
  mutating func look(at scope: Scope, _ change: (inout Watched) -> Void) {
    var watched = scopes[scope.id] ?? Watched()
    watched.want = scope.want
    watched.have = scope.have
    watched.sum = Self.sum(of: scope)
    watched.holdSeconds = scope.handle?.holdSeconds ?? 0
    change(&watched)
    scopes[scope.id] = watched
  }

  private mutating func endTurn() {
    for (request, known) in sent where known.isOpen && known.lostAt.map({ $0 <= turn.at }) ?? false {
      find(
        .staleness, .silent, known.scope, "request \(request) is held past its end", "request \(request) cancelled")
      sent[request]?.lostAt = nil
    }
    if let owed = turn.owed {
      (place, seq) = (owed.place, owed.seq)
      find(
        .outages, .blocked, owed.scope, "request \(owed.request) was refused, and nothing reports it",
        "an error.reported that names request \(owed.request)")
    }
    turn = Turn()
  }

  mutating func find(
    _ guarantee: Finding.Guarantee, _ rule: Rule?, _ scope: ScopeID?, _ found: String, _ expected: String
  ) {
    findingCount += 1
    guard findings.count < Self.maximumFindings else { return }
    findings.append(
      Finding(
        guarantee: guarantee, rule: rule, scope: scope, file: place.file, line: place.line, seq: seq,
        offsetMS: at - (firstAt ?? at), found: found, expected: expected))
  }
}
