import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

/// The output of `run`, to the letter.
@Suite struct RunReportTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    let good = directory.file("atlantic-offline.jsonl")
    try Flights.widened().writeLog(to: good)
    try LogEditor.edit(good, to: directory.file("history-widened.jsonl")) { lines in
      lines[16].replace(
        #""mode":"full","rule":"historyWidened""#, with: #""mode":"delta","rule":"due""#)
      lines[16].replace(#""cause":15"#, with: #""cause":15,"since":1740000120"#)
    }
  }

  func report(_ names: [String], until: TimelinePosition? = nil) -> RunReport {
    RunReport(names.map { RecordingResult(replaying: directory.file($0), until: until) })
  }

  @Test func aTableWithARowForEachRecordingAndABlockForEachDivergence() {
    let report = report(["atlantic-offline.jsonl", "history-widened.jsonl"])
    #expect(report.exitCode == 1)
    #expect(
      report.text(as: .text).without(directory) == """
        RECORDING         EVENTS   SPAN  FULL  DELTA  BYTES  RESULT       DIGEST
        atlantic-offline      25  5m33s     3      4  93 KB  same         a80b5532
        history-widened       25  5m33s     2      5  93 KB  DIVERGED 16  a80b5532
        2 recordings: 1 same, 1 diverged, 0 unreadable

        history-widened.jsonl:17  decision differs: seq 16, corridor, t+00:02:30
          cause     seq 15 history.changed 2h → 4h
          recorded  delta  due, since 1740000120
          now       full   historyWidened
          then      5 later decisions differ; state differs seq 19–27
          next      replay why history-widened.jsonl --request 4

        """)
  }

  @Test func twoRunsPrintTheSameBytes() {
    for format in RunReport.Format.allCases {
      let names = ["atlantic-offline.jsonl", "history-widened.jsonl", "nothing.jsonl"]
      #expect(report(names).text(as: format, detailed: true) == report(names).text(as: format, detailed: true))
    }
  }

  @Test func requestsAndBytesByScopeAndRule() {
    #expect(
      report(["atlantic-offline.jsonl"]).text(as: .text, detailed: true).hasSuffix(
        """

        atlantic-offline
          SCOPE     RULE              MODE   REQUESTS  RESPONSES  FAILED   BYTES
          corridor  first             full          1          1       0     0 B
          corridor  historyWidened    full          1          1       0   41 KB
          corridor  deltaUnavailable  full          1          1       0   50 KB
          corridor  due               delta         4          4       0  2.1 KB

        """))
  }

  @Test func whatCannotBeReadIsNamedAndTheOthersAreReplayed() {
    let report = report(["atlantic-offline.jsonl", "nothing.jsonl"])
    #expect(report.exitCode == 2)
    #expect(
      report.text(as: .text).without(directory) == """
        RECORDING         EVENTS   SPAN  FULL  DELTA  BYTES  RESULT      DIGEST
        atlantic-offline      25  5m33s     3      4  93 KB  same        a80b5532
        nothing                –      –     –      –      –  UNREADABLE  –
        2 recordings: 1 same, 0 diverged, 1 unreadable

        nothing.jsonl  unreadable
          reason    open failed: No such file or directory (errno 2)
          action    Check that the path exists and that this process may read it.

        """)
  }

  @Test func aLineThatWasCutShortIsSetAsideAndSaidSo() throws {
    let bytes = try TemporaryDirectory.contents(directory.file("atlantic-offline.jsonl"))
    try TemporaryDirectory.put(bytes.dropLast(30), directory.file("cut.jsonl"))
    let report = report(["cut.jsonl"])
    #expect(report.exitCode == 0)
    #expect(
      report.text(as: .text).without(directory) == """
        RECORDING  EVENTS   SPAN  FULL  DELTA  BYTES  RESULT  DIGEST
        cut            25  5m33s     3      4  93 KB  same    a80b5532
        1 recording: 1 same, 0 diverged, 0 unreadable

        cut.jsonl:35  skipped: the last line is truncated (111 bytes)
          replayed  up to seq 33

        """)
  }

  @Test func recordingsOfOneNameAreToldApartByTheirPaths() throws {
    let other = try TemporaryDirectory()
    try Flights.widened().writeLog(to: other.file("atlantic-offline.jsonl"))
    let paths = [directory.file("atlantic-offline.jsonl"), other.file("atlantic-offline.jsonl")]
    let text = RunReport(paths.map { RecordingResult(replaying: $0) }).text(as: .text)
    #expect(paths.allSatisfy { text.contains("\n\($0)  ") })
  }

  @Test func untilStopsBehindALineOrATime() {
    for until in [TimelinePosition.seq(15), .offset(150_799), .time(Rig.start + 150_799)] {
      #expect(report(["history-widened.jsonl"], until: until).exitCode == 0)
    }
    #expect(report(["history-widened.jsonl"], until: .seq(16)).results[0].statistics.events == 13)
  }

  @Test func anEndBeforeTheGivenTimeIsSaid() {
    let note = "The recording ends at seq 34, t+00:05:33: it was replayed to its end."
    for until in [TimelinePosition.seq(35), .offset(333_801), .time(Rig.start + 3_600_000)] {
      let report = report(["atlantic-offline.jsonl"], until: until)
      #expect(report.endNote == note, "\(until)")
      #expect(report.text(as: .text).hasSuffix("\n\(note)\n"))
      #expect(report.exitCode == 0 && isJSON(report.text(as: .json)))
    }
    for until in [TimelinePosition.seq(34), .offset(333_800), .seq(15)] {
      #expect(report(["atlantic-offline.jsonl"], until: until).endNote == nil, "\(until)")
    }
    #expect(report(["atlantic-offline.jsonl"]).endNote == nil)
    let both = report(["atlantic-offline.jsonl", "history-widened.jsonl", "nothing.jsonl"], until: .seq(99))
    #expect(both.endNote == "2 recordings end before the given time, and were replayed to the end.")
  }

  // MARK: Other formats

  @Test func jsonHoldsWhatTheTableHolds() throws {
    let text = report(["history-widened.jsonl"]).text(as: .json).without(directory)
    #expect(
      text == """
        {"recordings":[{"name":"history-widened","path":"history-widened.jsonl","result":"diverged","divergence":{\
        "what":"decision differs","file":"history-widened.jsonl","line":17,"seq":16,"offsetMS":150800,\
        "scope":"corridor","rule":"due","cause":{"seq":15,"words":"history.changed 2h → 4h"},\
        "recorded":"delta due, since 1740000120","now":"full historyWidened","laterDecisions":5,"laterMarks":2,\
        "stateDiffers":[19,27],"next":"replay why history-widened.jsonl --request 4"},"events":25,"inputs":18,\
        "decisions":7,"marks":10,"spanMS":333800,"fulls":2,"deltas":5,"estimatedBytes":93094,"requests":[\
        {"scope":"corridor","rule":"first","mode":"full","requests":1,"answers":1,"failures":0,\
        "estimatedBytes":0},{"scope":"corridor","rule":"deltaUnavailable","mode":"full","requests":1,\
        "answers":1,"failures":0,"estimatedBytes":50000},{"scope":"corridor","rule":"due","mode":"delta",\
        "requests":5,"answers":5,"failures":0,"estimatedBytes":43094}],"digest":"a80b5532717cb6e1"}],"same":0,"diverged":1,"unreadable":0}

        """)
    #expect(isJSON(text))
    #expect(isJSON(report(["atlantic-offline.jsonl", "nothing.jsonl"]).text(as: .json)))
  }

  private func isJSON(_ text: String) -> Bool {
    Array(text.utf8).withUnsafeBytes { bytes in
      var json = JSONReader(bytes)
      do {
        try json.skipValue()
        try json.end()
        return true
      } catch {
        return false
      }
    }
  }

  @Test func junitHasACaseForEachRecording() {
    #expect(
      report(["atlantic-offline.jsonl", "history-widened.jsonl", "nothing.jsonl"]).text(as: .junit).without(directory)
        == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="replay" tests="3" failures="1" errors="1">
          <testsuite name="Recordings" tests="3" failures="1" errors="1">
            <testcase classname="Recordings" name="atlantic-offline" file="atlantic-offline.jsonl"/>
            <testcase classname="Recordings" name="history-widened" file="history-widened.jsonl">
              <failure type="decision differs" message="history-widened.jsonl:17  decision differs: seq 16, corridor, \
        t+00:02:30">
          cause     seq 15 history.changed 2h → 4h
          recorded  delta  due, since 1740000120
          now       full   historyWidened
          then      5 later decisions differ; state differs seq 19–27
          next      replay why history-widened.jsonl --request 4</failure>
            </testcase>
            <testcase classname="Recordings" name="nothing" file="nothing.jsonl">
              <error type="unreadable" message="nothing.jsonl  unreadable">
        open failed: No such file or directory (errno 2). Check that the path exists and that this process may read \
        it.</error>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test func githubMarksTheLine() {
    #expect(
      report(["history-widened.jsonl", "nothing.jsonl"]).text(as: .github).without(directory) == """
        ::error file=history-widened.jsonl,line=17,title=decision differs::history-widened.jsonl:17  decision differs: \
        seq 16, corridor, t+00:02:30%0A  cause     seq 15 history.changed 2h → 4h%0A  recorded  delta  due, since \
        1740000120%0A  now       full   historyWidened%0A  then      5 later decisions differ; state differs seq \
        19–27%0A  next      replay why history-widened.jsonl --request 4
        ::error file=nothing.jsonl,title=unreadable%3A unreadable::open failed: No such file or directory (errno 2). \
        Check that the path exists and that this process may read it.
        2 recordings: 0 same, 1 diverged, 1 unreadable

        """)
  }

  @Test func namesThatFormatsGiveAMeaningAreEscaped() throws {
    let odd = directory.file("a<b>&\"c\",100%:d.jsonl")
    try TemporaryDirectory.put([UInt8]("no log\n".utf8), odd)
    let report = RunReport([RecordingResult(replaying: odd)])
    #expect(report.text(as: .junit).contains(#"name="a&lt;b&gt;&amp;&quot;c&quot;,100%:d""#))
    #expect(report.text(as: .github).contains("\"c\"%2C100%25%3Ad.jsonl,line=1,title="))
    #expect(isJSON(report.text(as: .json)))
  }
}
