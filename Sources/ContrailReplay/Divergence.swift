public import ContrailCore

/// Where the engine of today says something else than the recording: the first such place.
public struct Divergence: Sendable, Equatable {
  /// What differs.
  public enum Difference: Sendable, Equatable {
    /// The recording has one decision, the engine takes another.
    case decision(recorded: Decision, now: Decision)
    /// The engine takes a decision that the recording doesn't have.
    case missing(now: Decision)
    /// The recording has a decision that the engine doesn't take.
    case unexpected(recorded: Decision)
    /// A mark gives another digest of a scope's records than is held now; nil where there are none.
    case records(ScopeID, recorded: UInt64?, now: UInt64?)
    /// A mark gives another digest of all else that decides.
    case control(recorded: UInt64, now: UInt64)
  }

  /// The input from which it follows.
  public struct Cause: Sendable, Equatable {
    public var seq: Int64
    /// The input in words, such as `history.changed 2h → 4h`.
    public var words: String
  }

  public var difference: Difference
  public var file: String
  /// The line that shows it, the first being 1: the decision or mark itself, or the line that stands where one is missing.
  public var line: Int
  public var seq: Int64
  /// Milliseconds since the recording's first line.
  public var offsetMS: Int64
  public var cause: Cause?

  /// The scope that it is about; nil for the control part.
  public var scope: ScopeID? {
    switch difference {
    case .decision(let recorded, _): recorded.scope
    case .missing(let now): now.scope
    case .unexpected(let recorded): recorded.scope
    case .records(let scope, _, _): scope
    case .control: nil
    }
  }

  /// The rule under which the engine of today decides, or else decided.
  public var rule: Rule? {
    switch difference {
    case .decision(let recorded, _): recorded.rule
    case .missing(let now): now.rule
    case .unexpected(let recorded): recorded.rule
    case .records, .control: nil
    }
  }

  /// The request that is at issue, if one is.
  public var request: Int64? {
    switch difference {
    case .decision(let decision, _), .unexpected(let decision): decision.startedRequest
    case .missing, .records, .control: nil
    }
  }
}

/// What followed the first divergence. The recording's timeline goes on as it was, so it shows how far the difference reaches, not
/// what would have happened.
public struct Consequences: Sendable, Equatable {
  /// Decisions that differ, are missing or are too many after the first.
  public var decisions = 0
  /// `state.digested` marks that differ after the first divergence.
  public var marks = 0
  /// The `seq` of the first and last of them.
  public var markSeqs: ClosedRange<Int64>?

  mutating func addMark(_ seq: Int64) {
    marks += 1
    markSeqs = (markSeqs?.lowerBound ?? seq)...seq
  }
}
