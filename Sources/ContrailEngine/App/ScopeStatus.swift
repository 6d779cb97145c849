public import ContrailCore

/// How a scope is kept up to date: what an application shows beside the data.
public struct ScopeStatus: Sendable, Hashable {
  public let scope: ScopeID
  /// What is going on.
  public let phase: Phase
  /// The server's time of the data, in seconds since 1970; nil if nothing is held.
  package let freshAsOfSecond: Int64?
  /// When data were last received or confirmed, in milliseconds since 1970 by the device's clock; nil if never.
  package let lastUpdateMS: Int64?
  /// When the next request is due if nothing happens before, in milliseconds since 1970 by the device's clock.
  package let nextAttemptMS: Int64?
  /// How many attempts have failed in a row.
  public let failures: Int
  /// Why the last attempt failed; nil while requests succeed.
  public let lastError: ClientError?
  /// Bytes received on the wire since the launch.
  public let sessionBytes: Int64

  /// What is going on in a scope.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// Nothing is wanted.
    case unwanted
    /// A request is under way.
    case fetching
    /// There is no link.
    case offline
    /// An attempt failed; the next one waits.
    case waiting
    /// Nothing is requested until the key or the query changes, or data are requested.
    case blocked
    /// Data are held and wait for the next update.
    case current
  }

  init(_ id: ScopeID, _ state: State, _ record: RequestRecord, clockLeadMS: Int64) {
    scope = id
    lastError = record.lastError
    sessionBytes = record.receivedBytes
    let held = state.scope(id)
    freshAsOfSecond = held?.have?.watermark
    lastUpdateMS = held?.lastSuccessAt.map { $0 - clockLeadMS }
    if id == .outbox {
      let plan = state.uploadPlan
      phase = Phase(plan.rule)
      nextAttemptMS = plan.wakesAt.map { $0 - clockLeadMS }
      failures = Int(clamping: state.outbox.failures)
    } else {
      let plan = state.plan(id)
      phase = Phase(plan.rule)
      nextAttemptMS = plan.wakesAt.map { $0 - clockLeadMS }
      failures = Int(clamping: held?.failures ?? 0)
    }
  }
}

extension ScopeStatus.Phase {
  init(_ rule: Rule) {
    self =
      switch rule {
      case .unwanted: .unwanted
      case .joined, .superseded: .fetching
      case .offline: .offline
      case .backingOff, .guarded: .waiting
      case .blocked: .blocked
      default: .current
      }
  }
}
