import ContrailCore
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

@Suite struct RecordingDiffTests {
  let directory: TemporaryDirectory
  let a: String
  let b: String

  init() throws {
    directory = try TemporaryDirectory()
    a = directory.file("a.jsonl")
    b = directory.file("b.jsonl")
    try Flights.widened().writeLog(to: a)
  }

  func diff(ignoring ignored: Set<String> = []) throws -> RecordingDiff { try RecordingDiff(a, b, ignoring: ignored) }

  @Test func twoRecordingsThatAreTheSame() throws {
    try Flights.widened().writeLog(to: b)
    let diff = try diff()
    #expect(diff.isSame)
    #expect(diff.text.without(directory) == "a.jsonl and b.jsonl are the same: 25 events, digest a80b5532\n")
  }

  @Test func marksAndTheNumbersThatTheyTakeDoNotCount() throws {
    try Flights.widened().writeLog(to: b, marks: .init(digestsEvery: 2, syncsEvery: nil), hasCRC: false)
    #expect(try diff().isSame)
  }

  @Test func whatIsToBeIgnoredDoesNotCount() throws {
    try LogEditor.edit(a, to: b) { $0[14].replace(#""bytes":1234"#, with: #""bytes":1300"#) }
    #expect(try !diff().isSame)
    #expect(try diff(ignoring: ["bytes"]).isSame)
  }

  @Test func theFirstEventScopeAndFieldThatDiffer() throws {
    var rig = Flights.widened()
    rig.now += 60_000
    rig.send(.frequencyChanged(.none))
    try rig.writeLog(to: b)
    try LogEditor.edit(b, to: b) { $0[15].replace(#""history":14400"#, with: #""history":21600"#) }
    let text = try diff().text.without(directory)
    #expect(
      text == """
        a.jsonl and b.jsonl differ
          a       a.jsonl:16  seq 15 history.changed, t+00:02:30
          b       b.jsonl:16  seq 15 history.changed, t+00:02:30
          scope   none
          field   history: 14400 | 21600
          state   corridor, wanted: turbulence, all severities, all altitudes, 4h, area fde396d1 | turbulence, all \
        severities, all altitudes, 6h, area fde396d1
          events  2 of 26 differ

        The settings differ, so the decisions can't be compared one by one:
          frequency  fast | none
          history    4h | 6h
        What can be compared are the totals and what is held.

           EVENTS   SPAN  FULL  DELTA  BYTES  DIGEST
        a      25  5m33s     3      4  93 KB  a80b5532
        b      26  6m33s     3      4  93 KB  c72fb879

        reports held at the end
        SCOPE     BOTH  ONLY A  ONLY B
        corridor   469       0       0

        """)
  }

  @Test func aFieldInsideAnAnswerIsNamedByItsPath() throws {
    try LogEditor.edit(a, to: b) { $0[10].replace(#""count":232"#, with: #""count":233"#) }
    let first = try #require(try diff().first)
    #expect(first.field == "body.data.count")
    #expect(first.valueA == "232" && first.valueB == "233")
    #expect(first.scope == .corridor)
    #expect(first.a?.line == 11 && first.b?.line == 11)
    let state = try #require(try diff().state)
    #expect(state.scope == .corridor && state.field == "as of")
  }

  @Test func anElementOfAListIsNamedByItsIndex() throws {
    try LogEditor.edit(a, to: b) { lines in
      lines[3].replace(#""sevs":[0,1,2,3,4]"#, with: #""sevs":[0,1,2,4]"#)
    }
    #expect(try diff().first?.field == "query.sevs[3]")
  }

  @Test func anotherTimeIsADifference() throws {
    try LogEditor.edit(a, to: b) { lines in for index in 33..<35 { lines[index].at += 1 } }
    let first = try #require(try diff().first)
    #expect(first.field == "at" && first.valueB == "2025-02-19T21:25:33.801Z")
  }

  @Test func aRecordingThatEndsEarlier() throws {
    try LogEditor.edit(a, to: b) { $0.removeSubrange(29...) }
    let text = try diff().text.without(directory)
    #expect(
      text.hasPrefix(
        """
        a.jsonl and b.jsonl differ
          a       a.jsonl:30  seq 29 clock.ticked, t+00:05:32
          b       b.jsonl has ended
          scope   corridor
          field   kind: clock.ticked | none

        """))
    #expect(text.contains("  events  5 of 25 differ\n"))
  }

  @Test func damageIsNamed() throws {
    try TemporaryDirectory.put(
      TemporaryDirectory.contents(a).map { $0 == UInt8(ascii: "7") ? UInt8(ascii: "8") : $0 }, b)
    #expect(throws: UnreadableRecording.self) { try diff() }
  }
}
