import Contrail
import ContrailEngine
import ContrailGeodesy
import ContrailWire
import Foundation
import Testing

/// Samples become reports of the peak, where and when it was.
@Suite struct MotionRecorderTests {
  /// What receives the reports, with a clock that follows the samples.
  private actor Receiver {
    var reports: [TurbulenceReport] = []
    var failures = 0

    init(failures: Int = 0) { self.failures = failures }

    func take(_ report: TurbulenceReport) throws(ClientError) {
      if failures > 0 {
        failures -= 1
        throw ClientError(.position(latitude: 0, longitude: 0))
      }
      reports.append(report)
    }
  }

  private static let startSecond: Int64 = 1_700_000_000

  private func recorder(_ receiver: Receiver, limiter: ReportLimiter = ReportLimiter()) -> MotionRecorder {
    MotionRecorder(
      response: .mediumTransport, limiter: limiter, serverSecond: { Self.startSecond },
      send: { (report) throws(ClientError) in try await receiver.take(report) })
  }

  /// Flies east with two sinusoids as turbulence, at an EDR of about `scale` / 3.
  private func fly(
    _ recorder: MotionRecorder, seconds: Double, from startSeconds: Double = 0, altitudeFeet: Double = 35_000,
    scale: (Double) -> Double
  ) async throws {
    for index in 0..<Int(seconds * 20) {
      let time = startSeconds + Double(index) / 20
      let acceleration = scale(time) * (sin(2 * .pi * 0.37 * time) + sin(2 * .pi * 0.61 * time))
      try await recorder.add(
        MotionSample(timeSeconds: time, verticalAccelerationMPS2: acceleration, trueAirspeedMPS: 230),
        at: Coordinate(latitude: 50, longitude: time / 1000), altitudeFeet: altitudeFeet)
    }
  }

  @Test func aReportHasTheSeverityOfItsEDR() async throws {
    let receiver = Receiver()
    let recorder = recorder(receiver)
    try await fly(recorder, seconds: 40) { _ in 1 }
    let report = try #require(await receiver.reports.first)
    let estimate = try #require(await recorder.estimate)
    #expect(await receiver.reports.count == 1)
    #expect(report.severity == TurbulenceSeverity(edr: Double(report.edrE4) / 1e4))
    #expect(report.severity == estimate.severity)
    #expect(report.severity > .none)
    #expect(report.altitude == 35)
    // The first window ends after 15 s; its middle is 5 s before.
    #expect(Int64(report.observedAt) == Self.startSecond - 5)
  }

  @Test func smoothAirIsReportedAfterAMinuteOrNotAtAll() async throws {
    let receiver = Receiver()
    try await fly(recorder(receiver), seconds: 100) { _ in 0 }
    #expect(await receiver.reports.map(\.severity) == [.none])
    let none = Receiver()
    try await fly(recorder(none, limiter: ReportLimiter(smoothSeconds: nil)), seconds: 100) { _ in 0 }
    #expect(await none.reports.isEmpty)
  }

  @Test func aRisingSeverityIsReportedAtOnce() async throws {
    let receiver = Receiver()
    try await fly(recorder(receiver), seconds: 120) { $0 < 60 ? 0.35 : 1.4 }
    let severities = await receiver.reports.map(\.severity)
    #expect(severities.count >= 2)
    #expect(severities == severities.sorted())
    #expect(severities.last == .moderate || severities.last == .moderateSevere)
  }

  @Test func aReportThatCouldNotBeStoredIsDueAgain() async throws {
    let receiver = Receiver(failures: 1)
    let recorder = recorder(receiver)
    await #expect(throws: ClientError.self) { try await fly(recorder, seconds: 40) { _ in 1 } }
    #expect(await receiver.reports.isEmpty)
    // The sample that failed was that at 15 s.
    try await fly(recorder, seconds: 10, from: 15.05) { _ in 1 }
    #expect(await receiver.reports.count == 1)
  }

  @Test func anAltitudeOutOfRangeIsAnError() async throws {
    let recorder = recorder(Receiver())
    await #expect(throws: ClientError.self) {
      try await fly(recorder, seconds: 40, altitudeFeet: 90_000) { _ in 1 }
    }
  }

  @Test func anInterruptionDelaysTheNextEstimate() async throws {
    let recorder = recorder(Receiver())
    try await fly(recorder, seconds: 14) { _ in 1 }
    await recorder.interrupt()
    try await fly(recorder, seconds: 14, from: 14) { _ in 1 }
    #expect(await recorder.estimate == nil)
    await recorder.setResponse(AircraftResponse(gustResponsePerSecond: 0.3))
    #expect(await recorder.response.gustResponsePerSecond == 0.3)
    #expect(await recorder.exclusions.gaps == 0)
  }
}
