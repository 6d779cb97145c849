import ContrailAirports
import ContrailCore
import ContrailEngine
import ContrailHTTP
import ContrailLog

// What `ContrailTesting` needs.

extension ContrailClient {
  /// The time at which the engine is due next, in milliseconds since 1970; nil if nothing becomes due.
  package var nextWake: Int64? { core.shown.state.nextWake?.at }

  /// Returns after all changes so far were handled, and no request is under way or due.
  ///
  /// - Parameter timeout: The maximum time to wait.
  /// - Returns: Whether it came to rest.
  package func settle(within timeout: Duration) async -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + timeout
    while true {
      // Handled after all events before it.
      _ = await core.wait { .awaitOpening($0) }
      if core.isAtRest { return true }
      guard clock.now < end, !Task.isCancelled else { return false }
      try? await clock.sleep(for: .milliseconds(1))
    }
  }
}

extension ClientCore {
  /// Whether no change of the application waits, and no request is under way or due.
  fileprivate var isAtRest: Bool {
    let (isTurnEnding, shown) = shared.withLock { ($0.isTurnEnding, $0.app.shown) }
    let state = shown.state
    guard !isTurnEnding, shown.isOpen, state.outbox.upload?.request == nil else { return false }
    return state.scopes.allSatisfy { $0.inFlight == nil } && (state.nextWake?.at ?? .max) > shown.logTime(at: clock.now)
  }
}

/// The transport of a client that has no server.
struct NoTransport: ClosableTransport {
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
    throw TransportError(.network, "This client plays a recording and has no server.")
  }

  func shutdown() async {}
}
