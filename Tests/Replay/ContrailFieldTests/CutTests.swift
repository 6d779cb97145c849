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
    rig.answer(change: { response in
      guard var answer = try? response.body.observations(), let held = answer.held else { return }
      switch occurrence {
      case .countDiffers: answer.held = HeldSum(count: held.count + 5, checksum: held.checksum)
      case .checksumDiffers: answer.held = HeldSum(count: held.count, checksum: ~held.checksum)
      case .followsDiffers: answer.follows = 5
      default: answer.token -= 100
      }
      response.body = .answer(answer)
    })
    rig.answer()
    func covered(_ rig: Rig) throws -> Set<PlannerTable.Occurrence> {
      let coverage = Logs.summary(of: try Self.draft(rig)).coverage
      return Set(coverage.cells.filter { $0.family == .corridor }.map(\.occurrence))
    }
    let all: Set<PlannerTable.Occurrence> = [.countDiffers, .checksumDiffers, .followsDiffers, .watermarkWentBack]
    #expect(try covered(rig).intersection(all) == [occurrence])
    #expect(try covered(Rig.flying()).isDisjoint(with: all))
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
    let folder = try TemporaryDirectory()
    try rig.writeLog(to: folder.file("a.jsonl"))
    let blobs = BlobStore(directory: folder.file("blobs"), storage: POSIXStorage())
    for text in ["another", "a third"] { _ = try blobs.put(Array("<html>\(text)</html>".utf8)) }
    var draft = try LogDraft(path: folder.file("a.jsonl"))
    draft.turns.removeLast()
    let copies = try TemporaryDirectory()
    try draft.write(to: copies.file("b.jsonl"), replacing: .nothing)
    #expect(FlightSummary(path: copies.file("b.jsonl")).result == "same")
    #expect(try POSIXStorage().names(in: copies.file("blobs")).filter { !$0.hasPrefix(".") }.count == 2)
    withExtendedLifetime((folder, copies)) {}
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
  @Test func aWrongDigestIsShortenedToItsTurn() throws {
    var flight = LongFlight()
    for _ in 0..<6 { flight.minute() }
    let (turn, digest) = (flight.draft.turns.count - 1, flight.state.digest)
    for _ in 0..<7 { flight.minute() }
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
