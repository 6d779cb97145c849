import Dispatch

/// A listener of a future. It is called once, unless it is cancelled first.
final class FutureSink<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, any Error>

  private struct Connection {
    /// A future lives as long as it has listeners. This reference and the future's list form a retain cycle. The result
    /// or a cancellation breaks it: one follows the release of the promise, the other that of the `Cancellable`.
    let future: Future<Value>
    let receive: @Sendable (Outcome) -> Void
  }

  private let connection: Lock<Connection?>
  private let queue: DispatchQueue?

  init(_ future: Future<Value>, on queue: DispatchQueue?, receive: @escaping @Sendable (Outcome) -> Void) {
    connection = Lock(Connection(future: future, receive: receive))
    self.queue = queue
  }

  /// Calls the listener, here or on its queue, unless it was already called or cancelled.
  func tell(_ outcome: Outcome) {
    guard let queue else {
      disconnect()?.receive(outcome)
      return
    }
    queue.async { self.disconnect()?.receive(outcome) }
  }

  func cancel() {
    guard let connection = disconnect() else { return }
    connection.future.remove(self)
  }

  private func disconnect() -> Connection? {
    connection.withLock { connection in
      defer { connection = nil }
      return connection
    }
  }
}
