/// The writing side of a ``Channel``. The owner of the value keeps it, and exposes only ``channel``.
///
/// ```swift
/// private let visibleAreaSource = ChannelSource(initial: Area.world)
/// var visibleArea: Channel<Area> { visibleAreaSource.channel }
/// ```
///
/// Releasing the source finishes the channel.
public final class ChannelSource<Value: Sendable>: Sendable {
  /// The channel to read and observe.
  public let channel: Channel<Value>

  /// Creates a channel without a value.
  public init() {
    channel = Channel(nil)
  }

  /// Creates a channel with a current value.
  public init(initial value: Value) {
    channel = Channel(value)
  }

  deinit { channel.finish() }

  /// Whether there are listeners. Without any, computing expensive values can be skipped; later listeners receive the
  /// last value sent.
  public var hasListeners: Bool { channel.hasListeners }

  /// Sets the current value and calls the sinks without a queue before it returns.
  ///
  /// This method may be called from any thread, and from within a sink. A sink that is running receives the value as
  /// soon as its call completes. After ``finish()``, this method does nothing.
  ///
  /// - Complexity: O(*n*) in the number of listeners, plus the time of their closures.
  public func send(_ value: Value) {
    channel.send(value)
  }

  /// Calls the listeners, and keeps a value for later listeners only if it lasts.
  package func send(_ value: Value, isKept: Bool) { channel.send(value, isKept: isKept) }

  /// Removes the current value if it meets a condition, so that later listeners don't receive it.
  package func clear(where isOver: (Value) -> Bool) { channel.clear(where: isOver) }

  /// Finishes the channel: no more values are sent.
  ///
  /// Sinks are released after they have received the buffered values, sequences end, and publishers complete. Repeated
  /// calls have no effect.
  public func finish() {
    channel.finish()
  }
}

extension ChannelSource where Value == Void {
  /// Calls the sinks; see ``send(_:)``.
  public func send() {
    send(())
  }
}
