import ContrailCore
import ContrailField
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

@Suite struct WhatIfTests {
  private static let folder = PackageFolder.recordings

  private static func whatIf(_ name: String, runs: Int = 3) throws -> WhatIf {
    var whatIf = WhatIf(try RecordedFlight(path: "\(folder)/\(name).jsonl"))
    whatIf.runs = runs
    return whatIf
  }

  /// A long recording has millions of reports. The world has each once, and the exchanges have four bytes for it.
  @Test(arguments: ["atlantic", "antimeridian", "repaired"]) func eachReportIsKeptOnce(name: String) throws {
    let path = Logs.recording(name)
    let flight = try RecordedFlight(path: path)
    var answers: [Int64: [TurbulenceReport]] = [:]
    for turn in try LogDraft(path: path).turns {
      guard case .responseReceived(let response)? = turn.input else { continue }
      answers[response.request] = (try? response.body.observations())?.reports
    }
    var count = 0
    for exchange in flight.exchanges {
      guard case .answer(let kept)? = exchange.response?.body,
        case .answer(let whole)? = exchange.response(in: flight.world)?.body
      else { continue }
      #expect(kept.reports.isEmpty && whole.reports == answers[exchange.request], "request \(exchange.request)")
      count += whole.reports.count
    }
    #expect(count > 0 && Set(flight.world.observations.map(\.report)).count == flight.world.observations.count)
  }

  @Test(arguments: [
    "atlantic", "ocean-offline", "relaunch-in-flight", "own-reports", "key-revoked", "captive-portal", "polygons",
    "destination-weather", "no-deltas-loop", "checksum-healed", "server-outage", "pan-rests", "listening-storm",
    "listening-dying-link", "listening-quiet-ocean", "listening-old-server",
  ])
  func anAlternativeThatChangesNothingIsTheRecording(_ name: String) throws {
    let whatIf = try Self.whatIf(name)
    let disk = MemoryDisk()
    let digest = try whatIf.write(Alternative(), to: "/b.jsonl", storage: disk)
    #expect(digest == RecordingResult(replaying: whatIf.flight.path).digest)
    let prediction = try whatIf.predictions([Alternative()])[0]
    for figure in FigureValues.Figure.allCases {
      #expect(prediction[figure].low == whatIf.recorded[figure], "\(figure)")
      #expect(prediction[figure].high == whatIf.recorded[figure], "\(figure)")
    }
    #expect(prediction[.down].shares.recorded == 1)
  }

  /// The settings of a snapshot are those of the alternative from its first line on.
  @Test func aLogThatWasCutIsFlownWithOtherSettings() throws {
    let disk = MemoryDisk()
    let whole = try Self.whatIf("atlantic")
    let draft = try LogDraft(path: whole.flight.path)
    for turn in [draft.turns.count / 2, draft.turns.count / 2 + 1] {
      let (path, storage) = draft.starting(atTurn: turn).inMemory
      let cut = WhatIf(try RecordedFlight(path: path, storage: storage))
      let none = Alternative { $0.frequency = DataUpdateFrequency.none }
      // In the whole flight, the input at that time comes before.
      let start = cut.flight.startMS - whole.flight.startMS
      let later = Alternative { ($0.frequency, $0.span) = (DataUpdateFrequency.none, start + 1..<Int64.max) }
      let digest = try cut.write(none, to: "/cut\(turn).jsonl", storage: disk)
      let expected = try whole.write(later, to: "/whole\(turn).jsonl", storage: disk)
      #expect(digest == expected)
      let predictions = try cut.predictions([none, Alternative { $0.frequency = .minimal }])
      #expect(predictions[0][.requests].value == 0 && cut.recorded[.requests] > 20)
      #expect(predictions[1][.requests].high < cut.recorded[.requests])
    }
  }

  @Test func anAlternativeHasTheBlobsThatItRefersTo() throws {
    let disk = MemoryDisk()
    _ = try Self.whatIf("captive-portal").write(Alternative(), to: "/b.jsonl", storage: disk)
    #expect(RecordingResult(replaying: "/b.jsonl", storage: disk).outcome == .same)
  }

