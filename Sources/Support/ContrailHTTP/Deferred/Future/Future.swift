/// A value or an error that is available later, once.
///
/// ```swift
/// let future = Future { try await directory.object(id) }
/// self.connection = future.sinkOnMainThread(
///   receiveValue: { [weak self] object in self?.show(object) },
///   failure: { [weak self] error in self?.show(error) })
/// ```
///
/// In asynchronous code, use `try await future.value`.
///
/// **Work and cancellation.** The work starts before the future is returned. It is cancelled when its result can't be
/// observed any more: no reference to the future, no sink and no waiting `value` remains. Cancelling a sink therefore
/// cancels the work, unless there are other listeners or references to the future.
///
/// **Order and threads.** Completing the future calls the existing sinks, one after another in the order in which they
/// were added, on the completing thread. A sink added after the result exists is called on the caller's thread before
/// `sink` returns. With a queue, the call is always made on that queue, asynchronously. No lock is held during the
/// calls: sinks may call any method.
///
/// The name is the same as Combine's. If both modules are imported, use `ContrailHTTP.Future`.
public final class Future<Value: Sendable>: Sendable {
  private struct State {
    var outcome: Result<Value, any Error>?
    /// The listeners, in the order in which they were added; empty once there is a result.
    var sinks: [FutureSink<Value>] = []
    var onCancel: (@Sendable () -> Void)?
  }

  private let state: Lock<State>

  private init(outcome: Result<Value, any Error>? = nil, onCancel: (@Sendable () -> Void)? = nil) {
    state = Lock(State(outcome: outcome, onCancel: onCancel))
  }

  deinit {
    // Completion removes this action.
    state.withLock { $0.onCancel }?()
  }

  /// Starts work at once, in a new task, and completes with its value or error.
  ///
  /// The task is cancelled, as with `Task.cancel()`, when its result can't be observed any more.
  public convenience init(
    priority: TaskPriority? = nil, _ work: @escaping @Sendable () async throws -> Value
  ) {
    self.init()
    let promise = Promise(self)
    let task = Task(priority: priority) {
      do {
        promise.succeed(try await work())
      } catch {
        promise.fail(error)
      }
    }
    onCancel { task.cancel() }
  }

  /// Creates a future that is complete.
  public convenience init(result: Result<Value, any Error>) {
    self.init(outcome: result)
  }

  /// Creates a future that has succeeded.
  public convenience init(value: Value) {
    self.init(result: .success(value))
  }

  /// Creates a future that has failed.
  public convenience init(error: any Error) {
    self.init(result: .failure(error))
  }

  /// Creates a future and the promise that completes it.
  ///
  /// - Parameter onCancel: Called at most once when the result can't be observed any more, on the thread that releases
  ///   the last reference. Never called after completion.
  public static func makePromise(
    onCancel: (@Sendable () -> Void)? = nil
  ) -> (future: Future<Value>, promise: Promise<Value>) {
    let future = Future(onCancel: onCancel)
    return (future, Promise(future))
  }

  /// The result; nil until the future completes.
  public var result: Result<Value, any Error>? { state.withLock { $0.outcome } }

  private func onCancel(_ onCancel: @escaping @Sendable () -> Void) {
    state.withLock { state in
      if state.outcome == nil { state.onCancel = onCancel }
    }
  }

  // MARK: For sinks and promises

  /// Sets the result and calls the sinks, unless the future is already complete. Returns whether it set the result.
  func complete(_ outcome: Result<Value, any Error>) -> Bool {
    // Moved out, to be released outside the lock.
    var before = State(outcome: outcome)
    let isFirst = state.withLock { state in
      guard state.outcome == nil else { return false }
      swap(&state, &before)
      return true
    }
    guard isFirst else { return false }
    for sink in before.sinks { sink.tell(outcome) }
    return true
  }

  /// Adds a sink, and calls it at once if the result exists.
  func add(_ sink: FutureSink<Value>) {
    let outcome = state.withLock { state in
      if state.outcome == nil { state.sinks.append(sink) }
      return state.outcome
    }
    if let outcome { sink.tell(outcome) }
  }

  /// Removes a sink.
  ///
  /// - Complexity: O(*n*) in the number of sinks.
  func remove(_ sink: FutureSink<Value>) {
    state.withLock { state in
      state.sinks.removeAll { $0 === sink }
    }
  }
}
