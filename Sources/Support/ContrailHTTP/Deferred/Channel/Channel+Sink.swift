public import Dispatch

extension Channel {
  /// Calls the closure with the current value and each value sent, on the sending thread.
  ///
  /// The call with the current value is made before this method returns. The closure receives every value. A slow
  /// closure delays the senders.
  ///
  /// - Parameter receiveValue: The closure to call.
  /// - Returns: The connection. The calls end when it is cancelled or released.
  public func sink(receiveValue: @escaping @Sendable (Value) -> Void) -> Cancellable {
    connect(on: nil, buffering: .every, receiveValue: receiveValue)
  }

  /// Calls the closure on `queue` with the current value and each value sent.
  ///
  /// Values arrive in order and one at a time, even on a concurrent queue.
  ///
  /// - Parameters:
  ///   - queue: The queue to call the closure on.
  ///   - buffering: The values to keep while the queue is busy. `.newest(1)` is sufficient for displaying the current
  ///     state.
  ///   - receiveValue: The closure to call.
  /// - Returns: The connection. The calls end when it is cancelled or released; buffered values are then dropped.
  public func sink(
    on queue: DispatchQueue, buffering: ChannelBuffering = .every, receiveValue: @escaping @Sendable (Value) -> Void
  ) -> Cancellable {
    connect(on: queue, buffering: buffering, receiveValue: receiveValue)
  }

  /// Calls the closure on the main actor with the current value and each value sent.
  ///
  /// On the main thread, this method returns before the first call.
  ///
  /// - Parameters:
  ///   - buffering: The values to keep while the main thread is busy. `.newest(1)` is sufficient for displaying the
  ///     current state.
  ///   - receiveValue: The closure to call.
  /// - Returns: The connection; see ``sink(on:buffering:receiveValue:)``.
  public func sinkOnMainThread(
    buffering: ChannelBuffering = .every, receiveValue: @escaping @MainActor (Value) -> Void
  ) -> Cancellable {
    connect(on: .main, buffering: buffering) { value in
      // The main queue is the main actor's executor, so no second hop is needed.
      MainActor.assumeIsolated { receiveValue(value) }
    }
  }

  func connect(
    on queue: DispatchQueue?, buffering: ChannelBuffering, receiveValue: @escaping @Sendable (Value) -> Void,
    end: @escaping @Sendable () -> Void = {}
  ) -> Cancellable {
    let receiver = Inbox<Value>.Receiver(
      receive: { value in
        receiveValue(value)
        return 0
      }, end: end)
    let inbox = Inbox(on: queue, buffering: buffering, demand: .max, receiver: receiver)
    connect(inbox)
    return Cancellable { [weak self] in
      inbox.cancel()
      self?.remove(inbox)
    }
  }
}
