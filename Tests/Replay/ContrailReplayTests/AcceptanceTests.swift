import ContrailCore
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

/// A log as an older engine would have written it becomes the log that the engine of today writes.
@Suite struct AcceptanceTests {
  let directory: TemporaryDirectory
  let today: String
  let old: String

  init() throws {
    directory = try TemporaryDirectory()
    today = directory.file("today.jsonl")
    old = directory.file("old.jsonl")
    try Flights.widened().writeLog(to: today)
  }

  /// Another rule for request 4, and digests that are none of this engine's.
  func relabel(_ lines: inout [LogEnvelope]) {
    lines[16].replace(#""rule":"historyWidened""#, with: #""rule":"typesWidened""#)
    for index in lines.indices where lines[index].kind == "state.digested" && index > 16 {
      lines[index].replace(#""control":""#, with: #""control":"0"#)
      lines[index].payload.removeLast(2)
      lines[index].payload.append(UInt8(ascii: "\""))
    }
  }

  func refusal(_ rules: [Rule], state: Bool = false) -> AcceptanceRefusal? {
    do {
      _ = try Acceptance(path: old, rules: rules, isStateMeant: state)
      return nil
    } catch {
      return error
    }
  }

  // MARK: What is accepted

  @Test func whatStandsBesideTheRecordingStays() throws {
    try LogEditor.edit(today, to: old, relabel)
    let others = ["draft", "tmp", "part"].map { "\(old).\($0)" }
    for other in others { try TemporaryDirectory.put("mine".utf8, other) }
    let names = try POSIXStorage().names(in: directory.path)
    try Acceptance(path: old, rules: [.historyWidened]).write(because: "relabelled")
    for other in others { #expect(try TemporaryDirectory.contents(other) == Array("mine".utf8), "\(other)") }
    #expect(try Set(POSIXStorage().names(in: directory.path)) == Set(names + ["old.accepted.md"]))
  }

  @Test func anotherRuleForTheSameRequestIsAccepted() throws {
    try LogEditor.edit(today, to: old, relabel)
    #expect(RunReport([RecordingResult(replaying: old)]).exitCode == 1)
    let acceptance = try Acceptance(path: old, rules: [.historyWidened])
    try acceptance.write(because: "historyWidened is asked\nbefore typesWidened")
    #expect(try TemporaryDirectory.contents(old) == LogEditor.unsealed(today))
    #expect(RecordingResult(replaying: old).outcome == .same)
    let text = acceptance.text.without(directory)
    #expect(
      text.hasPrefix(
        "old.jsonl: 1 decision accepted\n  seq 16 corridor: full typesWidened → full historyWidened\n"))
    let reasons = String(decoding: try TemporaryDirectory.contents(directory.file("old.accepted.md")), as: UTF8.self)
    #expect(
      reasons == """
        # Changes accepted into old.jsonl

        - historyWidened is asked before typesWidened

          ```
          seq 16 corridor: full typesWidened → full historyWidened
          \(text.split(separator: "\n").last.map { $0.drop { $0 == " " } } ?? "")
          ```

        """)
  }

  @Test func theRuleMayBeTheOneThatWasOrTheOneThatIs() throws {
    try LogEditor.edit(today, to: old, relabel)
    #expect(refusal([.typesWidened]) == nil)
    #expect(refusal([.historyWidened]) == nil)
  }

  @Test func reasonsAreAddedToThoseThatAreThere() throws {
    for reason in ["one", "two"] {
      try LogEditor.edit(today, to: old, relabel)
      try Acceptance(path: old, rules: [.historyWidened]).write(because: reason)
    }
    let reasons = String(decoding: try TemporaryDirectory.contents(directory.file("old.accepted.md")), as: UTF8.self)
    #expect(reasons.split(separator: "\n").filter { $0.hasPrefix("- ") } == ["- one", "- two"])
    #expect(reasons.split(separator: "\n").filter { $0.hasPrefix("# ") }.count == 1)
  }

  @Test func aDecisionThatIsNewMovesTheNumbersBehindIt() throws {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    rig.answer(.corridor, status: 401)
    rig.send(.credentialsChanged)
    rig.answer()
    rig.pass(seconds: 60)
    rig.answer()
    try rig.writeLog(to: today)
    // An engine that reported nothing.
    try LogEditor.edit(today, to: old) { $0.removeAll { $0.kind == "error.reported" } }
    #expect(try LogEditor.lines(old).count == LogEditor.lines(today).count - 1)
    try Acceptance(path: old, rules: [.blocked]).write(because: "a refusal is reported")
    #expect(try TemporaryDirectory.contents(old) == LogEditor.unsealed(today))
  }

  @Test func aDecisionThatIsGoneMovesTheNumbersBehindIt() throws {
    try LogEditor.edit(today, to: old) { lines in
      let report = #""scope":"corridor","rule":"blocked","code":"badRequest","request":3,"cause":14"#
      lines.insert(LogEnvelope(seq: -1, at: lines[14].at, kind: "error.reported", payload: Array(report.utf8)), at: 15)
    }
    let acceptance = try Acceptance(path: old, rules: [.blocked])
    try acceptance.write(because: "it was reported for nothing")
    #expect(try TemporaryDirectory.contents(old) == LogEditor.unsealed(today))
    #expect(acceptance.changes.count == 1 && acceptance.changes[0].now == nil && acceptance.changes[0].line == 16)
  }

  @Test func digestsAloneAreAcceptedWhereTheStateIsMeant() throws {
    try LogEditor.edit(today, to: old) { $0[9].changeControlDigest() }
    #expect(
      refusal([.historyWidened])?.description.without(directory)
        == "old.jsonl: no decision changes, but 1 digest and the encoding of 0 decisions change. "
        + "If this is intended, add --state.")
    try Acceptance(path: old, rules: [], isStateMeant: true).write(because: "another hash")
    #expect(try TemporaryDirectory.contents(old) == LogEditor.unsealed(today))
  }

