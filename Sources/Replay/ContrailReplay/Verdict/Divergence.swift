package import ContrailCore

/// The first place where the current engine differs from the recording.
package struct Divergence: Sendable, Equatable {
  /// The kind of difference.
  package enum Difference: Sendable, Equatable {
    /// The engine's decision differs from the recorded one.
    case decision(recorded: Decision, now: Decision)
    /// The engine makes a decision that isn't in the recording.
    case missing(now: Decision)
    /// The recording contains a decision that the engine doesn't make.
    case unexpected(recorded: Decision)
    /// The recorded digest of a scope's records differs from the current one. A digest is `nil` if there are no
    /// records.
    case records(ScopeID, recorded: UInt64?, now: UInt64?)
    /// The recorded digest of the rest of the state differs from the current one.
    case control(recorded: UInt64, now: UInt64)
  }

  /// The input that caused the decision.
  package struct Cause: Sendable, Equatable {
    package var seq: Int64
    /// A description of the input, such as `history.changed 2h → 4h`.
    package var words: String
  }

  /// Where a state that differs comes from. A mark has the digest of all that came since the mark before it, so a difference that
  /// no decision shows lies in one of these inputs, or in the mark.
  package struct Origin: Sendable, Equatable {
    /// The `seq` of the last mark that agrees; nil if no mark agrees.
    package var mark: Int64?
    /// Whether the records of a scope differ. ``inputs`` then has only the inputs that changed these records.
    package var ofRecords: Bool
    package var inputs: [Cause]
  }

  package var difference: Difference
  package var file: String
  /// The one-based line of the difference: the decision or mark, or the input that should have caused a missing decision.
  package var line: Int
  package var seq: Int64
  /// The time in milliseconds since the first line of the recording.
  package var offsetMS: Int64
  /// The input before the difference; for a state, the last input that changed what differs.
  package var cause: Cause?
  /// The inputs from which a state that differs may come, if they are known.
  package var origin: Origin?

  /// The affected scope, or `nil` for the control state.
  package var scope: ScopeID? {
    switch difference {
    case .decision(let recorded, _): recorded.scope
    case .missing(let now): now.scope
    case .unexpected(let recorded): recorded.scope
    case .records(let scope, _, _): scope
    case .control: nil
    }
  }

  /// The recorded decision's rule, or the engine's if no decision is recorded.
  package var rule: Rule? {
    switch difference {
    case .decision(let recorded, _): recorded.rule
    case .missing(let now): now.rule
    case .unexpected(let recorded): recorded.rule
    case .records, .control: nil
    }
  }

  /// The affected request, if any.
  package var request: Int64? {
    switch difference {
    case .decision(let decision, _), .unexpected(let decision): decision.startedRequest
    case .missing, .records, .control: nil
    }
  }
}

/// The differences after the first divergence.
///
/// The recorded decisions are still applied, so these counts show how far the difference reaches, not what would have
/// happened.
package struct Consequences: Sendable, Equatable {
  /// The number of later decisions that differ, are missing or are unexpected.
  package var decisions = 0
  /// The number of later `state.digested` marks that differ.
  package var marks = 0
  /// The `seq` of the first and the last of these marks.
  package var markSeqs: ClosedRange<Int64>?

  mutating func addMark(_ seq: Int64) {
    marks += 1
    markSeqs = (markSeqs?.lowerBound ?? seq)...seq
  }
}
