#if canImport(Combine)
  public import Combine
#elseif OpenCombine
  public import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  /// A Combine publisher for the values of a ``Channel``.
  ///
  /// Each subscriber receives the current value first, if there is one, and never more values than requested, on the
  /// sending or requesting thread, one at a time. It receives `finished` after the source finishes and all buffered
  /// values are delivered.
  public struct ChannelPublisher<Value: Sendable>: Publisher, Sendable {
    public typealias Output = Value
    public typealias Failure = Never

    let channel: Channel<Value>
    let buffering: ChannelBuffering

    public func receive<Listener: Subscriber>(
      subscriber: Listener
    ) where Listener.Input == Value, Listener.Failure == Never {
      let subscription = ChannelSubscription(channel, buffering: buffering, subscriber: subscriber)
      subscriber.receive(subscription: subscription)
      // Connected last, because a subscriber must receive its subscription before any value or the end.
      channel.connect(subscription.inbox)
    }
  }

  extension Channel {
    /// Returns a Combine publisher for the current and later values.
    ///
    /// - Parameter buffering: The values to keep while a subscriber has no demand. The default is the newest value, as
    ///   in Combine's `CurrentValueSubject`.
    public func asPublisher(buffering: ChannelBuffering = .newest(1)) -> ChannelPublisher<Value> {
      ChannelPublisher(channel: self, buffering: buffering)
    }
  }

  private final class ChannelSubscription<Value: Sendable>: Subscription {
    let inbox: Inbox<Value>
    private weak var channel: Channel<Value>?

    init<Listener: Subscriber>(
      _ channel: Channel<Value>, buffering: ChannelBuffering, subscriber: Listener
    ) where Listener.Input == Value, Listener.Failure == Never {
      let downstream = Downstream(
        receive: { subscriber.receive($0) }, end: { subscriber.receive(completion: .finished) })
      let receiver = Inbox<Value>.Receiver(
        receive: { downstream.receive($0).max ?? .max }, end: { downstream.end() })
      inbox = Inbox(on: nil, buffering: buffering, demand: 0, receiver: receiver)
      self.channel = channel
    }

    func request(_ demand: Subscribers.Demand) {
      inbox.request(demand.max ?? .max)
    }

    func cancel() {
      inbox.cancel()
      channel?.remove(inbox)
    }
  }

  /// Subscribers needn't be `Sendable`, but must accept calls on any thread, one at a time. The inbox guarantees that.
  private struct Downstream<Value>: @unchecked Sendable {
    let receive: (Value) -> Subscribers.Demand
    let end: () -> Void
  }
#endif
