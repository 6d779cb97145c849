public import ContrailCore
public import ContrailLog
import ContrailWire

/// Owns the state and its log: takes inputs one at a time, writes each with the decisions that follow, and only then says what to do.
///
/// It does no I/O but to the log, and has no clock: who drives it tells the time. A live client drives it by the wall, a recorder by a
/// simulated clock.
public actor Engine {
  /// Everything the engine knows, as of the last line that was written.
  public private(set) var state: State
  private var openLog: (any EngineLog)?
  private var answersSinceDigest = 0
  /// How far the log's time is ahead of the driver's, in milliseconds; known from the first time that is told.
  private var clockLeadMS: Int64?

  /// The engine's version, as logs name it.
  public static let version = EngineVersion.current.description
  /// A digest of the state is written after so many answers.
  private static let answersPerDigest = 16

  /// - Parameters:
  ///   - state: The fold of what the log holds so far.
  ///   - log: Where to write on.
  public init(state: State, log: sending any EngineLog) {
    self.state = state
    openLog = log
  }

  /// The log's time at a time of the driver's.
  ///
  /// It never goes back, and goes on as the driver's does: where the device's clock was set back between two launches, it stays as far
  /// ahead as it was at launch rather than stand still until that clock has caught up.
  private func logTime(at now: Int64) -> Int64 {
    let lead = clockLeadMS ?? max(0, state.now - now)
    clockLeadMS = lead
    return max(now + lead, state.now)
  }

  /// The driver's time at a time of the log's.
  private func driverTime(at time: Int64) -> Int64 { time - (clockLeadMS ?? 0) }

  private var log: any EngineLog {
    get throws(EngineError) {
      guard let openLog else { throw EngineError(code: .closed, message: "the engine is closed") }
      return openLog
    }
  }

  /// Leaves the log in order and lets it go. Everything after it throws ``EngineError/Code/closed``.
  public func close(at now: Int64) throws(EngineError) {
    defer { openLog = nil }
    try settle(at: now)
  }

  /// What follows from an input.
  public struct Outcome: Sendable {
    public var decisions: [Decision]
    /// Requests to send now.
    public var requests: [OutgoingRequest]
    /// Requests to give up.
    public var cancelled: [Int64]
    /// Scopes whose records have changed, or were confirmed.
    public var changed: [ScopeID]
    /// Scopes of whose records another part is wanted than before.
    public var filtered: [ScopeID]
    /// When to tick next, in milliseconds, and for which scope.
    public var wake: Wake?
    /// Whether the log is to be synced now, by its policy.
    public var isSyncDue: Bool
  }

  /// The time at which a scope wants to be asked again, by the clock of who drives the engine.
  public struct Wake: Sendable, Equatable {
    public var at: Int64
    public var scope: ScopeID
  }

  /// Takes an answer of the server: keeps its body, in the line or as a blob, and goes on as for any input.
  public func take(_ answer: Courier.Answer, at now: Int64) throws(EngineError) -> Outcome {
    var response = answer.response
    if answer.body.isEmpty {
      response.body = .none
    } else if Input.Body.standsInLine(answer.body) {
      response.body = .inline(answer.body)
    } else {
      let log = try log
      do {
        response.body = .blob(try log.putBlob(answer.body), answer.body)
      } catch {
        throw EngineError(error)
      }
    }
    return try take(.responseReceived(response), at: now)
  }

  /// Takes one input; see ``take(_:at:)-([Input],_)``.
  public func take(_ input: Input, at now: Int64) throws(EngineError) -> Outcome { try take([input], at: now) }

  /// Writes inputs, each with the decisions that follow from it, in one write, then takes them over.
  ///
  /// A request that a later one of the inputs makes needless is in the log, but never goes out.
  ///
  /// - Parameter now: Milliseconds since 1970 by a clock that never goes back while the engine lives. Where it is behind the log at
  ///   first, the log's time goes on from its last line's.
  /// - Throws: ``EngineError``: nothing has changed then, neither the log nor the state.
  public func take(_ inputs: [Input], at now: Int64) throws(EngineError) -> Outcome {
    let at = logTime(at: now)
    let log = try log
    if log.needsRoll { try roll(log, at: at) }
    var next = state
    var batch = log.batch()
    var decisions: [Decision] = []
    var answers = answersSinceDigest
    do {
      for input in inputs.map(inLogTime) {
        _ = try Self.add(.input(input), at: at, to: &batch, &next)
        let followed = next.decide()
        for decision in followed { _ = try Self.add(.decision(decision), at: at, to: &batch, &next) }
        decisions += followed
        guard case .responseReceived = input else { continue }
        answers += 1
        guard answers >= Self.answersPerDigest else { continue }
        answers = 0
        try Self.addDigest(at: at, to: &batch, &next)
      }
      try log.append(batch)
    } catch {
      throw EngineError(error)
    }
    let previous = state
    state = next
    answersSinceDigest = answers
    return Outcome(
      decisions: decisions,
      requests: decisions.compactMap {
        guard let number = $0.startedRequest else { return nil }
        return next.outgoingRequest($0.scope).flatMap { $0.number == number ? $0 : nil }
      },
      cancelled: decisions.compactMap {
        guard case .fetchCancelled(let cancelled) = $0 else { return nil }
        return cancelled.request
      },
      changed: next.scopes.filter { $0.isNew(since: previous.scope($0.id)) }.map(\.id)
        + (next.outbox.reports.count != previous.outbox.reports.count ? [.outbox] : [])
        + (next.airports.inUse != previous.airports.inUse ? [.airports] : []),
      filtered: next.scopes.filter { $0.have != nil && previous.scope($0.id).map(\.want) != .some($0.want) }.map(\.id),
      wake: wake, isSyncDue: log.isSyncDue(at: at))
  }

  /// Keeps bytes in the log under the name of their hash.
  func putBlob(_ bytes: [UInt8]) throws(EngineError) -> BlobName {
    let log = try log
    do {
      return try log.putBlob(bytes)
    } catch {
      throw EngineError(error)
    }
  }

  /// The bytes that the log keeps under a name, checked.
  public func blob(_ name: BlobName) throws(EngineError) -> [UInt8] {
    let log = try log
    do {
      return try log.blob(name)
    } catch {
      throw EngineError(error)
    }
  }

  private func roll(_ log: any EngineLog, at: Int64) throws(EngineError) {
    let snapshot = state.snapshotParts.map { Event.mark(.snapshotPart($0)) } + [.mark(.snapshotEnded)]
    do {
      try log.roll(at: at, snapshot: snapshot)
    } catch {
      throw EngineError(error)
    }
  }

  /// The state and the line of the log that it is as of; nil once the log is closed.
  public var moment: (state: State, tail: LogTail)? { openLog.map { (state, $0.tail) } }

  /// When to tick next.
  public var wake: Wake? { state.nextWake.map { Wake(at: driverTime(at: $0.at), scope: $0.scope) } }

  /// A tick says when it was due by the log's time.
  private func inLogTime(_ input: Input) -> Input {
    guard case .clockTicked(let scope, let due) = input, let lead = clockLeadMS else { return input }
    return .clockTicked(scope: scope, due: due + lead)
  }

  /// Puts what was written on stable storage.
  public func sync(at now: Int64) throws(EngineError) {
    let log = try log
    do {
      try log.sync(at: logTime(at: now))
    } catch {
      throw EngineError(error)
    }
  }

  /// Writes a digest of the state and syncs: what is to be done before the log is left alone.
  public func settle(at now: Int64) throws(EngineError) {
    let at = logTime(at: now)
    let log = try log
    var next = state
    var batch = log.batch()
    do {
      try Self.addDigest(at: at, to: &batch, &next)
      try log.append(batch)
      state = next
      answersSinceDigest = 0
      try log.sync(at: at)
    } catch {
      throw EngineError(error)
    }
  }

  private static func addDigest(at: Int64, to batch: inout LogBatch, _ state: inout State) throws(LogError) {
    _ = try add(.mark(.stateDigested(state.digest)), at: at, to: &batch, &state)
  }

  private static func add(
    _ event: Event, at: Int64, to batch: inout LogBatch, _ state: inout State
  ) throws(LogError) -> Int64 {
    let seq = try batch.add(kind: event.kind.rawValue, at: at, payload: event.payload)
    state.evolve(Record(seq: seq, at: at, event: event))
    return seq
  }
}

extension Scope {
  /// Whether an answer was applied, or records went, since the scope was another.
  fileprivate func isNew(since other: Scope?) -> Bool {
    guard let other else { return have != nil }
    return lastSuccessAt != other.lastSuccessAt || have != other.have || digest != other.digest
  }
}
