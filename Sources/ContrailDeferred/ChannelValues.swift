/// The values of a ``Channel`` as an asynchronous sequence.
///
/// Each iteration is a connection of its own: it begins with the channel's current value, if there is one, and ends
/// when the source finishes, when the loop is left, or when its task is cancelled.
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

  /// Waits for one value after another. To be used by one task at a time.
  public struct Iterator: AsyncIteratorProtocol {
    var stream: AsyncStream<Value>.Iterator

    /// The next value; nil at the end, or once the task is cancelled.
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
  /// The current value and those that follow, for `for await`.
  ///
  /// - Parameter buffering: what is kept while the loop is busy: the newest value, unless you say otherwise.
  public func values(buffering: ChannelBuffering = .newest(1)) -> ChannelValues<Value> {
    ChannelValues(channel: self, buffering: buffering)
  }
}
