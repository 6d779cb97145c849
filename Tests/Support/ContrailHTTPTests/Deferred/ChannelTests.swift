import Dispatch
import Testing

@testable import ContrailHTTP

@Suite struct ChannelTests {
  // MARK: Values

  @Test func theValueIsTheOneSentLast() {
    let source = ChannelSource<Int>()
    #expect(source.channel.value == nil)
    source.send(1)
    source.send(2)
    #expect(source.channel.value == 2)
    #expect(ChannelSource(initial: 9).channel.value == 9)
  }

  @Test func aSinkHearsTheCurrentValueThenEachInOrder() {
    let source = ChannelSource(initial: 0)
    let heard = Heard<Int>()
    let connection = source.channel.sink { heard.append($0) }
    #expect(heard.elements == [0])
    for number in 1...5 {
      source.send(number)
      #expect(heard.elements == Array(0...number))
    }
    withExtendedLifetime(connection) {}
  }

  @Test func withoutACurrentValueNothingIsHeardAtFirst() {
    let source = ChannelSource<Int?>()
    let heard = Heard<Int?>()
    let connection = source.channel.sink { heard.append($0) }
    #expect(heard.elements == [])
    // A nil that is a value is one.
    source.send(nil)
    #expect(heard.elements == [nil])
    withExtendedLifetime(connection) {}
  }

  @Test func equalValuesAreEachHeard() {
    let source = ChannelSource<Void>()
    let heard = Heard<Int>()
    let connection = source.channel.sink { heard.append(1) }
    source.send()
    source.send()
    #expect(heard.count == 2)
    withExtendedLifetime(connection) {}
  }

  @Test func sinksAreCalledInTheOrderInWhichTheyCame() {
    let source = ChannelSource<Int>()
    let heard = Heard<String>()
    let connections = (0..<5).map { name in source.channel.sink { heard.append("\(name):\($0)") } }
    source.send(1)
    connections[2].cancel()
    source.send(2)
    #expect(heard.elements == ["0:1", "1:1", "2:1", "3:1", "4:1", "0:2", "1:2", "3:2", "4:2"])
    withExtendedLifetime(connections) {}
  }

  // MARK: Cancellation

  @Test func theSourceKnowsWhetherSomebodyListens() {
    let source = ChannelSource<Int>()
    #expect(!source.hasListeners)
    let first = source.channel.sink { _ in }
    let second = source.channel.sink { _ in }
    first.cancel()
    #expect(source.hasListeners)
    second.cancel()
    #expect(!source.hasListeners)
    let last = source.channel.sink { _ in }
    source.finish()
    #expect(!source.hasListeners)
    withExtendedLifetime(last) {}
  }

  @Test func cancelledOrReleasedSinksHearNothingMore() {
    let source = ChannelSource(initial: 0)
    let heard = Heard<Int>()
    let cancelled = source.channel.sink { heard.append($0) }
    var released: Cancellable? = source.channel.sink { heard.append($0) }
    withExtendedLifetime(released) { source.send(1) }
    cancelled.cancel()
    cancelled.cancel()
    released = nil
    source.send(2)
    #expect(heard.elements == [0, 0, 1, 1])
  }

  @Test func aSinkMayCancelItselfAndOthers() {
    let source = ChannelSource<Int>()
    let heard = Heard<String>()
    let own = Box<Cancellable>()
    let other = Box<Cancellable>()
    own.value = source.channel.sink { value in
      heard.append("own\(value)")
      own.value?.cancel()
      other.value = nil
    }
    other.value = source.channel.sink { heard.append("other\($0)") }
    source.send(1)
    source.send(2)
    #expect(heard.elements == ["own1"])
  }

  // MARK: Re-entrancy

  @Test func sendingFromWithinASinkIsOrderedForAll() {
    let source = ChannelSource<Int>()
    let sender = Heard<Int>()
    let before = Heard<Int>()
    let after = Heard<Int>()
    let one = source.channel.sink { before.append($0) }
    let two = source.channel.sink { value in
      if value < 50 { source.send(value + 1) }
      sender.append(value)
    }
    let three = source.channel.sink { after.append($0) }
    source.send(0)
    #expect(before.elements == Array(0...50))
    #expect(sender.elements == Array(0...50))
    #expect(after.elements == Array(0...50))
    withExtendedLifetime((one, two, three)) {}
  }