  @Test func ofAHigherFrequencyTheLinkIsUnknown() throws {
    let whatIf = try Self.whatIf("atlantic")
    let prediction = try whatIf.predictions([Alternative { $0.frequency = .fast }])[0]
    #expect(!prediction[.requests].hasVerdict)
    #expect(!prediction[.up].hasVerdict)
    #expect(prediction.gap == .link)
  }

  @Test func policiesDifferInTheirBytesAndNotInTheirAges() throws {
    let whatIf = try Self.whatIf("narrowed-still-updating")
    let predictions = try whatIf.predictions(
      Alternative.Policy.allCases.map { policy in Alternative { $0.policy = policy } })
    #expect(predictions[0][.down].value > predictions[1][.down].value)
    #expect(predictions[2][.up].value < predictions[1][.up].value / 4)
    #expect(predictions[1][.requests].value == whatIf.recorded[.requests])
  }

  @Test(arguments: [(Int64(7), true), (1, false)])
  func aPartMustLieInTheFlightAndHaveASetting(_ hour: Int64, _ hasSetting: Bool) throws {
    let whatIf = try Self.whatIf("atlantic")
    let part = Alternative {
      $0.span = hour * 3_600_000..<8 * 3_600_000
      if hasSetting { $0.frequency = .minimal }
    }
    #expect(throws: WhatIfError.self) { try whatIf.predictions([part]) }
    #expect(throws: WhatIfError.self) { try whatIf.write(part, to: "/a.jsonl", storage: MemoryDisk()) }
  }

  @Test func aPartBeginsBeforeTheEndOfTheFlight() throws {
    let whatIf = try Self.whatIf("atlantic", runs: 1)
    let length = whatIf.flight.endMS - whatIf.flight.startMS
    let parts = [length - 1, length].map { start in
      Alternative { ($0.span, $0.frequency) = (start..<length + 5, .minimal) }
    }
    #expect(throws: Never.self) { try whatIf.predictions([parts[0]]) }
    #expect(throws: WhatIfError.self) { try whatIf.predictions([parts[1]]) }
  }

  /// Runs draw what the recording doesn't determine.
  @Test func anIntervalIsMadeOfSeveralRuns() throws {
    let predictions = try [1, 6].map { runs in
      try Self.whatIf("atlantic", runs: runs).predictions([Alternative { $0.link = LinkModel.named("geo-bad") }])[
        0]
    }
    #expect(predictions[0][.ageMedian].value != predictions[1][.ageMedian].value)
  }

  @Test func anAlternativeIsARecordingThatReplaysTheSame() throws {
    let whatIf = try Self.whatIf("relaunch-in-flight")
    let disk = MemoryDisk()
    let rarer = Alternative { $0.frequency = .minimal }
    let digest = try whatIf.write(rarer, to: "/b.jsonl", storage: disk)
    // It is in stable storage.
    disk.losePower()
    let result = RecordingResult(replaying: "/b.jsonl", storage: disk)
    #expect(result.outcome == .same)
    #expect(result.digest == digest)
  }

  @Test func lowerFrequenciesNeedFewerBytesAndShowOlderData() throws {
    let whatIf = try Self.whatIf("atlantic")
    let prediction = try whatIf.predictions([Alternative { $0.frequency = .minimal }])[0]
    #expect(prediction.hasVerdict)
    #expect(prediction[.down].high < whatIf.recorded[.down])
    #expect(prediction[.requests].high < whatIf.recorded[.requests])
    #expect(prediction[.ageMedian].low > whatIf.recorded[.ageMedian])
    #expect(prediction[.up].shares.unknown == 0)
  }

  @Test func threadsAndOtherAlternativesDontChangeAPrediction() throws {
    let whatIf = try Self.whatIf("atlantic")
    let alternatives = [
      Alternative { $0.frequency = .minimal }, Alternative { $0.widthMilliNM = 30_000 },
      Alternative { $0.severities = .atLeast(.moderate) },
      Alternative { $0.link = LinkModel.named("geo") },
    ]
    let one = try whatIf.predictions(alternatives, threads: 1)
    let other = Array(try whatIf.predictions(alternatives.reversed(), threads: 4).reversed())
    for (index, alternative) in alternatives.enumerated() {
      // Another instance shares nothing with them.
      let alone = try Self.whatIf("atlantic").predictions([alternative])[0]
      #expect(one[index].estimates == alone.estimates, "\(alternative.name)")
      #expect(other[index].estimates == alone.estimates, "\(alternative.name)")
    }
  }

