import ContrailGeodesy
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailCore
@testable import ContrailField

/// Parts of logs are judged, covered and written as the whole.
@Suite struct CutTests {
  private static func draft(_ rig: Rig) throws -> LogDraft {
    let disk = MemoryDisk()
    try rig.writeLog(to: "/a.jsonl", storage: disk)
    return try LogDraft(path: "/a.jsonl", storage: disk)
  }

  /// A flight whose held data differs from the server's, and where two repairs fail.
  private static func repairing() -> Rig {
    var rig = Rig()
    rig.launch()
    rig.query { $0.polygon = Rig.area }
    rig.answer {
      $0.handle = "a1"
      $0.repairs = true
    }
    rig.pass(seconds: 60)
    rig.answer { $0.held = HeldSum(count: 2, checksum: 1) }
    for _ in 0..<2 {
      while rig.state.scope(.corridor)?.inFlight == nil { rig.pass(seconds: 30) }
      rig.now += 400
      rig.answer(status: 503)
    }
    while rig.state.scope(.corridor)?.inFlight == nil { rig.pass(seconds: 30) }
    rig.answer()
    rig.pass(seconds: 60)
    rig.answer()
    return rig
  }

  @Test func aLogWithRepairsIsCutAnywhere() throws {
    let rig = Self.repairing()
    let whole = try Self.draft(rig)
    let repairs = whole.turns.flatMap(\.events).count { event in
      if case .decision(.fetchStarted(let started)) = event { started.mode == .repair } else { false }
    }
    #expect(repairs == 2)
    for turn in 0..<whole.turns.count {
      let summary = Logs.summary(of: whole.starting(atTurn: turn))
      #expect(summary.result == "same" && summary.findings.isEmpty, "\(turn): \(summary.findings)")
    }
  }

  /// A difference counts at the answer that shows it, and not again at later answers.
  @Test(arguments: [
    PlannerTable.Occurrence.countDiffers, .checksumDiffers, .followsDiffers, .watermarkWentBack,
  ])
  func anAnswerThatDiffersIsCoveredOnce(_ occurrence: PlannerTable.Occurrence) throws {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    rig.answer(with: occurrence)
    rig.answer()
    func covered(_ rig: Rig) throws -> Set<PlannerTable.Occurrence> {
      let coverage = Logs.summary(of: try Self.draft(rig)).coverage
      return Set(coverage.cells.filter { $0.family == .corridor }.map(\.occurrence))
    }
    let all: Set<PlannerTable.Occurrence> = [.countDiffers, .checksumDiffers, .followsDiffers, .watermarkWentBack]
    #expect(try covered(rig).intersection(all) == [occurrence])
    #expect(try covered(Rig.flying()).isDisjoint(with: all))
  }

  /// A cut keeps the inputs from one moment to another, and both.
  @Test func aCutBeginsAtAnInputAndEndsAfterOne() throws {
    let path = Logs.recording("atlantic")
    let whole = try LogDraft(path: path)
    let start = try #require(whole.turns.first).at
    func cut(from: TimelinePosition? = nil, until: TimelinePosition? = nil) throws -> [Int64] {
      try LogDraft(path: path, from: from, until: until).turns.map(\.seq)
    }
    let seqs = whole.turns.map(\.seq)
    for index in [1, 40] {
      let (turn, previous, next) = (whole.turns[index], whole.turns[index - 1], whole.turns[index + 1])
      guard previous.at < turn.at, turn.at < next.at else { continue }
      for (position, first) in [
        (TimelinePosition.seq(turn.seq), index), (.seq(turn.seq + 1), index + 1), (.time(turn.at), index),
        (.time(turn.at + 1), index + 1), (.offset(turn.at - start), index), (.offset(previous.at - start + 1), index),
      ] {
        let kept = try cut(from: position)
        #expect(kept == Array(seqs[first...]), "\(position)")
      }
      for (position, count) in [
        (TimelinePosition.seq(turn.seq), index + 1), (.seq(turn.seq - 1), index), (.time(turn.at), index + 1),
        (.time(turn.at - 1), index), (.offset(turn.at - start), index + 1), (.offset(next.at - start - 1), index + 1),
      ] {
        let kept = try cut(until: position)
        #expect(kept == Array(seqs[..<count]), "\(position)")
      }
    }
    #expect(whole.turns[39].at < whole.turns[40].at && whole.turns[40].at < whole.turns[41].at)
    for index in 0...2 {
      let later = whole.starting(atTurn: index)
      #expect(later.turns.map(\.seq) == Array(seqs[index...]) && later.start.isEmpty == (index == 0))
    }
  }

