import ContrailCore
import ContrailField
import ContrailLog
import ContrailReplay
import ContrailWire
import Testing

/// The judge of logs: nothing is found in a right one, and each violation is.
@Suite struct CheckTests {
  @Test(arguments: Logs.recordings) func nothingIsFoundInARecording(path: String) {
    let summary = FlightSummary(path: path)
    #expect(summary.result == "same")
    #expect(summary.findings.isEmpty, "\(summary.findings.map { "\($0.headline): \($0.found)" })")
  }

  @Test func aDecisionWithAnotherCause() throws {
    let guarantees = try findings(in: "atlantic") { decision in
      guard case .fetchStarted(var started) = decision, started.request == 5 else { return [decision] }
      started.cause -= 1
      return [.fetchStarted(started)]
    }
    #expect(guarantees.contains(.accounting))
  }

  @Test func aFullFetchWithoutACause() throws {
    let guarantees = try findings(in: "atlantic") { decision in
      guard case .fetchStarted(var started) = decision, started.request == 5 else { return [decision] }
      (started.mode, started.rule, started.reason, started.since) = (.full, .areaChanged, .areaChanged, nil)
      return [.fetchStarted(started)]
    }
    #expect(guarantees.contains(.frugality))
  }

  @Test func aDeltaSinceAnotherWatermark() throws {
    let guarantees = try findings(in: "atlantic") { decision in
      guard case .fetchStarted(var started) = decision, started.request == 5 else { return [decision] }
      started.since = started.since.map { $0 - 60 }
      return [.fetchStarted(started)]
    }
    #expect(guarantees.contains(.staleness))
  }

  @Test func aRequestThatIsNotCancelled() throws {
    let guarantees = try findings(in: "pan-storm") { decision in
      if case .fetchCancelled = decision { [] } else { [decision] }
    }
    #expect(guarantees.contains(.frugality))
  }

  @Test func aRefusalThatNobodyReports() throws {
    let guarantees = try findings(in: "key-revoked") { decision in
      if case .errorReported = decision { [] } else { [decision] }
    }
    #expect(guarantees.contains(.outages))
  }

  @Test func aRefusalThatIsReportedTwice() throws {
    let guarantees = try findings(in: "key-revoked") { decision in
      if case .errorReported = decision { [decision, decision] } else { [decision] }
    }
    #expect(guarantees.contains(.outages))
  }

  @Test func anUploadUnderAnotherKey() throws {
    var count = 0
    let guarantees = try findings(in: "own-reports") { decision in
      guard case .uploadStarted(var started) = decision else { return [decision] }
      count += 1
      started.key += count.isMultiple(of: 2) ? "" : "-\(count)"
      return [.uploadStarted(started)]
    }
    #expect(guarantees.contains(.uploads))
  }

  @Test func aRequestDuringADelay() throws {
    var draft = try LogDraft(path: Logs.recording("server-outage"))
    // The turn after the second failure of a row comes at once.
    var failures = 0
    for index in draft.turns.indices.dropLast() {
      guard case .responseReceived(let response) = draft.turns[index].input, response.status >= 500 else { continue }
      failures += 1
      guard failures >= 2, case .clockTicked = draft.turns[index + 1].input else { continue }
      draft.moveTurn(index + 1, to: draft.turns[index].at + 1)
    }
    #expect(failures > 2)
    #expect(Logs.summary(of: draft).findings.contains { $0.guarantee == .backoff })
  }

  @Test func aFindingNamesItsLineAndWhatShouldBe() throws {
    let draft = try LogDraft(path: Logs.recording("atlantic")).withDecisions { decision in
      guard case .fetchStarted(var started) = decision, started.request == 5 else { return [decision] }
      (started.mode, started.rule, started.reason, started.since) = (.full, .areaChanged, .areaChanged, nil)
      return [.fetchStarted(started)]
    }
    let (path, storage) = draft.inMemory
    let finding = try #require(FlightSummary(path: path, storage: storage).findings.first)
    let line = try #require(
      String(decoding: draft.bytes, as: UTF8.self).split(separator: "\n").dropFirst(finding.line - 1).first)
    #expect(line.contains(#""request":5,"scope":"corridor","mode":"full""#))
    #expect(finding.headline.hasPrefix("\(path):\(finding.line)  frugality P07: seq \(finding.seq), corridor, t+"))
    #expect(finding.expected == "a delta, or nothing")
  }

  private func findings(
    in name: String, _ change: (Decision) -> [Decision]
  ) throws -> Set<Finding.Guarantee> {
    let draft = try LogDraft(path: Logs.recording(name)).withDecisions(change)
    return Set(Logs.summary(of: draft).findings.map(\.guarantee))
  }
}
