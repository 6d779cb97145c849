import ContrailHTTP
import ContrailTestSupport
import ContrailWire
import Testing

@Suite struct StreamTests {
  @Test(arguments: Kind.allCases)
  func theHeadIsThereBeforeTheBody(_ kind: Kind) async throws {
    let server = try ScriptedServer(.text("HTTP/1.1 206 Part\r\nContent-Length: 10\r\n\r\n12345"), .hold)
    let transport = try kind.make(server.address)
    let stream = try await transport.open(get())
    #expect(stream.status == 206)
    #expect(stream.header("content-length") == "10")
    #expect(try await stream.body.next() == Array("12345".utf8))
    await transport.shutdown()
  }

  @Test(arguments: Kind.allCases)
  func whatCameBeforeTheConnectionBrokeIsRead(_ kind: Kind) async throws {
    let server = try ScriptedServer(.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"))
    let transport = try kind.make(server.address)
    let stream = try await transport.open(get())
    var bytes: [UInt8] = []
    let error = await #expect(throws: TransportError.self) {
      while let block = try await stream.body.next() { bytes += block }
    }
    #expect(bytes == Array("12345".utf8))
    #expect(error?.code == .network)
    await transport.shutdown()
  }

  @Test func aReaderThatWaitsHoldsTheServerBack() async throws {
    let total = 64 << 20
    let server = try ScriptedServer(.answer(200, [:], [UInt8](repeating: 1, count: total)))
    let transport = try PlatformTransport.make(server: server.address)
    let stream = try await transport.open(get(timeoutSeconds: 3, maximumBodyBytes: total))
    // The first block is there; nothing else is read until the deadline, which a second request of the same length outlasts.
    _ = try await stream.body.next()
    let patient = try ScriptedServer(.hold)
    let other = try PlatformTransport.make(server: patient.address)
    _ = await other.failure(get(timeoutSeconds: 3))
    #expect(server.sentBytes < total / 2)
    let error = await #expect(throws: TransportError.self) {
      while try await stream.body.next() != nil {}
    }
    #expect(error?.code == .timeout)
    await transport.shutdown()
  }

  @Test(arguments: Kind.allCases)
  func theDeadlineHoldsForTheBodyOfAStream(_ kind: Kind) async throws {
    let server = try ScriptedServer(
      .text("HTTP/1.1 200 OK\r\n\r\n"), .drip(Array(repeating: 0x2E, count: 100_000)))
    let transport = try kind.make(server.address)
    let stream = try await transport.open(get(timeoutSeconds: 3))
    let error = await #expect(throws: TransportError.self) { while try await stream.body.next() != nil {} }
    #expect(error?.code == .timeout)
    await transport.shutdown()
  }

  @Test(arguments: Kind.allCases)
  func releasingAStreamCancelsItsRequest(_ kind: Kind) async throws {
    let server = try ScriptedServer(
      .text("HTTP/1.1 200 OK\r\n\r\n"), .flood(Array(repeating: 0x2E, count: 1 << 16)))
    let transport = try kind.make(server.address)
    var stream: TransportStream? = try await transport.open(get(maximumBodyBytes: 1 << 20))
    #expect(stream?.status == 200)
    stream = nil
    await transport.shutdown()
  }

  @Test(.timeLimit(.minutes(1)), arguments: Kind.allCases)
  func theServerOfAReleasedStreamIsLeftAtOnce(_ kind: Kind) async throws {
    let (closed, continuation) = AsyncStream<Void>.makeStream()
    let server = try ScriptedServer(
      .text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"), .hold, .tell { continuation.finish() })
    let transport = try kind.make(server.address)
    var stream: TransportStream? = try await transport.open(get())
    #expect(stream?.status == 200)
    stream = nil
    for await _ in closed {}
    await transport.shutdown()
  }

  @Test(arguments: Kind.allCases)
  func aStreamOutlivesTheVariableOfItsTransport(_ kind: Kind) async throws {
    let body = [UInt8](repeating: 9, count: 4 << 20)
    let server = try ScriptedServer(.answer(200, [:], body))
    let stream = try await kind.make(server.address).open(get(maximumBodyBytes: body.count))
    #expect(try await stream.collected().body == body)
  }

  @Test func aTransportWithoutStreamsAnswersWithOneBlock() async throws {
    struct Plain: Transport {
      func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
        TransportAnswer(status: 200, headers: [("A", "b")], body: [1, 2])
      }
    }
    let stream = try await Plain().open(get())
    #expect(stream.header("a") == "b")
    #expect(try await stream.body.next() == [1, 2])
    #expect(try await stream.body.next() == nil)
  }
}