  @Test func aDraftIsWrittenWithTheBodiesThatItsLinesName() throws {
    var rig = Rig.flying { $0.weather.places = [Rig.place] }
    func blob(_ text: String) -> Input.Body {
      let bytes = Array(text.utf8)
      return .blob(.init(sha256: BlobStore.ID(of: bytes).description, byteCount: bytes.count), bytes)
    }
    rig.answer(.weather(Rig.place)) { $0.body = blob("<html>a portal</html>") }
    let lookup = WeatherLookup(place: Rig.place, version: "v2.5", spec: WeatherSpec())
    rig.send(.weatherReceived(.init(lookup: lookup, status: 200, wireBytes: 90, body: blob("<html>another</html>"))))
    rig.send(.weatherReceived(.init(lookup: lookup, status: 200, wireBytes: 90, body: blob("<html>a third</html>"))))
    let file = Array("airports".utf8)
    let edition = AirportEdition(cycle: "2501", effectiveMS: Rig.start - 86_400_000)
    let name = BlobName(sha256: BlobStore.ID(of: file).digits, byteCount: file.count)
    rig.send(.airportsDownloaded(.init(edition: edition, blob: name, wireBytes: 900)))
    rig.send(.clockAdjusted(byMS: 0))
    let folder = try TemporaryDirectory()
    try rig.writeLog(to: folder.file("a.jsonl"))
    let blobs = BlobStore(directory: folder.file("blobs"), storage: POSIXStorage())
    for text in ["another", "a third"] { _ = try blobs.put(Array("<html>\(text)</html>".utf8)) }
    _ = try blobs.put(file)
    var draft = try LogDraft(path: folder.file("a.jsonl"))
    draft.turns.removeLast(3)
    let fewer = try TemporaryDirectory()
    try draft.write(to: fewer.file("b.jsonl"), replacing: .nothing)
    #expect(try POSIXStorage().names(in: fewer.file("blobs")).filter { !$0.hasPrefix(".") }.count == 2)
    draft = try LogDraft(path: folder.file("a.jsonl"))
    let copies = try TemporaryDirectory()
    try draft.write(to: copies.file("b.jsonl"), replacing: .nothing)
    #expect(FlightSummary(path: copies.file("b.jsonl")).result == "same")
    #expect(try POSIXStorage().names(in: copies.file("blobs")).filter { !$0.hasPrefix(".") }.count == 4)
    let written = try LogDraft(path: copies.file("b.jsonl"))
    #expect(written.blobs[name.sha256] == file && Logs.summary(of: written).result == "same")
    withExtendedLifetime((folder, fewer, copies)) {}
  }

  /// It ends when no single line can be left out, and not only when it has tried enough.
  @Test func shorteningEnds() throws {
    var flight = LongFlight()
    for _ in 0..<6 { flight.minute() }
    flight.query { $0.severities = SeveritySet([.moderate]) }
    for _ in 0..<3 { flight.minute() }
    let target = try #require(LogTarget(.rule(.due, .delta), in: flight.draft))
    var shrinker = LogShrinker(target)
    let short = shrinker.shorten(flight.draft)
    #expect(shrinker.trials < shrinker.maximumTrials && short.turns.count == 1)
    var few = LogShrinker(target, maximumTrials: 3)
    #expect(few.shorten(flight.draft).lineCount >= short.lineCount && few.trials == 3)
  }

  /// No turn can be left out before a digest, so the lines before it become a snapshot.
  @Test(arguments: 5...9) func aWrongDigestIsShortenedToItsTurn(later: Int) throws {
    var flight = LongFlight()
    for _ in 0..<6 { flight.minute() }
    let (turn, digest) = (flight.draft.turns.count - 1, flight.state.digest)
    for _ in 0..<later { flight.minute() }
    var draft = flight.draft
    draft.turns[turn].events.append(.mark(.stateDigested(digest)))
    #expect(LogTarget(.diverges, in: draft) == nil)
    var wrong = digest
    wrong.control = ~wrong.control
    draft.turns[turn].events.append(.mark(.stateDigested(wrong)))
    let target = try #require(LogTarget(.diverges, in: draft))
    #expect(target.isAboutState)
    var shrinker = LogShrinker(target)
    let short = shrinker.shorten(draft)
    #expect(short.turns.map(\.seq) == [draft.turns[turn].seq] && !short.start.isEmpty)
    #expect(Logs.summary(of: short).result == "diverged")
  }

