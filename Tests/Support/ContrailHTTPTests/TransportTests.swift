import ContrailCompression
import ContrailHTTP
import ContrailTestSupport
import ContrailWire
import Testing

/// Which transport is tested: both are, wherever they can be built.
enum Kind: CaseIterable, Sendable {
  #if AsyncHTTPClient && os(Linux)
    case asyncHTTPClient
  #endif
  case urlSession

  func make(_ server: String) throws -> any ClosableTransport {
    switch self {
    #if AsyncHTTPClient && os(Linux)
      case .asyncHTTPClient: try AsyncHTTPTransport(server: server)
    #endif
    case .urlSession: try URLSessionTransport(server: server)
    }
  }
}

func get(_ target: String = "/", timeoutSeconds: Int = 3600, maximumBodyBytes: Int = 1 << 20) -> TransportRequest {
  TransportRequest(
    method: "GET", target: target, timeoutSeconds: timeoutSeconds, maximumBodyBytes: maximumBodyBytes)
}

extension ClosableTransport {
  /// Sends a request and closes the transport.
  func only(_ request: TransportRequest) async -> Result<TransportAnswer, TransportError> {
    let result: Result<TransportAnswer, TransportError>
    do { result = .success(try await send(request)) } catch { result = .failure(error) }
    await shutdown()
    return result
  }

  func failure(_ request: TransportRequest) async -> TransportError? {
    switch await only(request) {
    case .success: nil
    case .failure(let error): error
    }
  }
}

@Suite struct TransportTests {
  @Test(arguments: Kind.allCases)
  func aRequestWithoutABodyHasNoLength(_ kind: Kind) async throws {
    let server = try ScriptedServer(.answer(200))
    _ = try await kind.make(server.address).only(get("/a")).get()
    let asked = try #require(server.requests.first)
    #expect(asked.header("content-length") == nil)
  }

  @Test(arguments: Kind.allCases)
  func requestAndAnswerCarryEverything(_ kind: Kind) async throws {
    let server = try ScriptedServer(.answer(201, ["ETag": "\"a\"", "X-Two": "2"], Array("held".utf8)))
    var request = get("/a/b?c=d%20e,f")
    request.method = "POST"
    request.headers = [("X-Key", "k"), ("Accept-Encoding", "gzip")]
    request.body = Array("{}".utf8)
    let answer = try await kind.make(server.address).only(request).get()
    #expect(answer.status == 201)
    #expect(answer.header("etag") == "\"a\"")
    #expect(answer.header("x-two") == "2")
    #expect(answer.body == Array("held".utf8))
    #expect(answer.wireBytes > 4)
    let asked = try #require(server.requests.first)
    #expect(asked.method == "POST")
    #expect(asked.target == "/a/b?c=d%20e,f")
    #expect(asked.header("x-key") == "k")
    #expect(asked.header("accept-encoding") == "gzip")
    #expect(asked.body == Array("{}".utf8))
  }

