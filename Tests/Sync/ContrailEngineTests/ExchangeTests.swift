import Contrail
import ContrailCore
import ContrailEngine
import ContrailHTTP
import ContrailWire
import Testing

/// Requests by handle that share an exchange.
@Suite struct ExchangeTests {
  private struct Scripted: Transport {
    var answer: Result<TransportAnswer, TransportError>

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer { try answer.get() }
  }

  private static let token: Int64 = 1_740_000_060

  private static func request(_ number: Int64, _ scope: ScopeID, _ handle: String) -> OutgoingRequest {
    let area = AreaRequest(handle: handle, since: token - 60)
    return OutgoingRequest(
      number: number, scope: scope, mode: .delta, method: .get, target: area.target, acceptsCompact: true, area: area)
  }

  private static let requests = [request(7, .corridor, "k3"), request(8, .viewport, "k4")]

  private func send(_ answer: Result<TransportAnswer, TransportError>) async -> [RequestResult] {
    await RequestSender(transport: Scripted(answer: answer)).send(Self.requests, with: Credentials(apiKey: "key"))
  }

  private func answers(_ results: [RequestResult]) -> [Input.Response] {
    results.compactMap { if case .answered(let response) = $0 { response } else { nil } }
  }

  private static func compact(_ count: Int) -> [UInt8] {
    ObservationsAnswer(token: token, follows: token - 60, held: HeldSum(count: count, checksum: 5)).compact(
      milliseconds: 250)
  }

  @Test func oneRequestCarriesAll() throws {
    let sender = RequestSender(transport: Scripted(answer: .failure(TransportError(.network, ""))))
    let packed = try #require(sender.packed(Self.requests, with: Credentials(apiKey: "key")))
    #expect(packed.target == "/areas/k3~k4?since=1740000000" && packed.method == "GET" && packed.body.isEmpty)
    var other = Self.requests
    other[1].area = nil
    #expect(sender.packed(other, with: Credentials()) == nil)
  }

  @Test func aLargeBodyIsSentCompressed() throws {
    let sender = RequestSender(transport: Scripted(answer: .failure(TransportError(.network, ""))))
    let body = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 / 100) }
    let packed = sender.packed(
      OutgoingRequest(
        number: 7, scope: .corridor, mode: .full, method: .post, target: ObservationsRequest.path, body: body),
      with: Credentials())
    #expect(packed.headers.value("Content-Encoding") == "gzip" && packed.body.count < 1000)
    let received = ReceivedAnswer(TransportAnswer(status: 200, headers: packed.headers, body: packed.body))
    #expect(received.answer.body == body)
  }

  @Test func eachGetsItsPartAndEveryByteIsCountedOnce() async throws {
    let parts = [CompactBundle.Part(status: 200, body: Self.compact(3)), .init(status: 200, body: Self.compact(4))]
    let whole = TransportAnswer(status: 200, headers: [("X", "1")], body: CompactBundle.bytes(parts))
    let answers = answers(await send(.success(whole)))
    #expect(answers.map(\.request) == [7, 8] && answers.map(\.form) == [.compact, .compact])
    #expect(answers.map(\.serverTimeMS) == [1_740_000_060_250, 1_740_000_060_250])
    #expect(answers.map(\.headBytes) == [whole.headBytes, 0])
    #expect(answers.reduce(0) { $0 + $1.wireBytes } == whole.wireBytes)
    #expect(answers.last?.wireBytes == Int64(parts[1].body.count))
    #expect((answers.first?.sent?.total ?? 0) > 0 && answers.last?.sent == .zero)
    for (answer, count) in zip(answers, [3, 4]) {
      #expect(try answer.body.observations().held?.count == count)
    }
  }

  @Test func aForgottenAreaIsTheConcernOfItsScopeAlone() async {
    let parts = [CompactBundle.Part(status: 404), .init(status: 200, body: Self.compact(4))]
    let answers = answers(
      await send(.success(TransportAnswer(status: 200, headers: [], body: CompactBundle.bytes(parts)))))
    #expect(answers.map(\.status) == [404, 200])
  }

  @Test(arguments: [
    TransportAnswer(status: 503, headers: [("Retry-After", "9")], body: [1, 2, 3]),
    TransportAnswer(status: 200, headers: [], body: CompactBundle.bytes([.init(status: 200, body: [1])])),
    TransportAnswer(status: 200, headers: [], body: [0xC2, 1, 2, 200]),
    TransportAnswer(status: 200, headers: [("Content-Encoding", "gzip")], body: [0xC2, 1, 0]),
  ])
  func anAnswerThatIsNotForAllIsTheAnswerToEach(answer: TransportAnswer) async {
    let answers = answers(await send(.success(answer)))
    #expect(answers.map(\.status) == [answer.status, answer.status])
    #expect(answers.map(\.wireBytes) == [answer.wireBytes, 0])
  }

  @Test func aFailureIsTheFailureOfEach() async {
    let results = await send(.failure(TransportError(.timeout, "late")))
    #expect(results.count == 2)
    for (result, isFirst) in zip(results, [true, false]) {
      guard case .failed(.timeout, "late", let sent) = result else {
        Issue.record("\(result)")
        continue
      }
      #expect((sent == .zero) != isFirst)
    }
  }

  @Test func onlyRequestsByHandleShareAnExchange() {
    let upload = OutgoingRequest(number: 9, scope: .outbox, mode: nil, method: .post, target: "/reports/v5")
    let exchanges = OutgoingRequest.exchanges([Self.requests[0], upload, Self.requests[1]])
    #expect(exchanges.map { $0.map(\.number) } == [[7, 8], [9]])
  }
}
