import ContrailCore
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

/// A good log with one thing changed: what is named, and where.
@Suite struct DivergenceTests {
  let directory: TemporaryDirectory
  let good: String
  let changed: String

  init() throws {
    directory = try TemporaryDirectory()
    good = directory.file("good.jsonl")
    changed = directory.file("changed.jsonl")
    try Flights.widened().writeLog(to: good)
  }

  /// The block about the divergence, or "same".
  func replay(_ change: (inout [LogEnvelope]) -> Void) throws -> String {
    try LogEditor.edit(good, to: changed, change)
    let report = RunReport([RecordingResult(replaying: changed)])
    let text = report.text(as: .text).without(directory)
    guard let start = text.firstRange(of: "\n\n")?.upperBound else { return "same" }
    return String(text[start...])
  }

  @Test func anotherRuleForTheSameRequest() throws {
    let block = try replay {
      $0[16].replace(#""rule":"historyWidened""#, with: #""rule":"typesWidened""#)
    }
    #expect(
      block == """
        changed.jsonl:17  decision differs: seq 16, corridor, t+00:02:30
          cause     seq 15 history.changed 2h → 4h
          recorded  full   typesWidened
          now       full   historyWidened
          then      no later decision differs; state differs seq 19–27
          next      replay why changed.jsonl --request 4

        """)
  }

  @Test func aMemberThatTheWordsDoNotShowIsNamed() throws {
    let block = try replay { $0[16].replace(#""altitudes":[0,52]"#, with: #""altitudes":[0,40]"#) }
    #expect(
      block.contains(
        """
          recorded  full   historyWidened, spec.altitudes [0,40]
          now       full   historyWidened, spec.altitudes [0,52]

        """))
  }

  @Test func anotherSpellingOfAProgramsLineDiffers() throws {
    let block = try replay { $0[16].replace(#""mode":"full""#, with: #""mode": "full""#) }
    #expect(
      block == """
        changed.jsonl:17  decision differs: seq 16, corridor, t+00:02:30
          cause     seq 15 history.changed 2h → 4h
          recorded  full   historyWidened (in another order or encoding)
          now       full   historyWidened
          then      no later decision differs; no later state digest differs
          next      replay why changed.jsonl --request 4

        """)
  }

  @Test func aDecisionThatIsMissing() throws {
    // The request under way is then the tick's too, so the answer is dropped.
    let block = try replay { $0.remove(at: 16) }
    #expect(
      block == """
        changed.jsonl:16  decision missing: seq 15, corridor, t+00:02:30
          cause     seq 15 history.changed 2h → 4h
          recorded  nothing
          now       full   historyWidened
          then      5 later decisions differ; state differs seq 18–33
          next      replay inspect changed.jsonl --at 15

        """)
  }

  @Test func aDecisionTooMany() throws {
    let block = try replay { lines in
      var more = lines[16]
      more.seq = -1
      more.replace(#""request":4"#, with: #""request":5"#)
      lines.insert(more, at: 17)
    }
    #expect(
      block.hasPrefix(
        """
        changed.jsonl:18  decision unexpected: seq 17, corridor, t+00:02:30
          cause     seq 15 history.changed 2h → 4h
          recorded  full   historyWidened
          now       nothing

        """))
  }

  @Test func aDecisionBeforeAnyInput() throws {
    let block = try replay { lines in
      var first = lines[4]
      first.seq = -1
      lines.insert(first, at: 1)
    }
    #expect(
      block.hasPrefix(
        """
        changed.jsonl:2  decision unexpected: seq 1, corridor, t+00:00:00
          cause     none: no preceding input
          recorded  full   first
          now       nothing

        """))
  }

