import ContrailAirportData
import ContrailAirports
import ContrailHTTP
import ContrailTestSupport
import ContrailWire
import Testing

/// How requests for files are written, and how answers are read.
@Suite struct HTTPAnswerTests {
  /// A server with one answer.
  private final class Server: Transport {
    private let answer: Result<TransportAnswer, TransportError>
    private let seen = Lock<[TransportRequest]>([])

    init(_ status: Int, _ headers: [String: String] = [:], _ body: [UInt8] = []) {
      answer = .success(
        TransportAnswer(status: status, headers: headers.map { (name: $0.key, value: $0.value) }, body: body))
    }

    init(_ error: TransportError) {
      answer = .failure(error)
    }

    var requests: [TransportRequest] { seen.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
      seen.withLock { $0.append(request) }
      return try answer.get()
    }
  }

  /// An answer in short.
  private static func words(_ server: Server) async -> String {
    do throws(AirportTransportError) {
      switch try await HTTPAirportTransport(transport: server).open(AirportRequest(cycle: Times.cycle)) {
      case .notAvailable: return "not available"
      case .nothingMore(let total): return "nothing more of \(total.map(String.init) ?? "-")"
      case .body(let body):
        return "from \(body.offset) of \(body.totalBytes.map(String.init) ?? "-"), tag \(body.entityTag ?? "-")"
      }
    } catch {
      return "\(error.code) \(error.status.map(String.init) ?? "-")"
    }
  }

  @Test(arguments: [
    (200, [:], "from 0 of -, tag -"), (200, ["content-length": "3", "etag": "\"a\""], "from 0 of 3, tag \"a\""),
    (200, ["ETag": "W/\"a\""], "from 0 of -, tag -"), (200, ["Content-Range": "bytes 5-9/10"], "from 0 of -, tag -"),
    (404, [:], "not available"), (410, [:], "not available"), (416, [:], "nothing more of -"),
    (416, ["Content-Range": "bytes */10"], "nothing more of 10"),
    (416, ["Content-Range": "bytes *"], "nothing more of -"),
    (300, [:], "refused 300"), (301, [:], "refused 301"), (302, ["Location": "elsewhere"], "refused 302"),
    (304, [:], "refused 304"), (399, [:], "refused 399"), (403, [:], "refused 403"), (500, [:], "refused 500"),
  ])
  func aStatusSaysWhatComes(_ status: Int, _ headers: [String: String], _ expected: String) async {
    let words = await Self.words(Server(status, headers))
    #expect(words == expected)
  }

  @Test(arguments: [
    ("bytes 5-9/10", "from 5 of 10, tag -"), ("Bytes 0-9/10", "from 0 of 10, tag -"),
    ("bytes 5-9/*", "from 5 of -, tag -"),
    (nil, nil), ("", nil), ("bytes", nil), ("5-9/10", nil), ("items 5-9/10", nil), ("bytes 5-9/10 x", nil),
    ("bytes 5-9", nil), ("bytes 5-9//10", nil), ("bytes */10", nil), ("bytes -5/10", nil), ("bytes -5-9/10", nil),
    ("bytes x-9/10", nil), ("bytes /10", nil),
  ])
  func aPartialAnswerNeedsARange(_ range: String?, _ expected: String?) async {
    let server = Server(206, range.map { ["Content-Range": $0] } ?? [:])
    let words = await Self.words(server)
    #expect(words == expected ?? "malformed 206")
  }

  /// The offset and the tag of a request, and the range it asks for.
  @Test(arguments: [(0, nil, nil), (0, "a", nil), (5, nil, nil), (1, "a", "bytes=1-"), (500, "a", "bytes=500-")])
  func onlyBytesWithATagAreContinued(_ offset: Int64, _ tag: String?, _ range: String?) async throws {
    let server = Server(404)
    let transport = HTTPAirportTransport(transport: server, headers: { [("X-Key", "k")] })
    _ = try await transport.open(AirportRequest(cycle: Times.cycle, offset: offset, entityTag: tag))
    let request = try #require(server.requests.first)
    #expect(request.headers.value("Range") == range)
    #expect(request.headers.value("If-Range") == (range == nil ? nil : tag))
    #expect(request.headers.value("Accept-Encoding") == "identity" && request.headers.value("X-Key") == "k")
    #expect(request.method == "GET" && request.target == "/airports/v1/2511")
  }

  @Test func aDeltaIsRequestedByTheNamesOfBothCycles() async throws {
    let (server, folder) = (Server(404), Server(404))
    let request = AirportRequest(cycle: Times.cycle, base: Times.before)
    _ = try await HTTPAirportTransport(transport: server).open(request)
    _ = try await HTTPAirportTransport(publishedFolder: folder).open(request)
    #expect(server.requests.map(\.target) == ["/airports/v1/2510-2511"])
    #expect(folder.requests.map(\.target) == ["/2510-2511.delta.xz"])
  }

  @Test func aRequestBeginsAtTheFirstByteUnlessItSaysOtherwise() async throws {
    let server = Server(404)
    _ = try await HTTPAirportTransport(transport: server).open(AirportRequest(cycle: Times.cycle, entityTag: "a"))
    #expect(try #require(server.requests.first).headers.value("Range") == nil)
  }

  /// The codes of a connection's errors, and whether the same request can succeed later.
  @Test(arguments: TransportError.Code.allCases) func errorsOfAConnectionKeepTheirMeaning(
    _ code: TransportError.Code
  ) async throws {
    let expected: AirportTransportError.Code =
      switch code {
      case .network, .connectionRefused, .timeout: .unreachable
      case .security: .refused
      case .tooLarge, .malformed: .malformed
      case .cancelled: .cancelled
      }
    let transport = HTTPAirportTransport(transport: Server(TransportError(code, "on purpose")))
    let error = await #expect(throws: AirportTransportError.self) {
      _ = try await transport.open(AirportRequest(cycle: Times.cycle))
    }
    #expect(error == AirportTransportError(expected, reason: "on purpose"))
    #expect(error?.isTransient == TransportError(code, "").isTransient)
  }

  @Test func aRefusalIsTransientIfItsStatusSaysSo() {
    for status in 400..<600 {
      let error = AirportTransportError(.refused, status: status, reason: "on purpose")
      #expect(error.isTransient == ([408, 429] + Array(500..<600)).contains(status), "\(status)")
    }
    #expect(!AirportTransportError(.refused, reason: "on purpose").isTransient)
    #expect(!AirportTransportError(.malformed, status: 500, reason: "on purpose").isTransient)
  }

  /// The server to which a request is redirected is reached by a connection of its own, which has the same gate.
  @Test(arguments: [true, false]) func aClosedGateEndsARedirectToo(_ isOpen: Bool) async throws {
    let other = try ScriptedServer(.answer(200, [:], [1]))
    let server = Server(302, ["Location": other.address + "/file"])
    let transport = HTTPAirportTransport(transport: server, gate: LinkGate(isOpen: isOpen))
    do throws(AirportTransportError) {
      _ = try await transport.open(AirportRequest(cycle: Times.cycle))
      #expect(isOpen)
    } catch {
      #expect(!isOpen && error.code == .unreachable && error.reason == LinkGate.error.message)
    }
    #expect(other.requests.count == (isOpen ? 1 : 0))
  }
}
