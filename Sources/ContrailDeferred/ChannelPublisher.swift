#if canImport(Combine)
  public import Combine
#elseif canImport(OpenCombine)
  public import OpenCombine
#endif

#if canImport(Combine) || canImport(OpenCombine)
  /// The values of a ``Channel`` as one of Combine's publishers.
  ///
  /// Each subscriber is told the current value first, if there is one; never more than it has asked for; on the thread
  /// that sends or asks, one value at a time. It is told `finished` when the source finishes, after what waits.
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
      // Only now: no subscriber may hear a value, or the end, before its subscription.
      channel.connect(subscription.inbox)
    }
  }

  extension Channel {
    /// The current value and those that follow, for Combine.
    ///
    /// - Parameter buffering: what is kept for a subscriber while it has no demand: the newest value, as Combine's
    ///   `CurrentValueSubject` does, unless you say otherwise.
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

  /// Subscribers needn't be `Sendable`, but must take calls from any thread, one at a time; the inbox sees to that.
  private struct Downstream<Value>: @unchecked Sendable {
    let receive: (Value) -> Subscribers.Demand
    let end: () -> Void
  }
#endif