  @Test func anInputThatDiffersShowsInWhatFollowsFromIt() throws {
    let block = try replay { $0[15].replace(#""history":14400"#, with: #""history":21600"#) }
    #expect(
      block.hasPrefix(
        """
        changed.jsonl:17  decision differs: seq 16, corridor, t+00:02:30
          cause     seq 15 history.changed 2h → 6h
          recorded  full   historyWidened, spec.history 14400
          now       full   historyWidened, spec.history 21600

        """))
  }

  // MARK: Marks

  @Test func aDigestOfRecordsThatDiffers() throws {
    let block = try replay { $0[9].replace("eb7b4d64", with: "eb7b4d65") }
    #expect(
      block == """
        changed.jsonl:10  state differs: seq 9, corridor, t+00:01:00
          cause     seq 6 response.received request 1: 200, 0 B
          origin    seq 6 or this mark: no other input since the first line changed these records
          recorded  records eb7b4d65
          now       records eb7b4d64
          then      no later decision differs; no later state digest differs
          next      replay inspect changed.jsonl --at 6

        """)
  }

  @Test func aDigestOfTheControlPartThatDiffers() throws {
    let block = try replay { $0[9].changeControlDigest() }
    #expect(block.hasPrefix("changed.jsonl:10  state differs: seq 9, control, t+00:01:00\n"))
  }

