import ContrailCore
import ContrailField
import ContrailTestSupport
import ContrailWire
import Foundation
import Testing

/// The total table: that the page shows it, and what must hold in every cell.
@Suite struct PlannerTableTests {
  private static let cells = PlannerTable.cells

  private static var page: URL {
    PackageFolder.file("Sources/Client/Contrail/Contrail.docc/PlannerTable.md")
  }

  @Test func thePageSaysWhatThePlannerDoes() throws {
    let markdown = PlannerTable.markdown
    if ProcessInfo.processInfo.environment["CONTRAIL_UPDATE_TABLES"] == "1" {
      try FileManager.default.createDirectory(
        at: Self.page.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(markdown.utf8).write(to: Self.page)
    }
    let committed = String(decoding: try Data(contentsOf: Self.page), as: UTF8.self)
    let outcomes = PlannerTable.outcomes(in: committed)
    for cell in Self.cells {
      let written = outcomes[cell.name] ?? "nothing"
      #expect(written == cell.outcome, "\(cell.name): the page says \(written), the planner \(cell.outcome)")
    }
    let names = Set(Self.cells.map(\.name))
    #expect(outcomes.keys.filter { !names.contains($0) }.sorted() == [], "cells that there are no more")
    #expect(committed == markdown, "the cells agree; write the page anew with CONTRAIL_UPDATE_TABLES=1")
  }

  @Test func noCellIsEmpty() {
    let expected = PlannerTable.Family.allCases.reduce(0) {
      $0 + $1.situations.count * PlannerTable.Occurrence.allCases.count
    }
    #expect(Self.cells.count == expected && Set(Self.cells.map(\.name)).count == expected)
    for cell in Self.cells { #expect(!cell.rules.isEmpty, "\(cell.name)") }
  }

  @Test func eachSituationIsTheOneItIsCalled() {
    for cell in Self.cells where cell.situation != .overdue {
      #expect(cell.before.situation(cell.family.scope) == cell.situation, "\(cell.name)")
    }
  }

  @Test func everyCellLeadsToASituationOfTheTable() {
    for cell in Self.cells {
      #expect(
        cell.next != .overdue && cell.family.situations.contains(cell.next), "\(cell.name) → \(cell.next.rawValue)")
    }
  }

  @Test func everySituationIsLedToAndEveryRuleIsMet() {
    let met = Set(Self.cells.flatMap { $0.rules + $0.decisions.map(\.rule) })
    // The outbox and the airports are no scopes: their rules have their own tests.
    // The wider query widens severities too, which come first; and the table has no second area.
    #expect(
      Rule.allCases.filter { !met.contains($0) }
        == [.altitudesWidened, .together, .upload, .switched, .delivered])
    for family in PlannerTable.Family.allCases {
      let reached = Set(Self.cells.filter { $0.family == family && $0.next != $0.situation }.map(\.next))
      // Whether the server can repair shows in the flight after the answer that says so.
      for situation in family.situations where ![.overdue, .repairableFlight].contains(situation) {
        #expect(reached.contains(situation), "\(family.rawValue) · \(situation.rawValue)")
      }
    }
  }

  /// After six failures, the engine waits longer than the five seconds that the server requested.
  @Test func aScopeIsToldToWaitUntilTheRequestedTime() {
    var rig = Rig.flying()
    for failure in 1...6 {
      while rig.state.scope(.corridor)?.inFlight == nil { rig.pass(seconds: 300) }
      rig.answer(status: 503, retryAfter: failure == 6 ? 5 : nil)
    }
    for (wait, situation) in [(Int64(4999), PlannerTable.Situation.told), (5000, .waiting)] {
      var later = rig
      later.now += wait
      later.send(.clockAdjusted(byMS: 0))
      #expect(later.state.situation(.corridor) == situation)
    }
  }

  @Test func nothingIsLeftToDecide() {
    for cell in Self.cells { #expect(cell.after.decide() == [], "\(cell.name)") }
  }

  private static let flights: Set<PlannerTable.Situation> = [
    .firstFlight, .fullFlight, .refreshFlight, .deltaFlight, .repairableFlight, .repairFlight, .wideFlight,
    .movingFlight, .strandedFlight, .heldFlight,
  ]

  /// The fetch that the cell begins for its own scope.
  private func fetch(_ cell: PlannerTable.Cell) -> Decision.FetchStarted? {
    for case .fetchStarted(let started) in cell.decisions where started.scope == cell.family.scope { return started }
    return nil
  }

  @Test func nothingIsFetchedOfflineBlockedOrBeforeItsTime() {
    for cell in Self.cells {
      guard fetch(cell) != nil else { continue }
      #expect(cell.after.isOnline, "\(cell.name)")
      #expect(Self.flights.contains(cell.next) && cell.next != .strandedFlight, "\(cell.name)")
      let scope = cell.after.scope(cell.family.scope)
      #expect(scope?.block == nil && cell.after.now >= scope?.retry.notBefore ?? 0, "\(cell.name)")
      #expect(cell.after.now >= scope?.retry.requestedUntil ?? 0, "\(cell.name)")
    }
  }

  @Test func aScopeHasOneFlightAtATime() {
    for cell in Self.cells
    where fetch(cell) != nil && Self.flights.contains(cell.situation) && !cell.occurrence.isAnswer {
      #expect(
        cell.occurrence == .launch || cell.decisions.contains { $0.kind == .fetchCancelled }, "\(cell.name)")
    }
  }

