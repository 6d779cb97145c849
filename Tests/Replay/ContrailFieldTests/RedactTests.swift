import ContrailCore
import ContrailGeodesy
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailField

/// Redacted logs decide the same, and say nothing of whose they are.
@Suite struct RedactTests {
  private static let secret = RedactionSecret(bytes: Array("a secret of these tests".utf8))

  /// All recordings but those in which a cycle takes effect.
  static let recordings = Logs.recordings.filter { !$0.contains("/airports-") }

  @Test(arguments: recordings) func aRedactedRecordingDecidesTheSameAndNamesNothing(path: String) throws {
    let original = try LogDraft(path: path)
    let redacted = try Redaction(original, secret: Self.secret).draft
    let summary = Logs.summary(of: redacted)
    #expect(summary.result == "same", "\(summary.outcome)")
    #expect(summary.findings.isEmpty)
    #expect(Self.decisions(of: redacted) == Self.decisions(of: original))
    let text = String(decoding: redacted.bytes, as: UTF8.self)
    for secret in Self.secrets(of: original) where secret.utf8.count > 3 {
      #expect(!text.contains(secret), "\(secret)")
    }
  }

  @Test(arguments: ["airports-cycle-change", "airports-delivered"])
  func aLogInWhichACycleTakesEffectIsRefused(name: String) throws {
    let original = try LogDraft(path: Logs.recording(name))
    #expect(throws: RedactionError.cycleChange) { try Redaction(original, secret: Self.secret) }
    let (cycle, other) = (RedactionError.cycleChange.description, RedactionError.decidesOtherwise(seq: 7).description)
    #expect(cycle.contains("so nothing was written. ") && cycle.hasSuffix("with 'replay import --from' or '--until'."))
    #expect(other.hasPrefix("after seq 7, ") && other.hasSuffix("line with 'replay import --from' or '--until'."))
  }

  /// Drawn sizes drop the same at the same lines, and say nothing of the bytes that were used.
  @Test func aBudgetIsUsedUpAtTheSameLinesByOtherSizes() throws {
    let original = try LogDraft(path: Logs.recording("byte-budget"))
    let redacted = try Redaction(original, secret: Self.secret).draft
    func changes(_ draft: LogDraft) -> [Decision.SavingChanged] {
      draft.turns.flatMap(\.events).compactMap { event in
        if case .decision(.savingChanged(let changed)) = event { changed } else { nil }
      }
    }
    let (then, now) = (changes(original), changes(redacted))
    #expect(then.map(\.saving) == now.map(\.saving) && now.contains { $0.saving == .spent })
    #expect(zip(then, now).allSatisfy { $0.used != $1.used || $0.used == 0 })
  }

