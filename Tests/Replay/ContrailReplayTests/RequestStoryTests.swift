import ContrailCore
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailReplay

@Suite struct RequestStoryTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("flight.jsonl")
    try Flights.widened().writeLog(to: path)
  }

  func story(_ request: Int64) throws -> String { try RequestStory(path: path, request: request).text }

  /// The line of a story that a word begins.
  func line(_ name: String, of request: Int64) throws -> String {
    let lines = try story(request).split(separator: "\n")
    return lines.first { $0.hasPrefix("  \(name)") }.map(String.init) ?? "no such line"
  }

  @Test func aFullAnswerAfterMoreHistoryWasWanted() throws {
    let story = try story(4)
    #expect(
      story == """
        request 4: full historyWidened, corridor, seq 16, t+00:02:30
          rule      historyWidened: the wanted history is longer than the held history
          requested turbulence, all severities, all altitudes, 4h, area fde396d1, all data
          held      turbulence, all severities, all altitudes, 2h, area fde396d1, 233 records as of \
        2025-02-19T21:22:00Z, 30s old
          because   seq 15 history.changed 2h → 4h, t+00:02:30
          now       the same
          response  seq 18 200, 41 KB, after 2 s, t+00:02:32
          body      37 KB: 473 reports, as of 2025-02-19T21:22:32Z
          outcome   applied: 473 records held, digest f47ea4e8

        """)
  }

  @Test func theChainOfCausesEndsAtAnInputThatAnswersNothing() throws {
    #expect(
      try story(7).contains(
        """
          because   seq 31 response.received request 6: 410, 0 B, t+00:05:32
                    seq 30 request 6: delta due, since 1740000272
                    seq 29 clock.ticked corridor, due 2025-02-19T21:25:32.800Z, t+00:05:32

        """))
    let outcome = try line("outcome", of: 6)
    #expect(outcome == "  outcome   deltaUnavailable: the server has no delta since the held watermark")
  }

  @Test func theFirstRequestHeldNothing() throws {
    #expect(try line("held", of: 1) == "  held      nothing")
    #expect(try line("because", of: 1).hasPrefix("  because   seq 3 query.changed polygon none → 5 points (67a2685c)"))
  }

  @Test func aRequestThatTheLogDoesNotHave() throws {
    let fault = #expect(throws: RequestStoryError.self) { try RequestStory(path: path, request: 99) }
    #expect(fault?.description.without(directory) == "flight.jsonl has no request 99. It has requests 1–7.")
  }

  /// The rule `together` depends on the other area, so the whole turn is decided again.
  @Test func aRequestThatIsSentTogetherWithAnotherWouldBeDecidedAgain() throws {
    let story = try RequestStory(path: "\(PackageFolder.recordings)/antimeridian.jsonl", request: 4).text
    #expect(story.contains("\n  rule      together: another area is updated in the same exchange\n"))
    #expect(story.contains("\n  because   seq 9 clock.ticked viewport, "))
    #expect(story.contains("\n  now       the same\n"))
  }

  @Test func whatTheEngineWouldDecideNow() throws {
    try LogEditor.edit(path, to: path) {
      $0[16].replace(#""rule":"historyWidened""#, with: #""rule":"typesWidened""#)
    }
    #expect(try line("now", of: 4) == "  now       full historyWidened")
  }

  @Test func anUploadOfWhichTheServiceKeepsReportsFromOthers() throws {
    var rig = Rig()
    rig.launch()
    rig.send(.connectivityChanged(isOnline: false))
    for number in UInt16(0)..<3 {
      let report = TurbulenceReport(
        cell: 2 << 15, altitude: 35, severity: 2, edrE4: 1800 + number, observedAt: UInt32(Rig.start / 1000))
      rig.send(.reportTracked(report))
    }
    rig.send(.connectivityChanged(isOnline: true))
    rig.now += 500
    rig.answerUpload(heldBack: [0, 2])
    try rig.writeLog(to: path)
    #expect(try line("body", of: 1) == "  body      136 B: 1 accepted, 2 held back (2 motion)")
    #expect(try line("outcome", of: 1) == "  outcome   confirmed; 2 reports kept from others; 0 reports left")
    // The log needs no other line than that of the response.
    let reader = try RecordingReader(path: path)
    var replayer = Replayer()
    while let entry = try reader.next() { replayer.fold(entry) }
    replayer.finish()
    #expect(replayer.divergence == nil && replayer.state.outbox.heldBack == [0, 2])
  }

  // MARK: Held requests

  @Test func aHeldRequestHasItsTerms() throws {
    let story = try RequestStory(path: "\(PackageFolder.recordings)/listening-quiet-ocean.jsonl", request: 2)
    #expect(
      story.text.contains(
        "\n  hold      up to 50 s, until there is a report of moderate or worse, or another that is 60 s old\n"))
    #expect(story.text.contains("\n  ended     the time had passed\n"))
    #expect(story.json.contains(#"{"name":"hold","text":"up to 50 s, until "#))
    #expect(story.json.contains(#"{"name":"ended","text":"the time had passed"}"#))
    let other = try RequestStory(path: "\(PackageFolder.recordings)/listening-quiet-ocean.jsonl", request: 1)
    #expect(!other.rows.contains { $0.name == "hold" || $0.name == "ended" })
  }

  /// Each answer to a held request has a reason that its terms give.
  @Test func eachAnswerToAHeldRequestHasItsReason() throws {
    let path = "\(PackageFolder.recordings)/listening-storm.jsonl"
    var reasons: Set<String> = []
    for request in Int64(1)...120 {
      let story = try RequestStory(path: path, request: request)
      let reason = story.rows.first { $0.name == "ended" }?.text
      let isHeld = story.rows.contains { $0.name == "hold" }
      let isAnswered = story.rows.contains { $0.name == "response" && $0.text.contains(" 200, ") }
      #expect((reason != nil) == (isHeld && isAnswered), "request \(request)")
      if let reason { reasons.insert(reason) }
    }
    #expect(
      reasons.isSuperset(of: [
        "1 urgent record had arrived", "an ordinary record was 60 s old", "the time had passed",
        "there was news of another area of the exchange",
      ]))
    #expect(!reasons.contains("the server answered early"), "\(reasons)")
  }

  @Test(arguments: [
    (HoldTerms(seconds: 50), "up to 50 s, until there is a record"),
    (HoldTerms(seconds: 50, ordinarySeconds: 60), "up to 50 s, until there is a record that is 60 s old"),
    (
      HoldTerms(seconds: 9, urgent: .light, altitudes: AltitudeBand(lower: 31, upper: 41) ?? .all),
      "up to 9 s, until there is a report of light or worse at 31,000–41,000 ft, or another"
    ),
  ])
  func termsInWords(terms: HoldTerms, words: String) { #expect(terms.words == words) }

  @Test func whyAnAnswerCame() {
    let terms = HoldTerms(seconds: 100, urgent: .moderate, ordinarySeconds: 60)
    func ending(_ severities: [UInt8], seconds: Int64, isShared: Bool = false) -> String {
      let reports = severities.enumerated().map { index, severity in
        TurbulenceReport(cell: UInt32(index + 1) << 15, altitude: 30, severity: severity, edrE4: 1000, observedAt: 900)
      }
      return terms.ending(
        ObservationsAnswer(token: 1000 + seconds, follows: 1000, reports: reports), since: 1000, after: seconds * 1000,
        isShared: isShared)
    }
    #expect(ending([1, 3, 4], seconds: 9) == "2 urgent records had arrived")
    #expect(ending([1], seconds: 61) == "an ordinary record was 60 s old")
    #expect(ending([1], seconds: 30, isShared: true) == "there was news of another area of the exchange")
    #expect(ending([], seconds: 30, isShared: true) == "there was news of another area of the exchange")
    #expect(ending([], seconds: 99) == "the time had passed")
    #expect(ending([], seconds: 30) == "the server answered early")
  }

  @Test func requestsThatFailedWereCancelledOrLost() throws {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    rig.now += 1500
    rig.fail()
    rig.pass(seconds: 2)
    rig.query { $0.polygon = Rig.otherArea }
    rig.now += 70_000
    rig.launch()
    rig.answer { $0.body = .inline(Array("{}".utf8)) }
    try rig.writeLog(to: path)
    #expect(try line("response", of: 2) == "  response  none: seq 10 network after 1.5 s")
    #expect(try line("outcome", of: 2).hasPrefix("  outcome   failed, 1 time in a row; no retry before t+00:01:0"))
    let cancelled = try story(3)
    #expect(
      cancelled.contains(
        "  response  none: seq 15 cancelled by superseded: the request in flight no longer covers the wanted data\n"))
    #expect(cancelled.contains("            seq 14 query.changed polygon 5 points (67a2685c) → 5 points ("))
    #expect(try line("response", of: 4).contains("the engine was relaunched"))
    #expect(
      try line("body", of: 5) == "  body      2 B, not a valid response: the member 'data.lastUpdatedAt' is missing")
    #expect(try line("outcome", of: 5).hasPrefix("  outcome   failed, "))
  }
}
