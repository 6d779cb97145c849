import ContrailCore
import ContrailEngine
import ContrailLog

// What `ContrailTesting` and tests need.

extension ContrailClient {
  /// The time at which the engine is due next, in milliseconds since 1970; nil if nothing becomes due, or the client is stopped or in
  /// the background.
  package var nextWake: Int64? { core.isEnded || core.isInBackground ? nil : core.shown.state.nextWake?.at }

  /// Tells the client whether the system has a link, as ``SystemWatch`` does.
  package func setSystemLink(_ hasLink: Bool) { core.setLink { $0.setLink(hasLink) } }

  /// Returns after the airports that the log requested were loaded, or couldn't be.
  package func airportsDelivered() async { await airports.delivered() }

  /// Returns after all changes so far were handled, and no request is under way or due. A client that is stopped, or whose log
  /// can't be opened, is at rest. In the background, requests that are due wait.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait.
  ///   - waiting: Returns the number of requests whose answers come later by the client's clock. They may be under way.
  /// - Returns: Whether it came to rest.
  package func settle(within timeout: Duration, butFor waiting: () -> Int = { 0 }) async -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + timeout
    while true {
      if core.isEnded { return true }
      // Handled after all events before it.
      _ = await core.wait { .awaitOpening($0) }
      // In this order: a request begins in the runner before it waits, and ends there after that. If one ended meanwhile, another one
      // may have begun that doesn't wait yet.
      let expected = waiting()
      if core.isAtRest(await core.requestCount, butFor: expected), waiting() == expected { return true }
      guard clock.now < end, !Task.isCancelled else { return false }
      try? await clock.sleep(for: .milliseconds(1))
    }
  }
}

extension ClientCore {
  /// Whether the client is stopped, or its log can't be opened.
  fileprivate var isEnded: Bool { shared.withLock { $0.isFinished || $0.app.openingError != nil } }

  fileprivate var isInBackground: Bool { shared.withLock { $0.isInBackground } }

  /// The number of requests that the runner sent and whose results haven't come.
  fileprivate var requestCount: Int {
    get async { await shared.withLock { $0.runner }?.requestCount ?? 0 }
  }

  /// Whether no change of the application waits, and no more than so many requests are under way or due.
  ///
  /// - Parameter sent: The number of requests that the runner sent and that haven't ended. It includes cancelled ones.
  fileprivate func isAtRest(_ sent: Int, butFor waiting: Int) -> Bool {
    let (isTurnEnding, isInBackground, shown) = shared.withLock { ($0.isTurnEnding, $0.isInBackground, $0.app.shown) }
    let state = shown.state
    guard !isTurnEnding, shown.isOpen else { return false }
    let underWay =
      state.scopes.count { $0.inFlight != nil } + (state.outbox.upload?.request == nil ? 0 : 1)
      + (state.airports.delivery.request == nil ? 0 : 1)
    let isDue = (state.nextWake?.at ?? .max) <= shown.logTime(at: clock.now)
    return max(sent, underWay) <= waiting && (isInBackground || !isDue)
  }
}
