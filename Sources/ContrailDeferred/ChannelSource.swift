/// The writing side of a ``Channel``: kept by whoever owns the value, who gives away only ``channel``.
///
/// ```swift
/// private let visibleAreaSource = ChannelSource(initial: Area.world)
/// var visibleArea: Channel<Area> { visibleAreaSource.channel }
/// ```
///
/// Released, it finishes the channel, so that nobody listens for ever.
public final class ChannelSource<Value: Sendable>: Sendable {
  /// The side to read and to listen to.
  public let channel: Channel<Value>

  /// A channel that has no value yet.
  public init() {
    channel = Channel(nil)
  }

  /// A channel with a current value.
  public init(initial value: Value) {
    channel = Channel(value)
  }

  deinit { channel.finish() }

  /// Whether anybody is connected, so that what is costly to make need not be made for nobody. Whoever connects later
  /// is told what was sent last.
  public var hasListeners: Bool { channel.hasListeners }

  /// Makes `value` the current one and tells the sinks, save those with a queue, before it returns.
  ///
  /// From any thread, and from within a sink. A sink that is running at that moment is told as soon as it is done.
  /// After ``finish()`` nothing happens.
  ///
  /// - Complexity: O(*n*) in the count of listeners, and what they do.
  public func send(_ value: Value) {
    channel.send(value)
  }

  /// No value will come any more: sinks are released once they have heard what waits, sequences end, publishers
  /// complete. Calling it again does no harm.
  public func finish() {
    channel.finish()
  }
}

extension ChannelSource where Value == Void {
  /// Tells the sinks; see ``send(_:)``.
  public func send() {
    send(())
  }
}