  @Test func anAnswerThatNobodyAwaitsIsDropped() {
    for cell in Self.cells where cell.occurrence.isAnswer {
      let isAwaited = Self.flights.contains(cell.situation) && cell.occurrence != .lateAnswer
      guard !isAwaited else { continue }
      #expect(cell.after.digest.scopes == cell.before.digest.scopes, "\(cell.name)")
      // One that slept past its time wakes at any input.
      if cell.situation != .overdue { #expect(cell.decisions == [] && cell.next == cell.situation, "\(cell.name)") }
      #expect(
        cell.after.droppedAnswers == cell.before.droppedAnswers + (cell.occurrence == .noAnswer ? 0 : 1), "\(cell.name)"
      )
    }
  }

  @Test func narrowerAndWiderReferToSeveritiesAltitudesAndHours() {
    for family in PlannerTable.Family.allCases {
      func query(after occurrence: PlannerTable.Occurrence) -> ResolvedQuery? {
        Self.cells.first { $0.family == family && $0.situation == .fresh && $0.occurrence == occurrence }?.after.query
      }
      guard let narrow = query(after: .queryNarrower), let usual = query(after: .query),
        let wide = query(after: .queryWider)
      else {
        Issue.record("\(family.rawValue) has no cells")
        continue
      }
      for (few, many) in [(narrow, usual), (usual, wide)] {
        #expect(few.severities != many.severities)
        #expect(Set(few.severities.severities).isSubset(of: many.severities.severities))
        #expect(few.weather.spec.hours < many.weather.spec.hours)
        let (inner, outer) = (few.altitudes, many.altitudes)
        #expect(inner != outer && inner != nil)
        #expect(inner?.lower ?? 0 > outer?.lower ?? -1 && inner?.upper ?? 0 < outer?.upper ?? 99_000)
      }
    }
  }

  @Test func narrowingNeverCancelsAndNeverFetches() {
    for cell in Self.cells where cell.situation != .overdue {
      guard [.queryNarrower, .historyDown].contains(cell.occurrence), cell.family != .global,
        cell.situation != .unwanted, cell.situation != .hidden, cell.situation != .refused
      else { continue }
      #expect(cell.decisions == [], "\(cell.name)")
    }
  }

  /// Where a client could turn in circles: an answer that brings the next full request with it.
  @Test func noAnswerToAFullRequestBringsAnotherAtOnce() {
    let full: Set<PlannerTable.Situation> = [.firstFlight, .fullFlight, .refreshFlight]
    for cell in Self.cells where full.contains(cell.situation) && cell.occurrence.isAnswer {
      #expect(fetch(cell).map { $0.rule == .listening } ?? true, "\(cell.name)")
    }
    for cell in Self.cells where cell.occurrence.isAnswer && cell.situation != .overdue {
      // A held request costs as much as its answer.
      guard let fetch = fetch(cell), fetch.rule != .listening else { continue }
      #expect(
        fetch.mode != .delta && fetch.rule.isInconsistent, "\(cell.name)"
      )
    }
  }

  @Test func whatIsHeldStaysUntilItsReplacementIsComplete() {
    for cell in Self.cells where cell.family != .viewport {
      guard let have = cell.before.scope(cell.family.scope)?.have else { continue }
      let after = cell.after.scope(cell.family.scope)?.have
      let isExpired = cell.situation == .hidden && cell.occurrence == .tickLate
      #expect(after != nil || isExpired, "\(cell.name)")
      if !isExpired, !(cell.occurrence.isAnswer && Self.flights.contains(cell.situation)) {
        #expect(after == have, "\(cell.name)")
      }
    }
  }

  @Test func aRefusalIsReportedOnce() {
    for cell in Self.cells {
      let reports = cell.decisions.filter { $0.kind == .errorReported && $0.rule == .blocked }
      // To a repair, only a refusal of the key is one.
      let refusals: [PlannerTable.Occurrence] =
        cell.situation == .repairFlight ? [.unauthorized] : [.badRequest, .unauthorized, .tooManyDiffer]
      let isRefusal = refusals.contains(cell.occurrence) && Self.flights.contains(cell.situation)
      #expect(reports.count == (isRefusal ? 1 : 0), "\(cell.name)")
    }
  }

  @Test func theNextWakeLiesAhead() {
    for cell in Self.cells {
      if let wake = cell.after.nextWake { #expect(wake.at > cell.after.now, "\(cell.name)") }
    }
  }
}

extension PlannerTable {
  /// Parses the page and returns the outcome of each cell by its name.
  static func outcomes(in page: String) -> [String: String] {
    var outcomes: [String: String] = [:]
    var section = ""
    for line in page.split(separator: "\n") {
      if line.hasPrefix("### ") {
        section = String(line.dropFirst(4))
      } else if line.hasPrefix("| "), !line.hasPrefix("| input |"), !line.hasPrefix("| --- |") {
        let parts = line.dropFirst(2).split(separator: " | ", maxSplits: 1)
        guard parts.count == 2 else { continue }
        let outcome = parts[1].hasSuffix(" |") ? parts[1].dropLast(2) : parts[1]
        for input in String(parts[0]).split(separator: " · ") { outcomes["\(section) · \(input)"] = String(outcome) }
      }
    }
    return outcomes
  }
}
