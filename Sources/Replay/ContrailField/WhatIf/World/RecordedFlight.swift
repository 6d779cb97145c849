package import ContrailCore
package import ContrailLog
import ContrailReplay
import ContrailWire

/// A recording, read for what-if: the inputs that don't follow from the engine, and the world that answered it.
package struct RecordedFlight: Sendable {
  /// An input from outside: of the application, the device, or a service that the engine doesn't request.
  package struct OutsideInput: Sendable {
    package var at: Int64
    package var input: Input
    /// The number of its line.
    package var seq: Int64
  }

  struct TickKey: Hashable, Sendable {
    var scope: ScopeID
    var due: Int64
  }

  package internal(set) var path: String
  /// The blobs beside the recording.
  package internal(set) var blobs: BlobStore
  /// The state before the first input: empty, or that of a snapshot.
  package internal(set) var initial = State()
  package internal(set) var inputs: [OutsideInput] = []
  /// The results of requests that were under way in the snapshot.
  var underWay: [PlannedDeliveries.Delivery] = []
  /// The recorded exchanges, in the order in which they were sent.
  package internal(set) var exchanges: [RecordedExchange] = []
  package internal(set) var world = RecordedWorld()
  /// The times of the first and the last line, in milliseconds since 1970.
  package internal(set) var startMS: Int64 = 0
  package internal(set) var endMS: Int64 = 0
  /// The figures of the recorded flight.
  package internal(set) var figures = FlightFigures()
  /// The times at which recorded timers fired, in milliseconds.
  var ticks: [TickKey: Int64] = [:]
  var trace = LinkTrace([])
  var wire = WireModel()

  /// Reads a recording.
  ///
  /// - Parameters:
  ///   - path: The path of the recording.
  ///   - storage: The file system.
  ///   - mayDiverge: Whether the engine of today may decide differently. Nothing follows then for the flight after that.
  /// - Throws: ``WhatIfError`` if it can't be read, has a truncated or lost part, or doesn't replay to the same decisions.
  /// - Complexity: O(*n*) in the size of the recording. Each report is in memory once, whatever the number of answers that contain it.
  package init(
    path: String, storage: any LogStorage = POSIXStorage(), mayDiverge: Bool = false
  ) throws(WhatIfError) {
    self.path = path
    blobs = BlobStore(ofLogAt: path, storage: storage)
    let replayed = RecordingResult(replaying: path, storage: storage)
    switch replayed.outcome {
    case .unreadable(let fault): throw .unreadable(fault)
    case .diverged(let divergence, _):
      if !mayDiverge { throw .diverged(path: path, text: "seq \(divergence.seq), line \(divergence.line)") }
    case .same: break
    }
    guard replayed.setAside.isEmpty else {
      throw .incomplete(path: path, lost: !replayed.setAside.losses.isEmpty)
    }
    var learner = FlightLearner(self)
    do throws(UnreadableRecording) {
      let reader = try RecordingReader(path: path, storage: storage)
      while let entry = try reader.next() { learner.take(entry.record) }
    } catch {
      throw .unreadable(error)
    }
    self = learner.finish()
    guard !exchanges.isEmpty else { throw .noRequests(path: path) }
  }
}

/// Folds a recording into a ``RecordedFlight``.
private struct FlightLearner {
  private var flight: RecordedFlight
  private var state = State()
  private var isInSnapshot = true
  private var isFirst = true
  private var open: [Int64: Int] = [:]
  /// The exchange whose response is the present input.
  private var ended: Int?
  /// The requests of the decisions since the last input, with the indexes of their exchanges.
  private var turn: [(index: Int, request: OutgoingRequest)] = []

  init(_ flight: RecordedFlight) { self.flight = flight }

  mutating func take(_ record: Record) {
    if isFirst { flight.startMS = record.at }
    isFirst = false
    flight.endMS = record.at
    if case .input(let input) = record.event {
      endTurn()
      if isInSnapshot { flight.initial = state }
      isInSnapshot = false
      take(input, of: record)
    }
    flight.figures.beforeLine(state, at: record.at)
    let failures = ended.map { failureCount(of: flight.exchanges[$0].scope) }
    state.evolve(record)
    if let index = ended.take(), let failures { judge(index, failures) }
    flight.figures.afterLine(record.event, state, in: flight.world)
    if case .decision(let decision) = record.event { take(decision, at: record.at) }
  }

  private mutating func take(_ input: Input, of record: Record) {
    let at = record.at
    switch input {
    case .clockTicked(let scope, let due): flight.ticks[.init(scope: scope, due: due)] = at
    case .responseReceived(let response): end(response.request, by: input, of: record, .answered(response))
    case .responseFailed(let request, let failure, let sent):
      end(request, by: input, of: record, .failed(failure, sent: sent))
    case .sessionStarted:
      drop(at: at)
      flight.inputs.append(.init(at: at, input: input, seq: record.seq))
    default: flight.inputs.append(.init(at: at, input: input, seq: record.seq))
    }
  }

