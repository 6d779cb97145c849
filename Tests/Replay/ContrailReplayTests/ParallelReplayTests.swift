import ContrailCore
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import Testing

/// Many recordings at the same time, and marks that are verified together: against one after the other.
@Suite struct ParallelReplayTests {
  let directory: TemporaryDirectory
  let good: String

  init() throws {
    directory = try TemporaryDirectory()
    good = directory.file("good.jsonl")
    try Flights.widened().writeLog(to: good)
  }

  /// The report of a replay that verifies each mark in its place.
  private func verifiedInPlace(_ path: String) throws -> (Divergence?, Consequences) {
    let reader = try RecordingReader(path: path)
    var replayer = Replayer(tracingChanges: true)
    while let entry = try reader.next() { replayer.fold(entry) }
    replayer.finish()
    return (replayer.divergence, replayer.consequences)
  }

  @Test func theOrderOfResultsIsThatOfThePaths() throws {
    var paths: [String] = []
    for number in 0..<24 {
      let path = directory.file("\(number).jsonl")
      try LogEditor.edit(good, to: path) { lines in
        if number % 3 == 1 { lines[16].replace(#""rule":"historyWidened""#, with: #""rule":"typesWidened""#) }
        if number % 5 == 2 { lines.removeLast(number / 2) }
      }
      paths.append(number == 7 ? directory.file("missing.jsonl") : path)
    }
    let expected = RunReport(paths.map { RecordingResult(replaying: $0) }).text(as: .json)
    for coreCount in [0, 1, 2, 3, 50] {
      let replay = ParallelReplay(paths, coreCount: coreCount)
      #expect(replay.workerCount == min(max(1, coreCount), 24))
      #expect(RunReport(replay.results()).text(as: .json) == expected, "\(coreCount) cores")
    }
    #expect(ParallelReplay([], coreCount: 4).results().isEmpty)
  }

  @Test func aMarkThatDiffersIsReportedInItsPlace() throws {
    let marks = try LogEditor.lines(good).indices.filter { try LogEditor.lines(good)[$0].kind == "state.digested" }
    #expect(marks.count > 1)
    let path = directory.file("changed.jsonl")
    for mark in marks {
      for isAlsoOther in [false, true] {
        try LogEditor.edit(good, to: path) { lines in
          let control = lines[mark].text.suffix(17).prefix(16)
          lines[mark].replace(String(control), with: "0123456789abcdef")
          if isAlsoOther { lines[16].replace(#""rule":"historyWidened""#, with: #""rule":"typesWidened""#) }
        }
        let (divergence, consequences) = try verifiedInPlace(path)
        guard case .diverged(let found, let after) = RecordingResult(replaying: path).outcome else {
          Issue.record("mark \(mark) was taken for right")
          continue
        }
        #expect(divergence == found && consequences == after, "mark \(mark)")
      }
    }
  }

  @Test func namesAreShortUnlessTwoAreTheSame() throws {
    let report = RunReport(["a/x.jsonl", "b/x.jsonl", "b/y.jsonl.xz"].map { RecordingResult(replaying: $0) })
    let text = report.text(as: .text)
    #expect(text.contains("a/x.jsonl ") && text.contains("b/x.jsonl ") && text.contains("\ny "))
  }
}
