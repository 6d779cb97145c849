import ContrailLog
import ContrailReplay
import ContrailTestSupport
import Testing

/// `verify` names the line on any damage.
@Suite struct VerificationTests {
  let directory: TemporaryDirectory
  let path: String
  let copy: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("flight.jsonl")
    copy = directory.file("copy.jsonl")
    try Flights.small().writeLog(to: path)
  }

  func text(_ path: String) -> String { Verification(path: path).text.without(directory) }

  @Test func aWholeRecordingIsSummedUp() {
    #expect(
      text(path)
        == "flight.jsonl  intact: 14 lines, 2.3 KB, seq 0–13, all CRCs valid, synced through 10, "
        + "2 digests\n")
  }

  @Test func aLastLineThatWasRemovedIsNoticed() throws {
    var lines = try LogEditor.lines(path)
    lines.removeLast()
    try LogEditor.write(lines, to: copy)
    #expect(text(copy).contains("not closed: the last line isn't a mark"))
  }

  /// The lines after a removed one are numbered again, and every crc is right.
  @Test func aRemovedLineIsNoticedThoughTheOthersAreRenumbered() throws {
    for removed in 2..<13 {
      var lines = try LogEditor.lines(path)
      lines.remove(at: removed)
      guard lines[removed...].contains(where: { $0.number("cause") ?? 0 > Int64(removed) }) else { continue }
      for index in lines.indices { lines[index].seq = Int64(index) }
      try LogEditor.write(lines, to: copy)
      let fault = Verification(path: copy).fault
      let decision = try #require(lines[removed...].firstIndex { $0.number("cause") != nil })
      #expect(fault?.code == "causeWrong" || fault?.code == "markWrong", "line \(removed + 1)")
      #expect((fault?.line ?? 99) <= decision + 1, "line \(removed + 1): no later than the next decision")
    }
  }

  @Test func aFlippedBitAnywhereIsNamedByItsLine() throws {
    let whole = try TemporaryDirectory.contents(path)
    var line = 1
    for (offset, byte) in whole.enumerated() {
      var bytes = whole
      bytes[offset] = byte ^ 1 << UInt8(offset % 8)
      try TemporaryDirectory.put(bytes, copy)
      #expect(Verification(path: copy).fault?.line == line, "byte \(offset)")
      if byte == UInt8(ascii: "\n") { line += 1 }
    }
  }

  @Test func aFlippedLetterOfTheKeyCRCIsNamed() throws {
    try TemporaryDirectory.put(
      String(decoding: TemporaryDirectory.contents(path), as: UTF8.self).replacing("\"crc\"", with: "\"crd\"", nth: 8)
        .utf8,
      copy)
    #expect(
      text(copy) == """
        copy.jsonl:9  damaged: damagedLine at seq 8
          reason    it doesn't end with a crc
          action    Restore the file from a copy; the lines before the damage can still be read.
          intact    8 lines, 1.4 KB, seq 0–7, all CRCs valid, synced through 4

        """)
  }

  @Test func aLastLineThatIsCutShortIsAFaultWhereverItIsCut() throws {
    let whole = try TemporaryDirectory.contents(path)
    let lastLine = whole.dropLast().split(separator: UInt8(ascii: "\n")).last?.count ?? 0
    for cut in 1...lastLine {
      try TemporaryDirectory.put(whole.dropLast(cut), copy)
      let fault = Verification(path: copy).fault
      #expect(fault?.code == "cutShort", "\(cut) bytes")
      #expect(fault?.line == 14 && fault?.seq == 13, "\(cut) bytes")
    }
    try TemporaryDirectory.put(whole.dropLast(lastLine + 1), copy)
    #expect(Verification(path: copy).fault == nil)
    try TemporaryDirectory.put(whole.dropLast(1), copy)
    #expect(
      text(copy).hasPrefix(
        """
        copy.jsonl:14  damaged: cutShort at seq 13
          reason    the last line is truncated: \(lastLine) bytes without a line feed

        """))
  }

  @Test func aLineThatIsGoneIsNoticed() throws {
    var lines = try LogEditor.lines(path)
    lines.remove(at: 6)
    try LogEditor.write(lines, to: copy)
    let fault = Verification(path: copy).fault
    #expect(fault?.code == "sequenceBroken" && fault?.line == 7 && fault?.seq == 7)
  }

  @Test func timeThatGoesBackIsNoticed() throws {
    try LogEditor.edit(path, to: copy) { $0[9].at -= 60_001 }
    let fault = Verification(path: copy).fault
    #expect(fault?.code == "timeWentBack" && fault?.line == 10)
  }

  /// Every command reads a recording in the same way.
  @Test func timeThatGoesBackIsRefusedByAReplayToo() throws {
    try LogEditor.edit(path, to: copy) { $0[9].at = 0 }
    for threads in 1...2 {
      guard case .unreadable(let fault) = RecordingResult(replaying: copy, threads: threads).outcome else {
        Issue.record("it was read")
        continue
      }
      #expect(fault == Verification(path: copy).fault)
      #expect(fault.code == "timeWentBack" && fault.line == 10 && fault.seq == 9)
    }
  }

  @Test(arguments: [
    ("", "it opens a segment in the middle of a file: "),
    (#""format":1"#, "it opens a segment in the middle of a file: "),
    (#""format":1,"first":0"#, "it opens a segment in the middle of a file, and its 'first' is 0, not its seq"),
    (#""format":0,"first":10"#, "it opens a segment of format 0 in the middle of a file"),
  ])
  func aSegmentThatOpensInTheMiddleIsRefusedByBoth(payload: String, reason: String) throws {
    try LogEditor.edit(path, to: copy) { lines in
      lines.insert(
        LogEnvelope(seq: -1, at: lines[9].at, kind: "segment.opened", payload: Array(payload.utf8)), at: 10)
    }
    guard case .unreadable(let fault) = RecordingResult(replaying: copy).outcome else {
      Issue.record("it was read")
      return
    }
    #expect(fault == Verification(path: copy).fault)
    #expect(fault.code == "segmentMisplaced" && fault.line == 11 && fault.seq == 10)
    #expect(fault.reason.hasPrefix(reason))
  }

  /// `cat` makes one file of a directory of segments.
  @Test func segmentsThatWereJoinedAreRead() throws {
    let live = directory.file("live")
    try Flights.small().writeLog(toDirectory: live, inputsPerSegment: 2)
    let names = try POSIXStorage().names(in: live).filter { $0.hasSuffix(".jsonl") }.sorted()
    #expect(names.count > 2)
    try TemporaryDirectory.put(names.flatMap { try TemporaryDirectory.contents("\(live)/\($0)") }, copy)
    #expect(Verification(path: copy).fault == nil)
    #expect(RecordingResult(replaying: copy).outcome == .same)
  }

  @Test func aSyncMarkThatVouchesForItselfIsNoticed() throws {
    try LogEditor.edit(path, to: copy) { $0[5].replace(#""through":4"#, with: #""through":99"#) }
    let fault = Verification(path: copy).fault
    #expect(fault?.code == "markWrong" && fault?.line == 6)
  }

  @Test func contentThatIsNoEventIsNoticed() throws {
    try LogEditor.edit(path, to: copy) { $0[2].replace("true", with: "\"yes\"") }
    let fault = Verification(path: copy).fault
    #expect(fault?.code == "malformedPayload" && fault?.line == 3 && fault?.seq == 2)
  }

  @Test func aLogWithoutCRCSaysSo() throws {
    try Flights.small().writeLog(to: copy, hasCRC: false)
    #expect(text(copy).contains(", no CRCs, "))
  }

  @Test(arguments: ["", "{}", "{\"seq\":0}", "\u{0}\u{1}", "not a log\n", "{\"seq\":0,\"at\":0,\"kind\":\"x\"}\n"])
  func whatIsNoLogIsRefusedAndNeverTraps(_ text: String) throws {
    try TemporaryDirectory.put(text.utf8, copy)
    #expect(Verification(path: copy).fault != nil)
    #expect(RunReport([RecordingResult(replaying: copy)]).exitCode == 2)
  }

  @Test func numbersAndTimesBeyondAnyAreRefused() throws {
    for line in [
      #"{"seq":1,"at":9223372036854775807,"kind":"connectivity.changed","online":true}"#,
      #"{"seq":1,"at":-1,"kind":"connectivity.changed","online":true}"#,
    ] {
      let first = #"{"seq":0,"at":0,"kind":"segment.opened","format":1,"first":0,"crc":false}"#
      try TemporaryDirectory.put("\(first)\n\(line)\n".utf8, copy)
      let fault = Verification(path: copy).fault
      #expect(fault?.line == 2)
    }
  }

  @Test func aDirectoryWithoutSegmentsIsRefused() {
    #expect(Verification(path: directory.path).fault?.code == "notALog")
  }
}
