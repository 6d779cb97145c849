import ContrailCore
import ContrailField
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Foundation
import Testing

/// Cutting and shortening logs.
@Suite struct ShrinkTests {
  /// An engine that fetches in full when fewer severities are wanted, where `narrowed` decides nothing.
  private static func narrowedInFull() -> LongFlight {
    var last: Decision.FetchStarted?
    return LongFlight { state, input, right in
      for case .fetchStarted(let started) in right { last = started }
      guard case .queryChanged = input, right.isEmpty, var wrong = last, let want = state.scope(.corridor)?.want else {
        return right
      }
      (wrong.mode, wrong.rule, wrong.since) = (.full, .severitiesWidened, nil)
      (wrong.request, wrong.cause, wrong.severities) = (state.nextRequest, state.cause, want.severities)
      return [.fetchStarted(wrong)]
    }
  }

  @Test func aPlantedErrorInTenThousandLinesIsFoundAndShortened() throws {
    var flight = Self.narrowedInFull()
    for _ in 0..<2400 { flight.minute() }
    flight.query { $0.severities = SeveritySet([.moderate]) }
    flight.answer()
    for _ in 0..<950 { flight.minute() }
    let draft = flight.draft
    #expect(draft.lineCount >= 10_000)
    let target = try #require(LogTarget(.diverges, in: draft))
    var shrinker = LogShrinker(target)
    let short = shrinker.shorten(draft)
    #expect(short.lineCount < 40, "\(short.lineCount) lines")
    guard case .diverged(let divergence, _) = Logs.summary(of: short).outcome else {
      Issue.record("the shortened log replays the same")
      return
    }
    #expect(divergence.rule == .severitiesWidened)
    #expect(divergence.scope == .corridor)
  }

  @Test func aFindingIsShortenedToTheLinesThatShowIt() throws {
    // An engine that makes every hundredth delta a full fetch.
    var count = 0
    var flight = LongFlight { _, input, right in
      guard case .clockTicked = input else { return right }
      return right.map { decision in
        guard case .fetchStarted(var started) = decision, started.mode == .delta else { return decision }
        count += 1
        guard count.isMultiple(of: 100) else { return decision }
        (started.mode, started.rule, started.since) = (.full, .areaChanged, nil)
        return .fetchStarted(started)
      }
    }
    for _ in 0..<250 { flight.minute() }
    let findings = Logs.summary(of: flight.draft).findings
    #expect(findings.count == 2)
    #expect(findings.allSatisfy { $0.guarantee == .frugality && $0.rule == .areaChanged })
    let target = try #require(LogTarget(.finding(.frugality), in: flight.draft))
    var shrinker = LogShrinker(target)
    #expect(shrinker.shorten(flight.draft).lineCount < 40)
    #expect(LogTarget(.finding(.uploads), in: flight.draft) == nil)
  }

  @Test(arguments: Logs.recordings) func aLogThatIsCutReplaysTheSame(path: String) throws {
    let whole = try LogDraft(path: path)
    let digest = FlightSummary(path: path).digest
    for part in [3, 2] {
      let cut = whole.starting(atTurn: whole.turns.count / part)
      let summary = Logs.summary(of: cut)
      #expect(summary.result == "same", "\(summary.outcome)")
      #expect(summary.digest == digest)
      #expect(summary.findings.isEmpty, "\(summary.findings)")
    }
  }

  @Test func aCutKeepsTheLinesBetweenTwoTimes() throws {
    let path = Logs.recording("atlantic")
    let cut = try LogDraft(path: path, from: TimelinePosition("t+01:00:00"), until: TimelinePosition("t+02:00:00"))
    let start = try #require(FlightSummary(path: path).statistics.firstAt)
    #expect(!cut.start.isEmpty)
    #expect(cut.turns.allSatisfy { (3_600_000...7_200_000).contains($0.at - start) })
    #expect(Logs.summary(of: cut).result == "same")
  }

  @Test func predicatesAreReadFromText() {
    #expect(LogPredicate("diverges") == .diverges)
    #expect(LogPredicate("finding") == .finding(nil) && LogPredicate("finding:backoff") == .finding(.backoff))
    #expect(LogPredicate("rule:expired") == .rule(.expired, nil))
    #expect(LogPredicate("rule:countDiffers:repair") == .rule(.countDiffers, .repair))
    #expect(LogPredicate("jq:any(.[]; .status == 410)") == .jq("any(.[]; .status == 410)"))
    for form in ["diverges", "finding", "rule:expired", "rule:countDiffers:repair", "jq:EXPRESSION"] {
      #expect(LogPredicate.forms.components(separatedBy: ", ").contains { $0 == form } && LogPredicate(form) != nil)
    }
    #expect(LogPredicate.forms.contains("finding:GUARANTEE (staleness, "))
    for text in [
      "", "rule", "finding:", ":diverges", "rule:expired:", "rule:sorrow", "finding:beauty", "rule:countDiffers:sorrow",
      "diverges:twice",
    ] {
      #expect(LogPredicate(text) == nil)
    }
  }

  @Test func aRuleIsShortenedToItsDecision() throws {
    let draft = try LogDraft(path: Logs.recording("checksum-healed"))
    let target = try #require(LogTarget(.rule(.countDiffers, .repair), in: draft))
    var shrinker = LogShrinker(target)
    let short = shrinker.shorten(draft)
    #expect(short.turns.count == 1)
    #expect(Logs.summary(of: short).isUnreadable == false)
  }

  @Test func theReadmeGetsItsRowInOrder() {
    let readme = "# R\n\n| recording | what it shows |\n|---|---|\n| `a` | A. |\n| `c` | C. |\n"
    let added = RecordingsReadme.adding("b", shows: "B|\nb.", to: readme)
    #expect(added == "# R\n\n| recording | what it shows |\n|---|---|\n| `a` | A. |\n| `b` | B/ b. |\n| `c` | C. |\n")
    #expect(RecordingsReadme.adding("b", shows: "x", to: "no table") == nil)
    let first = RecordingsReadme.adding("0", shows: "0.", to: readme)
    #expect(first?.contains("|---|---|\n| `0` | 0. |\n| `a` | A. |\n") == true)
    let replaced = RecordingsReadme.adding("a", shows: "New.", to: readme)
    #expect(replaced?.contains("| `a` | New. |\n| `c` | C. |") == true)
    #expect(replaced?.contains("A.") == false)
    // Only the rows of this table count, and its end may be that of the file.
    let table = "| recording | what it shows |\n|---|---|"
    let other = "| `b` | Elsewhere. |\n\n"
    #expect(RecordingsReadme.adding("b", shows: "B.", to: other + table) == other + table + "\n| `b` | B. |")
    #expect(
      RecordingsReadme.adding("b", shows: "B.", to: table + "\n| `a` | A. |") == table + "\n| `a` | A. |\n| `b` | B. |")
    #expect(RecordingsReadme.adding("b", shows: "B.", to: table + "\n\nText.") == table + "\n| `b` | B. |\n\nText.")
    #expect(RecordingsReadme.adding("b", shows: "B.", to: "# R\n| recording | what it shows |") == nil)
  }
}