  /// A budget begins again with each day in UTC.
  @Test(arguments: UInt8(0)..<12) func noDayEndsInALogWithADailyBudget(seed: UInt8) throws {
    // The digests are those of another budget.
    var original = try LogDraft(path: Logs.recording("byte-budget")).withoutDigests
    #expect(original.spanWithDailyBudget == nil)
    for turn in original.turns.indices {
      guard case .budgetChanged(var budget)? = original.turns[turn].input else { continue }
      budget.period = .day
      original.turns[turn].events[0] = .input(.budgetChanged(budget))
    }
    let (first, last) = (try #require(original.turns.first).at, try #require(original.turns.last).at)
    #expect(original.spanWithDailyBudget == first...last)
    let redacted = try Redaction(original, secret: RedactionSecret(bytes: [seed])).draft
    #expect(Set(redacted.turns.map { $0.at / 86_400_000 }).count == 1)
    // In one of the forty years from 1975 on.
    #expect(redacted.turns.allSatisfy { (157_766_400_000..<1_420_156_800_000).contains($0.at) })
    #expect(Self.decisions(of: redacted) == Self.decisions(of: original))
    for part in 1...4 {
      let cut = original.starting(atTurn: original.turns.count * part / 5)
      #expect(cut.spanWithDailyBudget == cut.startAt...last)
      let later = try Redaction(cut, secret: RedactionSecret(bytes: [seed])).draft
      #expect(Set(later.turns.map { $0.at / 86_400_000 } + [later.startAt / 86_400_000]).count == 1)
      #expect(Logs.summary(of: later).result == "same")
      #expect(later.startState.byteUse.saving == cut.startState.byteUse.saving)
      let isCounted = cut.startState.byteUse.day != 0
      #expect(later.startState.byteUse.day == (isCounted ? later.startAt / 86_400_000 : 0) && (isCounted || part < 4))
      #expect(Self.decisions(of: later) == Self.decisions(of: cut))
    }
  }

  @Test func aLogOfManyHoursWithADailyBudgetIsMovedIntoOneDay() throws {
    let (hour, day) = (Int64(3600), Int64(86_400))
    let first = Rig.start + 7000
    for word in UInt64(0)..<50 {
      let span = first...first + 22 * hour * 1000
      let shift = try #require(Redactor.shift(of: span, by: -3 * 365 * day - 77, Digest.mix(word)))
      let (begin, end) = (span.lowerBound / 1000 + shift, span.upperBound / 1000 + shift)
      #expect(begin / day == end / day && abs(shift + 3 * 365 * day) <= day)
    }
    #expect(Redactor.shift(of: first...first + 23 * hour * 1000, by: 0, 1) == nil)
  }

  @Test(arguments: [Int64(0), 1, 3, 16, 14_000, 1 << 53]) func theBoundsOfABudgetAreThoseOfItsLevels(bytes: Int64) {
    let budget = ByteBudget(bytes: bytes)
    for used in Set([0, 1, bytes / 4, bytes / 2, bytes / 2 + 1, bytes - bytes / 8, bytes - 1, bytes, bytes + 9]) {
      guard used >= 0 else { continue }
      let bounds = budget.bytesUsed(at: budget.saving(afterUsing: used))
      #expect(bounds.contains(used), "\(used) of \(bytes): \(bounds)")
      for end in [bounds.lowerBound, bounds.upperBound] {
        #expect(budget.saving(afterUsing: end) == budget.saving(afterUsing: used), "\(end) of \(bytes)")
      }
    }
  }

  @Test(arguments: [
    "atlantic", "polygons", "destination-weather", "own-reports", "key-revoked", "server-outage", "antimeridian",
    "wider-and-wider", "byte-budget",
  ])
  func aLogThatWasCutIsRedactedToo(name: String) throws {
    let whole = try LogDraft(path: Logs.recording(name))
    let cut = whole.starting(atTurn: whole.turns.count / 2)
    let redacted = try Redaction(cut, secret: Self.secret).draft
    #expect(Logs.summary(of: redacted).result == "same")
    #expect(Self.decisions(of: redacted) == Self.decisions(of: cut))
    #expect(redacted.startState.byteUse.day == 0 && cut.startState.byteUse.day == 0)
    #expect(redacted.startState.byteUse.budget.bytes == cut.startState.byteUse.budget.bytes)
    let text = String(decoding: redacted.bytes, as: UTF8.self)
    for secret in Self.secrets(of: whole) where secret.utf8.count > 3 { #expect(!text.contains(secret), "\(secret)") }
  }

  /// The app is told of reports that are held back. A redacted log must lead to the same.
  @Test func reportsThatAreKeptFromOthersStayMarked() throws {
    var rig = Rig.flying()
    rig.send(.connectivityChanged(isOnline: false))
    for number in UInt16(0)..<4 {
      let report = TurbulenceReport(
        cell: 2 << 15, altitude: 35, severity: 2, edrE4: 1800 + number, observedAt: UInt32(Rig.start / 1000))
      rig.send(.reportTracked(report))
      if number == 2 {
        rig.send(.connectivityChanged(isOnline: true))
        rig.answerUpload(heldBack: [0, 2])
      }
    }
    let directory = try TemporaryDirectory()
    try rig.writeLog(to: directory.file("flight.jsonl"))
    let whole = try LogDraft(path: directory.file("flight.jsonl"))
    for original in [whole, whole.starting(atTurn: whole.turns.count - 1)] {
      let redacted = try Redaction(original, secret: Self.secret).draft
      #expect(Logs.summary(of: redacted).result == "same")
      #expect(Self.decisions(of: redacted) == Self.decisions(of: original))
    }
    #expect(Self.decisions(of: whole).contains { $0.contains("reportHeldBack") })
    #expect(whole.starting(atTurn: whole.turns.count - 1).startState.outbox.heldBack == [0, 2])
  }

  /// What no part of the app reads is removed, whatever the status.
  @Test(arguments: [200, 404, 500]) func anyOtherBodyIsRemoved(status: Int) throws {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    rig.answer {
      $0.status = status
      $0.body = .inline(Array(#"{"secret":1}"#.utf8))
    }
    let directory = try TemporaryDirectory()
    try rig.writeLog(to: directory.file("flight.jsonl"))
    let redaction = try Redaction(try LogDraft(path: directory.file("flight.jsonl")), secret: Self.secret)
    #expect(redaction.report.otherBodies == 1)
    #expect(!String(decoding: redaction.draft.bytes, as: UTF8.self).contains("secret"))
    #expect(Logs.summary(of: redaction.draft).result == "same")
  }

  @Test func theRecordsOfASnapshotAreCounted() throws {
    var rig = Rig.flying { $0.types = [.turbulence, .pireps, .traffic] }
    rig.now += 1000
    rig.send(.clockAdjusted(byMS: 0))
    let directory = try TemporaryDirectory()
    try rig.writeLog(to: directory.file("flight.jsonl"))
    let whole = try LogDraft(path: directory.file("flight.jsonl"))
    let cut = whole.starting(atTurn: whole.turns.count - 1)
    let redaction = try Redaction(cut, secret: Self.secret)
    let report = redaction.report
    let scope = try #require(cut.startState.scope(.corridor))
    #expect(scope.reports.count > 0 && report.reports == scope.reports.count)
    #expect(report.pireps == scope.pireps.count && report.aircraft == scope.traffic.count && report.hasSnapshot)
    #expect(report.sessions == 1)
    let drawn = try #require(redaction.draft.startState.scope(.corridor))
    #expect(drawn.reports.count > 0 && drawn.traffic.isEmpty)
  }

  @Test func aLogThatWasCutKeepsTheHandlesOfItsAreas() throws {
    var flight = LongFlight()
    for _ in 0..<8 { flight.minute(handle: "8fk2x0q1m7") }
    let cut = flight.draft.starting(atTurn: flight.draft.turns.count / 2)
    let redacted = try Redaction(cut, secret: Self.secret).draft
    let (before, after) = (Logs.summary(of: cut), Logs.summary(of: redacted))
    #expect(before.result == "same" && after.result == "same", "\(after.outcome)")
    let handle = try #require(redacted.startState.scope(.corridor)?.handle)
    #expect(handle.areaDigest == redacted.startState.scope(.corridor)?.have?.spec.areaDigest)
    #expect(handle.name != cut.startState.scope(.corridor)?.handle?.name)
  }

  /// The dates of the cycles are public. A time that is moved further would contradict them.
  @Test func aLogWithAirportsIsMovedByAFewDays() throws {
    let day: Int64 = 86_400_000
    for hasAirports in [false, true] {
      var rig = Rig.flying()
      if hasAirports {
        let next = AirportEdition(cycle: "2502", effectiveMS: Rig.start + 20 * day)
        rig.send(.airportsChecked(.init(wanted: next)))
      }
      rig.pass(seconds: 60)
      let directory = try TemporaryDirectory()
      try rig.writeLog(to: directory.file("flight.jsonl"))
      let original = try LogDraft(path: directory.file("flight.jsonl"))
      let shifts = try (UInt8(0)..<12).map { seed in
        let redaction = try Redaction(original, secret: RedactionSecret(bytes: [seed]))
        #expect(redaction.report.isNearCycle == hasAirports)
        return (redaction.draft.turns.first?.at ?? 0) - (original.turns.first?.at ?? 0)
      }
      #expect(shifts.allSatisfy { abs($0) <= 13 * day } == hasAirports && Set(shifts).count == shifts.count)
      #expect(shifts.contains { $0 < -5 * day } && shifts.contains { $0 > 5 * day } || !hasAirports)
    }
  }

  @Test func aDivergenceStaysWhereItIs() throws {
    let original = try LogDraft(path: Logs.recording("atlantic")).withDecisions { decision in
      guard case .fetchStarted(var started) = decision, started.request == 5 else { return [decision] }
      started.since = started.since.map { $0 - 60 }
      return [.fetchStarted(started)]
    }
    let redacted = try Redaction(original, secret: Self.secret).draft
    guard case .diverged(let then, _) = Logs.summary(of: original).outcome,
      case .diverged(let now, _) = Logs.summary(of: redacted).outcome
    else {
      Issue.record("a divergence is gone")
      return
    }
    #expect(then.line == now.line && then.title == now.title && then.offsetMS == now.offsetMS)
  }

  @Test func theSecretDecidesWhereEverythingIs() throws {
    let original = try LogDraft(path: Logs.recording("atlantic"))
    let same = try Redaction(original, secret: Self.secret).draft.bytes
    #expect(try Redaction(original, secret: Self.secret).draft.bytes == same)
    #expect(try Redaction(original, secret: RedactionSecret(bytes: [1])).draft.bytes != same)
    #expect(try Redaction(original).draft.bytes != same)
  }

  @Test(arguments: ["atlantic", "polygons", "own-reports", "listening-storm"])
  func drawnRecordsAreAsOldAsRealOnesAndHeadsAreWhereTheyWere(name: String) throws {
    let original = try LogDraft(path: Logs.recording(name))
    let redacted = try Redaction(original, secret: Self.secret).draft
    #expect(original.turns.count == redacted.turns.count)
    for (then, now) in zip(original.turns, redacted.turns) {
      func isRecent(_ report: TurbulenceReport, at second: Int64) -> Bool {
        (second - 1800...second).contains(Int64(report.observedAt))
      }
      switch (then.input, now.input) {
      case (.reportTracked, .reportTracked(let report)): #expect(isRecent(report, at: now.at / 1000))
      case (.responseReceived(let then), .responseReceived(let response)):
        #expect((then.etag == nil) == (response.etag == nil) && (then.headBytes == 0) == (response.headBytes == 0))
        #expect(response.etag == nil || response.etag != then.etag)
        guard let answer = try? response.body.observations() else { continue }
        #expect(answer.reports.allSatisfy { isRecent($0, at: answer.token) })
      default: break
      }
    }
  }

  @Test func theReportSaysWhatIsLeft() throws {
    let report = try Redaction(try LogDraft(path: Logs.recording("atlantic")), secret: Self.secret).report
    #expect(report.reports > 0 && report.areas > 0 && report.points > 0 && !report.isNearCycle)
    #expect(report.text.contains("can still be learnt"))
    #expect(report.text.contains("width of the route"))
  }

  @Test func theReportNamesWhatOnlySomeLogsTell() {
    func lines(_ change: (inout RedactionReport) -> Void = { _ in }) -> Set<String> {
      var report = RedactionReport()
      change(&report)
      return Set(report.text.split(separator: "\n").map(String.init))
    }
    let usual = lines()
    #expect(
      lines { $0.hasBudget = true }.subtracting(usual)
        == ["  the byte budget, and when a half, three quarters and so on of it were used"])
    #expect(
      lines { $0.hasSnapshot = true }.subtracting(usual)
        == ["  which kinds of data the snapshot at the start holds"])
    #expect(
      lines { $0.isNearCycle = true }.subtracting(usual)
        == [
          "  the time, which is moved by up to 13 days",
          "  the cycle of the airports, and so the date to about four weeks",
        ])
    let one = lines { ($0.points, $0.areas, $0.otherBodies) = (5, 1, 1) }
    #expect(one.contains("  5 points of areas and routes; 1 drawn shape stands for them"))
    #expect(one.contains("  0 documents of polygons and weather; 1 other body"))
    #expect(
      usual.isSuperset(of: [
        "  0 points of areas and routes; 0 drawn shapes stand for them",
        "  0 reports and 0 PIREPs; each answer has a few drawn ones", "  0 aircraft positions",
        "  0 session names, all entity tags, area handles and upload keys",
        "  0 documents of polygons and weather; 0 other bodies",
      ]))
  }

