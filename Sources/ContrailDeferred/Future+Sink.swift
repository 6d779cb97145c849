public import Dispatch

extension Future {
  /// Calls one of the two closures, once, when the outcome is there: on the completing thread, or before this returns
  /// if it is there already.
  ///
  /// - Returns: the connection; cancelled or released before the outcome, neither closure is called.
  public func sink(
    receiveValue: @escaping @Sendable (Value) -> Void,
    failure: @escaping @Sendable (any Error) -> Void
  ) -> Cancellable {
    connect(on: nil) { outcome in
      switch outcome {
      case .success(let value): receiveValue(value)
      case .failure(let error): failure(error)
      }
    }
  }

  /// Calls one of the two closures, once, from `queue`, and never before this returns to a caller on that queue if it
  /// is serial.
  ///
  /// - Returns: the connection; cancelled or released before the call, neither closure is called, not even if the call
  ///   was waiting on the queue by then.
  public func sink(
    on queue: DispatchQueue,
    receiveValue: @escaping @Sendable (Value) -> Void,
    failure: @escaping @Sendable (any Error) -> Void
  ) -> Cancellable {
    connect(on: queue) { outcome in
      switch outcome {
      case .success(let value): receiveValue(value)
      case .failure(let error): failure(error)
      }
    }
  }

  /// Calls one of the two closures, once, on the main actor; never before this returns to a caller there.
  ///
  /// - Returns: the connection; see ``sink(on:receiveValue:failure:)``.
  public func sinkOnMainThread(
    receiveValue: @escaping @MainActor (Value) -> Void,
    failure: @escaping @MainActor (any Error) -> Void
  ) -> Cancellable {
    connect(on: .main) { outcome in
      // The main queue is the main actor's executor, so that this holds without a second hop.
      MainActor.assumeIsolated {
        switch outcome {
        case .success(let value): receiveValue(value)
        case .failure(let error): failure(error)
        }
      }
    }
  }

  func connect(
    on queue: DispatchQueue?, receive: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) -> Cancellable {
    let sink = FutureSink(self, on: queue, receive: receive)
    add(sink)
    return Cancellable { sink.cancel() }
  }
}
