public import Dispatch

extension Future {
  /// Calls one of the two closures, once, with the result.
  ///
  /// The call is made on the completing thread or, if the result already exists, before this method returns.
  ///
  /// - Parameters:
  ///   - receiveValue: The closure to call with the value.
  ///   - failure: The closure to call with the error.
  /// - Returns: The connection. If it is cancelled or released before the result, neither closure is called.
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

  /// Calls one of the two closures, once, on `queue`.
  ///
  /// On a serial queue, this method returns to its caller on that queue before the call.
  ///
  /// - Parameters:
  ///   - queue: The queue to call the closure on.
  ///   - receiveValue: The closure to call with the value.
  ///   - failure: The closure to call with the error.
  /// - Returns: The connection. If it is cancelled or released before the call, neither closure is called, even if the
  ///   call was already enqueued.
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

  /// Calls one of the two closures, once, on the main actor.
  ///
  /// On the main thread, this method returns before the call.
  ///
  /// - Parameters:
  ///   - receiveValue: The closure to call with the value.
  ///   - failure: The closure to call with the error.
  /// - Returns: The connection; see ``sink(on:receiveValue:failure:)``.
  public func sinkOnMainThread(
    receiveValue: @escaping @MainActor (Value) -> Void,
    failure: @escaping @MainActor (any Error) -> Void
  ) -> Cancellable {
    connect(on: .main) { outcome in
      // The main queue is the main actor's executor, so no second hop is needed.
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
