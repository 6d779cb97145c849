import ContrailCore
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailField

/// What logs reach of the planner's table.
@Suite struct CoverTests {
  private static let report = CoverageReport(
    Logs.recordings.map { .init(path: $0, coverage: FlightSummary(path: $0).coverage) })

  @Test func aCellIsTheSituationBeforeAnInput() throws {
    let coverage = FlightSummary(path: Logs.recording("atlantic")).coverage
    for cell in [
      FlightCoverage.Cell(family: .corridor, situation: .firstFlight, occurrence: .answerWithRepairs),
      FlightCoverage.Cell(family: .corridor, situation: .repairableFlight, occurrence: .answer),
      FlightCoverage.Cell(family: .corridor, situation: .overdue, occurrence: .tickDue),
    ] {
      #expect(coverage.cells.contains(cell), "\(cell.name)")
    }
    #expect(coverage.rules.isSuperset(of: ["full first", "delta due"]))
    #expect(coverage.faults.isEmpty)
  }

  @Test func theTableReachesEveryCell() {
    #expect(CoverageReport.reachable.cells == Set(FlightCoverage.Cell.all))
    #expect(
      CoverageReport.reachable.faults == Set(PlannerTable.Occurrence.allCases.filter(\.isFault).map(\.rawValue)))
  }

  private static let flights: Set<PlannerTable.Situation> = [
    .firstFlight, .fullFlight, .refreshFlight, .deltaFlight, .repairableFlight, .repairFlight, .heldFlight,
    .wideFlight, .movingFlight, .strandedFlight,
  ]
  /// Those in which the usual query is wanted.
  private static let usual: Set<PlannerTable.Situation> = [
    .fresh, .firstFlight, .deltaFlight, .offlineFresh, .spent, .unauthorized, .refused, .told,
  ]

  /// Whether a log tells the input of the table from others in this situation.
  private static func isTold(_ cell: FlightCoverage.Cell) -> Bool {
    let (situation, hasDeltas) = (cell.situation, cell.family.scope.hasDeltas)
    switch cell.occurrence {
    case .tickDue, .tickLate, .lateAnswer: return false
    case .tickEarly: return situation != .overdue
    case .frequencySlow: return situation != .manual
    case .queryMoved: return cell.family == .viewport && situation == .fresh
    case .query, .queryOtherArea: return usual.contains(situation)
    case .queryNarrower, .queryWider: return usual.contains(situation) && cell.family != .global
    case .queryMoreTypes, .queryNoTypes, .queryOpenRing, .queryCrossingRing, .queryInverted:
      return usual.contains(situation) && hasDeltas
    case .countDiffers, .checksumDiffers, .followsDiffers: return flights.contains(situation) && hasDeltas
    case .watermarkWentBack:
      return flights.contains(situation) && hasDeltas && ![.firstFlight, .repairFlight].contains(situation)
    default: return !cell.occurrence.isAnswer || flights.contains(situation)
    }
  }

  @Test(arguments: PlannerTable.Family.allCases) func aCellIsRecognizedInItsLog(family: PlannerTable.Family) {
    var missed: [String] = []
    for situation in family.situations where ![.unwanted, .hidden].contains(situation) {
      let way = PlannerTable.Course(family, in: situation)
      for occurrence in PlannerTable.Occurrence.allCases {
        let cell = FlightCoverage.Cell(family: family, situation: situation, occurrence: occurrence)
        guard Self.isTold(cell) else { continue }
        var course = way
        course.pass(occurrence)
        var (coverage, state) = (FlightCoverage(), State())
        for record in course.records {
          let before = state
          state.evolve(record)
          coverage.watch(record, before: before, state: state)
        }
        if !coverage.cells.contains(cell) { missed.append(cell.name) }
        #expect(!occurrence.isFault || coverage.faults.contains(occurrence.rawValue), "\(cell.name)")
      }
    }
    #expect(missed == [])
  }

  @Test func aQueryIsElsewhereIfAnotherAreaIsHeld() {
    func occurrences(_ situation: PlannerTable.Situation, _ rig: Rig) -> Set<PlannerTable.Occurrence> {
      Set(Self.coverage(of: rig).cells.filter { $0.family == .corridor && $0.situation == situation }.map(\.occurrence))
    }
    let flying = Rig.flying()
    #expect(occurrences(.unwanted, flying) == [.query])
    for (area, occurrence) in [(Rig.area, PlannerTable.Occurrence.query), (Rig.otherArea, .queryOtherArea)] {
      var rig = flying
      rig.query { $0.polygon = nil }
      rig.query { $0.polygon = area }
      #expect(occurrences(.hidden, rig) == [occurrence])
      #expect(occurrences(.fresh, rig).contains(.queryNoArea))
    }
  }

  @Test func aTimerIsLateAfterTwoHours() throws {
    for (late, occurrence) in [
      (Int64(0), PlannerTable.Occurrence.tickDue), (7_199_999, .tickDue), (7_200_000, .tickLate),
    ] {
      var rig = Rig.flying()
      let wake = try #require(rig.state.nextWake)
      rig.now = wake.at + late
      rig.send(.clockTicked(scope: wake.scope, due: wake.at))
      let cells = Self.coverage(of: rig).cells.filter { $0.situation == .overdue && $0.occurrence != .launch }
      #expect(cells.map(\.occurrence) == [occurrence])
    }
    var rig = Rig.flying()
    let wake = try #require(rig.state.nextWake)
    rig.now = wake.at - 1
    rig.send(.clockTicked(scope: wake.scope, due: wake.at))
    let cells = Self.coverage(of: rig).cells
    #expect(cells.contains { $0.situation == .fresh && $0.occurrence == .tickEarly })
  }

  @Test func aLowerFrequencyFollowsAHigherOne() {
    for (frequencies, isLower) in [
      ([DataUpdateFrequency.minimal], true), ([.none, .minimal], false), ([.medium, .medium], true),
      ([.minimal, .medium], true), ([.fast], false),
    ] {
      var rig = Rig.flying()
      for frequency in frequencies { rig.send(.frequencyChanged(frequency)) }
      let occurrences = Self.coverage(of: rig).cells.map(\.occurrence)
      #expect(occurrences.contains(.frequencySlow) == isLower)
      #expect(occurrences.contains(.frequencyNone) == frequencies.contains(.none))
    }
  }

  /// The sums of a full answer are those of its reports and of its PIREPs.
  @Test(arguments: [true, false], [true, false])
  func aFullAnswerWithWrongSumsIsCovered(isOfPIREPs: Bool, hasBoth: Bool) {
    for (extra, occurrence) in [(2, PlannerTable.Occurrence.countDiffers), (0, .checksumDiffers)] {
      var rig = Rig()
      rig.launch()
      rig.query { ($0.polygon, $0.types) = (Rig.area, [.turbulence, .pireps]) }
      rig.answer { response in
        var answer = ObservationsAnswer(token: Rig.start / 1000)
        let (right, wrong) = (HeldSum(count: 0, checksum: 0), HeldSum(count: extra, checksum: 7))
        (answer.held, answer.heldPIREPs) = isOfPIREPs ? (hasBoth ? right : nil, wrong) : (wrong, hasBoth ? right : nil)
        response.body = .answer(answer)
      }
      let cells = Self.coverage(of: rig).cells.filter { $0.situation == .firstFlight }
      #expect(cells.contains { $0.occurrence == occurrence })
      #expect(!cells.contains { $0.occurrence == .answer })
    }
  }

  /// The held data is still broken then, which says nothing of the later answer.
  @Test(arguments: [PlannerTable.Occurrence.countDiffers, .checksumDiffers, .followsDiffers, .watermarkWentBack])
  func anUnreadableAnswerAfterOneThatDiffersIsItsOwnFault(_ occurrence: PlannerTable.Occurrence) {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    rig.answer(with: occurrence)
    #expect(rig.state.scope(.corridor)?.have?.broken != nil)
    rig.answer { $0.body = .blob(.init(sha256: "", byteCount: 0), Array("<html>".utf8)) }
    let found = Self.coverage(of: rig).faults
    #expect(found == [occurrence.rawValue, PlannerTable.Occurrence.noJSON.rawValue])
  }

  /// The server has forgotten the area of a handle, which isn't the fault of the request.
  @Test func aHandleThatIsUnknownIsNoBadRequest() {
    for handle in ["a1", nil] {
      var rig = Rig()
      rig.launch()
      rig.query { $0.polygon = Rig.area }
      rig.answer { $0.handle = handle }
      rig.pass(seconds: 60)
      rig.answer(status: 404)
      let found = Self.coverage(of: rig).faults
      #expect(found == (handle == nil ? [PlannerTable.Occurrence.badRequest.rawValue] : []))
    }
  }

  @Test func decisionsReachTheirRules() {
    var rig = Rig.flying()
    for number in UInt16(0)..<2 {
      rig.send(
        .reportTracked(
          TurbulenceReport(
            cell: 0, altitude: 35, severity: 2, edrE4: 1800 + number, observedAt: UInt32(Rig.start / 1000))))
    }
    rig.pass(seconds: 30)
    #expect(rig.state.outbox.upload != nil && Self.coverage(of: rig).rules.contains("upload"))
    for cell in PlannerTable.cells {
      for decision in cell.decisions {
        let rule = decision.rule.rawValue
        #expect(CoverageReport.reachable.rules.contains { $0.split(separator: " ").contains { $0 == rule } })
      }
    }
  }

  @Test func airportsThatAreDeliveredReachTheirRule() {
    let rules = FlightSummary(path: Logs.recording("airports-delivered")).coverage.rules
    #expect(rules.isSuperset(of: ["delivered first", "delivered ahead"]))
  }

  @Test(arguments: [Int64(0), 1, 540]) func anAnswerTellsWhetherTheServerHoldsRequests(seconds: Int64) {
    var rig = Rig()
    rig.launch()
    rig.query { $0.polygon = Rig.area }
    rig.answerHolding(seconds: seconds)
    let found = Self.coverage(of: rig).cells.filter { $0.situation == .firstFlight }.map(\.occurrence)
    #expect(found == [seconds > 0 ? .answerWithHolds : .answer])
  }

  @Test func anAnswerIsLateAfterItsRequestWasReplaced() throws {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    let request = try #require(rig.state.scope(.corridor)?.inFlight?.request)
    rig.query { $0.polygon = Rig.otherArea }
    func isLate(_ input: Input, relaunched: Bool = false) -> Bool {
      var rig = rig
      if relaunched { rig.launch() }
      rig.send(input)
      return Self.coverage(of: rig).cells.contains { $0.occurrence == .lateAnswer }
    }
    let answer = Input.responseReceived(.init(request: request, status: 200, wireBytes: 9))
    #expect(isLate(answer) && isLate(.responseFailed(request: request, failure: .network)))
    #expect(!isLate(.responseReceived(.init(request: request + 9, status: 200, wireBytes: 9))))
    // Requests of another process have other numbers.
    #expect(!isLate(answer, relaunched: true))
  }

  private static func coverage(of rig: Rig) -> FlightCoverage {
    var (coverage, state) = (FlightCoverage(), State())
    for record in rig.records {
      let before = state
      state.evolve(record)
      coverage.watch(record, before: before, state: state)
    }
    return coverage
  }

  @Test func cellsAreInTheOrderOfTheTable() {
    #expect(FlightCoverage.Cell.all.reversed().sorted() == FlightCoverage.Cell.all)
  }

  @Test func theReportCountsTheCellsOfEachFamily() {
    let lines = Self.report.text(listingMissing: false).split(separator: "\n").map(String.init)
    for family in PlannerTable.Family.allCases {
      let cells = Self.report.total.cells.filter { $0.family == family }
      let all = FlightCoverage.Cell.all.filter { $0.family == family }
      let missing = Self.report.missing.filter { $0.cell.family == family }
      let counts =
        [
          cells.count, all.count, Set(cells.map(\.situation)).count, Set(all.map(\.situation)).count,
          Set(cells.map(\.occurrence)).count, Set(all.map(\.occurrence)).count,
        ] + CoverageReport.WhyNot.allCases.map { why in missing.count { $0.why == why } }
      #expect(counts[0] + missing.count == counts[1])
      let row = [family.rawValue] + counts.map { Words.count($0) }
      let found = lines.filter { $0.hasPrefix("\(family.rawValue) ") && !$0.contains(" never ") }
        .flatMap { $0.split(separator: " ").map(String.init) }
      // A wide table has two parts.
      #expect(found.filter { $0 != family.rawValue } == Array(row.dropFirst()), "\(family.rawValue)")
      let never = family.situations.filter { situation in !cells.contains { $0.situation == situation } }
      #expect(lines.contains("\(family.rawValue) never \(never.map(\.rawValue).joined(separator: ", "))"))
    }
    #expect(lines.first == Words.count(Logs.recordings.count, "log"))
  }

  @Test func allLogsTogetherReachWhatEachDoes() {
    let (total, names) = (Self.report.total, Self.report.entries.map(\.coverage.names))
    #expect(total.names == names.reduce(into: []) { $0.formUnion($1) } && names.allSatisfy { !$0.isEmpty })
  }

  @Test func theSmallSetReachesTheSame() {
    let minimal = CoverageReport(Self.report.minimal)
    #expect(minimal.total == Self.report.total)
    #expect(minimal.entries.count < Self.report.entries.count)
    for index in minimal.entries.indices {
      var fewer = minimal.entries
      fewer.remove(at: index)
      #expect(CoverageReport(fewer).total != minimal.total)
    }
  }

  /// Each log adds the most that is still missing, the first of equals.
  @Test func aSmallSetHasNoLogThatTheOthersReplace() {
    func minimal(_ logs: [(path: String, faults: String)]) -> String {
      let entries = logs.map { path, faults in
        var coverage = FlightCoverage()
        for fault in faults { coverage.note(fault: String(fault)) }
        return CoverageReport.Entry(path: path, coverage: coverage)
      }
      return CoverageReport(entries).minimalText
    }
    #expect(minimal([("first", "ab"), ("same", "ab"), ("part", "a")]) == "first\n")
    #expect(minimal([("x", "abc"), ("y", "def"), ("p", "ad"), ("q", "be"), ("r", "cf")]) == "x\ny\n")
    #expect(minimal([("most", "abcd"), ("b", "cde"), ("rest", "ef"), ("d", "abf")]) == "most\nrest\n")
    // The two that come later reach all that the first one does.
    #expect(minimal([("large", "abcd"), ("left", "abe"), ("right", "cdf")]) == "left\nright\n")
    #expect(minimal([("none", "")]) == "")
  }

  @Test func theReportSaysWhyCellsAreNotReached() {
    #expect(
      CoverageReport([]).text(listingMissing: false).contains(
        "\nCells that aren't reached: NO SITUATION means that no log is in the situation, NO INPUT means that no log has the input, "
          + "NOT TOGETHER means that the input never came in the situation. The test of the planner's table reaches all.\n\n"
      ))
  }

  @Test func theReportNamesWhatIsMissing() {
    let text = Self.report.text(listingMissing: true)
    let missing = FlightCoverage.Cell.all.count - Self.report.total.cells.count
    #expect(text.split(separator: "\n").count { $0.hasPrefix("not reached  ") } == missing)
    for (cell, why) in Self.report.missing {
      let family = Self.report.total.cells.filter { $0.family == cell.family }
      #expect(family.contains { $0.situation == cell.situation } == (why != .noSituation), "\(cell.name)")
      if why != .noSituation {
        #expect(family.contains { $0.occurrence == cell.occurrence } == (why == .notTogether), "\(cell.name)")
      }
    }
    let (total, all) = (Self.report.total, CoverageReport.reachable)
    for (title, reached, every) in [("rules", total.rules, all.rules), ("faults", total.faults, all.faults)] {
      let rest = every.subtracting(reached).sorted()
      #expect(rest.count > 1)
      #expect(
        text.contains(
          "\n\(title): \(every.count - rest.count) of \(every.count); not reached: \(rest.joined(separator: ", "))\n"))
    }
    #expect(CoverageReport([]).missing.allSatisfy { $0.why == .noSituation })
    #expect(CoverageReport([]).text(listingMissing: false).contains("rules: 0 of"))
  }
}
