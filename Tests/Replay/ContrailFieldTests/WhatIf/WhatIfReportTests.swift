import ContrailCore
import ContrailGeodesy
import ContrailLog
import ContrailReplay
import ContrailWire
import Foundation
import Testing

@testable import ContrailField

/// What a report says of alternatives, as a table and as JSON.
@Suite struct WhatIfReportTests {
  private static let whatIf = Result { WhatIf(try RecordedFlight(path: Logs.recording("polygons"))) }

  /// A report with the recorded flight and an alternative whose figures a test sets.
  private func report(_ change: (inout Prediction) -> Void = { _ in }) throws -> WhatIfReport {
    let whatIf = try Self.whatIf.get()
    var alternative = try whatIf.predictions([Alternative()])[0]
    alternative.alternative.frequency = .minimal
    change(&alternative)
    return WhatIfReport(whatIf, [alternative])
  }

  /// The cells of the alternative. A wide table is divided.
  private func row(_ report: WhatIfReport) -> String {
    let rows = report.text.split(separator: "\n").filter { $0.hasPrefix("frequency=minimal ") }
    return rows.map { $0.dropFirst("frequency=minimal".count) }.joined() + " "
  }

  private static let derivable = Estimate.Shares(recorded: 0.25, derivable: 0.75, unknown: 0)

  @Test func aFigureHasAHalfOfItsIntervalBesideIt() throws {
    let text = row(
      try report { prediction in
        prediction.estimates[.requests] = Estimate([100], margin: 10 / 4.3, shares: Self.derivable)
        prediction.estimates[.cost] = Estimate(recorded: 12_340)
      })
    #expect(text.contains(" 100 ±10 ") && text.contains(" 12.34 ") && text.hasSuffix(" 25 + 75 % "))
    #expect(text.count { $0 == "±" } == 1)
    let one = row(try report { $0.estimates[.requests] = Estimate([100], margin: 1 / 4.3, shares: Self.derivable) })
    #expect(one.contains(" 100 ±1 "))
    let recorded = try report().text.split(separator: "\n").filter { $0.hasPrefix("recorded ") }
    #expect(recorded.last?.hasSuffix(" 100 + 0 %") == true && !recorded.joined().contains("±"))
  }

  @Test func aFigureWithoutAVerdictOrAnIntervalIsMarked() throws {
    let report = try report { prediction in
      prediction.estimates[.requests]?.shares = .init(recorded: 8, derivable: 0, unknown: 2)
      prediction.estimates[.up] = Estimate([5000], margin: 1, shares: Self.derivable)
      prediction.estimates[.up]?.hasInterval = false
      prediction.gap = .link
    }
    #expect(row(report).split(separator: " ").prefix(2) == ["?", "≈5.0"])
    let refusal = try #require(report.predictions[1].refusal)
    #expect(refusal.hasPrefix("no verdict on 'frequency=minimal': the recording covers 80 % of it"))
    #expect(report.text.contains("\n\(refusal).\n"))
    #expect(report.text.contains("≈ has no interval"))
    #expect(report.json.contains(#""verdict":false,"refusal":"no verdict on 'frequency=minimal': "#))
    #expect(try !self.report().text.contains("≈"))
  }

  @Test func theRulesOfEachAlternativeAreShownIfTheyAreAskedFor() throws {
    var report = try report()
    #expect(!report.text.contains("SCOPE"))
    report.showsRules = true
    let blocks = report.text.components(separatedBy: "\n\n").suffix(2)
    #expect(blocks.map { $0.prefix { $0 != "\n" } } == ["recorded", "frequency=minimal"])
    for (block, prediction) in zip(blocks, report.predictions) {
      let rows = block.split(separator: "\n").dropFirst(2).prefix(prediction.accounts.count)
      #expect(!rows.isEmpty)
      for (row, account) in zip(rows, prediction.accounts) {
        let words = row.split(separator: " ").prefix(2).map(String.init)
        #expect(row.hasPrefix("  \(account.heading.scope) "))
        #expect(words == [account.heading.scope, account.heading.rule.isEmpty ? "–" : account.heading.rule])
      }
    }
  }

  @Test func aRuleWithoutAnIntervalIsExplainedWhereRulesAreShown() throws {
    for (showsRules, isUncertain) in [(true, true), (true, false), (false, true)] {
      var report = try report { $0.accounts[0].down.hasInterval = !isUncertain }
      report.showsRules = showsRules
      let isExplained = report.text.contains(
        "\n≈ of a rule has no interval: with wider corridors, too few held the true value.\n")
      #expect(isExplained == (showsRules && isUncertain))
    }
  }

