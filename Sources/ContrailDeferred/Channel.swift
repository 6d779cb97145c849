/// A value that changes, to be read and listened to. Its writing side is a ``ChannelSource``.
///
/// ```swift
/// self.connection = camera.visibleArea.sink { area in print(area) }
/// for await area in camera.visibleArea.values() { … }
/// ```
///
/// **What is heard.** A listener hears the current value first, if there is one, and then each that is sent, in the
/// order of sending, one at a time. All listeners hear the same order. Equal values in a row are not left out.
///
/// **Threads.** A sink without a queue is called on the thread that sends, before `send` returns, and is told the
/// current value before `sink` returns; sinks are called in the order in which they came. There is one exception: if
/// the sink is running at that moment, whether on another thread or because it is itself the one who sends, then the
/// value waits and follows as soon as it is done. So sending, listening and cancelling from within a sink are allowed
/// and can't deadlock; no lock is held while a sink runs.
///
/// **Back-pressure.** Nobody waits for a slow listener; a value that a listener isn't ready for is kept for it:
///
/// | listener | is behind when | keeps |
/// |---|---|---|
/// | ``sink(receiveValue:)`` | it sends, or others do while it runs | every value |
/// | ``sink(on:buffering:receiveValue:)``, ``sinkOnMainThread(buffering:receiveValue:)`` | its queue is | every value, or the newest few |
/// | ``values(buffering:)`` | its loop is | the newest, or as asked |
/// | `asPublisher(buffering:)` | it has no demand | the newest, or as asked |
///
/// **Lifetime.** A sink lasts until its ``Cancellable`` goes or the source finishes; the listener need not keep the
/// channel. After the end the channel keeps its last value: those who come late are told it, and then the end.
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

  /// The value sent last, if any. From within a sink, this may be newer than the one being heard.
  public var value: Value? { state.withLock { $0.value } }

  var hasListeners: Bool { state.withLock { !$0.inboxes.isEmpty } }

  /// Tells the inbox the current value, and from then on each that is sent.
  func connect(_ inbox: Inbox<Value>) {
    let dropped = state.withLock { state -> Value? in
      // Put under the channel's lock, so that no send comes between: no value is missed, doubled or swapped.
      let dropped = state.value.flatMap { inbox.put($0) }
      if state.isFinished {
        inbox.end()
      } else {
        state.inboxes.append(inbox)
      }
      return dropped
    }
    _ = dropped
    // A cancellation may have come before there was anything to remove.
    if inbox.isOver { remove(inbox) }
    inbox.start()
  }

  /// - Complexity: O(*n*) in the count of listeners.
  func remove(_ inbox: Inbox<Value>) {
    state.withLock { state in
      state.inboxes.removeAll { $0 === inbox }
    }
  }

  /// - Complexity: O(*n*) in the count of listeners, and what they do.
  func send(_ value: Value) {
    var current: Value? = value
    let (inboxes, dropped) = state.withLock { state -> ([Inbox<Value>], [Value]) in
      guard !state.isFinished else { return ([], []) }
      // Swapped rather than assigned: the value before goes when `current` does, outside the lock.
      swap(&state.value, &current)
      return (state.inboxes, state.inboxes.compactMap { $0.put(value) })
    }
    for inbox in inboxes { inbox.run() }
    _ = dropped
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
