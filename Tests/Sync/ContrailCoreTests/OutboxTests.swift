import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailCore

/// The aircraft's own reports: nothing is lost, nothing counts twice, nothing overtakes.
@Suite struct OutboxTests {
  private func report(_ number: Int) -> TurbulenceReport {
    TurbulenceReport(
      cell: 2 << 15 | UInt32(number), altitude: 35, severity: 2, edrE4: 1800,
      observedAt: UInt32(Rig.start / 1000 + Int64(number)))
  }

  private func online() -> Rig {
    var rig = Rig()
    rig.launch()
    return rig
  }

  private func received(_ rig: Rig) -> [TurbulenceReport] { rig.server.uploads.flatMap(\.reports) }

  @Test func whatIsTrackedGoesOutAtOnceAndIsForgottenOnceConfirmed() {
    var rig = online()
    #expect(rig.send(.reportTracked(report(1))) == ["outbox upload of 1 as s0-0-1"])
    #expect(rig.answerUpload() == [])
    #expect(rig.state.outbox.reports == [] && rig.state.outbox.upload == nil)
    #expect(received(rig) == [report(1)])
  }

  @Test func reportsGatherWhileAnUploadIsUnderWayAndTenSecondsOn() {
    var rig = online()
    rig.send(.reportTracked(report(1)))
    for number in 2...5 { #expect(rig.send(.reportTracked(report(number))) == []) }
    rig.now += 1000
    #expect(rig.answerUpload() == [])
    #expect(rig.state.nextWake?.at == Rig.start + 10_000 && rig.state.nextWake?.scope == .outbox)
    #expect(rig.pass(seconds: 9) == ["outbox upload of 4 as s0-1-4"])
    rig.answerUpload()
    #expect(received(rig) == (1...5).map(report))
  }

  @Test func offlineAllIsKeptAndGoesOutInOrder() {
    var rig = online()
    rig.send(.connectivityChanged(isOnline: false))
    for number in 0..<1200 { #expect(rig.send(.reportTracked(report(number))) == []) }
    var sent = rig.send(.connectivityChanged(isOnline: true))
    while !rig.state.outbox.reports.isEmpty {
      #expect(sent.count == 1)
      rig.answerUpload()
      sent = rig.pass(seconds: 10)
    }
    #expect(rig.server.uploads.map(\.reports.count) == [500, 500, 200])
    #expect(received(rig) == (0..<1200).map(report))
  }

  @Test func anUploadWhoseAnswerIsLostGoesOutAgainAsItWas() {
    var rig = online()
    rig.send(.reportTracked(report(1)))
    rig.send(.reportTracked(report(2)))
    let upload = rig.state.outbox.upload
    rig.server.receive([report(1)], key: "s0-0-1")
    rig.send(.responseFailed(request: upload?.request ?? 0, failure: .timeout))
    #expect(rig.pass(seconds: 3) == ["outbox upload of 1 as s0-0-1"])
    rig.answerUpload()
    #expect(rig.pass(seconds: 10) == ["outbox upload of 1 as s0-1-1"])
    rig.answerUpload()
    #expect(received(rig) == [report(1), report(2)] && rig.server.reusedKeys == [])
  }

  @Test func aRelaunchSendsTheSameUploadUnderItsOldKey() throws {
    var rig = online()
    rig.send(.reportTracked(report(1)))
    rig.send(.reportTracked(report(2)))
    rig.now += 60_000
    let launched = rig.launch()
    #expect(launched == ["outbox upload of 1 as s0-0-1"])
    #expect(rig.state.outbox.reports.count == 2)
  }

  @Test func aPortalsPageConfirmsNothing() {
    var rig = online()
    rig.send(.reportTracked(report(1)))
    let request = rig.state.outbox.upload?.request ?? 0
    for body in ["<html>Welcome aboard</html>", #"{"data":{}}"#, "{}"] {
      rig.send(
        .responseReceived(
          .init(
            request: request, status: 200, wireBytes: 0,
            body: .blob(
              .init(sha256: "", byteCount: body.utf8.count), Array(body.utf8)))))
      #expect(rig.state.outbox.reports == [report(1)])
    }
    #expect(rig.state.outbox.retry.failures == 1)
  }

  @Test func aKeyThatIsNotTakenHoldsAllBackAndIsToldOnce() {
    var rig = online()
    rig.send(.reportTracked(report(1)))
    #expect(rig.answerUpload(status: 401) == ["outbox report blocked unauthorized"])
    #expect(rig.send(.reportTracked(report(2))) == [])
    #expect(rig.pass(seconds: 4000) == [])
    #expect(rig.send(.credentialsChanged) == ["outbox upload of 1 as s0-0-1"])
  }

  @Test func aRefreshOrALaunchTriesAKeyAgainThatWasNotTaken() {
    let retries: [(inout Rig) -> [String]] = [
      { $0.send(.refreshRequested(full: false)) }, { $0.launch() },
    ]
    for retry in retries {
      var rig = online()
      rig.send(.reportTracked(report(1)))
      rig.answerUpload(status: 401)
      rig.now += 4_000_000
      #expect(retry(&rig) == ["outbox upload of 1 as s0-0-1"])
    }
  }

  @Test func aRefusalOfTheOldKeyDoesNotHoldBackTheNewOne() {
    var rig = online()
    rig.send(.reportTracked(report(1)))
    #expect(rig.send(.credentialsChanged) == [])
    #expect(rig.answerUpload(status: 401) == ["outbox upload of 1 as s0-0-1"])
    #expect(rig.answerUpload(status: 401) == ["outbox report blocked unauthorized"])
  }

  @Test func theOneReportThatIsRefusedIsFoundAndTheOthersGoThrough() {
    var rig = online()
    rig.send(.connectivityChanged(isOnline: false))
    (0..<4).forEach { rig.send(.reportTracked(report($0))) }
    #expect(rig.send(.connectivityChanged(isOnline: true)) == ["outbox upload of 4 as s0-0-4"])
    #expect(rig.answerUpload(status: 400) == ["outbox upload of 1 as s0-0-1"])
    #expect(rig.answerUpload() == ["outbox upload of 1 as s0-1-1"])
    #expect(rig.answerUpload(status: 400) == ["outbox report blocked reportRefused", "outbox upload of 1 as s0-2-1"])
    #expect(rig.answerUpload() == ["outbox upload of 1 as s0-3-1"])
    #expect(rig.answerUpload() == [])
    #expect(received(rig) == [report(0), report(2), report(3)] && rig.state.outbox.reports == [])
  }

  @Test func aWaitThatTheServerAsksForIsKept() {
    var rig = online()
    rig.send(.reportTracked(report(1)))
    #expect(rig.answerUpload(status: 429, retryAfter: 120) == [])
    rig.send(.connectivityChanged(isOnline: false))
    #expect(rig.send(.connectivityChanged(isOnline: true)) == [])
    #expect(rig.pass(seconds: 119) == [] && rig.pass(seconds: 1) == ["outbox upload of 1 as s0-0-1"])
  }

  @Test func theSnapshotBringsTheOutboxBack() throws {
    var rig = online()
    (0..<3).forEach { rig.send(.reportTracked(report($0))) }
    var state = State()
    for (seq, part) in rig.state.snapshotParts.enumerated() {
      state.evolve(Record(seq: Int64(seq), at: rig.now, event: .mark(.snapshotPart(part))))
    }
    state.evolve(Record(seq: 99, at: rig.now, event: .mark(.snapshotEnded)))
    #expect(state.outbox == rig.state.outbox && state.outbox.reports.count == 3)
    #expect(state.digest.control == rig.state.digest.control)
  }

  @Test func aFlightWithoutReportsHasNoOutboxInItsDigest() {
    #expect(!String(decoding: Rig.flying().state.controlJSON, as: UTF8.self).contains("outbox"))
  }

  /// Whatever the link, the server and the process do, once all holds each report has arrived, once, in order.
  @Test(arguments: 0..<40 as Range<UInt64>) func inTheEndEachReportCountsOnce(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var rig = online()
    var tracked: [TurbulenceReport] = []
    for step in 0..<300 {
      rig.now += Int64.random(in: 0...20_000, using: &random)
      let request = rig.state.outbox.upload?.request
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<40:
        tracked.append(report(step))
        rig.send(.reportTracked(report(step)))
      case 40..<55: rig.answerUpload()
      case 55..<62:
        // The server has it, the client doesn't hear of it.
        guard let upload = rig.state.outbox.upload, let request else { continue }
        rig.server.receive(Array(rig.state.outbox.reports.prefix(Int(upload.count))), key: upload.key)
        rig.send(.responseFailed(request: request, failure: .network))
      case 62..<70: if let request { rig.send(.responseFailed(request: request, failure: .timeout)) }
      case 70..<76: rig.answerUpload(status: [500, 503, 429, 404, 302].randomElement(using: &random) ?? 500)
      case 76..<80: rig.launch()
      case 80..<88: rig.send(.connectivityChanged(isOnline: random.chance(50)))
      case 88..<90:
        rig.answerUpload(status: 401)
        rig.send(.credentialsChanged)
      default: rig.pass(seconds: 1)
      }
    }
    rig.send(.connectivityChanged(isOnline: true))
    for _ in 0..<50 where !rig.state.outbox.reports.isEmpty {
      rig.pass(seconds: 400)
      rig.answerUpload()
    }
    #expect(received(rig) == tracked && rig.server.reusedKeys == [] && rig.unrest == [])
  }
}