  @Test func anotherSpellingOfDecisionsIsAcceptedWhereTheStateIsMeant() throws {
    try LogEditor.edit(today, to: old) { $0[16].replace(#""mode":"full""#, with: #""mode": "full""#) }
    #expect(refusal([.historyWidened])?.code == "onlyState")
    try Acceptance(path: old, rules: [], isStateMeant: true).write(because: "another spelling")
    #expect(try TemporaryDirectory.contents(old) == LogEditor.unsealed(today))
  }

  @Test func decisionsThatWereNeverWrittenStayUnwritten() throws {
    try LogEditor.edit(today, to: old) { lines in
      relabel(&lines)
      lines.removeLast(3)
    }
    try Acceptance(path: old, rules: [.historyWidened]).write(because: "relabelled")
    #expect(try LogEditor.lines(old).count == LogEditor.lines(today).count - 3)
    #expect(RecordingResult(replaying: old).outcome == .same)
  }

  @Test func inputsStayAsTheyAre() throws {
    try LogEditor.edit(today, to: old, relabel)
    func inputs(_ path: String) throws -> [LogEnvelope] {
      try LogEditor.lines(path).filter { Kind(rawValue: $0.kind)?.role == .input }
    }
    let before = try inputs(old)
    try Acceptance(path: old, rules: [.historyWidened]).write(because: "relabelled")
    #expect(try inputs(old) == before)
  }

  // MARK: A process that is killed

  /// Kills between any two steps leave one of these, and the next acceptance completes it.
  @Test func aReasonIsSavedIfAndOnlyIfItsChangeIsInTheRecording() throws {
    try LogEditor.edit(today, to: old, relabel)
    let before = try TemporaryDirectory.contents(old)
    let reasonsPath = directory.file("old.accepted.md")
    try Acceptance(path: old, rules: [.historyWidened]).write(because: "relabelled")
    let reasons = try TemporaryDirectory.contents(reasonsPath)
    let accepted = try TemporaryDirectory.contents(old)
    let note = Array(reasons.drop { $0 != UInt8(ascii: "\n") }.dropFirst(2))
    let waiting = "\(reasonsPath).\(BlobStore.ID(of: accepted).digits).waiting"
    for (recording, reasonsBefore, isSaved) in [
      (before, [UInt8](), false), (accepted, [], true), (accepted, reasons, false),
    ] {
      try TemporaryDirectory.put(recording, old)
      try? POSIXStorage().remove(reasonsPath)
      if !reasonsBefore.isEmpty { try TemporaryDirectory.put(reasonsBefore, reasonsPath) }
      try TemporaryDirectory.put(note, waiting)
      #expect(try Acceptance.completeReasons(of: old) == (isSaved ? reasonsPath : nil))
      #expect(try POSIXStorage().kind(of: waiting) == .nothing)
      if recording == accepted {
        #expect(try TemporaryDirectory.contents(reasonsPath) == reasons)
      } else {
        #expect(try POSIXStorage().kind(of: reasonsPath) == .nothing)
      }
      #expect(try TemporaryDirectory.contents(old) == recording)
      #expect(try Acceptance.completeReasons(of: old) == nil)
    }
  }

  @Test func whatIsNamedLikeAWaitingReasonAndIsNoneStays() throws {
    try LogEditor.edit(today, to: old, relabel)
    let mine = directory.file("old.accepted.md.mine.waiting")
    try TemporaryDirectory.put("mine".utf8, mine)
    try Acceptance(path: old, rules: [.historyWidened]).write(because: "relabelled")
    #expect(try TemporaryDirectory.contents(mine) == Array("mine".utf8))
  }

  // MARK: What is refused

  @Test func aRecordingThatReplaysTheSame() throws {
    try Flights.widened().writeLog(to: old)
    #expect(refusal([.historyWidened], state: true)?.code == "nothingToAccept")
  }

  @Test func aChangeUnderAnotherRule() throws {
    try LogEditor.edit(today, to: old, relabel)
    #expect(
      refusal([.refresh])?.description.without(directory) == """
        old.jsonl:17  seq 16, corridor changes under typesWidened and historyWidened, not refresh
          recorded  full   typesWidened
          now       full   historyWidened
        If this change is intended too, add --rule typesWidened.
        """)
  }

  @Test func aFullAnswerIsNotReadAsADelta() throws {
    try LogEditor.edit(today, to: old) { lines in
      lines[16].replace(
        #""mode":"full","rule":"historyWidened""#, with: #""mode":"delta","rule":"due""#)
      lines[16].replace(#""cause":15"#, with: #""cause":15,"since":1740000120"#)
    }
    #expect(
      refusal([.historyWidened])?.description.without(directory) == """
        old.jsonl:19  seq 18 is the response to request 4, which would now be different
          recorded  delta  due, since 1740000120
          now       full   historyWidened
        The recorded response doesn't fit the new request. Record the flight again.
        """)
  }

  @Test func aFailureFitsAnyQuestion() throws {
    var rig = Rig.flying()
    rig.send(.historyChanged(.fourHours))
    rig.fail()
    try rig.writeLog(to: today)
    try LogEditor.edit(today, to: old) { lines in
      for index in lines.indices where lines[index].text.firstRange(of: "historyWidened") != nil {
        lines[index].replace(
          #""mode":"full","rule":"historyWidened""#, with: #""mode":"delta","rule":"due""#
        )
        lines[index].replace(#","spec""#, with: #","since":1740000000,"spec""#)
      }
    }
    #expect(RunReport([RecordingResult(replaying: old)]).exitCode == 1)
    try Acceptance(path: old, rules: [.historyWidened]).write(because: "historyWidened is back")
    #expect(try TemporaryDirectory.contents(old) == LogEditor.unsealed(today))
  }

  @Test func aRequestThatTheRecordingDoesNotAnswer() throws {
    try LogEditor.edit(today, to: old) { lines in
      // An engine that didn't fetch after the 410, and then was asked for less history.
      lines.removeSubrange(32...)
      lines.append(LogEnvelope(seq: -1, at: lines[31].at, kind: "credentials.changed", payload: []))
    }
    #expect(
      refusal([.deltaUnavailable])?.description.without(directory) == """
        old.jsonl has no response to request 7, which would now be sent or continue
          now       full   deltaUnavailable
        The response of the server is unknown. Record the flight again.
        """)
  }

  @Test func whatIsNotOnePlainFile() throws {
    #expect(throws: AcceptanceRefusal.self) { try Acceptance(path: directory.path, rules: [.first]) }
    #expect(throws: AcceptanceRefusal.self) { try Acceptance(path: directory.file("x.jsonl.xz"), rules: [.first]) }
  }

  @Test func aRecordingThatWasCutShort() throws {
    try LogEditor.edit(today, to: old, relabel)
    try TemporaryDirectory.put(TemporaryDirectory.contents(old).dropLast(3), old)
    #expect(refusal([.historyWidened])?.code == "cutShort")
  }

  @Test func nothingIsLeftBehindByARefusal() throws {
    try LogEditor.edit(today, to: old, relabel)
    let before = try TemporaryDirectory.contents(old)
    #expect(refusal([.refresh]) != nil)
    #expect(try TemporaryDirectory.contents(old) == before)
    #expect(try POSIXStorage().names(in: directory.path).sorted() == ["old.jsonl", "today.jsonl"])
    try Acceptance(path: old, rules: [.historyWidened]).write(because: "relabelled")
    #expect(
      try POSIXStorage().names(in: directory.path).sorted() == ["old.accepted.md", "old.jsonl", "today.jsonl"])
  }
}
