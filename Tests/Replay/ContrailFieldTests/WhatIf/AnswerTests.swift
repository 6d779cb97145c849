import ContrailCompression
import ContrailGeodesy
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailCore
@testable import ContrailField

/// The answers of the reconstructed server, their sizes, and how much of them is known.
@Suite struct AnswerTests {
  private static let place = ScopeID.weather(.init(longitudeE4: 80_000, latitudeE4: 500_000))
  private static let otherPlace = ScopeID.weather(.init(longitudeE4: 90_000, latitudeE4: 400_000))
  private static let areas = ScopeID.global(.twoHours)
  private static let serverMS = KnownFlight.start + 61_700
  private static let body = Array(#"{"type":"FeatureCollection","features":[]}"#.utf8)

  private static let flight = Result { try KnownFlight(seconds: []).recorded() }

  private static func spec(_ scope: ScopeID) throws -> FetchSpec {
    if scope.weatherPlace != nil { return FetchSpec(WeatherSpec()) }
    let ring = try Ring([(0.0, 0.0), (0, 9), (9, 9), (0, 0)].map { Coordinate(latitude: $0.0, longitude: $0.1) })
    return FetchSpec(area: .ring(ring), filter: Filter(types: .turbulencePolygons))
  }

  /// Answers the request of a document, in a world with recorded documents.
  private static func answer(
    _ scope: ScopeID, recorded: [(scope: ScopeID, form: Input.BodyForm?)] = [], ifNoneMatch: String? = nil,
    acceptsCompact: Bool = true, _ change: (inout Alternative) -> Void = { _ in }
  ) throws -> (AlternativeFlight.Answered, WireModel) {
    var flight = try flight.get()
    flight.world = RecordedWorld()
    for (scope, form) in recorded {
      flight.world.learn(
        Input.Response(
          request: 1, status: 200, wireBytes: 500, headBytes: 90, etag: "\"v\"", handle: "k3", form: form,
          body: .inline(body)), spec: try spec(scope), scope: scope, atMS: 10_000)
    }
    let whatIf = WhatIf(flight)
    let begun = whatIf.begun(whatIf.server(run: 0), Alternative(change))
    let request = OutgoingRequest(
      number: 7, scope: scope, mode: .full, method: .get, target: "/", ifNoneMatch: ifNoneMatch,
      acceptsCompact: acceptsCompact)
    let inFlight = Scope.InFlightRequest(request: 7, spec: try spec(scope), mode: .full, rule: .first)
    let answers = begun.answers([.init(request: request, inFlight: inFlight)], serverMS: serverMS)
    #expect(answers.count == 1 && answers[0].response.request == 7 && answers[0].response.serverTimeMS == serverMS)
    #expect(answers[0].response.wireBytes == answers[0].down.bytes && !answers[0].isRecorded)
    return (answers[0], flight.wire)
  }

  private static func isUnknown(_ share: Coverage.Share) -> Bool { share.known == 0 && share.gap == .documents }
  private static func isWhole(_ share: Coverage.Share) -> Bool { share.known == 1 && share.gap == nil }

  @Test(arguments: [place, areas]) func aDocumentThatWasNeverRecordedIsUnknown(_ scope: ScopeID) throws {
    for recorded in [[], [scope == Self.areas ? Self.place : Self.areas]] {
      let (answer, _) = try Self.answer(scope, recorded: recorded.map { ($0, nil) })
      #expect(answer.down.bytes == 2000 && answer.down.deviation == 1000 && !answer.down.isRecorded)
      #expect(answer.response.status == 200 && Self.isUnknown(answer.share))
      let time = Self.serverMS / 1000
      let wanted =
        scope == Self.areas
        ? #"{"type":"FeatureCollection","lastUpdatedAt":\#(time),"features":[]}"#
        : #"{"status":"ok","server_time":\#(time)}"#
      #expect(String(decoding: answer.response.body.bytes, as: UTF8.self) == wanted)
    }
  }

  @Test(arguments: [place, areas]) func aRecordedDocumentIsKnown(_ scope: ScopeID) throws {
    for form in [Input.BodyForm?.none, .compact] {
      let (answer, _) = try Self.answer(scope, recorded: [(scope, form)], ifNoneMatch: "\"u\"")
      #expect(answer.down.bytes == 500 && answer.down.deviation == 0 && answer.down.isRecorded)
      #expect(answer.response.status == 200 && answer.response.etag == "\"v\"" && answer.response.headBytes == 90)
      #expect(answer.response.handle == "k3" && answer.response.form == form && answer.response.body.bytes == Self.body)
      #expect(Self.isWhole(answer.share))
    }
  }

  @Test func theDocumentOfAnotherPlaceIsAsLargeAndUnknown() throws {
    for ifNoneMatch in [nil, "\"v\""] {
      let (answer, wire) = try Self.answer(
        Self.otherPlace, recorded: [(Self.place, nil)], ifNoneMatch: ifNoneMatch)
      #expect(Self.isUnknown(answer.share) && answer.response.status == (ifNoneMatch == nil ? 200 : 304))
      #expect(answer.down.bytes == (ifNoneMatch == nil ? 500 : wire.headBytes(.notModified).bytes))
    }
  }

  @Test func aDocumentThatDidNotChangeIsConfirmed() throws {
    for wire in Alternative.Wire.allCases {
      let (answer, model) = try Self.answer(Self.areas, recorded: [(Self.areas, nil)], ifNoneMatch: "\"v\"") {
        $0.wire = wire
      }
      #expect(answer.response.status == 304 && answer.response.etag == "\"v\"" && answer.response.body == .none)
      #expect(answer.down.bytes == model.headBytes(.notModified).bytes && Self.isWhole(answer.share))
    }
  }

  /// JSON doesn't contain the cells of an area, so the size in the compact form is unknown.
  @Test func theCompactFormOfADocumentInJSONIsUnknown() throws {
    for (form, accepts, isUnknown) in [
      (Input.BodyForm?.none, true, true), (nil, false, false), (.compact, true, false),
    ] {
      let (answer, _) = try Self.answer(Self.areas, recorded: [(Self.areas, form)], acceptsCompact: accepts) {
        $0.wire = .compact
      }
      #expect(isUnknown ? Self.isUnknown(answer.share) : Self.isWhole(answer.share))
      #expect(answer.down.bytes == 500 && answer.response.form == form && answer.response.handle == "k3")
    }
    let (answer, _) = try Self.answer(Self.areas, recorded: [(Self.areas, nil)]) { $0.wire = .json }
    #expect(Self.isWhole(answer.share) && answer.down.bytes == 500 && answer.response.handle == nil)
  }

  @Test func aCompactDocumentIsCompressedJSONWithoutTheCompactForm() throws {
    let (answer, _) = try Self.answer(Self.areas, recorded: [(Self.areas, .compact)]) { $0.wire = .json }
    #expect(answer.down.bytes == 90 + Int64(try #require(Gzip.packed(Self.body, level: 6)).count))
    #expect(answer.down.deviation == 30 && !answer.down.isRecorded && Self.isWhole(answer.share))
    #expect(answer.response.form == nil && answer.response.handle == nil && answer.response.headBytes == 90)
  }

  // MARK: Recorded answers

  /// Answers a request that was recorded, after a change of the request or of the recorded response.
  private static func repeated(
    _ change: (inout AlternativeFlight.Part, inout Input.Response) -> Void = { _, _ in }
  ) throws -> AlternativeFlight.Answered {
    let flight = try flight.get()
    let whatIf = WhatIf(flight)
    var recorded = try #require(flight.exchanges.first { $0.mode == .delta })
    var response = try #require(recorded.response)
    response.wireBytes = 12_345
    let request = OutgoingRequest(
      number: 7, scope: recorded.scope, mode: recorded.mode, method: .get, target: "/", acceptsCompact: true)
    var inFlight = Scope.InFlightRequest(request: 7, spec: try #require(recorded.spec), mode: .delta, rule: .due)
    (inFlight.since, inFlight.handle) = (recorded.since, recorded.handle)
    var part = AlternativeFlight.Part(request: request, inFlight: inFlight, same: recorded, isSameExchange: true)
    part.up = .init(bytes: 77, deviation: 0, isRecorded: true)
    let serverMS = try #require(response.serverTimeMS)
    change(&part, &response)
    recorded.result = .answered(response)
    if part.same != nil { part.same = recorded }
    let answer = whatIf.begun(whatIf.server(run: 0)).answers([part], serverMS: serverMS)[0]
    #expect(answer.response.wireBytes == answer.down.bytes && answer.response.sent == SentBytes(total: 77, head: 0))
    #expect(answer.isRecorded == (answer.down.bytes == 12_345) && answer.down.isRecorded)
    return answer
  }

  @Test func theSameRequestInTheSameExchangeHasItsRecordedAnswer() throws {
    let answer = try Self.repeated()
    #expect(answer.isRecorded && answer.down.deviation == 0)
    #expect(try !Self.repeated { part, _ in part.isSameExchange = false }.isRecorded)
    #expect(try !Self.repeated { part, _ in part.same = nil }.isRecorded)
    #expect(try !Self.repeated { _, response in response.status = 503 }.isRecorded)
    #expect(try !Self.repeated { _, response in response.form = nil }.isRecorded)
    #expect(try !Self.repeated { _, response in response.body = .none }.isRecorded)
    #expect(
      try !Self.repeated { part, response in
        response.body = .answer(ObservationsAnswer(token: 5, follows: part.inFlight?.since))
      }.isRecorded)
  }

  /// The recorded request had no answer when it was given up, so the same request has none before, although the server has news at once.
  @Test func aHeldRequestIsNotAnsweredBeforeTheRecordedOneWasGivenUp() throws {
    let flight = try KnownFlight(seconds: [-10]).recorded()
    var recorded = try #require(flight.exchanges.first { $0.mode == .delta })
    let terms = HoldTerms(seconds: 540, urgent: .moderate, ordinarySeconds: 1)
    (recorded.hold, recorded.result) = (terms, .none)
    (recorded.sentAtMS, recorded.endedAtMS) = (KnownFlight.start, KnownFlight.start + 50_000)
    let request = OutgoingRequest(
      number: 7, scope: recorded.scope, mode: .delta, method: .get, target: "/", acceptsCompact: true)
    var inFlight = Scope.InFlightRequest(request: 7, spec: try #require(recorded.spec), mode: .delta, rule: .due)
    (inFlight.since, inFlight.hold) = (KnownFlight.start / 1000 - 3600, .init(terms: terms, deadline: .max))
    let whatIf = WhatIf(flight)
    func durationMS(same: RecordedExchange?) -> Int64 {
      var flown = whatIf.begun(whatIf.server(run: 0))
      flown.send([.init(request: request, inFlight: inFlight, same: same)])
      return flown.deliveries.nextAt - KnownFlight.start
    }
    #expect(durationMS(same: nil) < 2000 && durationMS(same: recorded) == 50_001)
  }
}
