import Dispatch

/// The buffer of one listener of a channel, which also serializes the delivery.
///
///     put · end · request ──▶ waiting ──claim──▶ one runner: deliver, deliver … ──settle──▶ idle
///
/// 1. At most one thread delivers at a time, so values arrive in order and one by one, even on a concurrent queue.
/// 2. A thread that adds a value while another one, or the listener itself, delivers returns at once. The runner finds
///    the value when it settles. Therefore there are no deadlocks, and no value is left behind.
/// 3. No code of the listener and no release of a value runs under the lock.
final class Inbox<Value: Sendable>: Sendable {
  /// The closures of a listener.
  struct Receiver: Sendable {
    /// Receives a value and returns the additional demand, if the demand is limited.
    let receive: @Sendable (Value) -> Int
    /// Called after the last value, unless the listener was cancelled.
    let end: @Sendable () -> Void
  }

  private struct State {
    /// Nil after the listener was cancelled or has received the end.
    var receiver: Receiver?
    /// The number of values that may be delivered; `Int.max` means unlimited.
    var demand: Int
    var waiting = Fifo<Value>()
    var isEnding = false
    /// Initially true, so that the connecting thread delivers the current value.
    var hasRunner = true

    var isReady: Bool {
      receiver != nil && (waiting.isEmpty ? isEnding : demand > 0)
    }
  }

  private enum Step {
    case value(Value, Receiver)
    case end(Receiver)
  }

  private let state: Lock<State>
  private let limit: Int
  private let queue: DispatchQueue?

  init(on queue: DispatchQueue?, buffering: ChannelBuffering, demand: Int, receiver: Receiver) {
    state = Lock(State(receiver: receiver, demand: demand))
    limit = buffering.limit
    self.queue = queue
  }

  var isOver: Bool { state.withLock { $0.receiver == nil } }

  /// Adds a value to the buffer.
  ///
  /// - Returns: The value dropped to make room, for the caller to release outside any lock.
  func put(_ value: Value) -> Value? {
    state.withLock { state in
      guard state.receiver != nil, !state.isEnding else { return nil }
      let dropped = state.waiting.count >= limit ? state.waiting.popFirst() : nil
      state.waiting.append(value)
      return dropped
    }
  }

  /// Ends the input. The listener receives the end after the buffered values.
  func end() {
    state.withLock { $0.isEnding = true }
  }

  /// Increases the demand.
  func request(_ count: Int) {
    add(count)
    run()
  }

  /// Delivers the available values, unless another thread is delivering.
  func run() {
    let isMine = state.withLock { state in
      guard !state.hasRunner, state.isReady else { return false }
      state.hasRunner = true
      return true
    }
    if isMine { deliver() }
  }

  /// Makes the first delivery, for which the inbox is created with a runner.
  func start() {
    if settle() { deliver() }
  }

  func cancel() {
    // Moved out, to be released outside the lock.
    let left = state.withLock { state in
      let left = (state.receiver, state.waiting)
      state.receiver = nil
      state.waiting = Fifo()
      return left
    }
    _ = left
  }

  /// Delivers values. Must be called by the runner.
  private func deliver() {
    guard let queue else {
      repeat { deliverOne() } while settle()
      return
    }
    // One value per block, so that other work on the queue can run in between.
    queue.async {
      self.deliverOne()
      if self.settle() { self.deliver() }
    }
  }

  private func deliverOne() {
    switch take() {
    case .value(let value, let receiver): add(receiver.receive(value))
    case .end(let receiver): receiver.end()
    case nil: break
    }
  }

  private func take() -> Step? {
    state.withLock { state in
      guard state.isReady, let receiver = state.receiver else { return nil }
      guard let value = state.waiting.popFirst() else {
        state.receiver = nil
        return .end(receiver)
      }
      state.demand -= 1
      return .value(value, receiver)
    }
  }

  private func add(_ count: Int) {
    guard count > 0 else { return }
    state.withLock { state in
      let (sum, overflows) = state.demand.addingReportingOverflow(count)
      state.demand = overflows ? .max : sum
    }
  }

  /// Releases the claim if there is nothing to deliver, atomically with that check; returns whether there is more.
  private func settle() -> Bool {
    state.withLock { state in
      state.hasRunner = state.isReady
      return state.hasRunner
    }
  }
}