  @Test func aWrongDigestOfTheFirstTurnNeedsNoOther() throws {
    var flight = LongFlight()
    for _ in 0..<4 { flight.minute() }
    var (draft, state) = (flight.draft, State())
    for event in draft.turns[0].events {
      state.evolve(.init(seq: state.nextSeq, at: draft.turns[0].at, event: event))
    }
    var wrong = state.digest
    wrong.control = ~wrong.control
    draft.turns[0].events.append(.mark(.stateDigested(wrong)))
    let target = try #require(LogTarget(.diverges, in: draft))
    var shrinker = LogShrinker(target)
    let short = shrinker.shorten(draft)
    #expect(short.turns.map(\.seq) == [draft.turns[0].seq])
  }

  /// Digests no longer hold when a turn is left out, so a log that diverges in a decision is shortened without them.
  @Test func aDivergenceIsShortenedWithoutTheDigests() throws {
    // An engine that calls a refresh due.
    var flight = LongFlight { _, input, right in
      guard case .refreshRequested = input, case .fetchStarted(var started)? = right.first else { return right }
      started.rule = .due
      return [.fetchStarted(started)]
    }
    for _ in 0..<4 { flight.minute() }
    flight.send(.refreshRequested(full: true))
    flight.pass(1000)
    var (draft, state) = (flight.draft, State())
    for turn in draft.turns.indices {
      for event in draft.turns[turn].events {
        state.evolve(.init(seq: state.nextSeq, at: draft.turns[turn].at, event: event))
      }
      draft.turns[turn].events.append(.mark(.stateDigested(state.digest)))
    }
    let target = try #require(LogTarget(.diverges, in: draft))
    #expect(!target.isAboutState)
    var shrinker = LogShrinker(target)
    let short = shrinker.shorten(draft)
    #expect(short.turns.count == 1 && short.turns[0].events.count == 2)
  }

  /// Records are left out of the snapshot and of the answers.
  @Test func aShortLogHasNoRecordsThatItDoesNotNeed() throws {
    // An engine that asks again at once after the answers from the ninth on.
    var answers = 0
    var flight = LongFlight { state, input, right in
      guard case .responseReceived = input else { return right }
      answers += 1
      guard answers >= 9, let want = state.scope(.corridor)?.want else { return right }
      return right + [
        .fetchStarted(
          .init(
            request: state.nextRequest, scope: .corridor, mode: .delta, rule: .due, cause: state.cause,
            since: state.scope(.corridor)?.have?.watermark, areaDigest: want.areaDigest, filter: want.filter))
      ]
    }
    for _ in 0..<12 { flight.minute() }
    let target = try #require(LogTarget(.diverges, in: flight.draft))
    var (trials, lengths) = ([Int](), [Int]())
    var shrinker = LogShrinker(target) { number, best in
      trials.append(number)
      lengths.append(best.lineCount)
    }
    let short = shrinker.shorten(flight.draft)
    #expect(trials == Array(1...shrinker.trials) && zip(lengths, lengths.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(short.turns.count == 1 && short.start.count == 1)
    guard case .responseReceived(let response)? = short.turns.first?.input else {
      Issue.record("the answer was left out")
      return
    }
    let reports = try response.body.observations().reports
    #expect(reports.isEmpty)
  }

