import Testing

@testable import ContrailHTTP

@Suite struct InboxTests {
  private let heard = Heard<String>()

  private func inbox(buffering: ChannelBuffering = .every, demand: Int = .max) -> Inbox<Int> {
    let heard = heard
    return Inbox(
      on: nil, buffering: buffering, demand: demand,
      receiver: .init(
        receive: { value in
          heard.append("\(value)")
          return 0
        }, end: { heard.append("end") }))
  }

  @Test func nobodyButWhoeverConnectsDeliversFirst() {
    let inbox = inbox()
    _ = inbox.put(1)
    // As another thread would that sends before the connection is complete.
    _ = inbox.put(2)
    inbox.run()
    #expect(heard.elements == [])
    inbox.start()
    #expect(heard.elements == ["1", "2"])
  }

  @Test func theEndComesAfterWhatWaitsAndOnce() {
    let inbox = inbox(demand: 1)
    inbox.start()
    _ = inbox.put(1)
    _ = inbox.put(2)
    inbox.end()
    inbox.run()
    #expect(heard.elements == ["1"])
    #expect(!inbox.isOver)
    inbox.request(1)
    #expect(heard.elements == ["1", "2", "end"])
    #expect(inbox.isOver)
    inbox.end()
    inbox.run()
    #expect(inbox.put(3) == nil)
    #expect(heard.count == 3)
  }

  @Test func demandAddsUpWithoutOverflow() {
    let inbox = inbox(demand: 0)
    inbox.start()
    inbox.request(.max - 1)
    inbox.request(.max - 1)
    inbox.request(0)
    inbox.request(-5)
    for number in 1...3 {
      _ = inbox.put(number)
      inbox.run()
    }
    #expect(heard.elements == ["1", "2", "3"])
  }

  @Test func whatHadToGoIsHandedBack() {
    let inbox = inbox(buffering: .newest(2), demand: 0)
    inbox.start()
    #expect((1...4).map { inbox.put($0) } == [nil, nil, 1, 2])
  }

  @Test func aCancelledInboxKeepsNothing() {
    weak var watched: Token?
    let inbox = Inbox<Token>(
      on: nil, buffering: .every, demand: 0, receiver: .init(receive: { _ in 0 }, end: {}))
    inbox.start()
    inbox.cancel()
    do {
      let token = Token()
      watched = token
      // As a send does that began before the cancellation.
      _ = inbox.put(token)
    }
    #expect(watched == nil)
    #expect(inbox.isOver)
  }

  @Test func anInboxCancelledBeforeItIsConnectedIsNotKept() {
    weak var watched: Inbox<Int>?
    let source = ChannelSource(initial: 1)
    do {
      let inbox = inbox()
      watched = inbox
      inbox.cancel()
      source.channel.connect(inbox)
    }
    #expect(watched == nil)
    #expect(!source.hasListeners)
    #expect(heard.elements == [])
  }
}