  @Test(arguments: Kind.allCases, [301, 302, 303, 307, 308])
  func noRedirectIsFollowedSoThatNoKeyReachesAnotherHost(_ kind: Kind, _ status: Int) async throws {
    let other = try ScriptedServer(.answer(200))
    let location = other.address + "/stolen"
    let server = try ScriptedServer(.answer(status, ["Location": location]))
    var request = get()
    request.headers = [("X-Key", "secret")]
    let answer = try await kind.make(server.address).only(request).get()
    #expect(answer.status == status)
    #expect(answer.header("Location") == location)
    #expect(other.requests.isEmpty)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: Kind.allCases)
  func aRefusedConnectionIsToldAtOnce(_ kind: Kind) async throws {
    let address = try ScriptedServer.refusingAddress()
    let error = try #require(await kind.make(address).failure(get()))
    #expect(error.code == .connectionRefused)
    #expect(error.message.contains("127.0.0.1:"))
    #expect(error.isTransient)
  }

  @Test(arguments: Kind.allCases)
  func aBodyThatDripsEndsAtTheTotalDeadline(_ kind: Kind) async throws {
    let server = try ScriptedServer(
      .text("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"), .drip(Array(repeating: 0x2E, count: 100_000)))
    let error = try #require(await kind.make(server.address).failure(get(timeoutSeconds: 1)))
    #expect(error.code == .timeout)
    #expect(error.message.contains("127.0.0.1:"))
  }

  @Test(arguments: Kind.allCases)
  func aHeadThatNeverComesEndsAtTheTotalDeadline(_ kind: Kind) async throws {
    let server = try ScriptedServer(.hold)
    let error = try #require(await kind.make(server.address).failure(get(timeoutSeconds: 1)))
    #expect(error.code == .timeout)
  }

  @Test(arguments: Kind.allCases)
  func anEndlessBodyIsCutOffWhileItComes(_ kind: Kind) async throws {
    let server = try ScriptedServer(
      .text("HTTP/1.1 200 OK\r\n\r\n"), .flood(Array(repeating: 0x2E, count: 1 << 16)))
    let error = try #require(await kind.make(server.address).failure(get(maximumBodyBytes: 1 << 20)))
    #expect(error.code == .tooLarge)
    // URLSession on Linux stops only after a while.
    #expect(server.sentBytes < 64 << 20 || kind == .urlSession)
  }

  @Test(arguments: Kind.allCases)
  func anAnnouncedBodyAboveTheLimitIsRefusedBeforeItComes(_ kind: Kind) async throws {
    let server = try ScriptedServer(.text("HTTP/1.1 200 OK\r\nContent-Length: 1048577\r\n\r\n"), .hold)
    let error = try #require(await kind.make(server.address).failure(get(maximumBodyBytes: 1 << 20)))
    #expect(error.code == .tooLarge)
  }

  @Test(arguments: Kind.allCases)
  func aBodyOfExactlyTheLimitIsAccepted(_ kind: Kind) async throws {
    let body = [UInt8](repeating: 7, count: 1 << 20)
    let server = try ScriptedServer(.answer(200, [:], body))
    let answer = try await kind.make(server.address).only(get(maximumBodyBytes: 1 << 20)).get()
    #expect(answer.body == body)
  }

  @Test(arguments: Kind.allCases)
  func aBodyThatIsCutShortIsNoAnswer(_ kind: Kind) async throws {
    let server = try ScriptedServer(.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"))
    let error = try #require(await kind.make(server.address).failure(get()))
    #expect(error.code == .network)
    #expect(error.isTransient)
  }

  @Test(arguments: Kind.allCases)
  func closingUnderARequestFailsIt(_ kind: Kind) async throws {
    let server = try ScriptedServer()
    let error = try #require(await kind.make(server.address).failure(get()))
    // URLSession on Linux takes no answer for a malformed one.
    #expect(error.code == .network || kind == .urlSession && error.code == .malformed)
  }

  @Test(arguments: Kind.allCases)
  func cancellingTheTaskCancelsTheRequest(_ kind: Kind) async throws {
    let server = try ScriptedServer(.hold)
    let transport = try kind.make(server.address)
    let task = Task { await transport.failure(get()) }
    task.cancel()
    #expect(await task.value?.code == .cancelled)
  }

  /// FoundationNetworking stops the process if a request is cancelled in the moment of its end. No test can force that moment:
  /// 200 requests a transport may miss it.
  @Test(arguments: Kind.allCases)
  func aTransportCanBeClosedWhileARequestEnds(_ kind: Kind) async throws {
    let server = try ScriptedServer(.answer(200, [:], Array("ok".utf8)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<50 { _ = try await kind.make(server.address).only(get()).get() } }
      }
      try await group.waitForAll()
    }
  }

  @Test(arguments: Kind.allCases)
  func aClosedTransportAnswersWithAnError(_ kind: Kind) async throws {
    let server = try ScriptedServer(.answer(200))
    let transport = try kind.make(server.address)
    await transport.shutdown()
    #expect(await transport.failure(get()) != nil)
  }

  @Test(arguments: [
    "000", "001", "099", "101", "600", "999", "1000", "-200", "2 00", "20", "", "abc", "９９９",
  ])
  func aStatusThatHTTPDoesNotHaveIsAnError(_ status: String) async throws {
    let server = try ScriptedServer(.text("HTTP/1.1 \(status) OK\r\nContent-Length: 2\r\n\r\nok"))
    let transport = try PlatformTransport.make(server: server.address)
    let error = try #require(await transport.failure(get()))
    #expect(error.code == .malformed)
    #expect(error.message.contains("127.0.0.1:"))
  }

  @Test(arguments: [
    "HTTP/9.9 200 OK\r\n\r\n", "garbage\r\n\r\n", "\u{0}\u{1}\u{2}\u{3}", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
  ])
  func anAnswerThatIsNotHTTPIsAnError(_ text: String) async throws {
    let server = try ScriptedServer(.text(text))
    let transport = try PlatformTransport.make(server: server.address)
    let error = try #require(await transport.failure(get()))
    #expect(error.code == .malformed)
  }

  @Test func anAnswerBeforeTheRequestIsHarmless() async throws {
    let server = try ScriptedServer(greeting: Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)) { _ in [] }
    let transport = try PlatformTransport.make(server: server.address)
    switch await transport.only(get()) {
    case .success(let answer): #expect(answer.status == 200)
    case .failure(let error): #expect(error.code == .malformed || error.code == .network)
    }
  }

