/// A value that changes over time, to read and to observe. ``ChannelSource`` writes it.
///
/// ```swift
/// self.connection = camera.visibleArea.sink { area in print(area) }
/// for await area in camera.visibleArea.values() { … }
/// ```
///
/// **Values.** A listener receives the current value first, if there is one, and then each value sent, in the order of
/// sending, one at a time. The order is the same for all listeners. Equal consecutive values are not filtered.
///
/// **Threads.** A sink without a queue is called on the sending thread before `send` returns, and receives the current
/// value before `sink` returns. Sinks are called in the order in which they were added. There is one exception: if a
/// sink is already running, on another thread or because it sends the value itself, it receives the value as soon as
/// that call completes. Therefore a sink may send, add sinks and cancel without a deadlock. No lock is held while a
/// sink runs.
///
/// **Back-pressure.** Senders don't wait for slow listeners. Values that a listener can't receive yet are buffered:
///
/// | listener | is behind while | keeps |
/// |---|---|---|
/// | ``sink(receiveValue:)`` | it sends, or others send while it runs | every value |
/// | ``sink(on:buffering:receiveValue:)``, ``sinkOnMainThread(buffering:receiveValue:)`` | its queue is busy | every value, or the newest ones |
/// | ``values(buffering:)`` | its loop is busy | the newest value, unless specified otherwise |
/// | `asPublisher(buffering:)` | it has no demand | the newest value, unless specified otherwise |
///
/// **Lifetime.** A sink lasts until its ``Cancellable`` is cancelled or released, or the source finishes. The listener
/// need not keep the channel. After the end, the channel keeps its last value: later listeners receive it, and then the
/// end.
public final class Channel<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var inboxes: [Inbox<Value>] = []
    var isFinished = false
  }

  private let state: Lock<State>

  init(_ value: Value?) {
    state = Lock(State(value: value))
  }

  /// The last value sent, if any. During a call of a sink, it may be newer than the sink's value.
  public var value: Value? { state.withLock { $0.value } }

  var hasListeners: Bool { state.withLock { !$0.inboxes.isEmpty } }

  /// Connects an inbox: it receives the current value, and then each value sent.
  func connect(_ inbox: Inbox<Value>) {
    let dropped = state.withLock { state -> Value? in
      // Enqueued under the channel's lock, so that concurrent sends can't drop, duplicate or reorder values.
      let dropped = state.value.flatMap { inbox.put($0) }
      if state.isFinished {
        inbox.end()
      } else {
        state.inboxes.append(inbox)
      }
      return dropped
    }
    _ = dropped
    // The inbox may have been cancelled before it was added.
    if inbox.isOver { remove(inbox) }
    inbox.start()
  }

  /// Removes an inbox.
  ///
  /// - Complexity: O(*n*) in the number of listeners.
  func remove(_ inbox: Inbox<Value>) {
    state.withLock { state in
      state.inboxes.removeAll { $0 === inbox }
    }
  }

  /// Sends a value to the listeners.
  ///
  /// - Complexity: O(*n*) in the number of listeners, plus the time of their closures.
  func send(_ value: Value, isKept: Bool = true) {
    var current: Value? = value
    let (inboxes, dropped) = state.withLock { state -> ([Inbox<Value>], [Value]) in
      guard !state.isFinished else { return ([], []) }
      // Swapped instead of assigned, so that the previous value is released outside the lock.
      if isKept { swap(&state.value, &current) }
      return (state.inboxes, state.inboxes.compactMap { $0.put(value) })
    }
    for inbox in inboxes { inbox.run() }
    _ = dropped
  }

  /// Removes the current value if it meets a condition.
  func clear(where isOver: (Value) -> Bool) {
    let removed = state.withLock { state -> Value? in
      guard let value = state.value, isOver(value) else { return nil }
      state.value = nil
      return value
    }
    _ = removed
  }

  func finish() {
    let inboxes = state.withLock { state in
      state.isFinished = true
      defer { state.inboxes = [] }
      for inbox in state.inboxes { inbox.end() }
      return state.inboxes
    }
    for inbox in inboxes { inbox.run() }
  }
}