  /// Requests without a result end with their process.
  private mutating func drop(at: Int64) {
    for index in open.values where !flight.exchanges[index].isCancelled {
      flight.exchanges[index].endedAtMS = max(flight.exchanges[index].endedAtMS, at)
    }
    open = [:]
  }

  private mutating func take(_ decision: Decision, at: Int64) {
    if case .fetchCancelled(let cancelled) = decision, let index = open[cancelled.request] {
      flight.exchanges[index].endedAtMS = at
      flight.exchanges[index].isCancelled = true
    }
    // The records of a full answer are taken although its sums are wrong.
    if case .errorReported(let error) = decision, error.code == .serverInconsistent,
      let index = flight.exchanges.lastIndex(where: { $0.request == error.request })
    {
      flight.exchanges[index].misfit = error.rule
    }
    guard let number = decision.startedRequest else { return }
    var exchange = RecordedExchange(
      request: number, scope: decision.scope, rule: decision.rule, leader: number, sentAtMS: at, endedAtMS: at,
      result: .none)
    if case .fetchStarted(let started) = decision, let inFlight = state.scope(started.scope)?.inFlight {
      exchange.mode = started.mode
      exchange.spec = inFlight.spec
      exchange.since = started.since
      exchange.handle = started.handle
      exchange.hold = inFlight.hold?.terms
    }
    if let request = state.outgoingRequest(decision.scope), request.number == number {
      turn.append((flight.exchanges.count, request))
      exchange.heldTraffic = request.heldTraffic
      exchange.heldRecords = request.heldRecords
    }
    open[number] = flight.exchanges.count
    flight.exchanges.append(exchange)
  }

  /// Notes which requests share an exchange, as the client sends them.
  private mutating func endTurn() {
    guard !turn.isEmpty else { return }
    let indexes = Dictionary(turn.map { ($0.request.number, $0.index) }) { first, _ in first }
    for exchange in OutgoingRequest.exchanges(turn.map(\.request)) {
      for (place, request) in exchange.enumerated() {
        guard let index = indexes[request.number] else { continue }
        flight.exchanges[index].leader = exchange[0].number
        flight.exchanges[index].sharing = exchange.count
        flight.exchanges[index].size =
          place == 0 ? WireModel.size(exchange, bodyBytes: WireModel.bodyBytes(exchange[0])) : nil
      }
    }
    turn = []
  }

  private func failureCount(of scope: ScopeID) -> Int64 {
    scope == .outbox ? state.outbox.retry.failures : state.scope(scope)?.retry.failures ?? 0
  }

  /// Notes whether the engine could use a response.
  private mutating func judge(_ index: Int, _ failures: Int64) {
    let scope = flight.exchanges[index].scope
    flight.exchanges[index].isUnusable = failureCount(of: scope) > failures
    flight.exchanges[index].misfit = state.scope(scope)?.have?.broken
  }

  private mutating func end(
    _ request: Int64, by input: Input, of record: Record, _ result: RecordedExchange.Result
  ) {
    let at = record.at
    guard let index = open.removeValue(forKey: request) else {
      let requests = flight.initial.scopes.map { $0.inFlight?.request } + [flight.initial.outbox.upload?.request]
      if requests.contains(request) { flight.underWay.append(.init(at: at, request: request, input: input)) }
      return
    }
    flight.exchanges[index].endedAtMS = at
    flight.exchanges[index].result = result
    ended = index
    guard case .answered(var response) = result, let spec = flight.exchanges[index].spec else { return }
    let scope = flight.exchanges[index].scope
    if response.status == 200, scope.hasDeltas, let answer = try? response.body.observations() {
      // Decoded once, and not for each alternative.
      response.body = .answer(answer)
      defer { flight.exchanges[index].result = .answered(response) }
      // An answer that doesn't fit the request says nothing about the world.
      guard answer.follows == flight.exchanges[index].since else { return }
      let exchange = flight.exchanges[index]
      let reports = flight.world.learn(
        answer, spec: spec, since: answer.follows, held: exchange.wasHeld ? exchange.hold : nil,
        isEarly: exchange.endsBeforeItsTerms)
      if reports.count == answer.reports.count {
        // The world has them.
        flight.exchanges[index].reports = reports
        var bare = answer
        bare.reports = []
        response.body = .answer(bare)
      }
      if let handle = response.handle { flight.world.handles[spec.areaDigest] = handle }
      if response.repairs { flight.world.hasRepairs = true }
      if response.holdSeconds > 0 { flight.world.holdSeconds = response.holdSeconds }
    } else if [200, 304].contains(response.status), !scope.hasDeltas {
      flight.world.learn(response, spec: spec, scope: scope, atMS: response.serverTimeMS ?? at)
    }
  }

  mutating func finish() -> RecordedFlight {
    endTurn()
    drop(at: flight.endMS + 1)
    flight.figures.finish(state, at: flight.endMS)
    flight.trace = LinkTrace(flight.exchanges)
    flight.wire.learn(flight.exchanges, in: flight.world)
    flight.figures.complete(with: flight.wire, flight.exchanges)
    return flight
  }
}
