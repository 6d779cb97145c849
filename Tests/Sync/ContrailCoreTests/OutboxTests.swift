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

  /// The state as its snapshot brings it back.
  private func restored(_ rig: Rig) -> State {
    var state = State()
    for (seq, part) in rig.state.snapshotParts.enumerated() {
      state.evolve(Record(seq: Int64(seq), at: rig.now, event: .mark(.snapshotPart(part))))
    }
    state.evolve(Record(seq: 99, at: rig.now, event: .mark(.snapshotEnded)))
    return state
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

  // MARK: Reports that the service keeps from others

  /// An upload of reports under way.
  private func uploading(_ numbers: Range<Int>) -> Rig {
    var rig = online()
    rig.send(.connectivityChanged(isOnline: false))
    numbers.forEach { rig.send(.reportTracked(report($0))) }
    rig.send(.connectivityChanged(isOnline: true))
    return rig
  }

  @Test func reportsThatAreHeldBackAreConfirmedAndToldOnceForTheUpload() {
    var rig = uploading(0..<5)
    #expect(rig.answerUpload(heldBack: [1, 3]) == ["outbox report upload reportHeldBack"])
    #expect(rig.state.outbox.reports == [] && rig.state.outbox.upload == nil && rig.state.outbox.retry.failures == 0)
    #expect(rig.state.outbox.heldBack == [1, 3] && rig.state.outbox.notices == [])
    // Their numbers count all reports, and those of the last upload are known.
    (5..<7).forEach { rig.send(.reportTracked(report($0))) }
    #expect(rig.state.outbox.heldBack == [1, 3])
    #expect(rig.pass(seconds: 10) == ["outbox upload of 2 as s0-5-2"])
    #expect(rig.answerUpload(heldBack: [0]) == ["outbox report upload reportHeldBack"])
    #expect(rig.state.outbox.heldBack == [5])
    rig.send(.reportTracked(report(7)))
    #expect(rig.pass(seconds: 10) == ["outbox upload of 1 as s0-7-1"])
    #expect(rig.answerUpload() == [] && rig.state.outbox.heldBack == [] && rig.unrest == [])
    #expect(received(rig) == (0..<8).map(report))
  }

  @Test func aRefusedReportIsNotHeldBack() {
    var rig = uploading(0..<2)
    rig.answerUpload(status: 400)
    #expect(rig.answerUpload(heldBack: [0]) == ["outbox report upload reportHeldBack", "outbox upload of 1 as s0-1-1"])
    #expect(rig.state.outbox.heldBack == [0])
    #expect(rig.answerUpload(status: 400) == ["outbox report blocked reportRefused"])
    #expect(rig.state.outbox.heldBack == [])
  }

  @Test(arguments: ["2", "[]", #"[{"report":2,"reason":"motion"}]"#, #"[{"report":0}]"#, "{}", "null"])
  func aListThatIsNotOfTheUploadConfirmsItAndTellsNothing(list: String) {
    var rig = uploading(0..<2)
    let body = #"{"data":{"accepted":2,"quarantined":\#(list)}}"#
    let request = rig.state.outbox.upload?.request ?? 0
    #expect(
      rig.send(
        .responseReceived(.init(request: request, status: 200, wireBytes: 0, body: .inline(Array(body.utf8))))) == [])
    #expect(rig.state.outbox.reports == [] && rig.state.outbox.heldBack == [])
  }

  @Test func theSnapshotHasTheReportsThatAreHeldBackIfThereAreAny() {
    for heldBack in [[], [0, 2]] {
      var rig = uploading(0..<3)
      rig.answerUpload(heldBack: heldBack)
      rig.send(.reportTracked(report(3)))
      let state = restored(rig)
      #expect(state.outbox == rig.state.outbox && state.outbox.heldBack == heldBack.map { Int64($0) })
      #expect(state.digest.control == rig.state.digest.control)
      let control = String(decoding: rig.state.controlJSON, as: UTF8.self)
      #expect(control.contains("heldBack") == !heldBack.isEmpty)
      // A launch tells nothing of them again.
      let launched = rig.launch()
      #expect(!launched.contains { $0.contains("reportHeldBack") })
    }
  }

  @Test(arguments: ["[3]", "[0,4]", "[-1]", #"["0"]"#, "1"]) func aSnapshotWithOtherNumbersIsRefused(list: String) {
    var rig = uploading(0..<3)
    rig.answerUpload(heldBack: [0, 2])
    rig.send(.reportTracked(report(3)))
    let control = String(decoding: rig.state.controlJSON, as: UTF8.self)
    let other = control.replacing(#""heldBack":[0,2]"#, with: #""heldBack":\#(list)"#)
    #expect(other != control)
    #expect(throws: JSONError.self) {
      try Array(other.utf8).withUnsafeBytes { bytes in
        var state = State()
        var json = JSONReader(bytes)
        try state.readControl(&json)
      }
    }
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
    let state = restored(rig)
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
      case 40..<55:
        let count = Int(rig.state.outbox.upload?.count ?? 0)
        rig.answerUpload(heldBack: (0..<count).filter { _ in random.chance(10) })
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
