import ContrailTestSupport
import ContrailWire
import Testing

@testable import Contrail

/// What is no turbulence makes no estimate, and nothing stops the estimator.
@Suite struct EstimatorTests {
  private func flight(edr: Double, seed: UInt64 = 1) -> (feed: Feed, gusts: Gusts) {
    (Feed(), Gusts(seed: seed, edr: edr, airspeedMPS: 230, rateHZ: 20))
  }

  @Test func theFirstEstimateComesAfter15SecondsThenOneEvery5() {
    var (feed, gusts) = flight(edr: 0.3)
    feed.add(gusts: &gusts, seconds: 121)
    #expect(feed.estimates.map { $0.timeSeconds - 1000 } == Array(stride(from: 15, through: 120, by: 5)))
    #expect(feed.estimates.firstIndex(where: \.isComplete) == 10)
    #expect(feed.estimates.allSatisfy { $0.windowCount <= 11 })
  }

  @Test func peakAndMeanAreThoseOfTheLastMinute() {
    var (feed, gusts) = flight(edr: 0.3)
    feed.add(gusts: &gusts, seconds: 300)
    #expect(feed.estimates.count > 50)
    for (index, estimate) in feed.estimates.enumerated() {
      let minute = feed.estimates[...index].filter { $0.timeSeconds > estimate.timeSeconds - 52 }
      #expect(estimate.windowCount == minute.count)
      let peak = minute.reduce(estimate) { $1.edr > $0.edr ? $1 : $0 }
      #expect(estimate.peakEDR == peak.edr)
      #expect(estimate.peakTimeSeconds == peak.timeSeconds - 5)
      let meanSquare = minute.reduce(0) { $0 + $1.edr * $1.edr } / Double(minute.count)
      #expect((estimate.meanEDR - meanSquare.squareRoot()).magnitude < 1e-12)
    }
  }

  @Test func smoothAirIsSmooth() {
    var feed = Feed()
    feed.add(seconds: 100) { _ in 0 }
    #expect(feed.estimates.count == 17)
    #expect(feed.estimates.allSatisfy { $0.edr == 0 && $0.severity == .none })
  }

  // MARK: Steps and manoeuvres

  /// A device that is picked up: the acceleration jumps, at once or within a second.
  @Test(arguments: [0.0, 0.02, 0.05], [2.5, 5, 10])
  func aStepMakesNoEstimate(edr: Double, sizeMPS2: Double) {
    for seed in 0..<4 as Range<UInt64> {
      var (feed, gusts) = flight(edr: edr, seed: seed)
      let riseSeconds = Double(seed) / 4
      feed.add(seconds: 90) { time in
        let rise = time < 42.3 ? 0 : riseSeconds == 0 ? 1 : min(1, (time - 42.3) / riseSeconds)
        return 0.4 * gusts.next() + sizeMPS2 * rise
      }
      #expect(feed.estimator.exclusions.steps > 0)
      #expect(feed.estimates.allSatisfy { $0.peakEDR < 0.1 }, "\(edr), \(sizeMPS2), seed \(seed)")
      #expect(feed.estimates.last.map { $0.timeSeconds == 1085 && !$0.isComplete } ?? false)
    }
  }

  @Test func theEntryOfATurnIsNoTurbulence() {
    var (feed, gusts) = flight(edr: 0.02)
    // 30° of bank in 5 s: 1.15 g.
    feed.add(seconds: 60) { 0.4 * gusts.next() + 1.5 * min(max($0 - 31, 0), 5) / 5 }
    #expect(!feed.estimates.isEmpty)
    #expect(feed.estimates.allSatisfy { $0.severity == .none })
  }

  @Test func theOnsetOfTurbulenceIsFoundWithin20Seconds() {
    for seed in 0..<8 as Range<UInt64> {
      var (feed, gusts) = flight(edr: 0.4, seed: seed)
      feed.add(seconds: 80) { time in
        let gust = gusts.next()
        return 0.4 * gust * (time < 40 ? 0.05 : 1)
      }
      let first = feed.estimates.first { $0.severity >= .moderate }?.timeSeconds
      #expect((first.map { $0 - 1040 <= 20 }) ?? false, "seed \(seed): \(first ?? -1)")
    }
  }

