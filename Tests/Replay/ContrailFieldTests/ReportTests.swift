import ContrailCore
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Foundation
import Testing

@testable import ContrailField

/// What checks, flights with trouble, and coverage say as text and JSON.
@Suite struct ReportTests {
  private func objects(_ json: String) throws -> [[String: Any]] {
    try json.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  // MARK: Checks

  /// A flight of many minutes, each with decisions that are made twice.
  private static let hopeless: FlightSummary = {
    var flight = LongFlight { _, _, decisions in decisions + decisions }
    for _ in 0..<150 { flight.minute() }
    return Logs.summary(of: flight.draft)
  }()

  @Test func aCheckShowsFindingsAndSaysHowManyItLeavesOut() throws {
    let summary = Self.hopeless
    let finding = try #require(summary.findings.first)
    let rest = summary.findingCount - FlightJudge.maximumFindings
    #expect(rest > 0 && summary.findings.count == FlightJudge.maximumFindings)
    let text = CheckReport([summary]).text
    #expect(
      text.hasPrefix(
        """
        \(finding.headline)
          found     \(finding.found)
          expected  \(finding.expected)
          next      replay inspect \(Words.shell(summary.path)) --at \(finding.seq)
        \(summary.findings[1].headline)

        """))
    #expect(text.contains("\(summary.path): \(Words.count(rest, "more finding")) not shown\n\n1 log: "))
    let same = CheckReport([FlightSummary(path: Logs.recording("atlantic"))]).text
    #expect(same == "1 log: 0 findings, 0 unreadable logs\n")
  }

  @Test func eachFindingCountsOnce() throws {
    var flight = LongFlight { _, input, decisions in
      if case .clockTicked = input { decisions + decisions } else { decisions }
    }
    for _ in 0..<3 { flight.minute() }
    let summary = Logs.summary(of: flight.draft)
    #expect(summary.findings.count >= 3 && summary.findingCount == summary.findings.count)
    let row = try #require(try objects(summary.json()).first)
    let found = (row["findings"] as? [[String: Any]])?.map { $0["found"] as? String }
    #expect(found == summary.findings.map(\.found) && row["findingCount"] as? Int == summary.findingCount)
  }

  @Test func aCheckInJSONHasEachFindingAndFault() throws {
    let missing = FlightSummary(path: Logs.recording("no-such-flight"))
    let rows = try objects(CheckReport([Self.hopeless, missing]).json)
    #expect(rows.map { $0["path"] as? String } == [Self.hopeless.path, missing.path])
    #expect(rows.map { $0["result"] as? String } == ["read", "unreadable"])
    #expect(rows.map { $0["findingCount"] as? Int } == [Self.hopeless.findingCount, 0])
    #expect(rows[0]["code"] == nil && rows[0]["reason"] == nil)
    guard case .unreadable(let fault) = missing.outcome else {
      Issue.record("a log that isn't there was read")
      return
    }
    #expect(rows[1]["code"] as? String == fault.code && rows[1]["reason"] as? String == fault.reason)
    let findings = try #require(rows[0]["findings"] as? [[String: Any]])
    #expect(findings.count == FlightJudge.maximumFindings)
    for (row, finding) in zip(findings, Self.hopeless.findings).prefix(5) {
      #expect(row["guarantee"] as? String == finding.guarantee.rawValue)
      #expect(row["rule"] as? String == finding.rule?.rawValue && row["scope"] as? String == finding.scope?.name)
      #expect(row["line"] as? Int == finding.line && row["seq"] as? Int64 == finding.seq)
      #expect(row["offsetMS"] as? Int64 == finding.offsetMS)
      #expect(row["found"] as? String == finding.found && row["expected"] as? String == finding.expected)
    }
  }

  // MARK: Fleets

