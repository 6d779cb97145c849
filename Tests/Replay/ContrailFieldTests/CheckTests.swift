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
      (started.mode, started.rule, started.since) = (.full, .areaChanged, nil)
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
    let guarantees = try findings(in: "reroute") { decision in
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
      (started.mode, started.rule, started.since) = (.full, .areaChanged, nil)
      return [.fetchStarted(started)]
    }
    let (path, storage) = draft.inMemory
    let finding = try #require(FlightSummary(path: path, storage: storage).findings.first)
    let line = try #require(
      String(decoding: draft.bytes, as: UTF8.self).split(separator: "\n").dropFirst(finding.line - 1).first)
    #expect(line.contains(#""request":5,"scope":"corridor","mode":"full""#))
    #expect(
      finding.headline.hasPrefix("\(path):\(finding.line)  frugality areaChanged: seq \(finding.seq), corridor, t+"))
    #expect(finding.expected == "a delta, or nothing")
  }

  /// The simulator found this: a snapshot has an upload that waits for its answer, and the next upload was a finding.
  @Test func anAnswerToAnUploadOfASnapshotIsFinal() {
    let log = #"""
      {"seq":5,"at":1740000000000,"kind":"segment.opened","format":1,"first":5,"previousSeq":4,"previousCrc":"56645ea6","previousSynced":0,"crc":"e0d1b68a"}
      {"seq":6,"at":1740000000000,"kind":"snapshot.part","control":{"session":{"engine":"1.0.0","session":"s1-8018942","seed":8018942},"query":{"types":["turbulence"],"sevs":[0,1,2,3,4],"globalEnabled":true,"upTo":false},"history":7200,"frequency":"fast","online":true,"nextRequest":2,"dropped":0,"scopes":[],"outbox":{"tracked":1,"reports":[33141713076225,1740000001],"upload":{"key":"s1-8018942-0-1","count":1,"request":1},"failures":0,"notBefore":0,"lastAttempt":1740000000000,"retryAfter":0,"blocked":false,"singles":0}},"crc":"03ff57a9"}
      {"seq":7,"at":1740000000000,"kind":"snapshot.ended","crc":"2968e8ff"}
      {"seq":8,"at":1740000000000,"kind":"log.synced","through":7,"crc":"d6a6af07"}
      {"seq":9,"at":1740000000000,"kind":"report.tracked","report":{"id":"853c48d3fffffff","alt":2,"sev":2,"edr":0.0002,"observedAt":1740000002},"crc":"5a3c9797"}
      {"seq":10,"at":1740000000000,"kind":"log.synced","through":9,"crc":"387ae947"}
      {"seq":11,"at":1740000000300,"kind":"response.received","request":1,"status":200,"bytes":107,"head":49,"serverTime":1740000000150,"body":{"data":{"accepted":1},"meta":{},"links":{},"warnings":{}},"crc":"1f80d55b"}
      {"seq":12,"at":1740000001300,"kind":"log.synced","through":11,"crc":"a4af74a6"}
      {"seq":13,"at":1740000010000,"kind":"clock.ticked","timer":"outbox","due":1740000010000,"crc":"25fa8210"}
      {"seq":14,"at":1740000010000,"kind":"upload.started","request":2,"rule":"upload","key":"s1-8018942-1-1","count":1,"cause":13,"crc":"8f3e701d"}

      """#
    let path = "log/000000000005.jsonl"
    let summary = FlightSummary(path: path, storage: MemoryStorage([path: Array(log.utf8)]))
    #expect(summary.result == "same")
    #expect(summary.findings.isEmpty, "\(summary.findings.map(\.found))")
  }

  private func findings(
    in name: String, _ change: (Decision) -> [Decision]
  ) throws -> Set<Finding.Guarantee> {
    let draft = try LogDraft(path: Logs.recording(name)).withDecisions(change)
    return Set(Logs.summary(of: draft).findings.map(\.guarantee))
  }
}
