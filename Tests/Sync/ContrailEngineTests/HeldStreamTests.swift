import Contrail
import ContrailCore
import ContrailEngine
import ContrailHTTP
import ContrailWire
import Testing

/// Answers of a stream as results of held requests.
@Suite struct HeldStreamTests {
  private static let token: Int64 = 1_740_000_060
  private static let request: OutgoingRequest = {
    let area = AreaRequest(handle: "k3", since: token - 60, hold: HoldTerms(seconds: 50))
    return OutgoingRequest(
      number: 7, scope: .corridor, mode: .delta, method: .get, target: area.target, acceptsCompact: true, area: area)
  }()

  private func response(_ sent: SentBytes?, at token: Int64, in head: TransportAnswer) throws -> Input.Response {
    let body = ObservationsAnswer(token: token, follows: Self.token - 60).compact(milliseconds: 250)
    var reader = CompactStream(limit: 1000)
    reader.append(CompactStream.head + CompactStream.part(body))
    let part = try #require(try reader.next())
    let (results, next) = HeldRequests.results(
      of: part, of: head, to: [Self.request], with: Credentials(), sent: sent)
    #expect(next != nil)
    guard case .answered(let response)? = results.first else {
      throw TransportError(.malformed, "no answer")
    }
    return response
  }

  @Test func theHeadOfAStreamIsThatOfItsFirstAnswer() throws {
    let head = TransportAnswer(
      status: 200,
      headers: [
        (WireHeader.serverTime, "\(Self.token * 1000 + 400)"), ("ETag", "\"first\""), ("Retry-After", "7"),
        (WireHeader.area, "k4"),
      ], body: [])
    let first = try response(SentBytes(total: 90, head: 90), at: Self.token, in: head)
    #expect(first.serverTimeMS == Self.token * 1000 + 400 && first.etag == "\"first\"" && first.handle == "k4")
    #expect(first.headBytes == head.headBytes && first.sent?.total == 90)
    // An hour later, the time is that of the answer itself.
    let later = try response(nil, at: Self.token + 3600, in: head)
    #expect(later.serverTimeMS == (Self.token + 3600) * 1000 + 250)
    #expect(later.etag == nil && later.handle == nil && later.retryAfterSeconds == nil)
    #expect(later.headBytes == 0 && later.sent == .zero)
  }

  /// A proxy that passes nothing on until an answer is complete loses streams. It looks like a link that is lost.
  private final class Silent: Transport {
    let preferences = Lock<[String?]>([])

    var isSecure: Bool { true }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
      preferences.withLock { $0.append(request.headers.first { $0.name == HoldTerms.field }?.value) }
      throw TransportError(.network, "lost")
    }
  }

  @Test(arguments: [(Int64(0), false), (50, true)])
  func noStreamIsOpenedAgainAfterOneWithoutAnAnswerInItsTime(_ seconds: Int64, _ opensAgain: Bool) async {
    let transport = Silent()
    let sender = RequestSender(transport: transport)
    var request = Self.request
    request.area?.hold = HoldTerms(seconds: seconds)
    for _ in 0..<2 { _ = await sender.send([request], with: Credentials()) }
    let streams = transport.preferences.withLock { $0 }.map { $0?.contains(HoldTerms.streamPreference) }
    #expect(streams == [true, opensAgain])
  }
}
