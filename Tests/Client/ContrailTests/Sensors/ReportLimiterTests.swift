import Contrail
import ContrailTestSupport
import ContrailWire
import Testing

@Suite struct ReportLimiterTests {
  /// A limiter that `#expect` can call.
  private final class Subject {
    private(set) var limiter: ReportLimiter

    init(_ limiter: ReportLimiter = ReportLimiter()) { self.limiter = limiter }

    func admits(_ report: TurbulenceReport, isComplete: Bool, timeSeconds: Double) -> Bool {
      limiter.admits(report, isComplete: isComplete, timeSeconds: timeSeconds)
    }

    func withdraw(_ report: TurbulenceReport) { limiter.withdraw(report) }
  }

  private func report(
    _ severity: TurbulenceSeverity, cell: UInt32 = 1, altitude: UInt8 = 35, edrE4: UInt16 = 1234
  ) -> TurbulenceReport {
    TurbulenceReport(cell: cell, altitude: altitude, severity: severity.rawValue, edrE4: edrE4, observedAt: 1)
  }

  @Test func theSameCellAltitudeAndSeverityIsReportedOnceIn5Minutes() {
    let limiter = Subject()
    let admitted = stride(from: 0.0, through: 900, by: 5).filter {
      // The EDR and the time of a report don't make it another.
      limiter.admits(report(.moderate, edrE4: UInt16(2000 + $0)), isComplete: true, timeSeconds: $0)
    }
    #expect(admitted == [0, 300, 600, 900])
  }

  @Test func anotherCellOrAltitudeOrALowerSeverityIsReportedAtOnce() {
    let limiter = Subject()
    #expect(limiter.admits(report(.moderate), isComplete: true, timeSeconds: 0))
    #expect(limiter.admits(report(.moderate, cell: 2), isComplete: true, timeSeconds: 5))
    #expect(limiter.admits(report(.moderate, altitude: 36), isComplete: true, timeSeconds: 10))
    #expect(limiter.admits(report(.light), isComplete: true, timeSeconds: 15))
    #expect(!limiter.admits(report(.light), isComplete: true, timeSeconds: 20))
  }

  @Test func aRisingSeverityIsAlwaysReported() {
    let limiter = Subject()
    #expect(limiter.admits(report(.moderate), isComplete: false, timeSeconds: 0))
    #expect(limiter.admits(report(.light), isComplete: false, timeSeconds: 60))
    // Reported a minute and a half ago, and above what was sent last.
    #expect(limiter.admits(report(.moderate), isComplete: false, timeSeconds: 90))
    #expect(!limiter.admits(report(.moderate), isComplete: false, timeSeconds: 95))
    #expect(!limiter.admits(report(.light), isComplete: false, timeSeconds: 100))
    #expect(!limiter.admits(report(.moderate), isComplete: false, timeSeconds: 105))
  }

  @Test func smoothAirIsReportedOnceAMinuteInNewCells() {
    let limiter = Subject()
    // A new cell every 40 s.
    let admitted = stride(from: 0.0, through: 300, by: 5).filter {
      limiter.admits(report(.none, cell: UInt32($0 / 40)), isComplete: true, timeSeconds: $0)
    }
    #expect(admitted == [0, 60, 120, 180, 240, 300])
  }

  @Test func smoothAirNeedsACompleteMinute() {
    let limiter = Subject()
    #expect(!limiter.admits(report(.none), isComplete: false, timeSeconds: 0))
    #expect(limiter.admits(report(.none), isComplete: true, timeSeconds: 5))
  }

  @Test func smoothAirMayBeLeftOut() {
    let limiter = Subject(ReportLimiter(smoothSeconds: nil))
    #expect(!limiter.admits(report(.none), isComplete: true, timeSeconds: 0))
    #expect(limiter.admits(report(.light), isComplete: true, timeSeconds: 5))
  }

  @Test func whatCouldNotBeStoredIsDueAgain() {
    let limiter = Subject()
    for severity in [TurbulenceSeverity.none, .moderate] {
      #expect(limiter.admits(report(severity), isComplete: true, timeSeconds: 0))
      #expect(!limiter.admits(report(severity), isComplete: true, timeSeconds: 5))
      limiter.withdraw(report(severity))
      #expect(limiter.admits(report(severity), isComplete: true, timeSeconds: 10))
    }
  }

  @Test func aClockSetBackForgetsWhatWasSent() {
    let limiter = Subject()
    #expect(limiter.admits(report(.light), isComplete: true, timeSeconds: 1e6))
    #expect(limiter.admits(report(.light), isComplete: true, timeSeconds: 10))
    #expect(!limiter.admits(report(.light), isComplete: true, timeSeconds: 11))
    #expect(!limiter.admits(report(.moderate), isComplete: true, timeSeconds: .nan))
  }

  /// The rules, told again without the limiter's memory: over random flights each report sent is due, and each due is sent.
  @Test func overRandomFlightsEveryReportFollowsTheRules() {
    for seed in 0..<50 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let rules = ReportLimiter(
        repeatSeconds: Double.random(in: 60...600, using: &random), smoothSeconds: random.chance(80) ? 60 : nil)
      let limiter = Subject(rules)
      var sent: [(report: TurbulenceReport, time: Double)] = []
      for step in 0..<300 {
        let time = Double(step * 5)
        let severity = TurbulenceSeverity.allCases[
          min(Int.random(in: 0..<5, using: &random), Int.random(in: 0..<5, using: &random))]
        let altitude = UInt8.random(in: 34...35, using: &random)
        let next = report(severity, cell: UInt32(step / 14), altitude: altitude)
        let isComplete = random.chance(80)
        let recent = sent.filter { time - $0.time < rules.repeatSeconds }
        let isNew = !recent.contains { $0.report.packed >> 16 == next.packed >> 16 }
        let isSmoothDue =
          isComplete && (sent.last { $0.report.severity == .none }.map { time - $0.time >= 60 } ?? true)
          && rules.smoothSeconds != nil
        let rises = recent.last.map { severity > $0.report.severity } ?? false
        let isDue = severity == .none ? isNew && isSmoothDue : isNew || rises
        #expect(limiter.admits(next, isComplete: isComplete, timeSeconds: time) == isDue, "seed \(seed), \(time) s")
        if isDue { sent.append((next, time)) }
      }
      #expect(sent.count > 10)
    }
  }

  @Test func thousandsOfCellsDoNotGrowTheMemory() {
    let limiter = Subject(ReportLimiter(repeatSeconds: 1e9))
    for cell in 0..<1000 as Range<UInt32> {
      #expect(limiter.admits(report(.light, cell: cell), isComplete: true, timeSeconds: Double(cell)))
    }
    // The last 256 are remembered.
    #expect(!limiter.admits(report(.light, cell: 999), isComplete: true, timeSeconds: 1000))
    #expect(!limiter.admits(report(.light, cell: 744), isComplete: true, timeSeconds: 1000))
    #expect(limiter.admits(report(.light, cell: 743), isComplete: true, timeSeconds: 1000))
  }
}
