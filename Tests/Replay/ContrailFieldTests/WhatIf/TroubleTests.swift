import ContrailCore
import ContrailLog
import ContrailWire
import Testing

@testable import ContrailField

/// Trouble as it is written on the command line, and what becomes of an answer.
@Suite struct TroubleTests {
  private static let minute: Int64 = 60_000

  // MARK: Words

  @Test(arguments: [
    ("outage", "t+1h..t+1h20m", Trouble(.outage, 60 * minute..<80 * minute)),
    ("outage", "0m..1m", Trouble(.outage, 0..<minute)),
    ("kill", "t+70m", Trouble(.kill, 70 * minute..<70 * minute + 1)), ("kill", "0m", Trouble(.kill, 0..<1)),
    ("fault", "gone@t+1h", Trouble(.fault(.gone), 60 * minute..<Int64.max, isOnce: true)),
    ("fault", "status=503@0m..2m", Trouble(.fault(.status(503, retryAfterSeconds: nil)), 0..<2 * minute)),
  ])
  func aTextIsATrouble(_ option: String, _ text: String, _ trouble: Trouble) throws {
    #expect(try Trouble(option, text) == trouble)
  }

  @Test(arguments: [
    ("outage", "t+1h", "a span"), ("outage", "2m..1m", "a span"), ("outage", "1m..1m", "a span"),
    ("outage", "..1m", "a span"), ("outage", "1m..", "a span"), ("outage", "-1m..1m", "after the start"),
    ("outage", "t-1m..t+1m", "after the start"), ("kill", "1m..2m", "a time"), ("kill", "soon", "a time"),
    ("fault", "gone", "a fault and when"), ("fault", "gone@", "a fault and when"),
    ("fault", "@1m", "one of the faults"),
    ("fault", "gone=1@1m", "one of the faults"), ("fault", "frogs@1m", "one of the faults"),
  ])
  func aTextThatIsNoTroubleIsNamed(_ option: String, _ text: String, _ expected: String) {
    let error = #expect(throws: InputError.self) { try Trouble(option, text) }
    #expect(error?.description.contains("'\(text)' is invalid") == true, "\(String(describing: error))")
    #expect(error?.description.contains(expected) == true, "\(String(describing: error))")
  }

  @Test func theNameOfATroubleGivesTheSame() throws {
    let spans = [0..<Self.minute, 3_600_000..<3_661_000]
    var troubles = spans.flatMap { span in
      [Trouble(.outage, span), Trouble(.kill, span.lowerBound..<span.lowerBound + 1)]
    }
    for fault in Self.faults {
      troubles += [
        Trouble(.fault(fault), spans[1]), Trouble(.fault(fault), spans[1].lowerBound..<Int64.max, isOnce: true),
      ]
    }
    for trouble in troubles {
      let words = trouble.name.dropFirst(2).split(separator: " ").map(String.init)
      #expect(words.count == 2)
      #expect(try Trouble(words[0], words[1]) == trouble)
    }
  }

  private static let faults: [InjectedFault] = [
    .latency(milliseconds: 1), .latency(milliseconds: 120_000), .drop, .timeout, .gone, .garble, .count, .follows,
    .status(401, retryAfterSeconds: nil), .status(400, retryAfterSeconds: nil), .status(599, retryAfterSeconds: nil),
    .status(503, retryAfterSeconds: 0), .status(503, retryAfterSeconds: 86_400), .ahead(seconds: 1),
    .ahead(seconds: 86_400), .stale(seconds: 1), .stale(seconds: 86_400),
  ]