  @Test func aScopeThatIsNotInTheDigest() throws {
    let block = try replay { $0[9].replace(#""corridor":"eb7b4d64e25b6fde""#, with: "") }
    #expect(block.contains("  recorded  nothing held\n  now       records eb7b4d64\n"))
  }

  @Test func recordsThatDifferShowAtTheNextMark() throws {
    // A report of the first answer that the server's count doesn't know.
    let block = try replay { $0[6].replace(#""sev":4"#, with: #""sev":3"#) }
    #expect(
      block.contains("decision unexpected") || block.contains("decision missing") || block.contains("state differs"))
  }

  /// Nothing in an answer with turbulence areas proves them, so an edit shows at the next mark, which names the answer.
  @Test func anEditedAreaIsTracedToItsAnswer() throws {
    var rig = Rig.flying { $0.types = [.turbulence, .turbulencePolygons] }
    rig.answer(.global(.twoHours))
    for _ in 0..<4 {
      rig.pass(seconds: 60)
      rig.answer()
    }
    try rig.writeLog(to: good)
    let block = try replay { lines in
      guard let answer = lines.firstIndex(where: { $0.text.contains("FeatureCollection") }) else { return }
      lines[answer].replace(#""features":[]"#, with: #""features":[{}]"#)
    }
    let edited = try LogEditor.index(try LogEditor.lines(good)) { $0.text.contains("FeatureCollection") }
    #expect(block.contains("  state differs: seq "), "\(block)")
    #expect(block.contains("\n  cause     seq \(edited) response.received"), "\(block)")
    #expect(
      block.contains(
        "\n  origin    seq \(edited) or this mark: no other input since the first line changed these records\n"),
      "\(block)")
  }

  // MARK: What may be missing

  @Test func decisionsMayBeMissingAtTheEnd() throws {
    #expect(try replay { $0.removeLast(3) } == "same")
    #expect(try replay { $0.removeSubrange(32...) } == "same")
  }

  @Test func decisionsMayBeMissingBeforeALaunch() throws {
    let whole = try LogEditor.lines(good)
    let launch = try LogEditor.index(whole) { $0.kind == "session.started" && $0.seq > 1 }
    let block = try replay { lines in
      // The history changes; the process ends before it has written what follows.
      lines.removeSubrange(16..<launch)
    }
    #expect(!block.contains("decision missing: seq 16"))
    var replayer = Replayer()
    let reader = try RecordingReader(path: changed)
    while let entry = try reader.next(), entry.record.seq < 17 { replayer.fold(entry) }
    #expect(replayer.divergence == nil)
    #expect(replayer.unwrittenDecisions == 1)
  }

  @Test func aDecisionThatIsMissingIsBlamedOnItsInputAndNotOnTheNextOne() throws {
    // The next input comes a minute later, for another reason.
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    rig.answer()
    rig.pass(seconds: 60)
    try rig.writeLog(to: good)
    let lines = try LogEditor.lines(good)
    let dropped = try #require(lines.lastIndex { $0.kind == "fetch.started" })
    let cause = try #require(lines[..<dropped].lastIndex { $0.kind == "clock.ticked" })
    let block = try replay { lines in
      let later = lines[dropped].at + 60_000
      lines.removeSubrange(dropped...)
      lines.append(LogEnvelope(seq: -1, at: later, kind: "credentials.changed", payload: []))
    }
    #expect(block.hasPrefix("changed.jsonl:\(cause + 1)  decision missing: seq \(cause), corridor, t+00:02:00\n"))
  }

  @Test func decisionsMustNotBeMissingBeforeAnotherInput() throws {
    #expect(try replay { $0.remove(at: 8) }.hasPrefix("changed.jsonl:9  state differs"))
    #expect(try replay { $0.removeSubrange(8...9) }.hasPrefix("changed.jsonl:8  decision missing: seq 7, corridor"))
  }

  // MARK: Logs that people write

  @Test func aLogByHandMayBeSpeltAsItLikes() throws {
    let lines = [
      #"{"kind":"segment.opened","seq":0,"at":0,"format":1,"first":0,"crc":false}"#,
      #"{ "seq": 1, "at": 1e3, "kind": "session.started", "session": "hand", "engine": "1", "seed": 7 }"#,
      #"{"seq":2,"at":1000,"kind":"connectivity.changed", "online": true}"#,
      #"{"seq":3,"at":1000,"kind":"query.changed","query":{"globalEnabled":true,"types":["turbulence"],"upTo":false,"#
        + #""polygon":[0,0, 100000000,0, 100000000,100000000, 0,100000000, 0,0],"sevs":[0,1,2,3,4]}}"#,
    ]
    var state = State()
    for line in lines {
      let envelope = try Array(line.utf8).withUnsafeBytes { try LogEnvelope(json: $0) }
      let event = try envelope.payload.withUnsafeBytes { try Event(kind: envelope.kind, payload: $0) }
      state.evolve(Record(seq: envelope.seq, at: envelope.at, event: event))
    }
    guard case .fetchStarted(let started) = try #require(state.decide().first) else { return }
    let area = Hex.string(started.areaDigest)
    let decision =
      #"{"rule":"first","request":1,"scope":"corridor","mode":"full","cause":3.0,"seq":4,"at":1000,"#
      + #""spec":{"history":7200,"sevs":[0,1,2,3,4],"types":["turbulence"],"altitudes":[0,52],"area":"\#(area)"},"#
      + #""kind":"fetch.started"}"#
    try TemporaryDirectory.put((lines + [decision]).joined(separator: "\n").utf8, changed)
    let result = RecordingResult(replaying: changed)
    #expect(result.outcome == .same)
    #expect(result.statistics.events == 4)
    try TemporaryDirectory.put(
      (lines + [decision.replacing("first", with: "areaChanged")]).joined(separator: "\n").utf8, changed)
    #expect(RunReport([RecordingResult(replaying: changed)]).exitCode == 1)
  }

  @Test func aLogWithoutCRCReplaysTheSame() throws {
    let path = directory.file("plain.jsonl")
    try Flights.widened().writeLog(to: path, hasCRC: false)
    #expect(RecordingResult(replaying: path).outcome == .same)
  }

  @Test func contentThatIsNoEventIsNamedByLineAndSeq() throws {
    try LogEditor.edit(good, to: changed) { $0[15].replace("14400", with: "14401") }
    guard case .unreadable(let fault) = RecordingResult(replaying: changed).outcome else {
      Issue.record("it was read")
      return
    }
    #expect(fault.code == "malformedPayload")
    #expect(fault.line == 16)
    #expect(fault.seq == 15)
    #expect(fault.reason.contains("unknown history time of 14401 s"))
  }

  @Test func aKindThatIsNotKnownIsNamed() throws {
    try LogEditor.edit(good, to: changed) { $0[15].kind = "history.lengthened" }
    guard case .unreadable(let fault) = RecordingResult(replaying: changed).outcome else {
      Issue.record("it was read")
      return
    }
    #expect(fault.code == "unknownKind")
    #expect(fault.advice == "Read it with the version that wrote it, or a newer one.")
  }
}