  @Test func twoAnswersToOneRequestAreHarmless() async throws {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    let server = try ScriptedServer(.text(answer + answer), .hold)
    let transport = try PlatformTransport.make(server: server.address)
    for _ in 0..<3 {
      do { #expect(try await transport.send(get()).body == Array("ok".utf8)) } catch {
        #expect(error.code == .malformed || error.code == .network)
      }
    }
    await transport.shutdown()
  }

  @Test func interimAnswersArePassedOverAndBounded() async throws {
    let interim = "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"
    let few = try ScriptedServer(
      .text(interim + "HTTP/1.1 100 Continue\r\n\r\n" + interim), .answer(200, [:], Array("ok".utf8)))
    #expect(try await PlatformTransport.make(server: few.address).only(get()).get().body == Array("ok".utf8))

    let flood = try ScriptedServer(.flood(Array(interim.utf8)))
    let error = try #require(await PlatformTransport.make(server: flood.address).failure(get()))
    #expect(error.code == .malformed)
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\n", "X: y\r\n"), ("HTTP/1.1 200 OK\r\nX: ", "y"), ("HTTP/1.1 200 OK\r\n", "z"),
    ("HTTP/1.1 200 OK\r\n", "X: " + String(repeating: "y", count: 1 << 16) + "\r\n"), ("HTTP/1.1 200 ", "y"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=", "y"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X: y\r\n"),
  ])
  func aHeadWithoutEndIsCutOff(_ start: String, _ repeated: String) async throws {
    let flood = String(repeating: repeated, count: max(1, (1 << 16) / repeated.utf8.count))
    let server = try ScriptedServer(.text(start), .flood(Array(flood.utf8)))
    let error = try #require(await PlatformTransport.make(server: server.address).failure(get()))
    #expect(error.code == .malformed, "\(error)")
    // The client reads 64 KB; the buffers of two sockets hold the rest.
    #expect(server.sentBytes < 16 << 20)
  }

  @Test func gzipIsUnpackedUnderTheLimitOnly() async throws {
    let bomb = try #require(Gzip.packed([UInt8](repeating: 0, count: 8 << 20)))
    let server = try ScriptedServer(.answer(200, ["Content-Encoding": "gzip"], bomb))
    let answer = try await PlatformTransport.make(server: server.address).only(get()).get()
    #expect(try answer.unpackedBody(limit: 8 << 20).count == 8 << 20)
    #expect(throws: TransportError(.tooLarge, "the decompressed response has more than 8388607 bytes")) {
      try answer.unpackedBody(limit: (8 << 20) - 1)
    }
    var damaged = answer
    damaged.body.removeLast(9)
    let error = #expect(throws: TransportError.self) { try damaged.unpackedBody(limit: 8 << 20) }
    #expect(error?.code == .malformed)
  }

  @Test(arguments: [
    ("GET", "http://evil.example/", "a", "b"), ("GET", "", "a", "b"), ("GET", "/a b", "a", "b"),
    ("GET", "/a\r\nX: y", "a", "b"), ("GET", "/\u{E9}", "a", "b"), ("G T", "/", "a", "b"), ("", "/", "a", "b"),
    ("GET", "/", "a b", "c"), ("GET", "/", "a", "secret\r\nX: y"), ("GET", "/", "a", "secret\u{0}"),
  ])
  func aRequestThatWouldLeaveItsBoundsIsNotSent(_ request: (String, String, String, String)) async throws {
    for kind in Kind.allCases {
      let server = try ScriptedServer(.answer(200))
      let error = try #require(
        await kind.make(server.address).failure(
          TransportRequest(
            method: request.0, target: request.1, headers: [(request.2, request.3)], timeoutSeconds: 5)))
      #expect(error.code == .malformed)
      #expect(!error.message.contains("secret"))
      #expect(server.requests.isEmpty)
    }
  }

  @Test(arguments: [
    ("ftp://example.com", ServerURLError.Code.scheme), ("", .scheme), ("example.com", .scheme),
    ("https://", .host), ("https://exa mple.com", .host), ("https://example.com:99999", .host),
    ("https://example.com:-1", .host), ("https://user:secret@example.com", .credentials),
    ("https://example.com?key=secret", .query), ("https://example.com#a", .query),
  ])
  func anInvalidServerURLIsTold(_ server: String, _ code: ServerURLError.Code) {
    let error = #expect(throws: ServerURLError.self) { try PlatformTransport.make(server: server) }
    #expect(error?.code == code)
    #expect(error?.message.contains("secret") == false)
  }
}