  @Test(arguments: [
    "latency=0", "latency=120001", "latency", "latency=", "latency=1s", "latency=1=2", "latency==1", "status=399",
    "status=600", "retry-after=-1",
    "retry-after=86401", "ahead=0", "ahead=86401", "stale=0", "stale=86401", "", "Drop",
  ])
  func aValueOutOfRangeIsNoFault(_ text: String) { #expect(InjectedFault(text) == nil) }

  @Test func everyErrorIsAStatus() {
    for status in [400, 401, 503, 599] {
      #expect(InjectedFault("status=\(status)") == .status(status, retryAfterSeconds: nil))
    }
  }

  @Test func everyFaultIsOffered() {
    #expect(
      InjectedFault.names == [
        "latency=", "drop", "timeout", "status=", "retry-after=", "unauthorized", "badrequest", "gone", "garble",
        "count", "follows", "ahead=", "stale=",
      ])
    #expect(InjectedFault.forms.hasPrefix("latency=MS, drop, timeout, status=CODE, "))
    #expect(InjectedFault.forms.hasSuffix("follows, ahead=S or stale=S"))
    // The name of a fault begins with one of them.
    for fault in Self.faults { #expect(InjectedFault.names.contains { fault.name.hasPrefix($0) }, "\(fault.name)") }
  }

  @Test func drawnTroubleHasANameAndLiesInTheFlight() throws {
    let length: Int64 = 7_200_000
    var kinds: Set<String> = []
    var counts: Set<Int> = []
    for seed in UInt64(0)..<200 {
      let troubles = Trouble.drawn(seed: seed, lengthMS: length)
      #expect(troubles == Trouble.drawn(seed: seed, lengthMS: length))
      counts.insert(troubles.count)
      for trouble in troubles {
        #expect((0..<length).contains(trouble.span.lowerBound) && trouble.span.lowerBound % 1000 == 0)
        let words = trouble.name.dropFirst(2).split(separator: " ").map(String.init)
        #expect(try Trouble(words[0], words[1]) == trouble)
        kinds.insert(words[0] == "fault" ? String(words[1].prefix { $0 != "=" && $0 != "@" }) : words[0])
        if !trouble.isOnce, trouble.kind != .kill {
          #expect((10_000..<3_610_000).contains(Int64(trouble.span.count)))
        }
      }
    }
    #expect(counts == [1, 2, 3])
    #expect(kinds.isSuperset(of: ["outage", "kill", "latency", "drop", "timeout", "gone", "retry-after", "stale"]))
    #expect(Trouble.drawn(seed: 1, lengthMS: 0).allSatisfy { $0.span.lowerBound == 0 })
  }

  // MARK: Plans

  /// Outages may overlap: the link is there when none is left.
  @Test func eventsComeInTheOrderOfTheirTimes() {
    var plan = TroublePlan(
      [
        Trouble(.outage, 20..<40), Trouble(.outage, 10..<30), Trouble(.kill, 20..<21), Trouble(.fault(.drop), 0..<9),
        Trouble(.outage, 50..<Int64.max),
      ], startMS: 1000, isOnline: true)
    #expect(plan.isRecordedOnline && !plan.isDown)
    var events: [String] = []
    while plan.nextAt < .max {
      let time = plan.nextAt
      let event = plan.next()
      events.append("\(time) \(event) \(plan.isDown)")
    }
    #expect(
      events == [
        "1010 linkDown true", "1020 linkDown true", "1020 kill true", "1030 linkUp true", "1040 linkUp false",
        "1050 linkDown true",
      ])
    let none = TroublePlan([], startMS: 1000, isOnline: false)
    #expect(!none.isRecordedOnline && none.nextAt == .max && none.fault(at: 1000) == nil)
  }

  @Test func aFaultAppliesInItsSpanUntilItIsUsed() {
    var plan = TroublePlan(
      [
        Trouble(.fault(.drop), 10..<20, isOnce: true), Trouble(.fault(.gone), 15..<30),
        Trouble(.fault(.garble), 40..<Int64.max),
      ], startMS: 1000, isOnline: true)
    func faults(_ times: [Int64]) -> [InjectedFault?] { times.map { plan.fault(at: $0)?.fault } }
    #expect(faults([1009, 1010, 1019, 1020, 1029, 1030, 1040]) == [nil, .drop, .drop, .gone, .gone, nil, .garble])
    plan.use(1)
    #expect(faults([1015, 1020]) == [.drop, .gone])
    plan.use(0)
    #expect(faults([1010, 1015, 1029, .max - 1]) == [nil, .gone, .gone, .garble])
  }

