package import ContrailCore
import ContrailLog

/// The state of a log, and the lines that the next inputs add to it.
///
/// A value without I/O and without a clock. ``step(_:nextSeq:at:)`` returns the lines to write, and ``commit(_:)`` applies them after
/// they are written. A failed write therefore changes nothing.
package struct Engine: Sendable {
  /// The state after the last written line.
  @Boxed package private(set) var state: State
  private var answersSinceDigest = 0
  /// The difference between the log's time and the device's, in milliseconds; nil before the first line of this process.
  private var clockLeadMS: Int64?

  /// The number of responses after which a digest of the state is written.
  private static let answersPerDigest = 16

  /// - Parameter state: The state of the log.
  package init(state: State = State()) {
    self.state = state
  }

  /// Returns the log's time at a time of the device.
  ///
  /// The log's time never goes back. If the device's clock was set back between two launches, the log's time stays ahead of it by a
  /// constant difference, instead of standing still until that clock catches up.
  package func logTime(at now: Int64) -> Int64 { max(now + lead(at: now), state.now) }

  /// Returns the device's time at a time of the log.
  func deviceTime(at time: Int64) -> Int64 { time - (clockLeadMS ?? 0) }

  /// The difference between the log's time and the device's, in milliseconds.
  var leadMS: Int64 { clockLeadMS ?? 0 }

  private func lead(at now: Int64) -> Int64 { clockLeadMS ?? max(0, state.now - now) }

  /// The time of the next tick, in milliseconds of the device's time, and its scope; nil if nothing becomes due.
  var wake: (at: Int64, scope: ScopeID)? { state.nextWake.map { (deviceTime(at: $0.at), $0.scope) } }

  /// The lines of inputs, each with its decisions, and the state after them.
  package struct Step: Sendable {
    /// The lines, in order, all with the same time.
    package internal(set) var events: [Event] = []
    /// The time of the lines by the log's clock, in milliseconds.
    package internal(set) var at: Int64
    /// The state before the first line.
    @Boxed package internal(set) var before: State
    /// The state after the last line.
    @Boxed package internal(set) var after: State
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

    /// The requests to send after the lines are written, without those that a later line cancels.
    package var requests: [OutgoingRequest] {
      decisions.compactMap {
        guard let number = $0.startedRequest else { return nil }
        return after.outgoingRequest($0.scope).flatMap { $0.number == number ? $0 : nil }
      }
    }

    /// The numbers of cancelled requests.
    package var cancelled: [Int64] {
      decisions.compactMap {
        guard case .fetchCancelled(let cancelled) = $0 else { return nil }
        return cancelled.request
      }
    }
  }

  /// Computes the lines for simultaneous inputs.
  ///
  /// - Parameters:
  ///   - inputs: The inputs, in order.
  ///   - nextSeq: The `seq` of the first line.
  ///   - now: The monotonic time, in milliseconds since 1970.
  /// - Complexity: That of folding the inputs. The state is copied on write.
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

  /// Returns a step that writes a digest of the state, before the log is idle or closed.
  package func digestStep(nextSeq: Int64, at now: Int64) -> Step {
    var step = begin(nextSeq, now)
    Self.addDigest(to: &step)
    return step
  }

  /// Returns the step of lines that a recording contains, as they are.
  func replayed(_ records: [Record]) -> Step {
    var step = jump(to: state, at: state.now)
    for record in records {
      (step.seq, step.at) = (record.seq, record.at)
      step.add(record.event)
      if case .decision(let decision) = record.event { step.decisions.append(decision) }
    }
    return step
  }

  /// Returns the step to a state of a recording.
  func jump(to state: State, at: Int64) -> Step {
    Step(
      at: at, before: self.state, after: state, answersSinceDigest: 0, clockLeadMS: 0, seq: self.state.nextSeq)
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

  /// Applies a step after its lines are written.
  package mutating func commit(_ step: Step) {
    state = step.after
    answersSinceDigest = step.answersSinceDigest
    clockLeadMS = step.clockLeadMS
  }
}