  @Test func ofAWiderCorridorThereIsNoVerdictButAdvice() throws {
    let whatIf = try Self.whatIf("atlantic")
    let prediction = try whatIf.predictions([Alternative { $0.widthMilliNM = 200_000 }])[0]
    #expect(!prediction[.down].hasVerdict)
    #expect(prediction[.requests].hasVerdict)
    #expect(prediction.gap == .area)
    #expect(prediction.refusal?.contains("wider corridor") == true)
  }

  /// News that nobody recorded would have ended held requests, so the number of requests is as unknown as their answers.
  @Test func ofHeldRequestsWithUnknownNewsThereIsNoVerdict() throws {
    let predictions = try Self.whatIf("listening-storm").predictions(
      [Int64(20_000), 400_000].map { width in Alternative { $0.widthMilliNM = width } })
    for figure in [FigureValues.Figure.requests, .up, .ageMedian] {
      #expect(predictions[0][figure].hasVerdict)
      #expect(!predictions[1][figure].hasVerdict)
    }
  }

  /// A request that failed before there was a connection.
  @Test func whatCouldNotBeSentIsNotCounted() throws {
    let whatIf = try Self.whatIf("ocean-offline")
    let predictions = try whatIf.predictions([
      Alternative { $0.frequency = .medium }, Alternative { $0.severities = SeveritySet([.moderate]) },
    ])
    for prediction in predictions {
      let account = try #require(prediction.accounts.first { $0.heading.rule == "requested" })
      #expect(account.requests.value == 1)
      #expect(account.up.value == 0)
    }
  }

  /// In the checks, intervals of these figures held the truth in 86.8 % of the flights.
  @Test func theBytesByRuleOfAWiderCorridorHaveNoInterval() throws {
    let whatIf = try Self.whatIf("atlantic", runs: 2)
    let predictions = try whatIf.predictions(
      [Int64(30_000), 62_000].map { width in Alternative { $0.widthMilliNM = width } })
    let (narrower, wider) = (predictions[0], predictions[1])
    #expect(narrower.accounts.allSatisfy { $0.down.hasInterval && $0.up.hasInterval })
    #expect(wider.accounts.allSatisfy { !$0.down.hasInterval && $0.up.hasInterval && $0.requests.hasInterval })
    #expect(wider[.down].hasInterval)
    let widths = whatIf.flight.inputs.compactMap { input -> Int64? in
      if case .queryChanged(let query) = input.input { query.routeWidthMilliNM } else { nil }
    }
    let width = try #require(widths.max())
    let same = try whatIf.predictions([Alternative { ($0.widthMilliNM, $0.frequency) = (width, .medium) }])[0]
    #expect(same.accounts.allSatisfy { $0.down.hasInterval })
    var report = WhatIfReport(whatIf, predictions)
    #expect(!report.text.contains("≈"))
    #expect(report.json.contains(#""low":null,"high":null"#))
    report.showsRules = true
    #expect(report.text.contains("≈ of a rule has no interval"))
  }

  @Test func ofALongerHistoryTheBeginningIsUnknown() throws {
    let whatIf = try Self.whatIf("manual-refresh")
    let prediction = try whatIf.predictions([Alternative { $0.history = .sixHours }])[0]
    #expect(prediction[.down].shares.unknown > 0.1)
  }

  @Test func otherTypesThanTheRecordedOnesAreUnknown() throws {
    let whatIf = try Self.whatIf("atlantic")
    let prediction = try whatIf.predictions([Alternative { $0.types = [.turbulence, .pireps] }])[0]
    #expect(!prediction[.down].hasVerdict)
    #expect(prediction.gap == .types)
  }

