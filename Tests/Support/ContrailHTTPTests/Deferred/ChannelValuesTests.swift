import Testing

@testable import ContrailHTTP

@Suite struct ChannelValuesTests {
  @Test func theSequenceBeginsWithTheCurrentValueAndEndsWithTheSource() async {
    let source = ChannelSource(initial: 0)
    let values = source.channel.values(buffering: .every)
    var iterator = values.makeAsyncIterator()
    for number in 1...3 { source.send(number) }
    source.finish()
    var heard: [Int] = []
    while let value = await iterator.next() { heard.append(value) }
    #expect(heard == [0, 1, 2, 3])
  }

  @Test(arguments: [
    (ChannelBuffering.newest(1), [3]), (.newest(2), [2, 3]), (.newest(0), [3]), (.every, [0, 1, 2, 3]),
  ])
  func aLoopThatIsBehindGetsWhatWasAskedFor(buffering: ChannelBuffering, expected: [Int]) async {
    let source = ChannelSource(initial: 0)
    var iterator = source.channel.values(buffering: buffering).makeAsyncIterator()
    for number in 1...3 { source.send(number) }
    source.finish()
    var heard: [Int] = []
    while let value = await iterator.next() { heard.append(value) }
    #expect(heard == expected)
  }

  @Test func theNewestIsTheDefault() async {
    let source = ChannelSource(initial: 0)
    var iterator = source.channel.values().makeAsyncIterator()
    source.send(1)
    source.send(2)
    #expect(await iterator.next() == 2)
    source.send(3)
    #expect(await iterator.next() == 3)
  }

  @Test func eachIterationBeginsAnew() async {
    let source = ChannelSource(initial: 1)
    let values = source.channel.values()
    for expected in 1...3 {
      source.send(expected)
      for await value in values {
        #expect(value == expected)
        break
      }
    }
  }

  @Test func leavingTheLoopDisconnects() async {
    weak var watched: Token?
    let source = ChannelSource<Token?>()
    do {
      let token = Token()
      watched = token
      source.send(token)
    }
    for await value in source.channel.values(buffering: .every) {
      #expect(value === watched)
      break
    }
    #expect(!source.hasListeners)
    // An unbounded buffer that is still connected would keep it.
    source.send(nil)
    #expect(watched == nil)
  }

  @Test func cancellingTheTaskEndsTheLoop() async {
    let source = ChannelSource(initial: 0)
    let heard = Heard<Int>()
    let task = Task {
      for await value in source.channel.values() { heard.append(value) }
    }
    await heard.wait(for: 1)
    task.cancel()
    await task.value
    #expect(!source.hasListeners)
    source.send(1)
    #expect(heard.elements == [0])
  }

  @Test @MainActor func theMainActorMayLoop() async {
    let source = ChannelSource(initial: 0)
    var count = 0
    for await value in source.channel.values() {
      MainActor.assertIsolated()
      count += 1
      if value == 3 { break }
      source.send(value + 1)
    }
    #expect(count == 4)
  }
}
