import ContrailCore
import ContrailGeodesy
import ContrailWire
import Testing

@testable import ContrailEngine

/// What becomes of the head and the body of an answer.
@Suite struct ReceivedAnswerTests {
  private static let token: Int64 = 1_740_000_060
  private static let credentials = Credentials(apiKey: "secret-key")

  private func request(_ scope: ScopeID = .corridor, acceptsCompact: Bool = true) -> OutgoingRequest {
    OutgoingRequest(
      number: 7, scope: scope, mode: .full, method: .post, target: "/observations", acceptsCompact: acceptsCompact,
      area: acceptsCompact ? AreaRequest(handle: "k3") : nil)
  }

  private func result(
    _ headers: [(name: String, value: String)] = [], _ body: [UInt8] = Array("{}".utf8),
    coding: ReceivedAnswer.Coding = .plain, acceptsCompact: Bool = true, with credentials: Credentials = credentials
  ) -> RequestResult {
    ReceivedAnswer(
      TransportAnswer(status: 200, headers: headers, body: body), coding: coding, encodedBytes: Int64(body.count)
    ).result(to: request(acceptsCompact: acceptsCompact), with: credentials)
  }

  private func response(_ headers: [(name: String, value: String)], acceptsCompact: Bool = true) throws
    -> Input.Response
  {
    guard case .answered(let response) = result(headers, acceptsCompact: acceptsCompact) else {
      throw TransportError(.malformed, "it wasn't answered")
    }
    return response
  }

  // MARK: Fields

  @Test(arguments: [
    ("0", 0), ("9", 9), ("-9", 0), ("86400", 86_400), ("86401", 86_400), ("9223372036854775807", 86_400),
    ("Fri, 31 Dec 1999 23:59:59 GMT", nil), ("", nil),
  ])
  func theTimeOfARetryIsWithinADay(_ value: String, _ seconds: Int64?) throws {
    #expect(try response([("Retry-After", value)]).retryAfterSeconds == seconds)
  }

  @Test(arguments: [
    ("0", 0), ("1740000060250", 1_740_000_060_250), ("-1", nil), ("9223372036854775807", nil), ("now", nil),
  ])
  func aTimeThatTheLogCannotWriteIsNone(_ value: String, _ milliseconds: Int64?) throws {
    #expect(try response([(WireHeader.serverTime, value)]).serverTimeMS == milliseconds)
  }

  @Test func aServerThatRemembersTheAreaHoldsRequestsAndKnowsRepairs() throws {
    let fields = [(WireHeader.area, "k3"), (WireHeader.holds, "50"), (WireHeader.repairs, "1")]
    let known = try response(fields)
    #expect(known.handle == "k3" && known.holdSeconds == 50 && known.repairs)
    // All three are for a client that takes compact answers, and need a handle.
    let plain = try response(fields, acceptsCompact: false)
    #expect(plain.handle == nil && plain.holdSeconds == 0 && !plain.repairs)
    for handle in ["", "a b", String(repeating: "a", count: 33), "secret-key"] {
      let unknown = try response([(WireHeader.area, handle)] + fields.dropFirst())
      #expect(unknown.handle == nil && unknown.holdSeconds == 0 && !unknown.repairs)
    }
    #expect(try response([(WireHeader.area, "k3"), (WireHeader.repairs, "2")]).repairs == false)
    for (value, seconds) in [("-1", 0), ("3600", 3600), ("3601", 3600), ("long", 0)] as [(String, Int64)] {
      #expect(try response([(WireHeader.area, "k3"), (WireHeader.holds, value)]).holdSeconds == seconds)
    }
  }

  // MARK: Bodies

  @Test func aBodyThatCannotBeDecompressedIsKeptUnlessThereIsASecret() {
    for (credentials, isKept) in [(Credentials(), true), (Self.credentials, false)] {
      guard case .answered(let response) = result([], [1, 2, 3], coding: .damaged, with: credentials) else {
        Issue.record("it wasn't answered")
        continue
      }
      #expect(response.body.bytes == (isKept ? [1, 2, 3] : []))
    }
  }

  @Test func aBodyThatIsTooLargeWhenDecompressedIsAFailure() {
    guard case .failed(.tooLarge, let message, nil) = result([], [], coding: .tooLarge) else {
      Issue.record("it wasn't refused")
      return
    }
    #expect(message.contains("\(RequestPacker.maximumBodyBytes)"))
  }

