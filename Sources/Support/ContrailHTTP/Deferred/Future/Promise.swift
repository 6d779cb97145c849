/// The object that completes a ``Future``.
///
/// ```swift
/// let (future, promise) = Future<Weather>.makePromise { request.cancel() }
/// request.start { result in promise.complete(with: result) }
/// return future
/// ```
///
/// A promise doesn't keep its future alive; the listeners do. If it is released without completing, the future fails
/// with ``FutureError/promiseBroken``, so that no listener waits indefinitely.
public final class Promise<Value: Sendable>: Sendable {
  /// Written only by `init`. Loads of a weak reference are atomic.
  private nonisolated(unsafe) weak var future: Future<Value>?

  init(_ future: Future<Value>) {
    self.future = future
  }

  deinit { complete(with: .failure(FutureError.promiseBroken)) }

  /// Completes the future. Its sinks without a queue are called before this method returns.
  ///
  /// - Returns: False if the future was already complete, or if its result can't be observed any more. The call then
  ///   has no effect.
  @discardableResult
  public func complete(with result: Result<Value, any Error>) -> Bool {
    future?.complete(result) ?? false
  }

  /// Completes with a value; see ``complete(with:)``.
  @discardableResult
  public func succeed(_ value: Value) -> Bool {
    complete(with: .success(value))
  }

  /// Completes with an error; see ``complete(with:)``.
  @discardableResult
  public func fail(_ error: any Error) -> Bool {
    complete(with: .failure(error))
  }
}

extension Promise where Value == Void {
  /// Completes; see ``complete(with:)``.
  @discardableResult
  public func succeed() -> Bool {
    complete(with: .success(()))
  }
}