  /// Neither half of the log has both, so smaller parts are left out, the large ones first.
  @Test(arguments: [(minutes: 12, turns: [4, 21], trials: 100), (120, [40, 200], 90)])
  func turnsThatAreNeededTogetherStay(minutes: Int, turns: [Int], trials: Int) throws {
    var flight = LongFlight()
    for _ in 0..<minutes { flight.minute() }
    let needed = turns.map { flight.draft.turns[$0].seq }
    let target = try #require(
      LogTarget(.jq("both"), in: flight.draft) { draft, _ in Set(draft.turns.map(\.seq)).isSuperset(of: needed) })
    var shrinker = LogShrinker(target)
    let short = shrinker.shorten(flight.draft)
    #expect(short.turns.map(\.seq) == needed && shrinker.trials < trials, "\(shrinker.trials)")
  }

  /// A snapshot holds the data from which the needed lines follow.
  @Test func theLinesBeforeThoseThatAreNeededBecomeASnapshot() throws {
    var flight = LongFlight()
    for _ in 0..<40 { flight.minute() }
    let needed = flight.draft.turns.suffix(2).map(\.seq)
    let target = try #require(
      LogTarget(.jq("data"), in: flight.draft) { draft, _ in
        guard let first = draft.turns.firstIndex(where: { $0.seq == needed[0] }) else { return false }
        let state = draft.starting(atTurn: first).startState
        return draft.turns.contains { $0.seq == needed[1] } && state.scope(.corridor)?.have != nil
      })
    var shrinker = LogShrinker(target)
    let short = shrinker.shorten(flight.draft)
    #expect(short.turns.map(\.seq) == needed && !short.start.isEmpty && shrinker.trials < 40, "\(shrinker.trials)")
  }

  @Test func recordsOfASnapshotAreLeftOut() throws {
    let place = FixedCoordinate(latitudeE7: 450_000_000, longitudeE7: -350_000_000)
    var rig = Rig()
    rig.launch()
    rig.query { ($0.polygon, $0.types) = (Rig.area, [.turbulence, .pireps, .traffic]) }
    let second = Rig.start / 1000
    rig.answer { response in
      var answer = ObservationsAnswer(token: second)
      answer.reports = (UInt8(0)..<5).map {
        TurbulenceReport(cell: 0, altitude: 30 + $0, severity: 2, edrE4: 100, observedAt: UInt32(second - 60))
      }
      answer.pireps = (0..<5).map {
        PIREP(
          id: "p\($0)", position: place, flightLevel: nil, severity: nil, isUrgent: false, observedAt: second - 60,
          updatedAt: second - 60, text: "")
      }
      answer.traffic = (0..<5).map {
        TrafficPosition(
          id: "t\($0)", callsign: "", position: place, altitudeFeet: nil, groundSpeedKnots: nil, trackDegrees: nil,
          observedAt: second)
      }
      response.body = .answer(answer)
    }
    rig.send(.clockAdjusted(byMS: 0))
    let whole = try Self.draft(rig)
    let cut = whole.starting(atTurn: whole.turns.count - 1)
    @Sendable func counts(_ draft: LogDraft) -> [Int] {
      guard let scope = draft.startState.scope(.corridor) else { return [] }
      return [scope.reports.count, scope.pireps.count, scope.traffic.count]
    }
    #expect(counts(cut) == [5, 5, 5])
    let target = try #require(
      LogTarget(.jq("each"), in: cut) { draft, _ in counts(draft).count { $0 > 0 } == 3 })
    var shrinker = LogShrinker(target)
    let short = shrinker.shorten(cut)
    #expect(counts(short) == [1, 1, 1] && short.turns.isEmpty)
    let reports = try #require(LogTarget(.jq("reports"), in: cut) { draft, _ in counts(draft).first ?? 0 > 0 })
    shrinker = LogShrinker(reports)
    let shorter = shrinker.shorten(cut)
    // The control part, and that with the report.
    #expect(counts(shorter) == [1, 0, 0] && shorter.start.count == 2)
  }

  @Test func aDraftKnowsItsNumberOfLines() throws {
    let whole = try LogDraft(path: Logs.recording("atlantic"))
    for draft in [whole, whole.starting(atTurn: 40), whole.withoutDigests, LogDraft()] {
      let lines = draft.bytes.split(separator: UInt8(ascii: "\n"))
      #expect(draft.lineCount == lines.count)
    }
  }

  @Test func aRecordingGetsItsRowInTheReadmeOfItsFolder() throws {
    let folder = try TemporaryDirectory()
    func add() throws -> Bool { try RecordingsReadme.add("b", shows: "B.", inFolder: folder.path) }
    let withoutReadme = try add()
    #expect(!withoutReadme)
    let path = folder.file("README.md")
    try TemporaryDirectory.put(Array("# R\n\nNo table.\n".utf8), path)
    let withoutTable = try add()
    #expect(!withoutTable)
    let readme = "# R\n\n| recording | what it shows |\n|---|---|\n| `a` | A. |\n"
    try TemporaryDirectory.put(Array(readme.utf8), path)
    let isAdded = try add()
    #expect(isAdded)
    let contents = String(decoding: try TemporaryDirectory.contents(path), as: UTF8.self)
    #expect(contents == readme + "| `b` | B. |\n")
    withExtendedLifetime(folder) {}
  }

  @Test func aCheckThatLeavesOneFindingOutSaysSo() {
    var summary = FlightSummary(path: Logs.recording("atlantic"))
    summary.findingCount = 1
    #expect(CheckReport([summary]).text.contains("\(summary.path): 1 more finding not shown\n"))
  }
}