  @Test func aFleetCountsLogsByTheirResult() {
    var flight = LongFlight { _, input, decisions in
      if case .queryChanged = input { [] } else { decisions }
    }
    flight.pass(1000)
    let diverged = Logs.summary(of: flight.draft)
    let (same, missing) = (FlightSummary(path: Logs.recording("atlantic")), FlightSummary(path: Logs.recording("-")))
    #expect([diverged, same, missing].map { $0.result } == ["diverged", "same", "unreadable"])
    var counts = FleetFold.Counts()
    for (summary, times) in [(diverged, 1), (same, 2), (missing, 3)] { for _ in 0..<times { counts.add(summary) } }
    #expect(counts.same == 2 && counts.diverged == 1 && counts.unreadable == 3 && counts.total == 6)
    #expect(counts.byteCount == diverged.byteCount + 2 * same.byteCount)
    #expect(same.findings.isEmpty && counts.withFindings == (diverged.findings.isEmpty ? 0 : 1))
    let found = counts.withFindings
    var one = same
    one.findingCount = 1
    counts.add(one)
    #expect(counts.withFindings == found + 1)
    #expect(counts.text == "7 logs: 3 same, 1 diverged, 3 unreadable; \(found + 1) with findings")
  }

  @Test(arguments: ["atlantic", "own-reports"]) func requestsAreInTheOrderOfTheirHeadings(name: String) throws {
    let rows = try objects(FlightSummary(path: Logs.recording(name)).json())
    let requests = try #require(rows[0]["requests"] as? [[String: Any]])
    let headings = RecordingResult(replaying: Logs.recording(name)).statistics.requests.keys.sorted()
    #expect(requests.count > 1)
    #expect(requests.map { $0["scope"] as? String } == headings.map { $0.scope.name })
    #expect(requests.map { $0["rule"] as? String } == headings.map { $0.rule.rawValue })
  }

  /// The server's clock is 100 seconds ahead of the device's.
  @Test func theWorstAgeIsThatByTheServersClock() throws {
    var flight = LongFlight()
    var (answered, worst) = (flight.state.now / 1000, Int64(0))
    for minutes in [1, 3, 1] as [Int64] {
      flight.send(.clockTicked(scope: .corridor, due: flight.state.now))
      for _ in 0..<minutes { flight.pass(60_000) }
      worst = max(worst, (flight.state.now + (flight.state.serverOffsetMS ?? 0)) / 1000 - answered)
      let request = try #require(flight.state.scope(.corridor)?.inFlight)
      answered = (flight.state.now + 100_000) / 1000
      flight.send(
        .responseReceived(
          .init(
            request: request.request, status: 200, wireBytes: 80, serverTimeMS: answered * 1000,
            body: .answer(ObservationsAnswer(token: answered, follows: request.since)))))
    }
    let age = try #require(Logs.summary(of: flight.draft).worstAgeSeconds)
    #expect((worst...worst + 1).contains(age) && age >= 180)
  }

  /// A service that doesn't tell the time has the device's.
  @Test func withoutAServersClockTheDevicesCounts() throws {
    var rig = Rig()
    rig.launch()
    rig.query { $0.polygon = Rig.area }
    rig.answer { $0.serverTimeMS = nil }
    for (wait, age) in [(Int64(0), Int64(0)), (59_999, 59)] {
      rig.now += wait
      rig.send(.clockAdjusted(byMS: 0))
      let disk = MemoryDisk()
      try rig.writeLog(to: "/a.jsonl", storage: disk)
      #expect(rig.state.serverOffsetMS == nil)
      #expect(FlightSummary(path: "/a.jsonl", storage: disk).worstAgeSeconds == age)
    }
  }

  // MARK: Drafts

  @Test func aBodyThatIsNotJSONIsWrittenBesideItsLog() throws {
    var flight = LongFlight()
    flight.send(.refreshRequested(full: false))
    let request = try #require(flight.state.scope(.corridor)?.inFlight?.request)
    let bytes = Array("<html>".utf8)
    let name = BlobName(sha256: BlobStore.ID(of: bytes).digits, byteCount: bytes.count)
    flight.send(
      .responseReceived(
        .init(request: request, status: 200, wireBytes: 80, body: .blob(name, bytes))))
    let folder = try TemporaryDirectory()
    try flight.draft.write(to: folder.file("a.jsonl"), replacing: .nothing)
    #expect(FlightSummary(path: folder.file("a.jsonl")).result == "same")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    #expect(files.contains { $0.contains(name.sha256) }, "\(files)")
    withExtendedLifetime(folder) {}
  }

