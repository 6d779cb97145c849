package import ContrailCore
import ContrailLog

/// The fold of a log, and the lines that the next inputs add to it.
///
/// A value without I/O and without a clock. ``step(_:nextSeq:at:)`` says what to write; ``commit(_:)`` goes on from there once it is
/// written. A refused write therefore changes nothing.
package struct Engine: Sendable {
  /// Everything the engine knows, as of the last line that was written.
  package private(set) var state: State
  private var answersSinceDigest = 0
  /// How far the log's time is ahead of the device's, in milliseconds; nil before the first line of this process.
  private var clockLeadMS: Int64?

  /// The engine's version, as logs name it.
  package static let version = EngineVersion.current.description
  /// A digest of the state is written after so many responses.
  private static let answersPerDigest = 16

  /// - Parameter state: The fold of what the log holds so far.
  package init(state: State = State()) {
    self.state = state
  }

  /// The log's time at a time of the device.
  ///
  /// It never goes back, and goes on as the device's does: where the device's clock was set back between two launches, it stays as far
  /// ahead as it was at launch rather than stand still until that clock has caught up.
  package func logTime(at now: Int64) -> Int64 { max(now + lead(at: now), state.now) }

  /// The device's time at a time of the log's.
  func deviceTime(at time: Int64) -> Int64 { time - (clockLeadMS ?? 0) }

  /// How far the log's time is ahead of the device's, in milliseconds.
  var leadMS: Int64 { clockLeadMS ?? 0 }

  private func lead(at now: Int64) -> Int64 { clockLeadMS ?? max(0, state.now - now) }

  /// When to tick next by the device's time, in milliseconds, and for which scope; nil if nothing will become due by itself.
  var wake: (at: Int64, scope: ScopeID)? { state.nextWake.map { (deviceTime(at: $0.at), $0.scope) } }

  /// Inputs as they will be written, each with the decisions that follow from it, and the state after them.
  package struct Step: Sendable {
    /// The lines, in order; all of one time.
    package internal(set) var events: [Event] = []
    /// Their time by the log's clock, in milliseconds.
    package internal(set) var at: Int64
    /// The state before the first line.
    package internal(set) var before: State
    /// The state after the last line.
    package internal(set) var after: State
    /// The decisions among the lines.
    package internal(set) var decisions: [Decision] = []
    fileprivate var answersSinceDigest: Int
    fileprivate var clockLeadMS: Int64
    fileprivate var seq: Int64

    fileprivate mutating func add(_ event: Event) {
      after.evolve(Record(seq: seq, at: at, event: event))
      seq += 1
      events.append(event)
    }

    /// Requests that go out once the lines are written. One that a later line has cancelled is not among them.
    package var requests: [OutgoingRequest] {
      decisions.compactMap {
        guard let number = $0.startedRequest else { return nil }
        return after.outgoingRequest($0.scope).flatMap { $0.number == number ? $0 : nil }
      }
    }

    /// The numbers of requests that are given up.
    package var cancelled: [Int64] {
      decisions.compactMap {
        guard case .fetchCancelled(let cancelled) = $0 else { return nil }
        return cancelled.request
      }
    }
  }

  /// Works out the lines for inputs that happen together.
  ///
  /// - Parameters:
  ///   - nextSeq: The `seq` that the first line will get.
  ///   - now: Milliseconds since 1970 by a clock that never goes back while the process lives.
  /// - Complexity: that of the inputs; the state is copied on write.
  package func step(_ inputs: [Input], nextSeq: Int64, at now: Int64) -> Step {
    var step = begin(nextSeq, now)
    for input in inputs {
      step.add(.input(input))
      let decisions = step.after.decide()
      for decision in decisions { step.add(.decision(decision)) }
      step.decisions += decisions
      guard case .responseReceived = input else { continue }
      step.answersSinceDigest += 1
      if step.answersSinceDigest >= Self.answersPerDigest { Self.addDigest(to: &step) }
    }
    return step
  }

  /// A step that writes a digest of the state: what is to be done before the log is left alone.
  package func digestStep(nextSeq: Int64, at now: Int64) -> Step {
    var step = begin(nextSeq, now)
    Self.addDigest(to: &step)
    return step
  }

  private func begin(_ nextSeq: Int64, _ now: Int64) -> Step {
    Step(
      at: logTime(at: now), before: state, after: state, answersSinceDigest: answersSinceDigest,
      clockLeadMS: lead(at: now), seq: nextSeq)
  }

  private static func addDigest(to step: inout Step) {
    step.add(.mark(.stateDigested(step.after.digest)))
    step.answersSinceDigest = 0
  }

  /// Goes on from a step whose lines have been written.
  package mutating func commit(_ step: Step) {
    state = step.after
    answersSinceDigest = step.answersSinceDigest
    clockLeadMS = step.clockLeadMS
  }
}