  @Test(arguments: recordings) func theReportCountsWhatWasReplaced(path: String) throws {
    let original = try LogDraft(path: path)
    let report = try Redaction(original, secret: Self.secret).report
    var expected = RedactionReport()
    var (sessions, areas): (Set<String>, Set<ResolvedQuery.Points>) = ([], [])
    for turn in original.turns {
      switch turn.input {
      case .sessionStarted(let session): sessions.insert(session.id)
      case .queryChanged(let query):
        for points in [query.polygon, query.viewport, query.corridor, query.route] {
          expected.points += points?.count ?? 0
          if let points { areas.insert(points) }
        }
      case .reportTracked: expected.reports += 1
      case .weatherReceived: expected.documents += 1
      case .budgetChanged: expected.hasBudget = true
      case .responseReceived(let response):
        if let answer = try? response.body.observations() {
          expected.reports += answer.reports.count
          expected.pireps += answer.pireps.count
          expected.aircraft += answer.traffic?.count ?? 0
        }
      default: break
      }
    }
    #expect(report.points == expected.points && report.areas == areas.count)
    #expect(
      report.reports == expected.reports && report.pireps == expected.pireps && report.aircraft == expected.aircraft)
    #expect(report.sessions == sessions.count && report.hasBudget == expected.hasBudget)
    #expect(report.documents >= expected.documents && !report.hasSnapshot)
    #expect(report.text.contains("\(Words.count(expected.points, "point")) of areas and routes"))
    #expect(
      report.text.contains("\(Words.count(expected.reports, "report")) and \(Words.count(expected.pireps, "PIREP"))"))
  }

  // MARK: What is compared

  /// The decisions without what a redaction changes.
  private static func decisions(of draft: LogDraft) -> [String] {
    draft.turns.flatMap { turn in
      turn.events.compactMap { event -> String? in
        guard case .decision(let decision) = event else { return nil }
        let request = decision.startedRequest.map { "\($0)" } ?? ""
        let words =
          "\(turn.seq) \(decision.kind.rawValue) \(decision.rule.rawValue) \(request) \(decision.cause == turn.seq)"
        switch decision {
        case .fetchStarted(let it): return "\(words) \(it.mode) \(it.since != nil) \(it.handle != nil)"
        case .errorReported(let it): return "\(words) \(it.code) \(it.request)"
        case .uploadStarted(let it): return "\(words) \(it.count)"
        default: return words
        }
      }
    }
  }

  /// The texts that must not be found in a redacted log.
  private static func secrets(of draft: LogDraft) -> Set<String> {
    var secrets: Set<String> = []
    for turn in draft.turns {
      switch turn.input {
      case .sessionStarted(let session): secrets.insert("\"session\":\"\(session.id)\"")
      case .queryChanged(let query):
        for point in (query.polygon ?? []) + (query.route ?? []) + (query.corridor ?? []) + (query.viewport ?? []) {
          // A whole degree may be elsewhere by chance.
          guard let point, point.longitudeE7 % FixedCoordinate.degree != 0 else { continue }
          secrets.insert("\(point.longitudeE7),\(point.latitudeE7)")
        }
        secrets.formUnion(query.weather.places.map(\.key))
      case .responseReceived(let response):
        if let etag = response.etag { secrets.insert(etag) }
        if let handle = response.handle { secrets.insert("\"\(handle)\"") }
        guard let answer = try? response.body.observations() else { continue }
        for pirep in answer.pireps where !pirep.text.isEmpty { secrets.formUnion([pirep.text, "\"\(pirep.id)\""]) }
        for aircraft in answer.traffic ?? [] { secrets.formUnion([aircraft.callsign, "\"\(aircraft.id)\""]) }
      default: break
      }
    }
    return secrets
  }
}