  @Test func sendingFromWithinTheFirstCallIsOrdered() {
    let source = ChannelSource(initial: 0)
    let heard = Heard<Int>()
    let connection = source.channel.sink { value in
      if value == 0 { source.send(1) }
      heard.append(value)
    }
    #expect(heard.elements == [0, 1])
    withExtendedLifetime(connection) {}
  }

  @Test func listeningFromWithinASinkTellsTheCurrentValueAtOnce() {
    let source = ChannelSource<Int>()
    let inner = Box<Cancellable>()
    let heard = Heard<String>()
    let outer = source.channel.sink { value in
      heard.append("outer\(value)")
      if inner.value == nil {
        inner.value = source.channel.sink { heard.append("inner\($0)") }
      }
      heard.append("done\(value)")
    }
    source.send(1)
    source.send(2)
    #expect(heard.elements == ["outer1", "inner1", "done1", "outer2", "done2", "inner2"])
    withExtendedLifetime(outer) {}
  }

  @Test(arguments: [nil, ChannelBuffering.newest(2)]) func noValueIsReleasedUnderALock(buffering: ChannelBuffering?) {
    /// Calls back from the place where a lock that is held too long would deadlock.
    final class Value: Sendable {
      let onRelease: @Sendable () -> Void
      init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
      deinit { onRelease() }
    }
    let queue = DispatchQueue(label: "behind")
    queue.suspend()
    let source = ChannelSource<Value>()
    let released = Heard<Bool>()
    let connection = buffering.map { source.channel.sink(on: queue, buffering: $0) { _ in } }
    for _ in 0..<5 {
      source.send(Value { [weak source] in released.append(source?.channel.value != nil) })
    }
    // The channel keeps the last value, and a listener who is behind the one before.
    #expect(released.elements == Array(repeating: true, count: buffering == nil ? 4 : 3))
    connection?.cancel()
    #expect(released.elements == Array(repeating: true, count: 4))
    queue.resume()
  }

  // MARK: The end

  @Test func theEndReleasesSinksAndKeepsTheValue() {
    weak var watched: Token?
    let source = ChannelSource(initial: 1)
    let heard = Heard<Int>()
    let connection: Cancellable
    do {
      let token = Token()
      watched = token
      connection = source.channel.sink { value in withExtendedLifetime(token) { heard.append(value) } }
    }
    #expect(watched != nil)
    source.finish()
    source.finish()
    #expect(watched == nil)
    source.send(2)
    #expect(source.channel.value == 1)
    #expect(heard.elements == [1])
    let late = source.channel.sink { heard.append($0) }
    #expect(heard.elements == [1, 1])
    withExtendedLifetime((connection, late)) {}
  }

  @Test func releaseOfTheSourceIsTheEnd() async {
    var source: ChannelSource<Int>? = ChannelSource(initial: 4)
    let channel = source?.channel
    source = nil
    var heard: [Int] = []
    if let channel {
      for await value in channel.values() { heard.append(value) }
    }
    #expect(heard == [4])
  }

  // MARK: Queues and back-pressure

  @Test func aQueuedSinkHearsEveryValueOnItsQueue() async {
    let queue = DispatchQueue.marked("sink")
    let source = ChannelSource(initial: 0)
    let heard = Heard<Int>()
    let here = Heard<Bool>()
    let connection = source.channel.sink(on: queue) { value in
      here.append(queue.isHere)
      heard.append(value)
    }
    for number in 1...100 { source.send(number) }
    await heard.wait(for: 101)
    #expect(heard.elements == Array(0...100))
    #expect(here.elements.allSatisfy { $0 })
    withExtendedLifetime(connection) {}
  }

