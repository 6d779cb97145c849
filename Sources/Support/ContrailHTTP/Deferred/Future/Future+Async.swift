extension Future {
  /// Waits for the result.
  ///
  /// Cancelling the waiting task ends the wait at once, and cancels the work if there are no other listeners or
  /// references. If the result already exists, it is returned even to a cancelled task.
  ///
  /// - Throws: The error of the future, or `CancellationError` if the waiting task is cancelled first.
  public var value: Value {
    get async throws {
      let waiter = Waiter<Result<Value, any Error>>()
      // An existing result reaches the waiter here, before any cancellation.
      let connection = connect(on: nil) { waiter.resume(with: $0) }
      return try await withTaskCancellationHandler {
        await waiter.outcome()
      } onCancel: {
        connection.cancel()
        waiter.resume(with: .failure(CancellationError()))
      }.get()
    }
  }
}

/// Passes one result to one task, in either order of arrival. The first result counts.
private final class Waiter<Outcome: Sendable>: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Outcome, Never>)
    case resumed(Outcome)
  }

  private let state = Lock(State.idle)

  func resume(with outcome: Outcome) {
    let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      switch state {
      case .idle:
        state = .resumed(outcome)
        return nil
      case .waiting(let continuation):
        state = .resumed(outcome)
        return continuation
      case .resumed:
        return nil
      }
    }
    continuation?.resume(returning: outcome)
  }

  /// Waits for the result. Must be called once.
  func outcome() async -> Outcome {
    await withCheckedContinuation { continuation in
      let outcome = state.withLock { state -> Outcome? in
        if case .resumed(let outcome) = state { return outcome }
        state = .waiting(continuation)
        return nil
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }
}
