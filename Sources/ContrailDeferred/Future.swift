/// A value, or an error, that comes later: once.
///
/// ```swift
/// let future = Future { try await directory.object(id) }
/// self.connection = future.sinkOnMainThread(
///   receiveValue: { [weak self] object in self?.show(object) },
///   failure: { [weak self] error in self?.show(error) })
/// ```
///
/// or, in async code, `try await future.value`.
///
/// **Work and its end.** The work has begun when you get the future. It is cancelled when nobody can hear of its
/// outcome any more: no reference to the future, no sink and no waiting `value` is left. A sink that is cancelled
/// thus takes the work with it, unless somebody else listens or holds the future and may yet ask.
///
/// **Order and threads.** Whoever completes the future calls the sinks that are there, one after another in the order
/// in which they came, on the completing thread. A sink that comes after the outcome is called on the caller's thread
/// before `sink` returns. With a queue, the call is always made from that queue, later. No lock is held meanwhile:
/// anything may be called from within a sink.
///
/// The name clashes with Combine's; where both are imported, this one is `ContrailDeferred.Future`.
public final class Future<Value: Sendable>: Sendable {
  private struct State {
    var outcome: Result<Value, any Error>?
    /// Those to tell, in the order in which they came; none once there is an outcome.
    var sinks: [FutureSink<Value>] = []
    var onCancel: (@Sendable () -> Void)?
  }

  private let state: Lock<State>

  private init(outcome: Result<Value, any Error>? = nil, onCancel: (@Sendable () -> Void)? = nil) {
    state = Lock(State(outcome: outcome, onCancel: onCancel))
  }

  deinit {
    // An outcome has taken this away.
    state.withLock { $0.onCancel }?()
  }

  /// Begins work at once, in a task of its own, and completes with what it returns or throws.
  ///
  /// When nobody can hear of the outcome any more, the task is cancelled, as `Task.cancel()` does it.
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

  /// A future that has its outcome already.
  public convenience init(result: Result<Value, any Error>) {
    self.init(outcome: result)
  }

  /// A future that has its value already.
  public convenience init(value: Value) {
    self.init(result: .success(value))
  }

  /// A future that has failed already.
  public convenience init(error: any Error) {
    self.init(result: .failure(error))
  }

  /// A future and the side that completes it.
  ///
  /// - Parameter onCancel: called at most once, on whichever thread lets go last, when nobody can hear of the outcome
  ///   any more; never after the future has completed.
  public static func makePromise(
    onCancel: (@Sendable () -> Void)? = nil
  ) -> (future: Future<Value>, promise: Promise<Value>) {
    let future = Future(onCancel: onCancel)
    return (future, Promise(future))
  }

  /// The outcome, once there is one.
  public var result: Result<Value, any Error>? { state.withLock { $0.outcome } }

  private func onCancel(_ onCancel: @escaping @Sendable () -> Void) {
    state.withLock { state in
      if state.outcome == nil { state.onCancel = onCancel }
    }
  }

  // MARK: What sinks and promises need

  /// Gives the outcome, if none has been given, and tells the sinks.
  func complete(_ outcome: Result<Value, any Error>) -> Bool {
    // Swapped out whole, to be released after the lock.
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

  /// Tells the sink: now if there is an outcome, else when there is one.
  func add(_ sink: FutureSink<Value>) {
    let outcome = state.withLock { state in
      if state.outcome == nil { state.sinks.append(sink) }
      return state.outcome
    }
    if let outcome { sink.tell(outcome) }
  }

  /// - Complexity: O(*n*) in the count of sinks.
  func remove(_ sink: FutureSink<Value>) {
    state.withLock { state in
      state.sinks.removeAll { $0 === sink }
    }
  }
}