  @Test(arguments: [(-1, [9]), (1, [9]), (3, [7, 8, 9]), (20, Array(0...9))])
  func aQueueThatIsBehindGetsTheNewest(count: Int, expected: [Int]) {
    let queue = DispatchQueue(label: "behind")
    let source = ChannelSource(initial: 0)
    let heard = Heard<Int>()
    queue.suspend()
    let connection = source.channel.sink(on: queue, buffering: .newest(count)) { heard.append($0) }
    for number in 1...9 { source.send(number) }
    queue.resume()
    queue.flush(rounds: 24)
    #expect(heard.elements == expected)
    withExtendedLifetime(connection) {}
  }

  @Test func aConcurrentQueueKeepsTheOrderAndNeverOverlaps() async {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let source = ChannelSource<Int>()
    let heard = Heard<Int>()
    let running = Lock(0)
    let connection = source.channel.sink(on: queue) { value in
      let isAlone = running.withLock { count in
        count += 1
        return count == 1
      }
      #expect(isAlone)
      heard.append(value)
      running.withLock { $0 -= 1 }
      if value == 999 { heard.append(-1) }
    }
    for number in 0..<1_000 { source.send(number) }
    await heard.wait(for: 1_001)
    #expect(heard.elements == Array(0..<1_000) + [-1])
    withExtendedLifetime(connection) {}
  }

  @Test func whatWaitsOnTheQueueIsNotHeardOnceCancelled() {
    let queue = DispatchQueue(label: "sink")
    let source = ChannelSource(initial: 0)
    let heard = Heard<Int>()
    let connection = source.channel.sink(on: queue) { heard.append($0) }
    queue.flush()
    queue.sync {
      source.send(1)
      source.send(2)
      connection.cancel()
    }
    queue.flush()
    #expect(heard.elements == [0])
  }

  @Test @MainActor func theMainThreadIsToldOnTheMainActorAndLater() async {
    let source = ChannelSource(initial: 1)
    let heard = Heard<Int>()
    let connection = source.channel.sinkOnMainThread { value in
      MainActor.assertIsolated()
      heard.append(value)
    }
    source.send(2)
    #expect(heard.elements == [])
    await heard.wait(for: 2)
    #expect(heard.elements == [1, 2])
    source.send(3)
    connection.cancel()
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    #expect(heard.elements == [1, 2])
  }

  // MARK: Release

  @Test func aConnectionKeepsNeitherChannelNorSource() {
    weak var source: ChannelSource<Int>?
    weak var channel: Channel<Int>?
    let connection: Cancellable
    do {
      let made = ChannelSource(initial: 1)
      source = made
      channel = made.channel
      connection = made.channel.sink { _ in }
    }
    #expect(source == nil)
    #expect(channel == nil)
    connection.cancel()
  }

  @Test func cancellationReleasesTheClosureAndWhatWaits() {
    weak var closure: Token?
    weak var waiting: Token?
    let queue = DispatchQueue(label: "sink")
    let source = ChannelSource<Token?>()
    queue.suspend()
    let connection: Cancellable
    do {
      let captured = Token()
      closure = captured
      connection = source.channel.sink(on: queue) { _ in withExtendedLifetime(captured) {} }
      let token = Token()
      waiting = token
      source.send(token)
      source.send(nil)
    }
    #expect(closure != nil)
    #expect(waiting != nil)
    connection.cancel()
    #expect(closure == nil)
    #expect(waiting == nil)
    queue.resume()
  }

  @Test func aSinkThatHoldsItsSourceGoesWithItsConnection() {
    weak var watched: ChannelSource<Int>?
    do {
      let source = ChannelSource(initial: 0)
      watched = source
      let connection = source.channel.sink { if $0 == 0 { source.send(1) } }
      withExtendedLifetime(connection) {}
    }
    #expect(watched == nil)
  }

  @Test func theValueBeforeIsReleased() {
    weak var watched: Token?
    let source = ChannelSource<Token>()
    let connection = source.channel.sink { _ in }
    do {
      let token = Token()
      watched = token
      source.send(token)
    }
    #expect(watched != nil)
    source.send(Token())
    #expect(watched == nil)
    withExtendedLifetime(connection) {}
  }
}
