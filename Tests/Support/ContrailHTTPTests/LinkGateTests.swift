import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailHTTP

/// The switch that ends everything under way while the app says that there is no link.
@Suite struct LinkGateTests {
  private struct Fault: Error {}

  /// Steps that a test and an operation wait for, each in its own order.
  private struct Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
      (stream, continuation) = AsyncStream.makeStream()
    }

    func send() { continuation.yield() }

    /// Waits for the next signal; a cancelled task doesn't.
    func wait() async {
      var iterator = stream.makeAsyncIterator()
      _ = await iterator.next()
    }
  }

  private func failure(_ body: () async throws -> Void) async -> (any Error)? {
    do {
      try await body()
      return nil
    } catch {
      return error
    }
  }

  /// Whether an error is that of a closed gate.
  private func isOfGate(_ error: (any Error)?) -> Bool { error as? TransportError == LinkGate.error }

  // MARK: Operations

  @Test func anOpenGateLetsThrough() async throws {
    let gate = LinkGate()
    #expect(gate.mayPass)
    #expect(try await gate.run { 5 } == 5)
    let error = await failure { try await gate.run { throw Fault() } }
    #expect(error is Fault)
  }

  @Test func aClosedGateLetsNothingBegin() async throws {
    let (gate, begun) = (LinkGate(isOpen: false), Heard<Int>())
    #expect(!gate.mayPass)
    let error = await failure { try await gate.run { begun.append(1) } }
    #expect(isOfGate(error))
    #expect(begun.elements == [])
    gate.set(isOpen: true)
    try await gate.run { begun.append(2) }
    #expect(begun.elements == [2])
  }

  @Test func closingEndsAllThatIsUnderWay() async {
    let gate = LinkGate()
    let (begun, never, ends) = (Signal(), Signal(), Heard<Int>())
    let operations = (0..<3).map { number in
      Task {
        await failure {
          try await gate.run {
            begun.send()
            await never.wait()
            ends.append(number)
            try Task.checkCancellation()
          }
        }
      }
    }
    for _ in operations { await begun.wait() }
    gate.set(isOpen: false)
    for operation in operations {
      let error = await operation.value
      #expect(isOfGate(error))
    }
    #expect(ends.elements.sorted() == [0, 1, 2])
    withExtendedLifetime(never) {}
  }

  @Test func openingEndsNothing() async throws {
    let gate = LinkGate()
    let (begun, goes) = (Signal(), Signal())
    let operation = Task {
      try await gate.run {
        begun.send()
        await goes.wait()
        try Task.checkCancellation()
        return 5
      }
    }
    await begun.wait()
    gate.set(isOpen: true)
    goes.send()
    #expect(try await operation.value == 5)
  }

  @Test func whatEndedBeforeTheGateClosedIsLeftAlone() async throws {
    let gate = LinkGate()
    let ended = Heard<Int>()
    let number = try #require(gate.add { ended.append(1) })
    let other = try #require(gate.add { ended.append(2) })
    #expect(number != other)
    gate.remove(number)
    gate.set(isOpen: false)
    gate.set(isOpen: true)
    gate.set(isOpen: false)
    #expect(ended.elements == [2])
    let refused = gate.add {}
    #expect(refused == nil)
  }

  @Test func aCancelledTaskIsToldItsOwnErrorAlsoIfTheGateCloses() async {
    let gate = LinkGate()
    let (begun, never) = (Signal(), Signal())
    let operation = Task {
      await failure {
        try await gate.run {
          begun.send()
          await never.wait()
          gate.set(isOpen: false)
          throw Fault()
        }
      }
    }
    await begun.wait()
    operation.cancel()
    let error = await operation.value
    #expect(error is Fault)
    withExtendedLifetime(never) {}
  }

  // MARK: Requests

  /// A transport whose answer is made by a closure.
  private struct Answering: ClosableTransport {
    var isSecure = true
    let events: Heard<String>
    var stream: @Sendable () -> TransportStream

    func headBytes(of request: TransportRequest) -> Int { 77 }

    func shutdown() async { events.append("shutdown") }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
      try await open(request).collected()
    }

    func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream {
      events.append(request.target)
      return stream()
    }
  }

  /// A stream with one block that never ends.
  private static func endless() -> TransportStream {
    let buffer = AnswerBuffer(get(), host: "host")
    _ = buffer.receive([1]) {}
    return TransportStream(AnswerBuffer.Head(status: 200, headers: []), buffer)
  }

  @Test func aTransportIsTheOneBehindTheGate() async {
    let events = Heard<String>()
    for isSecure in [true, false] {
      let transport = GatedTransport(Answering(isSecure: isSecure, events: events) { Self.endless() }, LinkGate())
      #expect(transport.isSecure == isSecure)
      #expect(transport.headBytes(of: get()) == 77)
      await transport.shutdown()
    }
    #expect(events.elements == ["shutdown", "shutdown"])
  }

  @Test(arguments: [true, false]) func nothingIsSentThroughAClosedGate(_ endsRequests: Bool) async throws {
    let (gate, events) = (LinkGate(isOpen: false), Heard<String>())
    let answer = TransportAnswer(status: 201, headers: [], body: [5])
    let transport = GatedTransport(
      Answering(events: events) { TransportStream(answer) }, gate, endsRequests: endsRequests)
    let error = await failure { _ = try await transport.send(get("/a")) }
    #expect(isOfGate(error))
    #expect(events.elements == [])
    gate.set(isOpen: true)
    let received = try await transport.send(get("/b"))
    #expect(received.status == 201 && received.body == [5])
    #expect(events.elements == ["/b"])
  }

  @Test(arguments: [true, false]) func aBodyUnderWayEndsWithTheLinkUnlessItsOwnerEndsIt(_ endsRequests: Bool)
    async throws
  {
    let gate = LinkGate()
    let transport = GatedTransport(
      Answering(events: Heard<String>()) { Self.endless() }, gate, endsRequests: endsRequests)
    let stream = try await transport.open(get())
    gate.set(isOpen: false)
    #expect(try await stream.body.next() == [1])
    if endsRequests {
      let error = await failure { _ = try await stream.body.next() }
      #expect(isOfGate(error))
    } else {
      stream.body.fail(TransportError(.timeout, "its owner"))
      let error = await failure { _ = try await stream.body.next() }
      #expect((error as? TransportError)?.code == .timeout)
    }
  }

  @Test func anAnswerThatComesAsTheGateClosesIsDropped() async {
    let gate = LinkGate()
    let transport = GatedTransport(
      Answering(events: Heard<String>()) {
        gate.set(isOpen: false)
        return Self.endless()
      }, gate)
    let error = await failure { _ = try await transport.open(get()) }
    #expect(isOfGate(error))
  }
}