  @Test func bytesThatTheLogDoesNotCountAreNamed() throws {
    var report = try report()
    report.uncounted = 0
    #expect(!report.text.contains("doesn't count"))
    for (count, words) in [(1, "1 request;"), (2, "2 requests;")] {
      report.uncounted = count
      #expect(report.text.contains("The log doesn't count the bytes of \(words) UP estimates them.\n"))
    }
    report.tariff = Tariff(name: "mine")
    (report.tariff.currency, report.tariff.source) = ("EUR", "a contract")
    #expect(report.text.contains("COST in EUR, by the tariff 'mine': a contract\n"))
    #expect(
      report.text.contains("\n± held the true value in at least 95 of 100 flights of up to four hours that\nwere flown")
    )
    #expect(report.text.contains("\nKNOWN is recorded + derivable of the figure with the least.\n"))
    #expect(try Self.whatIf.get().tariff == Tariff.all.first)
  }

  @Test func aReportIsOfTheWholeFlightByTheGivenTariff() throws {
    let flight = try Self.whatIf.get().flight
    let report = WhatIfReport(WhatIf(flight, tariff: Tariff(name: "mine")), [])
    #expect(report.spanMS == flight.endMS - flight.startMS && report.tariff.name == "mine")
    #expect(report.text.hasPrefix("\(flight.path): what if, over \(Words.span(report.spanMS))\n"))
  }

  @Test func anAlternativeIsAnObjectWithAllFigures() throws {
    let report = try report { prediction in
      prediction.estimates[.down]?.hasInterval = false
      prediction.late[1] = Estimate([7], margin: 0, shares: Self.derivable)
    }
    let rows = try report.json.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(rows.map { $0["alternative"] as? String } == ["recorded", "frequency=minimal"])
    for (row, prediction) in zip(rows, report.predictions) {
      #expect(row["path"] as? String == report.path && row["spanMS"] as? Int64 == report.spanMS)
      #expect(row["tariff"] as? String == report.tariff.name)
      #expect(row["verdict"] as? Bool == prediction.hasVerdict && row["refusal"] == nil)
      let figures = try #require(row["figures"] as? [String: [String: Any]])
      #expect(Set(figures.keys) == Set(FigureValues.Figure.allCases.map { $0.rawValue }))
      for figure in FigureValues.Figure.allCases {
        let (object, estimate) = (try #require(figures[figure.rawValue]), prediction[figure])
        #expect(object["value"] as? Double == estimate.value.rounded())
        #expect(object["low"] as? Double == (estimate.hasInterval ? estimate.low.rounded() : nil))
        #expect(object["high"] as? Double == (estimate.hasInterval ? estimate.high.rounded() : nil))
        #expect(object["recorded"] as? Double == (estimate.shares.recorded * 1000).rounded() / 1000)
      }
      let accounts = try #require(row["accounts"] as? [[String: Any]])
      #expect(accounts.map { $0["scope"] as? String } == prediction.accounts.map { $0.heading.scope })
      #expect(accounts.map { $0["rule"] as? String } == prediction.accounts.map { $0.heading.rule })
      for part in ["requests", "up", "down"] { #expect(accounts.allSatisfy { $0[part] is [String: Any] }) }
    }
    let late = try #require(rows[1]["late"] as? [String: [String: Any]])
    #expect(Set(late.keys) == Set(TurbulenceSeverity.wordsBySeverity.map { $0.word }))
    #expect(late["light"]?["value"] as? Int == 7 && late["light"]?["derivable"] as? Double == 0.75)
    #expect((rows[1]["never"] as? [String: Any])?.count == 5)
  }

  // MARK: Alternatives

  @Test func aWidthIsThatOfTheRoute() throws {
    var alternative = Alternative()
    alternative.widthMilliNM = 80_500
    var query = DataQuery()
    query.route = [Coordinate(latitude: 50, longitude: 8), Coordinate(latitude: 51, longitude: 9)]
    query.routeWidth = 100
    #expect(alternative.query(query).routeWidth == 80.5)
    query.polygon = query.route
    #expect(alternative.query(query).routeWidth == 100)
    (query.polygon, query.route) = (nil, nil)
    #expect(alternative.query(query).routeWidth == 100)
  }

  @Test func aPartEndsAfterItBegins() throws {
    var alternative = Alternative()
    func set(_ option: String, _ value: String) throws {
      try alternative.set(option, value) { (name) throws(InputError) in throw InputError(.model, at: name, "missing") }
    }
    try set("from", "1h")
    #expect(throws: InputError.self) { try set("until", "1h") }
    try set("until", "61m")
    #expect(alternative.span == 3_600_000..<3_660_000)
    #expect(throws: InputError.self) { try set("from", "61m") }
    alternative = Alternative()
    try set("until", "1h")
    #expect(alternative.span == 0..<3_600_000)
  }

  @Test func eachSettingOfTheApplicationCountsAlone() {
    let settings = [
      Alternative { $0.frequency = .minimal }, Alternative { $0.history = .hour }, Alternative { $0.types = .pireps },
      Alternative { $0.widthMilliNM = 1 }, Alternative { $0.severities = .all },
      Alternative { $0.hasNoViewport = true },
    ]
    #expect(settings.allSatisfy { $0.changesSettings && !$0.isRecorded && $0.changeCount == 1 })
    let others = [
      Alternative(), Alternative { $0.wire = .json }, Alternative { $0.policy = .now }, Alternative { $0.span = 0..<5 },
      Alternative { $0.link = LinkModel.all[0] },
    ]
    #expect(others.allSatisfy { !$0.changesSettings } && others.map { $0.changeCount } == [0, 1, 1, 0, 1])
  }

  @Test func aQueryHasTheSettingsOfTheAlternative() {
    var query = DataQuery()
    query.viewport = [(0.0, 0.0), (0, 9), (9, 9), (0, 0)].map { Coordinate(latitude: $0.0, longitude: $0.1) }
    #expect(Alternative().query(query) == query)
    let changed = Alternative {
      ($0.types, $0.severities, $0.hasNoViewport) = (.pireps, .atLeast(.moderate), true)
    }.query(query)
    #expect(changed.types == .pireps && changed.viewport == nil)
    #expect(SeveritySet(changed.sevs) == .atLeast(.moderate))
  }
}