  @Test func aDeviceThatIsSwungIsImplausible() {
    var feed = Feed()
    // Up and down by 8 m/s², every second and a half.
    feed.add(seconds: 60) { $0.truncatingRemainder(dividingBy: 1.5) < 0.75 ? 8 : -8 }
    #expect(feed.estimates.isEmpty)
    #expect(feed.estimator.exclusions.implausible > 0)
  }

  @Test func afterAnInterruptionTheFilterStartsAnew() {
    var (feed, gusts) = flight(edr: 0.3)
    feed.add(gusts: &gusts, seconds: 31)
    feed.estimator.interrupt()
    feed.add(gusts: &gusts, seconds: 31)
    #expect(feed.estimates.map { $0.timeSeconds - 1000 } == [15, 20, 25, 30, 46, 51, 56, 61])
  }

  // MARK: Gaps and clocks

  @Test func aGapStartsTheFilterAnewAndTheMinuteIsIncomplete() {
    var (feed, gusts) = flight(edr: 0.3)
    feed.add(gusts: &gusts, seconds: 100)
    feed.timeSeconds += 0.5
    feed.add(gusts: &gusts, seconds: 100)
    #expect(feed.estimator.exclusions.gaps == 1)
    let after = feed.estimates.filter { $0.timeSeconds > 1100 }
    #expect(after.first.map { $0.timeSeconds >= 1115 } ?? false)
    #expect(after.prefix(8).allSatisfy { !$0.isComplete })
    #expect(after.last?.isComplete ?? false)
  }

  @Test func windowsBeforeALongGapAreForgotten() {
    var (feed, gusts) = flight(edr: 0.5)
    feed.add(gusts: &gusts, seconds: 60)
    feed.timeSeconds += 3600
    feed.add(seconds: 16) { _ in 0 }
    #expect(feed.estimates.last?.peakEDR == 0)
    #expect(feed.estimates.last?.windowCount == 1)
  }

  @Test func tooFewSamplesMakeNoEstimate() {
    var feed = Feed(rateHZ: 5)
    feed.add(seconds: 56) { $0.truncatingRemainder(dividingBy: 1) }
    #expect(feed.estimates.isEmpty)
    #expect(feed.estimator.exclusions.implausible == 9)
  }

  @Test func aClockSetBackForgetsEverything() {
    var (feed, gusts) = flight(edr: 0.5)
    feed.add(gusts: &gusts, seconds: 60)
    feed.timeSeconds = 10
    feed.add(seconds: 16) { _ in 0 }
    #expect(feed.estimator.exclusions.clockSetBack == 1)
    #expect(feed.estimates.last?.peakEDR == 0)
    #expect(feed.estimates.last?.timeSeconds == 25)
  }

  @Test func repeatedSamplesAreCountedAndChangeNothing() {
    var (feed, gusts) = flight(edr: 0.3)
    var (twice, same) = flight(edr: 0.3)
    feed.add(gusts: &gusts, seconds: 40)
    for index in 0..<800 {
      twice.timeSeconds = 1000 + Double(index) / 20
      let acceleration = 0.4 * same.next()
      twice.add(acceleration)
      twice.add(acceleration + 5)
    }
    #expect(twice.estimates == feed.estimates)
    #expect(twice.estimator.exclusions.repeated == 800)
  }

  // MARK: Values

