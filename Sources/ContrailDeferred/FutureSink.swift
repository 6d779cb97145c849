import Dispatch

/// One listener of a future: told once, or cancelled, whichever comes first.
final class FutureSink<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, any Error>

  private struct Connection {
    /// A future lives for as long as somebody listens. This and the future's list form a cycle, which the outcome or
    /// the cancellation breaks; a future gets the one when its promise goes, and the other when the `Cancellable` goes.
    let future: Future<Value>
    let receive: @Sendable (Outcome) -> Void
  }

  private let connection: Lock<Connection?>
  private let queue: DispatchQueue?

  init(_ future: Future<Value>, on queue: DispatchQueue?, receive: @escaping @Sendable (Outcome) -> Void) {
    connection = Lock(Connection(future: future, receive: receive))
    self.queue = queue
  }

  /// Tells the listener, here or on its queue, unless it has been told or cancelled by then.
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
