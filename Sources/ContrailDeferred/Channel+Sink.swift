public import Dispatch

extension Channel {
  /// Calls the closure with the current value, if there is one, before this returns, and then with each value that is
  /// sent, on the thread that sends it.
  ///
  /// Every value is heard. A closure that is slow delays those who send.
  ///
  /// - Returns: the connection; nothing is heard once it is cancelled or released.
  public func sink(receiveValue: @escaping @Sendable (Value) -> Void) -> Cancellable {
    connect(on: nil, buffering: .every, receiveValue: receiveValue)
  }

  /// Calls the closure from `queue` with the current value, if there is one, and then with each value that is sent.
  ///
  /// Values are heard in order and one at a time, on a concurrent queue too.
  ///
  /// - Parameter buffering: what is kept while the queue is behind. `.newest(1)` is enough for whoever only shows the
  ///   current state.
  /// - Returns: the connection; nothing is heard once it is cancelled or released, not even what was waiting.
  public func sink(
    on queue: DispatchQueue, buffering: ChannelBuffering = .every, receiveValue: @escaping @Sendable (Value) -> Void
  ) -> Cancellable {
    connect(on: queue, buffering: buffering, receiveValue: receiveValue)
  }

  /// Calls the closure on the main actor with the current value, if there is one, and then with each value that is
  /// sent; never before this returns to a caller there.
  ///
  /// - Parameter buffering: what is kept while the main thread is busy. `.newest(1)` is enough for whoever only shows
  ///   the current state.
  /// - Returns: the connection; see ``sink(on:buffering:receiveValue:)``.
  public func sinkOnMainThread(
    buffering: ChannelBuffering = .every, receiveValue: @escaping @MainActor (Value) -> Void
  ) -> Cancellable {
    connect(on: .main, buffering: buffering) { value in
      // The main queue is the main actor's executor, so that this holds without a second hop.
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
