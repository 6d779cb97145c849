import Contrail
import ContrailCore
import ContrailEngine
import ContrailTestSupport
import ContrailWire
import Testing

/// Each report of the device has the state that follows from the answers, and the app is told of those that are held back.
@Suite struct OwnReportsTests {
  private func report(_ number: Int) -> TurbulenceReport {
    TurbulenceReport(
      cell: 0x0F_1234, altitude: 34, severity: 2, edrE4: UInt16(1800 + number),
      observedAt: UInt32(Rig.start / 1000 - 60))
  }

  private func states(_ rig: ManualRig) -> [OwnReport.State] { rig.app.ownReports.all.map(\.state) }

  private func errors(_ rig: ManualRig) -> [ClientError] {
    rig.updates.compactMap { if case .failed(let error) = $0 { error } else { nil } }
  }

  /// Tracks reports without a link, and lets time pass until they are sent in one upload.
  private func send(_ numbers: Range<Int>, _ rig: ManualRig) {
    rig.turn { $0.setOnline(false) }
    rig.write()
    for number in numbers {
      rig.add(.report(report(number), rig.app.makeTicket()))
      rig.write()
    }
    rig.turn { $0.setOnline(true) }
    rig.write()
    awaitUpload(rig)
    rig.forget()
  }

  private func awaitUpload(_ rig: ManualRig) {
    while rig.state.outbox.upload?.request == nil, rig.timer != nil {
      rig.fire()
      rig.write()
    }
  }

  private func answer(_ rig: ManualRig, _ status: Int = 200, heldBack: [UploadAnswer.HeldBack] = []) {
    let request = OutgoingRequest(
      number: rig.state.outbox.upload?.request ?? 0, scope: .outbox, mode: nil, method: .post,
      target: ReportsUpload.path)
    rig.answer(status, status == 200 ? UploadAnswer(accepted: 1, heldBack: heldBack).json : [], to: request)
    rig.write()
  }

  @Test func reportsThatAreHeldBackHaveTheirStateAndAreToldOnceForEachUpload() {
    let rig = ManualRig.launched()
    send(0..<4, rig)
    #expect(states(rig) == [.sending, .sending, .sending, .sending])
    answer(rig, heldBack: [.init(report: 1, reason: .motion), .init(report: 3, reason: nil)])
    #expect(states(rig) == [.confirmed, .heldBack, .confirmed, .heldBack])
    let told = errors(rig)
    #expect(told.map(\.code) == [.reportHeldBack] && told.map(\.scope) == [.outbox])
    #expect(told.first?.message == "The service keeps 2 ownship reports (motion, other) from others")
    #expect(told.first?.advice.hasSuffix(".") == true && told.first?.host == "server.example")
    // It is of a moment, and no outage.
    #expect(told.first?.lasts == false && told.first?.isTransient == false)
    #expect(rig.app.shown.status(of: .outbox).lastError == nil)
    // The queries that include own reports are evaluated again.
    #expect(told.allSatisfy { ClientUpdate.failed($0).concernsQueries })

    send(4..<6, rig)
    answer(rig, heldBack: [.init(report: 0, reason: .stuck)])
    #expect(states(rig) == [.confirmed, .heldBack, .confirmed, .heldBack, .heldBack, .confirmed])
    #expect(errors(rig).map(\.message) == ["The service keeps 1 ownship report (stuck) from others"])

    send(6..<7, rig)
    answer(rig)
    #expect(states(rig).last == .confirmed && errors(rig).isEmpty)
  }

  @Test func reportsThatAreRefusedHeldBackAndConfirmedOneByOne() {
    let rig = ManualRig.launched()
    send(0..<3, rig)
    answer(rig, 400)
    #expect(states(rig) == [.sending, .waiting, .waiting])
    answer(rig, heldBack: [.init(report: 0, reason: .outlier)])
    #expect(states(rig) == [.heldBack, .sending, .waiting])
    answer(rig, 400)
    #expect(states(rig) == [.heldBack, .refused, .sending])
    answer(rig)
    #expect(states(rig) == [.heldBack, .refused, .confirmed])
    #expect(errors(rig).map(\.code) == [.reportHeldBack, .reportRefused])
  }

  /// A launch knows the reports that the server hasn't confirmed, and tells nothing of the others.
  @Test func aLaunchTellsNothingOfReportsThatWereHeldBackBefore() {
    let rig = ManualRig.launched()
    send(0..<2, rig)
    rig.add(.report(report(2), rig.app.makeTicket()))
    rig.write()
    answer(rig, heldBack: [.init(report: 1, reason: .rate)])
    #expect(states(rig) == [.confirmed, .heldBack, .waiting])

    let next = ManualRig()
    next.feed(.launched)
    next.open(rig.state)
    next.write()
    #expect(next.app.ownReports.all.map(\.report) == [report(2)] && errors(next).isEmpty)
    awaitUpload(next)
    answer(next, heldBack: [.init(report: 0, reason: .motion)])
    #expect(states(next) == [.heldBack] && errors(next).map(\.code) == [.reportHeldBack])
  }

  @Test func aReportThatWasHeldBackIsForgottenAfterTheLongestHistory() {
    let rig = ManualRig.launched()
    send(0..<1, rig)
    answer(rig, heldBack: [.init(report: 0, reason: .strength)])
    rig.now += 6 * 3_600_000 - 120_000
    rig.turn { $0.setOnline(false) }
    rig.write()
    #expect(states(rig) == [.heldBack])
    rig.now += 60_000
    rig.turn { $0.setOnline(true) }
    rig.write()
    #expect(states(rig) == [])
  }
}