  @Test(arguments: [
    (#"{"a":1}"#, false), ("{\"a\":\n1}", true), ("{\"a\":\r1}", true), ("{\"a\":\u{0E}1}", true), ("{\"a\":1", true),
    ("1", false), ("1 2", true),
    ("\"\(String(repeating: "a", count: (8 << 20) - 2))\"", false),
    ("\"\(String(repeating: "a", count: (8 << 20) - 1))\"", true),
  ])
  func onlyJSONOnOneLineOfLimitedLengthIsWithinItsLine(_ text: String, _ isBlob: Bool) {
    let body = Input.Body(placing: Array(text.utf8))
    if case .blob(_, let bytes) = body { #expect(isBlob && bytes == Array(text.utf8)) } else { #expect(!isBlob) }
    #expect(body.bytes == Array(text.utf8))
  }

  /// Its JSON has three million bytes, and might have ten.
  @Test func anAnswerThatMightBeTooLongForItsLineIsWrittenToFindOut() {
    func body(_ count: Int) -> Input.Body? {
      let traffic = (0..<count).map { index in
        TrafficPosition(
          id: "\(index)", callsign: "", position: FixedCoordinate(latitudeE7: 0, longitudeE7: 0), altitudeFeet: nil,
          groundSpeedKnots: nil, trackDegrees: nil, observedAt: Self.token)
      }
      let bytes = ObservationsAnswer(token: Self.token, traffic: traffic).compact(milliseconds: 0)
      guard case .answered(let response) = result([], bytes) else { return nil }
      return response.body
    }
    if case .answer(let answer)? = body(1000) {
      #expect(answer.traffic?.count == 1000)
    } else {
      Issue.record("no answer")
    }
    if case .document(let document)? = body(30_000) {
      #expect(document.bytes.count > 1 << 20)
    } else {
      Issue.record("no document")
    }
  }

  /// A character takes up to six bytes in JSON.
  @Test(arguments: 0..<4) func anAnswerWithALongTextIsNotWithinItsLine(field: Int) {
    let long = String(repeating: "\u{1}", count: 3 << 19)
    func text(_ number: Int) -> String { number == field ? long : "a" }
    let place = FixedCoordinate(latitudeE7: 0, longitudeE7: 0)
    let pirep = PIREP(
      id: text(0), position: place, flightLevel: nil, severity: nil, isUrgent: false, observedAt: Self.token,
      updatedAt: Self.token, text: text(1))
    let aircraft = TrafficPosition(
      id: text(2), callsign: text(3), position: place, altitudeFeet: nil, groundSpeedKnots: nil, trackDegrees: nil,
      observedAt: Self.token)
    let answer = ObservationsAnswer(token: Self.token, pireps: [pirep], traffic: [aircraft])
    guard case .blob(_, let bytes) = Input.Body(answer) else {
      Issue.record("it is within the line")
      return
    }
    #expect(bytes == answer.json && bytes.count > Input.Body.maximumInlineBytes)
  }

  // MARK: Several requests

  @Test func theBytesOfACompressedAnswerAreCountedWithTheFirst() {
    let parts = [3, 4].map { count in
      CompactBundle.Part(
        status: 200,
        body: ObservationsAnswer(token: Self.token, held: HeldSum(count: count, checksum: 5)).compact(milliseconds: 0))
    }
    let answer = TransportAnswer(
      status: 200, headers: [("Content-Encoding", "gzip")], body: CompactBundle.bytes(parts))
    let results = ReceivedAnswer(answer, coding: .compressed, encodedBytes: 20)
      .results(to: [request(), request(.viewport)], with: Self.credentials)
    let responses = results.compactMap { if case .answered(let response) = $0 { response } else { nil } }
    #expect(responses.map { $0.wireBytes } == [answer.headBytes + 20, 0])
    #expect(responses.map { $0.headBytes } == [answer.headBytes, 0])
    #expect(responses.compactMap { try? $0.body.observations().held?.count } == [3, 4])
  }

  @Test(arguments: TransportError.Code.allCases) func aFailureIsWrittenAsItsKind(_ code: TransportError.Code) {
    let kind: TransportFailure =
      switch code {
      case .timeout: .timeout
      case .security: .security
      case .tooLarge: .tooLarge
      case .network, .connectionRefused, .malformed, .cancelled: .network
      }
    #expect(TransportError(code, "").failure == kind)
  }
}