  @Test func valuesThatAreNoNumbersAreCountedAndChangeNothing() {
    var (feed, gusts) = flight(edr: 0.3)
    var (spoilt, same) = flight(edr: 0.3)
    feed.add(gusts: &gusts, seconds: 40)
    for index in 0..<800 {
      spoilt.timeSeconds = 1000 + Double(index) / 20
      spoilt.add(0.4 * same.next())
      spoilt.timeSeconds += 0.02
      spoilt.add(.nan)
    }
    #expect(spoilt.estimates == feed.estimates)
    #expect(spoilt.estimator.exclusions == .init(notFinite: 800))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func everyPartMustBeANumber(value: Double) {
    var estimator = TurbulenceEstimator()
    for sample in [
      MotionSample(timeSeconds: value, verticalAccelerationMPS2: 0, trueAirspeedMPS: 200),
      MotionSample(timeSeconds: 1, verticalAccelerationMPS2: value, trueAirspeedMPS: 200),
      MotionSample(timeSeconds: 1, verticalAccelerationMPS2: 0, trueAirspeedMPS: value),
    ] {
      let estimate = estimator.add(sample)
      #expect(estimate == nil)
    }
    #expect(estimator.exclusions == .init(notFinite: 3))
  }

  @Test(arguments: [(0.0, 0.0), (0, -5), (0, 39.9), (0, 400.1), (40.1, 200), (-1e9, 200)])
  func impossibleValuesAreCounted(acceleration: Double, airspeed: Double) {
    var estimator = TurbulenceEstimator()
    let sample = MotionSample(timeSeconds: 1, verticalAccelerationMPS2: acceleration, trueAirspeedMPS: airspeed)
    let estimate = estimator.add(sample)
    #expect(estimate == nil)
    #expect(estimator.exclusions == .init(outOfRange: 1))
  }

  @Test func onTheGroundThereIsNoEstimate() {
    var (feed, gusts) = flight(edr: 0.5)
    feed.airspeedMPS = 0
    feed.add(gusts: &gusts, seconds: 60)
    #expect(feed.estimates.isEmpty)
    #expect(feed.estimator.exclusions.outOfRange == 1200)
  }

  @Test(arguments: [0.0, -1, .nan, .infinity])
  func anImpossibleResponseMakesNoEstimate(response: Double) {
    var (feed, gusts) = flight(edr: 0.3)
    feed.estimator.response = AircraftResponse(gustResponsePerSecond: response)
    feed.add(gusts: &gusts, seconds: 30)
    #expect(feed.estimates.isEmpty)
  }

  @Test func anyInputIsAccepted() {
    var random = SplitMix64(seed: 99)
    var estimator = TurbulenceEstimator()
    let odd = [0, -0.0, 1e300, -1e300, .leastNonzeroMagnitude, .nan, .infinity, -.infinity, 40, 400, 0.125, 1e-9]
    var time = 0.0
    for _ in 0..<20_000 {
      time += random.chance(1) ? Double.random(in: -1e6...1e6, using: &random) : 0.1
      let sample = MotionSample(
        timeSeconds: random.chance(2) ? odd[Int.random(in: 0..<12, using: &random)] : time,
        verticalAccelerationMPS2: random.chance(2)
          ? odd[Int.random(in: 0..<12, using: &random)] : Double.random(in: -40...40, using: &random),
        trueAirspeedMPS: random.chance(2) ? odd[Int.random(in: 0..<12, using: &random)] : 200)
      guard let estimate = estimator.add(sample) else { continue }
      #expect(estimate.edr.isFinite && estimate.edr >= 0 && estimate.peakEDR <= 1.5 && estimate.windowCount <= 11)
    }
  }

  // MARK: Severity

  @Test(
    arguments: [
      (0.0, .none), (0.0999, .none), (0.1, .light), (0.1499, .light), (0.15, .lightModerate), (0.2, .moderate),
      (0.4499, .moderate), (0.45, .moderateSevere), (9, .moderateSevere), (.infinity, .moderateSevere), (-1, .none),
      (.nan, .none),
    ] as [(Double, TurbulenceSeverity)])
  func severityFollowsAnnex3(edr: Double, severity: TurbulenceSeverity) {
    #expect(TurbulenceSeverity(edr: edr) == severity)
  }

  @Test func theResponseFollowsFromTheAircraft() {
    // 0.38 × 230 × 5.5 / (2 × 520)
    let response = AircraftResponse(wingLoadingKGPerM2: 520, airDensityKGPerM3: 0.38, trueAirspeedMPS: 230)
    #expect((response.gustResponsePerSecond - 0.462_212).magnitude < 1e-6)
  }
}