  // MARK: Answers

  private static let sent = SentBytes(total: 90, head: 80)

  private static let answer = Input.Response(
    request: 7, status: 200, wireBytes: 900, headBytes: 100, sent: sent, serverTimeMS: 1, etag: "\"a\"", handle: "k3",
    form: .compact,
    body: .answer(
      ObservationsAnswer(
        token: 5000, follows: 4000,
        reports: [TurbulenceReport(cell: 1, altitude: 30, severity: 2, edrE4: 100, observedAt: 4500)])))

  private func spoiled(_ fault: InjectedFault, isDelta: Bool = true, since: Int64? = 4000) -> (Input, Int64)? {
    fault.spoiling(Self.answer, isDelta: isDelta, since: since, durationMS: 400).map { ($0.input, $0.durationMS) }
  }

  private func response(_ fault: InjectedFault, since: Int64? = 4000) throws -> Input.Response {
    guard case (.responseReceived(let response), 400)? = spoiled(fault, since: since) else {
      throw TransportError(.malformed, "no answer after 400 ms")
    }
    return response
  }

  @Test func aLostAnswerHasTheBytesOfItsRequest() {
    for (fault, failure, duration) in [
      (InjectedFault.drop, TransportFailure.network, Int64(400)), (.timeout, .timeout, 30_000),
      (.latency(milliseconds: 29_600), .timeout, 30_000),
    ] {
      guard case (.responseFailed(7, let found, let sent), let ms)? = spoiled(fault) else {
        Issue.record("\(fault) isn't a failure")
        continue
      }
      #expect(found == failure && ms == duration && sent == Self.sent)
    }
    guard case (.responseReceived(let late), 29_999)? = spoiled(.latency(milliseconds: 29_599)) else {
      Issue.record("the answer isn't late")
      return
    }
    #expect(late == Self.answer)
  }

  @Test func aRefusalHasNoData() throws {
    for (fault, status, retryAfter) in [
      (InjectedFault.status(503, retryAfterSeconds: 9), 503, Int64(9)),
      (.status(401, retryAfterSeconds: nil), 401, nil),
      (.gone, 410, nil),
    ] {
      let refusal = try response(fault)
      #expect(refusal.status == status && refusal.retryAfterSeconds == retryAfter)
      #expect(refusal.etag == nil && refusal.handle == nil && refusal.form == nil && refusal.headBytes == nil)
      #expect(refusal.body.bytes.isEmpty && refusal.wireBytes == 200 && refusal.sent == Self.sent)
    }
    // Everything may be fetched where deltas are gone.
    #expect(spoiled(.gone, isDelta: false) == nil)
    let page = try response(.garble)
    #expect(page.status == 200 && String(decoding: page.body.bytes, as: UTF8.self) == #""<html>""#)
    #expect(
      page.etag == nil && page.handle == nil && page.form == nil && page.headBytes == nil && page.wireBytes == 200)
  }

  @Test func anAnswerThatIsWrongIsWrongInOneThing() throws {
    let right = try Self.answer.body.observations()
    for (fault, change) in [
      (InjectedFault.count, { $0.held = HeldSum(count: 1_000_004, checksum: 0) }), (.follows, { $0.follows = 3001 }),
      (.ahead(seconds: 60), { $0.token = 5060 }), (.stale(seconds: 60), { $0.token = 4940 }),
    ] as [(InjectedFault, (inout ObservationsAnswer) -> Void)] {
      var wanted = right
      change(&wanted)
      #expect(try response(fault).body.observations() == wanted, "\(fault)")
    }
    #expect(try response(.follows, since: nil).body.observations().follows == 4001)
    var empty = Self.answer
    empty.body = .none
    for fault in [InjectedFault.count, .follows, .ahead(seconds: 1), .stale(seconds: 1)] {
      #expect(fault.spoiling(empty, isDelta: true, since: nil, durationMS: 1) == nil)
    }
  }
}
