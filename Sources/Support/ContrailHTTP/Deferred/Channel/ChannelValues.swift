/// The values of a ``Channel`` as an asynchronous sequence.
///
/// Each iteration is a separate connection. It starts with the channel's current value, if there is one, and ends when
/// the source finishes, the loop is left, or its task is cancelled.
public struct ChannelValues<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Element = Value

  let channel: Channel<Value>
  let buffering: ChannelBuffering

  public func makeAsyncIterator() -> Iterator {
    let policy: AsyncStream<Value>.Continuation.BufferingPolicy =
      switch buffering {
      case .every: .unbounded
      case .newest: .bufferingNewest(buffering.limit)
      }
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: policy)
    let connection = channel.connect(
      on: nil, buffering: .every, receiveValue: { continuation.yield($0) }, end: { continuation.finish() })
    continuation.onTermination = { _ in connection.cancel() }
    return Iterator(stream: stream.makeAsyncIterator())
  }

  /// Iterates over the values. Must be used by one task at a time.
  public struct Iterator: AsyncIteratorProtocol {
    var stream: AsyncStream<Value>.Iterator

    /// Returns the next value; nil at the end, or if the task is cancelled.
    public mutating func next() async -> Value? {
      await stream.next()
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      await stream.next(isolation: actor)
    }
  }
}

extension Channel {
  /// Returns the current and later values, for use with `for await`.
  ///
  /// - Parameter buffering: The values to keep while the loop is busy. The default is the newest value.
  public func values(buffering: ChannelBuffering = .newest(1)) -> ChannelValues<Value> {
    ChannelValues(channel: self, buffering: buffering)
  }
}
