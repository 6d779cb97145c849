import ContrailCore
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailField

/// A redacted log uses up its byte budget at the same lines, by sizes of its own.
@Suite struct RedactBudgetTests {
  /// A redaction with a budget changes the sizes of answers. A head stays smaller than its answer.
  @Test func aHeadIsAPartOfItsAnswer() throws {
    var rig = Rig()
    rig.launch()
    rig.send(.budgetChanged(ByteBudget(bytes: 2000)))
    rig.query { $0.polygon = Rig.area }
    for bytes in [Int64(900), 5, 300, 700] {
      rig.answer {
        $0.wireBytes = bytes
        $0.headBytes = min(bytes, 150)
        $0.sent = bytes == 300 ? nil : SentBytes(total: 40, head: 30)
      }
      rig.pass(seconds: 600)
    }
    let (then, now) = try RedactFaultsTests.redacted(rig)
    func responses(_ draft: LogDraft) -> [Input.Response] {
      draft.turns.compactMap { turn in
        if case .responseReceived(let response)? = turn.input { response } else { nil }
      }
    }
    #expect(responses(now).count == responses(then).count && responses(now).count > 1)
    for response in responses(now) {
      let head = try #require(response.headBytes)
      #expect(head <= response.wireBytes && response.wireBytes >= 0)
      if let sent = response.sent { #expect(sent.head <= sent.total) }
    }
    #expect(responses(now).map { $0.sent == nil } == responses(then).map { $0.sent == nil })
  }

  private static func savings(_ draft: LogDraft) -> [DataSaving] {
    draft.turns.flatMap(\.events).compactMap { event in
      if case .decision(.savingChanged(let changed)) = event { changed.saving } else { nil }
    }
  }

  @Test func aBudgetThatIsLargeChangesNoSize() throws {
    let drafts = try [nil, Int64(1) << 40].map { bytes in
      var rig = Rig()
      rig.launch()
      rig.send(.budgetChanged(ByteBudget(bytes: bytes, per: .flight("AB 1"))))
      rig.query { $0.polygon = Rig.area }
      for sent in [nil, SentBytes(total: 40, head: 30)] {
        rig.answer { ($0.wireBytes, $0.headBytes, $0.sent) = (700, 150, sent) }
        rig.pass(seconds: 600)
        let request = try #require(rig.state.scope(.corridor)?.inFlight?.request)
        rig.send(.responseFailed(request: request, failure: .network, sent: sent))
        rig.pass(seconds: 600)
      }
      return try RedactFaultsTests.redacted(rig).now
    }
    let inputs = drafts.map { draft in draft.turns.dropFirst(3).compactMap(\.input) }
    #expect(inputs[0] == inputs[1] && inputs[0].count > 6)
  }

  /// What an application loads itself counts, too, and a small budget limits what is drawn.
  @Test func aSmallBudgetIsUsedUpAtTheSameLines() throws {
    var rig = Rig.flying { $0.weather.places = [Rig.place] }
    rig.send(.budgetChanged(ByteBudget(bytes: 300)))
    let request = try #require(rig.state.scope(.weather(Rig.place))?.inFlight?.request)
    rig.send(.responseFailed(request: request, failure: .network, sent: SentBytes(total: 100, head: 90)))
    let lookup = WeatherLookup(place: Rig.otherPlace, version: "v2.5", spec: WeatherSpec())
    for bytes in [Int64(80), 70, 500] {
      rig.send(.weatherReceived(.init(lookup: lookup, status: 200, wireBytes: bytes, body: .inline(Array("{}".utf8)))))
    }
    let (then, now) = try RedactFaultsTests.redacted(rig)
    #expect(Self.savings(then).count > 1 && Self.savings(now) == Self.savings(then))
    for turn in now.turns {
      switch turn.input {
      case .responseFailed(_, _, let sent?): #expect(sent.head <= sent.total && sent.total <= 300)
      case .weatherReceived(let received): #expect(received.wireBytes >= 0)
      default: break
      }
    }
  }

  @Test func failedRequestsUseUpABudgetAtTheSameLines() throws {
    var rig = Rig()
    rig.launch()
    rig.send(.budgetChanged(ByteBudget(bytes: 2000)))
    rig.query { $0.polygon = Rig.area }
    for sent in [SentBytes(total: 1100, head: 1000), nil, SentBytes(total: 700, head: 50)] {
      let request = try #require(rig.state.scope(.corridor)?.inFlight?.request)
      rig.send(.responseFailed(request: request, failure: .network, sent: sent))
      rig.pass(seconds: 600)
    }
    let (then, now) = try RedactFaultsTests.redacted(rig)
    func sent(_ draft: LogDraft) -> [SentBytes?] {
      draft.turns.compactMap { turn -> SentBytes?? in
        if case .responseFailed(_, _, let sent)? = turn.input { .some(sent) } else { nil }
      }
    }
    #expect(sent(now).count == 3 && sent(now).map { $0 == nil } == sent(then).map { $0 == nil })
    #expect(sent(now).allSatisfy { $0.map { $0.total >= 0 && $0.head <= $0.total } ?? true })
    #expect(zip(sent(now), sent(then)).allSatisfy { $0 == nil || $0 != $1 })
    #expect(Self.savings(then).count > 1 && Self.savings(now) == Self.savings(then))
  }
}
