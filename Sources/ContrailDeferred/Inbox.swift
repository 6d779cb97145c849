import Dispatch

/// What waits for one listener of a channel, and the turn-taking by which it is told.
///
///     put · end · request ──▶ waiting ──claim──▶ one runner: deliver, deliver … ──settle──▶ nobody
///
/// 1. At most one thread delivers at a time, so values arrive in the order in which they were put, one by one, also on
///    a concurrent queue.
/// 2. Whoever puts while somebody delivers, be it the listener itself, returns; the runner finds the value when it
///    settles. So nothing deadlocks, and nothing is left behind.
/// 3. Nothing of the listener's or of a value's is called or released under the lock.
final class Inbox<Value: Sendable>: Sendable {
  /// What is called.
  struct Receiver: Sendable {
    /// Returns how many more values are wanted, if the demand was limited.
    let receive: @Sendable (Value) -> Int
    /// No value will come any more. Not called after a cancellation.
    let end: @Sendable () -> Void
  }

  private struct State {
    /// Nil once the listener has cancelled, or has been told the end.
    var receiver: Receiver?
    /// How many more values may be delivered; `Int.max` is as good as without limit.
    var demand: Int
    var waiting = Fifo<Value>()
    var isEnding = false
    /// Claimed at birth, so that whoever connects is the one to deliver the current value.
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

  /// Adds a value to what waits.
  ///
  /// - Returns: the value that had to go for it, for the caller to release where no lock is held.
  func put(_ value: Value) -> Value? {
    state.withLock { state in
      guard state.receiver != nil, !state.isEnding else { return nil }
      let dropped = state.waiting.count >= limit ? state.waiting.popFirst() : nil
      state.waiting.append(value)
      return dropped
    }
  }

  /// Nothing will be put any more; the listener is told once it has had what waits.
  func end() {
    state.withLock { $0.isEnding = true }
  }

  /// Wants so many values more.
  func request(_ count: Int) {
    add(count)
    run()
  }

  /// Delivers what is ready, unless somebody is at it.
  func run() {
    let isMine = state.withLock { state in
      guard !state.hasRunner, state.isReady else { return false }
      state.hasRunner = true
      return true
    }
    if isMine { deliver() }
  }

  /// Delivers for the first time, by the claim that the inbox was born with.
  func start() {
    if settle() { deliver() }
  }

  func cancel() {
    // Taken out whole, to be released after the lock.
    let left = state.withLock { state in
      let left = (state.receiver, state.waiting)
      state.receiver = nil
      state.waiting = Fifo()
      return left
    }
    _ = left
  }

  /// To be called by the runner.
  private func deliver() {
    guard let queue else {
      repeat { deliverOne() } while settle()
      return
    }
    // One value a turn: others on the queue get theirs in between.
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

  /// Gives the turn back if there is nothing to do, in the same instant in which that is found; true if there is.
  private func settle() -> Bool {
    state.withLock { state in
      state.hasRunner = state.isReady
      return state.hasRunner
    }
  }
}
