import ContrailTestSupport
import Dispatch
import Testing

@testable import ContrailHTTP

/// Many threads at once. Nothing here waits for time to pass; the thread sanitizer reads along when asked to.
@Suite struct ConcurrencyTests {
  @Test func oneOfManyCompletesAndEachSinkHearsIt() async throws {
    for _ in 0..<200 {
      let (future, promise) = Future<Int>.makePromise()
      let wins = Heard<Int>()
      let heard = Heard<Int>()
      let connections = Heard<Cancellable>()
      await onThreads(6) { thread in
        if thread % 2 == 0 {
          connections.append(future.sink(receiveValue: { heard.append($0) }, failure: { _ in }))
        } else if promise.succeed(thread) {
          wins.append(thread)
        }
      }
      #expect(wins.count == 1)
      #expect(heard.elements == Array(repeating: try #require(wins.elements.first), count: 3))
    }
  }

  @Test func outcomeCancellationAndReleaseMayRace() async {
    for round in 0..<300 {
      let cancelled = Heard<Int>()
      let heard = Heard<Int>()
      let future = Box<Future<Int>>()
      let connection = Box<Cancellable>()
      let promise: Promise<Int>
      do {
        let pair = Future<Int>.makePromise { cancelled.append(1) }
        promise = pair.promise
        connection.value = pair.future.sink(receiveValue: { heard.append($0) }, failure: { _ in })
        if round % 2 == 0 { future.value = pair.future }
      }
      await onThreads(3) { thread in
        switch thread {
        case 0: promise.succeed(1)
        case 1: connection.value = nil
        default: future.value = nil
        }
      }
      // Told at most once, and never both completed and cancelled.
      #expect(heard.count + cancelled.count <= 1)
    }
  }

  @Test func waitersAndTheirCancellationMayRace() async throws {
    for _ in 0..<100 {
      let (future, promise) = Future<Int>.makePromise()
      let tasks = (0..<4).map { _ in Task { try await future.value } }
      await onThreads(3) { thread in
        switch thread {
        case 0: promise.succeed(1)
        case 1: tasks[0].cancel()
        default: tasks[1].cancel()
        }
      }
      // Those that weren't cancelled have the value; the others it or the cancellation.
      #expect(try await tasks[2].value == 1)
      #expect(try await tasks[3].value == 1)
      for task in tasks.prefix(2) {
        switch await task.result {
        case .success(let value): #expect(value == 1)
        case .failure(let error): #expect(error is CancellationError)
        }
      }
    }
  }

  @Test func allSinksHearEveryValueOfManySendersInOneOrder() async {
    let source = ChannelSource<Int>()
    let queue = DispatchQueue(label: "sink")
    let inline = [Heard<Int>(), Heard<Int>()]
    let queued = Heard<Int>()
    var connections = inline.map { heard in source.channel.sink { heard.append($0) } }
    connections.append(source.channel.sink(on: queue) { queued.append($0) })
    await onThreads(4) { thread in
      for number in 0..<500 { source.send(thread * 1_000 + number) }
    }
    for heard in inline + [queued] { await heard.wait(for: 2_000) }
    #expect(inline[0].elements == inline[1].elements)
    #expect(inline[0].elements == queued.elements)
    for thread in 0..<4 {
      let own = queued.elements.filter { $0 / 1_000 == thread }
      #expect(own == (0..<500).map { thread * 1_000 + $0 })
    }
    withExtendedLifetime(connections) {}
  }

  @Test func whoComesInTheMidstHearsTheCurrentValueAndAllThatFollow() async {
    for _ in 0..<100 {
      let source = ChannelSource(initial: 0)
      let heard = (0..<3).map { _ in Heard<Int>() }
      let connections = Heard<Cancellable>()
      await onThreads(4) { thread in
        if thread == 0 {
          for number in 1...100 { source.send(number) }
        } else {
          connections.append(source.channel.sink { heard[thread - 1].append($0) })
          // The current value was told before `sink` returned.
          #expect(heard[thread - 1].count > 0)
        }
      }
      for heard in heard {
        await heard.wait(for: 1)
        let first = heard.elements[0]
        #expect(heard.elements == Array(first...100))
      }
    }
  }

  @Test(arguments: 0..<6) func anythingMayHappenAtOnce(seed: UInt64) async {
    let source = ChannelSource(initial: 0)
    let queue = DispatchQueue(label: "sink")
    let survivor = Heard<Int>()
    let connection = source.channel.sink { survivor.append($0) }
    await onThreads(4) { thread in
      var random = SplitMix64(seed: seed * 16 + UInt64(thread))
      var connections: [Cancellable] = []
      for number in 1...200 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: connections.append(source.channel.sink { _ in })
        case 1: connections.append(source.channel.sink(on: queue, buffering: .newest(1)) { _ in })
        case 2:
          // Sends from within, within bounds.
          connections.append(source.channel.sink { if $0 == 200 { source.send(-1) } })
        case 3: connections.popLast()?.cancel()
        case 4: connections.removeAll()
        default: source.send(number)
        }
      }
    }
    let before = survivor.count
    source.send(1_000)
    #expect(survivor.elements.last == 1_000)
    #expect(survivor.count == before + 1)
    queue.flush()
    withExtendedLifetime(connection) {}
  }

  @Test func theEndMayComeWhileOthersSendListenAndLoop() async {
    for _ in 0..<100 {
      let source = ChannelSource(initial: 0)
      let channel = source.channel
      let loops = (0..<2).map { _ in
        Task {
          var last = -1
          for await value in channel.values() {
            #expect(value > last)
            last = value
          }
        }
      }
      await onThreads(3) { thread in
        switch thread {
        case 0: for number in 1...20 { source.send(number) }
        case 1: for _ in 0..<5 { channel.sink { _ in }.cancel() }
        default: source.finish()
        }
      }
      for loop in loops { await loop.value }
    }
  }
}