  // MARK: Flights with trouble

  private static let injection = Result { try Injection(path: Logs.recording("atlantic")) }

  private func flight(_ number: Int, findings: [Finding] = []) throws -> Injection.Flight {
    var flight = try Self.injection.get().recorded
    flight.troubles = [try Trouble("kill", "t+\(number)m")]
    (flight.findings, flight.findingCount) = (findings, findings.count)
    (flight.requests, flight.upBytes, flight.downBytes, flight.withoutMS) = (10 * number, 0, 0, 0)
    return flight
  }

  @Test func eachFlightWithTroubleIsAnObject() throws {
    let injection = try Self.injection.get()
    let flights = [try flight(1), try flight(2, findings: Array(Self.hopeless.findings.prefix(3)))]
    let report = InjectionReport(injection, flights)
    let rows = try objects(report.json)
    for (row, flight) in zip(rows, [injection.recorded] + flights) {
      #expect(row["path"] as? String == injection.path)
      #expect(row["troubles"] as? [String] == flight.troubles.map { $0.name })
      #expect(row["requests"] as? Int == flight.requests && row["lines"] as? Int == flight.lineCount)
      #expect(row["up"] as? Int64 == flight.upBytes && row["down"] as? Int64 == flight.downBytes)
      #expect(row["withoutMS"] as? Int64 == flight.withoutMS)
      #expect(row["digest"] as? String == Hex.string(flight.digest))
      #expect(row["findingCount"] as? Int == flight.findingCount)
      #expect((row["findings"] as? [Any])?.count == flight.findingCount)
    }
    #expect(rows.count == 3 && report.exitCode == 1)
    #expect(InjectionReport(injection, [flights[0]]).exitCode == 0)
    #expect(report.text.hasSuffix("3 findings in 1 of 2 flights\n"))
  }

