import ContrailCore
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import Testing

/// Recordings of several segments, sealed ones, and bodies that are blobs.
@Suite struct SegmentTests {
  let directory: TemporaryDirectory
  let log: String

  init() throws {
    directory = try TemporaryDirectory()
    log = directory.file("live")
  }

  func segments() throws -> [String] {
    try POSIXStorage().names(in: log).filter { $0.contains(".jsonl") }.sorted().map { "\(log)/\($0)" }
  }

  @Test(arguments: [false, true])
  func aDirectoryReplaysLikeOneFile(_ areSealed: Bool) throws {
    try Flights.widened().writeLog(to: directory.file("one.jsonl"))
    try Flights.widened().writeLog(toDirectory: log, inputsPerSegment: 4, areSealed: areSealed)
    #expect(try segments().count == 5)
    let one = RecordingResult(replaying: directory.file("one.jsonl"))
    let many = RecordingResult(replaying: log)
    #expect(many.outcome == .same)
    #expect(many.digest == one.digest)
    #expect(many.statistics.requests == one.statistics.requests)
    #expect(
      RunReport([many]).text(as: .text).contains("\nlive           25  5m33s     3      4  93 KB  same    a80b5532\n"))
    #expect(Verification(path: log).fault == nil)
    #expect(try RecordingDiff(log, directory.file("one.jsonl")).isSame)
  }

  @Test func eachSegmentReplaysAlone() throws {
    try Flights.widened().writeLog(toDirectory: log, inputsPerSegment: 3, areSealed: true)
    for segment in try segments() {
      #expect(RecordingResult(replaying: segment).outcome == .same, "\(segment)")
    }
  }

  @Test func aDivergenceNamesTheSegmentsFile() throws {
    try Flights.widened().writeLog(toDirectory: log, inputsPerSegment: 8)
    let second = try segments()[1]
    try LogEditor.edit(second) { lines in
      for index in lines.indices where lines[index].kind == "fetch.started" && lines[index].number("request") == 4 {
        lines[index].replace("historyWidened", with: "typesWidened")
      }
    }
    let result = RecordingResult(replaying: log)
    guard case .diverged(let divergence, _) = result.outcome else {
      Issue.record("it replays the same")
      return
    }
    #expect(divergence.file == second)
    #expect(RunReport([result]).text(as: .text).contains("\n  next      replay why \(log) --request 4\n"))
  }

  @Test func whatAFailedSyncTookIsSaidAndTheSnapshotGoesOn() throws {
    try Flights.widened().writeLog(toDirectory: log, inputsPerSegment: 10, marks: .init(syncsEvery: nil))
    let (first, second) = (try #require(try segments().first), try #require(try segments().last))
    let last = try #require(try LogEditor.lines(first).last)
    // The last lines of the first segment never came to the disk, as the second one says.
    try LogEditor.edit(first) { $0.removeLast(2) }
    try LogEditor.edit(second) { $0[0].replace("\"previousSynced\":\(last.seq)", with: "\"previousSynced\":0") }
    let result = RecordingResult(replaying: log)
    #expect(result.outcome == .same)
    #expect(result.setAside.losses.map(\.seqs) == [last.seq - 1...last.seq])
    #expect(
      RunReport([result]).text(as: .text).hasSuffix(
        """

        \(first)  lost: seq \(last.seq - 1)–\(last.seq), by a failed sync
          replayed  from the next snapshot

        """))
    let lost = "\(first)  lost: seq \(last.seq - 1)–\(last.seq), by a failed sync\n"
    #expect(RunReport([result]).text(as: .json).contains("\"lost\":[{\"file\":\"\(first)\",\"line\":null,"))
    #expect(try Inspection(path: log, at: nil).setAside.text.hasPrefix(lost))
    #expect(Verification(path: log).text.contains("\n" + lost))
  }

  @Test func damageInLaterSegmentsIsNamedToo() throws {
    try Flights.widened().writeLog(toDirectory: log, inputsPerSegment: 4)
    let segments = try segments()
    for segment in [segments[1], segments[3]] {
      var bytes = try TemporaryDirectory.contents(segment)
      bytes[bytes.count / 2] ^= 1
      try TemporaryDirectory.put(bytes, segment)
    }
    let verification = Verification(path: log)
    #expect(verification.fault?.file == segments[1])
    #expect(verification.laterFaults.map(\.file) == [segments[3]])
    #expect(verification.text.contains("\n\(segments[3]):"))
  }

  @Test(arguments: [1, 2])
  func aCutSegmentThatIsNotTheLastIsNeverTheSame(_ threads: Int) throws {
    try Flights.widened().writeLog(toDirectory: log, inputsPerSegment: 4)
    let segments = try segments()
    let later = try segments.dropFirst().map { try LogEditor.lines($0).count }.reduce(0, +)
    let first = try LogEditor.lines(segments[0])
    try TemporaryDirectory.put(TemporaryDirectory.contents(segments[0]).dropLast(5), segments[0])
    let result = RecordingResult(replaying: log, threads: threads)
    guard case .unreadable(let fault) = result.outcome else {
      Issue.record("it is read: \(result.outcome)")
      return
    }
    #expect(fault.code == "cutShort" && fault.file == segments[0])
    #expect(fault.line == first.count && fault.seq == first.last?.seq)
    #expect(fault.laterLines == later)
    #expect(fault.reason.contains("; \(later) later lines not read, "))
    #expect(RunReport([result]).exitCode == 2)
    #expect(RunReport([result]).text(as: .json).contains("\"laterLines\":\(later),"))
    #expect(Verification(path: log).fault == fault)
    #expect(throws: fault) { try Inspection(path: log, at: nil) }
    #expect(throws: fault) { try RecordingDiff(log, log) }
  }

  @Test func aCutSegmentBeforeAnEmptyOneIsNotTheLast() throws {
    try Flights.widened().writeLog(toDirectory: log, inputsPerSegment: 10)
    let segments = try segments()
    try TemporaryDirectory.put(TemporaryDirectory.contents(segments[0]).dropLast(5), segments[0])
    try TemporaryDirectory.put([], segments[1])
    guard case .unreadable(let fault) = RecordingResult(replaying: log).outcome else {
      Issue.record("the empty segment is passed over")
      return
    }
    #expect(fault.laterLines == 0)
  }

  @Test func aSegmentThatIsGoneIsToldWithWhatFollowsIt() throws {
    try Flights.widened().writeLog(toDirectory: log, inputsPerSegment: 4)
    let segments = try segments()
    let later = try segments.dropFirst(2).map { try LogEditor.lines($0).count }.reduce(0, +)
    try POSIXStorage().remove(segments[1])
    guard case .unreadable(let fault) = RecordingResult(replaying: log).outcome else {
      Issue.record("the gap is passed over")
      return
    }
    #expect(fault.code == "chainBroken" && fault.file == segments[2] && fault.line == 1)
    // All but the line that shows the gap.
    #expect(fault.laterLines == later - 1)
  }

  @Test func theLastSegmentMayBeCutAndThatIsSaid() throws {
    try Flights.widened().writeLog(toDirectory: log, inputsPerSegment: 4)
    let last = try #require(try segments().last)
    try TemporaryDirectory.put(TemporaryDirectory.contents(last).dropLast(5), last)
    let result = RecordingResult(replaying: log)
    #expect(result.outcome == .same && result.setAside.tornTail?.file == last)
    let report = RunReport([result])
    #expect(report.text(as: .junit).contains("<system-out>\(last):"))
    #expect(try Inspection(path: log, at: nil).setAside == result.setAside)
    #expect(try Inspection(path: log, at: .seq(4)).setAside.isEmpty)
    #expect(try RecordingDiff(log, log).setAside == [result.setAside, result.setAside])
    #expect {
      _ = try RequestStory(path: log, request: 99)
    } throws: {
      if case RequestStoryError.noSuchRequest(_, _, _, let setAside) = $0 {
        setAside == result.setAside
      } else {
        false
      }
    }
  }

  @Test(.timeLimit(.minutes(30))) func aPipeAmongTheSegmentsIsRefused() throws {
    try Flights.widened().writeLog(toDirectory: log, inputsPerSegment: 10)
    try TemporaryDirectory.makePipe("\(log)/000000009999.jsonl")
    let fault = try #require(Verification(path: log).fault)
    #expect(fault.code == "unreadable" && fault.reason.contains("it isn't a regular file"))
  }

  // MARK: Blobs

  /// A flight whose second answer is an error page.
  func withBlob() -> Rig {
    let page = Array("<html>\n<h1>502</h1>\n</html>\n".utf8)
    let name = BlobName(sha256: BlobStore.ID(of: page).digits, byteCount: page.count)
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    rig.answer {
      $0.status = 200
      $0.body = .blob(name, page)
    }
    return rig
  }

  @Test func aBodyThatIsABlobIsReadFromBesideTheLog() throws {
    try withBlob().writeLog(to: directory.file("one.jsonl"))
    #expect(RecordingResult(replaying: directory.file("one.jsonl")).outcome == .same)
    try withBlob().writeLog(toDirectory: log, inputsPerSegment: 4)
    #expect(RecordingResult(replaying: log).outcome == .same)
    let story = try RequestStory(path: log, request: 2).text
    #expect(story.contains("  body      28 B, not a valid response: "))
  }

  @Test func aBlobThatIsMissingOrDamagedIsNamedByItsLine() throws {
    let path = directory.file("one.jsonl")
    try withBlob().writeLog(to: path)
    let blobs = directory.file("blobs")
    let blob = try #require(try POSIXStorage().names(in: blobs).first)
    try TemporaryDirectory.put("<html>".utf8, "\(blobs)/\(blob)")
    #expect(Verification(path: path).fault?.code == "blobDamaged")
    try POSIXStorage().remove("\(blobs)/\(blob)")
    let fault = try #require(Verification(path: path).fault)
    #expect(fault.code == "blobMissing")
    let line = try LogEditor.index(LogEditor.lines(path)) { $0.text.firstRange(of: "\"blob\"") != nil } + 1
    #expect(fault.file == path && fault.line == line && fault.seq == Int64(line) - 1)
    #expect(RunReport([RecordingResult(replaying: path)]).exitCode == 2)
  }
}

extension LogEditor {
  /// Changes lines in place; their numbers stay.
  static func edit(_ path: String, _ change: (inout [LogEnvelope]) -> Void) throws {
    var lines = try lines(path)
    change(&lines)
    try write(lines, to: path)
  }
}
