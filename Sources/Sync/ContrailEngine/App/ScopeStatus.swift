public import ContrailCore

/// The status of a scope: its phase, the age of its data, the next request and the last error.
public struct ScopeStatus: Sendable, Hashable {
  public let scope: ScopeID
  /// The phase.
  public private(set) var phase: Phase
  /// The server's time of the data, in seconds since 1970; nil if nothing is held.
  package let freshAsOfSecond: Int64?
  /// The time when data was last received or confirmed, in milliseconds since 1970 by the device's clock; nil if never.
  package let lastUpdateMS: Int64?
  /// The time of the next request if nothing else triggers one, in milliseconds since 1970 by the device's clock.
  package private(set) var nextAttemptMS: Int64?
  /// The server's time minus the device's, as far as it is known, in milliseconds.
  package let serverLeadMS: Int64
  /// The number of consecutive failed attempts.
  public let failures: Int
  /// The error of the last attempt; nil if it succeeded.
  public package(set) var lastError: ClientError?
  /// The number of bytes received since the launch; for a place's weather, since the place was added.
  public let sessionBytes: Int64

  /// The phase of a scope.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// The query doesn't include the scope.
    case unwanted
    /// A request is in flight.
    case fetching
    /// The server holds a request until there is news. Silence isn't a confirmation: the age of the data grows.
    case listening
    /// The byte budget or the link doesn't allow the request; see `DataSaving`.
    case saving
    /// The device is offline.
    case offline
    /// An attempt failed, or the map is being moved and nothing is held yet. The next attempt follows after a delay.
    case waiting
    /// No requests are sent until the key or the query changes, or an update is requested.
    case blocked
    /// The data is up to date until the next update.
    case current
    /// The client was stopped.
    case stopped
  }

  /// This status after the client was stopped: no request is planned.
  package var whenStopped: ScopeStatus {
    var status = self
    status.phase = .stopped
    status.nextAttemptMS = nil
    return status
  }

  init(_ id: ScopeID, _ state: State, _ record: RequestRecord, clockLeadMS: Int64) {
    scope = id
    serverLeadMS = clockLeadMS + (state.serverOffsetMS ?? 0)
    lastError = record.lastError
    sessionBytes = record.receivedBytes
    let held = state.scope(id)
    freshAsOfSecond = held?.have?.watermark
    lastUpdateMS = held?.lastSuccessAt.map { $0 - clockLeadMS }
    if id == .airports {
      let delivery = state.airports.delivery
      failures = Int(clamping: delivery.failures)
      phase =
        if !delivery.isAutomatic { .unwanted } else if delivery.request != nil { .fetching } else if !state.isOnline {
          .offline
        } else if state.byteUse.saving != .off { .saving } else { failures > 0 ? .waiting : .current }
      nextAttemptMS = phase == .waiting ? delivery.notBefore - clockLeadMS : nil
    } else if id == .outbox {
      let plan = state.uploadPlan
      phase = Phase(plan.rule)
      nextAttemptMS = plan.wakesAt.map { $0 - clockLeadMS }
      failures = Int(clamping: state.outbox.retry.failures)
    } else {
      let plan = state.plan(id)
      phase =
        switch plan.rule {
        case .joined where held?.isHeld == true: .listening
        // The answer for where the viewport was is still welcome.
        case .moving where held?.inFlight != nil: .fetching
        case .moving where held?.have == nil: .waiting
        default: Phase(plan.rule)
        }
      nextAttemptMS = phase == .listening ? nil : plan.wakesAt.map { $0 - clockLeadMS }
      failures = Int(clamping: held?.retry.failures ?? 0)
    }
  }
}

extension ScopeStatus.Phase {
  init(_ rule: Rule) {
    self =
      switch rule {
      case .unwanted: .unwanted
      case .joined, .superseded, .silent: .fetching
      case .offline: .offline
      case .saving: .saving
      case .backingOff, .guarded: .waiting
      case .blocked: .blocked
      default: .current
      }
  }
}
