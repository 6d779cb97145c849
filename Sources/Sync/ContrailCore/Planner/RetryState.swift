import ContrailWire

/// The failed attempts of a scope or of the outbox, and the earliest time for the next attempt.
package struct RetryState: Sendable, Equatable {
  /// The number of failed attempts in a row.
  package internal(set) var failures: Int64 = 0
  /// The earliest time for the next request, in milliseconds.
  package internal(set) var notBefore: Int64 = 0
  /// The time of the last request, in milliseconds.
  package internal(set) var lastAttemptAt: Int64 = 0
  /// The end of the delay that the server requested, in milliseconds.
  package internal(set) var requestedUntil: Int64 = 0

  /// Records a failed attempt: no response, or an invalid one.
  mutating func fail(seed: UInt64, scope: ScopeID, retryAfterSeconds: Int64?, at now: Int64) {
    failures += 1
    requestedUntil = retryAfterSeconds.map { now + $0 * 1000 } ?? 0
    notBefore = max(now + Backoff.delayMS(seed: seed, scope: scope, count: failures), requestedUntil)
  }

  /// Records a success.
  mutating func succeed() {
    failures = 0
    notBefore = 0
    requestedUntil = 0
  }

  /// Shortens the backoff after failures, but not a delay that the server requested.
  mutating func shortenBackoff() {
    notBefore = min(notBefore, max(lastAttemptAt + Backoff.eagerMS, requestedUntil))
  }
}

extension RetryState {
  func writeMembers(to json: inout JSONWriter) {
    json.member("failures", failures)
    json.member("notBefore", notBefore)
    json.member("lastAttempt", lastAttemptAt)
    json.member("retryAfter", requestedUntil)
  }

  /// Reads the member's value if `key` names one of these members; returns whether it did.
  mutating func read(_ key: JSONKey, _ json: inout JSONReader) throws(JSONError) -> Bool {
    switch key {
    case "failures": failures = try json.ordinal()
    case "notBefore": notBefore = try json.time()
    case "lastAttempt": lastAttemptAt = try json.time()
    case "retryAfter": requestedUntil = try json.time()
    default: return false
    }
    return true
  }
}
