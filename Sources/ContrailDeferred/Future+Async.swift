extension Future {
  /// Waits for the outcome.
  ///
  /// Cancelling the task that waits ends the wait at once, and with it the work if nobody else can hear of it. An
  /// outcome that is there already is returned even to a cancelled task.
  ///
  /// - Throws: the error that the future fails with, or `CancellationError` if the waiting task is cancelled first.
  public var value: Value {
    get async throws {
      let waiter = Waiter<Result<Value, any Error>>()
      // An outcome that is there already reaches the waiter here, before any cancellation does.
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

/// Hands one outcome to one task, whichever of the two is there first. The first outcome counts.
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

  /// To be called once.
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
