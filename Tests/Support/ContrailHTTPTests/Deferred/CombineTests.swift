#if canImport(Combine) || OpenCombine
  import Dispatch
  import Testing

  @testable import ContrailHTTP

  #if canImport(Combine)
    import Combine
  #else
    import OpenCombine
    import OpenCombineDispatch
  #endif

  // Both modules have one.
  private typealias Future = ContrailHTTP.Future

  @Suite struct CombineTests {
    // MARK: Connections

    @Test func storeTakesAConnectionAndCancelsWithTheSet() {
      let source = ChannelSource(initial: 0)
      let heard = Heard<Int>()
      var subscriptions: Set<AnyCancellable> = []
      source.channel.sink { heard.append($0) }.store(in: &subscriptions)
      source.send(1)
      subscriptions.removeAll()
      source.send(2)
      #expect(heard.elements == [0, 1])
    }

    // MARK: Futures

    @Test func aCombineFutureGivesTheValueOnAQueue() async {
      let queue = DispatchQueue.marked("combine")
      let (future, promise) = Future<Int>.makePromise()
      let heard = Heard<String>()
      var subscriptions: Set<AnyCancellable> = []
      #if canImport(Combine)
        let scheduler = queue
      #else
        let scheduler = queue.ocombine
      #endif
      future.asCombineFuture().receive(on: scheduler).sink(
        receiveCompletion: { heard.append("\($0) \(queue.isHere)") },
        receiveValue: { heard.append("\($0) \(queue.isHere)") }
      ).store(in: &subscriptions)
      promise.succeed(5)
      await heard.wait(for: 2)
      #expect(heard.elements == ["5 true", "finished true"])
    }

    @Test func aCombineFutureGivesTheError() {
      let heard = Heard<Mishap?>()
      let connection = Future<Int>(error: Mishap(number: 8)).asCombineFuture().sink(
        receiveCompletion: { completion in
          if case .failure(let error) = completion { heard.append(error as? Mishap) }
        }, receiveValue: { _ in heard.append(nil) })
      #expect(heard.elements == [Mishap(number: 8)])
      withExtendedLifetime(connection) {}
    }

    @Test func aCombineFutureKeepsTheWorkUntilItsEnd() {
      weak var watched: Future<Int>?
      let cancelled = Heard<Int>()
      let promise: Promise<Int>
      do {
        let (future, other) = Future<Int>.makePromise { cancelled.append(1) }
        promise = other
        watched = future
        _ = future.asCombineFuture()
      }
      #expect(cancelled.count == 0)
      #expect(watched != nil)
      #expect(promise.succeed(1))
      #expect(cancelled.count == 0)
      #expect(watched == nil)
    }

    // MARK: Channels

    @Test func aPublisherGivesTheCurrentValueTheRestAndTheEnd() {
      let source = ChannelSource(initial: 0)
      let heard = Heard<String>()
      var subscriptions: Set<AnyCancellable> = []
      source.channel.asPublisher().map { $0 * 10 }.sink(
        receiveCompletion: { heard.append("\($0)") }, receiveValue: { heard.append("\($0)") }
      ).store(in: &subscriptions)
      source.send(1)
      source.send(2)
      source.finish()
      #expect(heard.elements == ["0", "10", "20", "finished"])
    }

    @Test func aPublisherOfAFinishedChannelGivesTheLastValueAndTheEnd() {
      let source = ChannelSource(initial: 7)
      source.finish()
      let probe = Probe<Int>()
      source.channel.asPublisher().subscribe(probe)
      #expect(probe.heard.elements == ["subscription"])
      probe.subscription?.request(.max(1))
      #expect(probe.heard.elements == ["subscription", "7", "finished"])
    }

    @Test func releaseOfTheSubscriptionEndsIt() {
      weak var closure: Token?
      let source = ChannelSource(initial: 0)
      let heard = Heard<Int>()
      var subscription: AnyCancellable?
      do {
        let captured = Token()
        closure = captured
        subscription = source.channel.asPublisher().sink { value in
          withExtendedLifetime(captured) { heard.append(value) }
        }
      }
      withExtendedLifetime(subscription) { #expect(closure != nil) }
      subscription = nil
      #expect(!source.hasListeners)
      source.send(1)
      #expect(heard.elements == [0])
      #expect(closure == nil)
    }

    @Test func noMoreIsGivenThanWasAskedFor() {
      let source = ChannelSource(initial: 0)
      let probe = Probe<Int>()
      source.channel.asPublisher(buffering: .every).subscribe(probe)
      source.send(1)
      #expect(probe.heard.elements == ["subscription"])
      probe.subscription?.request(.none)
      #expect(probe.heard.elements == ["subscription"])
      probe.subscription?.request(.max(3))
      #expect(probe.heard.elements == ["subscription", "0", "1"])
      source.send(2)
      source.send(3)
      #expect(probe.heard.elements == ["subscription", "0", "1", "2"])
      source.finish()
      #expect(probe.heard.elements == ["subscription", "0", "1", "2"])
      probe.subscription?.request(.unlimited)
      #expect(probe.heard.elements == ["subscription", "0", "1", "2", "3", "finished"])
    }

    @Test func withoutDemandTheNewestIsKept() {
      let source = ChannelSource(initial: 0)
      let probe = Probe<Int>()
      source.channel.asPublisher().subscribe(probe)
      for number in 1...5 { source.send(number) }
      probe.subscription?.request(.max(1))
      source.send(6)
      source.send(7)
      probe.subscription?.request(.max(1))
      #expect(probe.heard.elements == ["subscription", "5", "7"])
    }

    @Test func aValueMayBeAnsweredWithDemand() {
      let source = ChannelSource<Int>()
      let probe = Probe<Int>(first: .max(1)) { $0 < 3 ? .max(1) : .none }
      source.channel.asPublisher().subscribe(probe)
      for number in 1...6 { source.send(number) }
      #expect(probe.heard.elements == ["subscription", "1", "2", "3"])
    }

    @Test func demandFromWithinAValueIsServedAfterIt() {
      let source = ChannelSource(initial: 0)
      let probe = Probe<Int>()
      probe.answer = { [unowned probe] value in
        if value < 4 {
          source.send(value + 1)
          probe.subscription?.request(.max(1))
        }
        probe.heard.append("done \(value)")
        return .none
      }
      source.channel.asPublisher().subscribe(probe)
      probe.subscription?.request(.max(1))
      #expect(
        probe.heard.elements == ["subscription"] + (0...4).flatMap { ["\($0)", "done \($0)"] })
      probe.answer = nil
    }

    @Test func cancellingBeforeTheFirstValueConnectsNothing() {
      weak var watched: Token?
      let source = ChannelSource(initial: 0)
      do {
        let probe = Probe<Int>()
        let token = Token()
        watched = token
        probe.answer = { _ in withExtendedLifetime(token) { .none } }
        probe.onSubscription = { $0.cancel() }
        source.channel.asPublisher().subscribe(probe)
        source.send(1)
        #expect(probe.heard.elements == ["subscription"])
        #expect(!source.hasListeners)
        probe.subscription = nil
      }
      #expect(watched == nil)
    }

    @Test func publishersOfManySendersKeepCallsApart() async {
      let source = ChannelSource<Int>()
      let probe = Probe<Int>(first: .unlimited)
      source.channel.asPublisher(buffering: .every).subscribe(probe)
      await onThreads(4) { thread in
        for number in 0..<250 { source.send(thread * 250 + number) }
      }
      // Unsynchronised on purpose: only calls that never overlap count to a thousand.
      #expect(probe.count == 1_000)
    }
  }

  /// A subscriber that asks only when told to.
  private final class Probe<Value>: Subscriber {
    typealias Input = Value
    typealias Failure = Never

    let heard = Heard<String>()
    var subscription: (any Subscription)?
    var answer: ((Value) -> Subscribers.Demand)?
    var onSubscription: ((any Subscription) -> Void)?
    var count = 0
    private let first: Subscribers.Demand

    init(first: Subscribers.Demand = .none, answer: ((Value) -> Subscribers.Demand)? = nil) {
      self.first = first
      self.answer = answer
    }

    func receive(subscription: any Subscription) {
      heard.append("subscription")
      self.subscription = subscription
      onSubscription?(subscription)
      if first != .none { subscription.request(first) }
    }

    func receive(_ input: Value) -> Subscribers.Demand {
      count += 1
      heard.append("\(input)")
      return answer?(input) ?? .none
    }

    func receive(completion: Subscribers.Completion<Never>) {
      heard.append("finished")
    }
  }
#endif
