/// The side of a ``Future`` that completes it.
///
/// ```swift
/// let (future, promise) = Future<Weather>.makePromise { request.cancel() }
/// request.start { result in promise.complete(with: result) }
/// return future
/// ```
///
/// It doesn't keep the future alive: that is for those who listen. Released without having completed, it fails the
/// future with ``FutureError/promiseBroken``, so that nobody waits for ever.
public final class Promise<Value: Sendable>: Sendable {
  /// Written by `init` alone; loads of a weak reference are atomic.
  private nonisolated(unsafe) weak var future: Future<Value>?

  init(_ future: Future<Value>) {
    self.future = future
  }

  deinit { complete(with: .failure(FutureError.promiseBroken)) }

  /// Gives the future its outcome; its sinks are called before this returns, save those with a queue.
  ///
  /// - Returns: false, and nothing happens, if the future had an outcome or nobody can hear of it any more.
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