  /// Nothing is known of documents that weren't requested. They are answered all the same.
  @Test func documentsThatWereNotRequestedAreUnknown() throws {
    let whatIf = try Self.whatIf("manual-refresh")
    let alternative = Alternative { $0.types = [.turbulence, .turbulencePolygons] }
    let prediction = try whatIf.predictions([alternative])[0]
    #expect(!prediction[.down].hasVerdict && prediction.gap == .documents)
    let disk = MemoryDisk()
    _ = try whatIf.write(alternative, to: "/b.jsonl", storage: disk)
    let summary = FlightSummary(path: "/b.jsonl", storage: disk)
    let cells = summary.coverage.cells.filter { $0.family == .global }
    #expect(summary.result == "same" && cells.contains { $0.situation == .firstFlight && $0.occurrence == .answer })
    #expect(!cells.contains { $0.occurrence == .noJSON || $0.occurrence == .refused })
  }

  @Test func widthNeedsARoute() throws {
    let whatIf = try Self.whatIf("pan-rests")
    #expect(throws: WhatIfError.self) { try whatIf.predictions([Alternative { $0.widthMilliNM = 50_000 }]) }
  }

  @Test func aTornRecordingIsRefused() throws {
    let disk = MemoryDisk()
    let whatIf = try Self.whatIf("atlantic")
    _ = try whatIf.write(Alternative(), to: "/torn.jsonl", storage: disk)
    let file = try disk.open("/torn.jsonl", .update)
    try file.truncate(to: try file.size() - 9)
    var reason = ""
    do throws(WhatIfError) {
      _ = try RecordedFlight(path: "/torn.jsonl", storage: disk)
    } catch {
      reason = error.description
    }
    #expect(reason.contains("truncated"))
  }

  @Test func aModelledLinkChangesAgesAndRepeats() throws {
    let whatIf = try Self.whatIf("atlantic")
    let links = try ["leo", "geo-bad"].map { name in
      let model = try #require(LinkModel.named(name))
      return Alternative { $0.link = model }
    }
    let first = try whatIf.predictions(links)
    let second = try whatIf.predictions(links, threads: 2)
    #expect(first[0][.ageMedian].value < first[1][.ageMedian].value)
    #expect(first.map(\.estimates) == second.map(\.estimates))
  }

  @Test func theWireChangesBytesAndNotAges() throws {
    let whatIf = try Self.whatIf("atlantic")
    let prediction = try whatIf.predictions([Alternative { $0.wire = .json }])[0]
    #expect(prediction[.up].low > whatIf.recorded[.up] * 4)
    #expect(prediction[.ageMedian].contains(whatIf.recorded[.ageMedian]))
  }

  @Test func settingsApplyInAPartOfTheFlight() throws {
    let whatIf = try Self.whatIf("atlantic")
    let hour = Alternative {
      $0.frequency = DataUpdateFrequency.none
      $0.span = 3_600_000..<7_200_000
    }
    let prediction = try whatIf.predictions([hour])[0]
    #expect(abs(prediction[.requests].value - (whatIf.recorded[.requests] - 12)) <= 1)
  }

  @Test func reportsHaveTheirJSONAndTheirTable() throws {
    let whatIf = try Self.whatIf("atlantic", runs: 2)
    let rarer = Alternative { $0.frequency = .medium }
    let report = WhatIfReport(whatIf, try whatIf.predictions([rarer]))
    #expect(report.text.contains("frequency=medium"))
    #expect(report.json.split(separator: "\n").count == 2)
    #expect(report.json.contains(#""verdict":true"#))
  }

  @Test func adviceNamesAFrontAndOneSetting() throws {
    let whatIf = try Self.whatIf("ocean-offline", runs: 1)
    let grid = Advice.grid(hasWidth: false, widths: [])
    let predictions = [whatIf.recordedPrediction] + (try whatIf.predictions(grid))
    let advice = Advice([(whatIf.flight.endMS - whatIf.flight.startMS, predictions)])
    #expect(advice.points.contains { $0.isOnFront })
    #expect(advice.first?.alternative.changeCount == 1)
    #expect(advice.text.contains("Change first"))
    // Settings with the same figures are one row.
    let again = Advice([(whatIf.flight.endMS - whatIf.flight.startMS, predictions + predictions)])
    #expect(again.points.count == advice.points.count)
  }
}