  @Test func aFlightWithTroubleHasARowAndItsFindings() throws {
    var findings = [try #require(Self.hopeless.findings.first)]
    findings[0].offsetMS = 61_000
    findings.append(findings[0])
    (findings[1].rule, findings[1].scope) = (nil, nil)
    let (injection, flown) = (try Self.injection.get(), try flight(3, findings: findings))
    let (text, finding) = (InjectionReport(injection, [flown]).text, findings[0])
    let name = flown.troubles[0].name
    let rest =
      "  found     \(finding.found)\n  expected  \(finding.expected)\n"
      + "  next      replay inject \(Words.shell(injection.path)) \(name) --out injected.jsonl\n"
    let (rule, scope) = (try #require(finding.rule).rawValue, try #require(finding.scope).name)
    #expect(
      text.contains("\n\(name): \(finding.guarantee.rawValue) \(rule), \(scope), \(Words.offset(61_000))\n\(rest)"))
    #expect(text.contains("\n\(name): \(finding.guarantee.rawValue), log, \(Words.offset(61_000))\n\(rest)"))
    #expect(InjectionReport(injection, [try flight(1, findings: [finding])]).exitCode == 1)
    let rows = text.split(separator: "\n").prefix(4)
    #expect(rows.contains { $0.hasPrefix("recorded  ") } && rows.contains { $0.hasPrefix("\(name)  ") })
  }

  @Test func ofManyFlightsTheWorstAreShown() throws {
    let finding = try #require(Self.hopeless.findings.first)
    var flights = try (1...25).map { try flight($0, findings: [finding]) }
    flights[3].downBytes = 1000
    flights[7].upBytes = 1000
    flights[9].withoutMS = 60_000
    let injection = try Self.injection.get()
    let lines = InjectionReport(injection, flights).text.split(separator: "\n")
    func names(_ title: String) -> [Bool] {
      (1...25).map { number in
        lines.contains { $0.hasPrefix("\(title): \(flights[number - 1].troubles[0].name) ") }
      }
    }
    #expect(names("most requests").firstIndex(of: true) == 24 && names("most requests").count { $0 } == 1)
    // The first of equals.
    #expect(names("most bytes").firstIndex(of: true) == 3 && names("most bytes").count { $0 } == 1)
    #expect(names("longest without data").firstIndex(of: true) == 9)
    #expect(lines.count { $0.hasPrefix("  found ") } == 20)
    #expect(lines.contains("5 more findings not shown"))
    let few = InjectionReport(injection, Array(flights.prefix(20))).text
    #expect(!few.contains("most requests") && !few.contains("not shown"))
  }

  // MARK: Coverage

  @Test func coverageInJSONHasWhatIsReachedAndWhatIsNot() throws {
    let entries = ["atlantic", "server-outage", "own-reports"].map {
      CoverageReport.Entry(path: Logs.recording($0), coverage: FlightSummary(path: Logs.recording($0)).coverage)
    }
    let report = CoverageReport(entries)
    let row = try #require(try objects(report.json).first)
    func words(_ key: String) -> [String] { row[key] as? [String] ?? [] }
    #expect(row["logs"] as? Int == 3 && row["cells"] as? Int == report.total.cells.count)
    #expect(row["allCells"] as? Int == FlightCoverage.Cell.all.count)
    #expect(words("rules") == report.total.rules.sorted() && !words("rules").isEmpty)
    #expect(words("missingRules") == CoverageReport.reachable.rules.subtracting(words("rules")).sorted())
    #expect(words("faults") == report.total.faults.sorted() && !words("faults").isEmpty)
    #expect(words("missingFaults") == CoverageReport.reachable.faults.subtracting(words("faults")).sorted())
    let missing = try #require(row["missingCells"] as? [[String: Any]])
    #expect(missing.map { $0["cell"] as? String } == report.missing.map { $0.cell.name })
    #expect(missing.map { $0["why"] as? String } == report.missing.map { $0.why.rawValue })
    #expect(words("minimal") == report.minimal.map { $0.path } && report.json.hasSuffix("]}\n"))
    #expect(report.text(listingMissing: false).contains("reaches all.\n\nrules: "))
    // The whole is what any of the logs reaches.
    for entry in entries {
      #expect(report.total.faults.isSuperset(of: entry.coverage.faults))
      #expect(report.total.rules.isSuperset(of: entry.coverage.rules))
    }
    let saving = FlightSummary(path: Logs.recording("byte-budget")).coverage.rules
    #expect(saving.contains { $0.hasPrefix("\(Rule.saving.rawValue) ") })
  }

  @Test func anInputIsWhatItIsToEachOfTheAreas() throws {
    var flight = LongFlight()
    func reached(_ family: PlannerTable.Family) -> Set<PlannerTable.Occurrence> {
      Set(Logs.summary(of: flight.draft).coverage.cells.filter { $0.family == family }.map { $0.occurrence })
    }
    let first = try #require(flight.lastFull?.request)
    flight.send(.historyChanged(flight.state.history))
    #expect(reached(.corridor).isDisjoint(with: [.historyUp, .historyDown]))

    flight.query { $0.viewport = $0.polygon }
    // An answer that comes again is late for the area that was asked for.
    flight.send(.responseFailed(request: first, failure: .network, sent: nil))
    #expect(reached(.corridor).contains(.lateAnswer) && !reached(.viewport).contains(.lateAnswer))

    flight.query { $0.types = [] }
    #expect(reached(.corridor).contains(.queryNoTypes) && reached(.viewport).contains(.queryNoTypes))
    #expect(!reached(.corridor).contains(.queryNoArea) && !reached(.viewport).contains(.queryNoArea))
    flight.query { ($0.types, $0.polygon) = (.turbulence, nil) }
    flight.query { $0.viewport = nil }
    #expect(reached(.corridor).contains(.queryNoArea) || reached(.viewport).contains(.queryNoArea))
  }
}
