import Contrail
import ContrailTestSupport
import Testing

/// The estimator finds the EDR that the gusts were made with.
@Suite struct AccuracyTests {
  private struct Flight: Sendable {
    var seed: UInt64
    var rateHZ: Double
    var minutes: Double
    var edr: Double
    var airspeedMPS: Double

    init(seed: UInt64, rateHZ: Double, minutes: Double) {
      var random = SplitMix64(seed: seed)
      self.seed = seed
      self.rateHZ = rateHZ
      self.minutes = minutes
      edr = Double.random(in: 0.05...0.7, using: &random)
      airspeedMPS = Double.random(in: 100...260, using: &random)
    }

    /// The estimates, and the EDR of the whole flight over that of the gusts.
    func run() -> (estimates: [TurbulenceEstimate], ratio: Double, steps: Int) {
      var gusts = Gusts(seed: seed, edr: edr, airspeedMPS: airspeedMPS, rateHZ: rateHZ)
      var feed = Feed(rateHZ: rateHZ, airspeedMPS: airspeedMPS)
      feed.add(gusts: &gusts, seconds: minutes * 60)
      return (feed.estimates, feed.edr / edr, feed.estimator.exclusions.steps)
    }
  }

  @Test func tenMinutesGiveTheEDRWithin10PercentForEverySeed() {
    var ratios: [Double] = []
    var minutes: [Double] = []
    var windows: [Double] = []
    var peaks: [Double] = []
    var steps = 0
    for seed in 0..<56 as Range<UInt64> {
      let flight = Flight(seed: seed, rateHZ: 8, minutes: 10)
      let run = flight.run()
      #expect((run.ratio - 1).magnitude < 0.10, "seed \(seed), EDR \(flight.edr): \(run.ratio)")
      ratios.append(run.ratio)
      windows += run.estimates.map { $0.edr / flight.edr }
      let complete = run.estimates.filter(\.isComplete)
      minutes += complete.map { $0.meanEDR / flight.edr }
      peaks += complete.map { $0.peakEDR / $0.meanEDR }
      steps += run.steps
    }
    #expect((mean(ratios) - 1).magnitude < 0.03)
    // What the documentation says of one minute, one window, the peak and the rejected windows.
    #expect((mean(minutes) - 1).magnitude < 0.03)
    #expect(deviation(minutes) < 0.10)
    #expect(deviation(windows) < 0.20)
    #expect((1.15...1.35).contains(mean(peaks)))
    #expect(Double(steps) < 0.02 * Double(windows.count))
  }

  @Test(arguments: [(20.0, 16), (50, 8), (100, 4)])
  func theRateOfSamplesDoesNotMatter(rateHZ: Double, seeds: UInt64) {
    var ratios: [Double] = []
    for seed in 0..<seeds {
      let flight = Flight(seed: 1000 + seed, rateHZ: rateHZ, minutes: 4)
      let ratio = flight.run().ratio
      #expect((ratio - 1).magnitude < 0.15, "seed \(flight.seed): \(ratio)")
      ratios.append(ratio)
    }
    #expect((mean(ratios) - 1).magnitude < 0.05)
  }

  /// The spectrum of von Kármán falls short of the inertial one at low frequencies, and so does the response of an aircraft
  /// that moves with the gust. The estimator allows for neither.
  @Test(
    arguments: [
      (100_000, nil, 0.97...1.03), (669, nil, 0.95...1.01), (669, 0.4, 0.92...1.0),
    ] as [(Double, Double?, ClosedRange<Double>)])
  func vonKarmansGustsAreUnderestimatedLittle(lengthM: Double, plunge: Double?, expected: ClosedRange<Double>) {
    var ratios: [Double] = []
    for seed in 0..<4 as Range<UInt64> {
      var gusts = KarmanGusts(
        seed: seed, edr: 0.3, airspeedMPS: 230, rateHZ: 8, lengthM: lengthM, plungePerSecond: plunge)
      var feed = Feed(rateHZ: 8)
      feed.add(seconds: 300) { _ in 0.4 * gusts.next() }
      ratios.append(feed.edr / 0.3)
    }
    #expect(expected.contains(mean(ratios)), "\(mean(ratios))")
  }

  @Test func unevenIntervalsAndSingleMissingSamplesChangeLittle() {
    var ratios: [Double] = []
    for seed in 0..<6 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var gusts = Gusts(seed: seed, edr: 0.25, airspeedMPS: 230, rateHZ: 50)
      var feed = Feed()
      for index in 0..<(50 * 180) {
        let gust = gusts.next()
        feed.timeSeconds = Double(index) / 50
        // About every third sample, at random, and sometimes none for 0.2 s.
        if random.chance(35) { feed.add(0.4 * gust) }
      }
      #expect(feed.estimator.exclusions.implausible == 0)
      ratios.append(feed.edr / 0.25)
    }
    #expect((mean(ratios) - 1).magnitude < 0.06, "\(ratios)")
  }

  @Test func theEDRIsProportionalToTheAccelerationAndFallsWithTheResponseAndTheAirspeed() throws {
    func edr(scale: Double, response: Double, airspeedMPS: Double) throws -> Double {
      var gusts = Gusts(seed: 7, edr: 0.2, airspeedMPS: 200, rateHZ: 8)
      var feed = Feed(
        estimator: TurbulenceEstimator(response: .init(gustResponsePerSecond: response)), rateHZ: 8,
        airspeedMPS: airspeedMPS)
      feed.add(seconds: 16) { _ in scale * gusts.next() }
      return try #require(feed.estimates.first).edr
    }
    let one = try edr(scale: 0.4, response: 0.4, airspeedMPS: 200)
    #expect((try edr(scale: 0.8, response: 0.4, airspeedMPS: 200) / one - 2).magnitude < 1e-9)
    #expect((try edr(scale: 0.4, response: 0.8, airspeedMPS: 200) / one - 0.5).magnitude < 1e-9)
    // 100 m/s is half the airspeed: the same acceleration needs 2^(1/3) times the EDR.
    #expect((try edr(scale: 0.4, response: 0.4, airspeedMPS: 100) / one - 1.259_921).magnitude < 1e-5)
  }

  private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(values.count, 1)) }

  private func deviation(_ values: [Double]) -> Double {
    let mean = mean(values)
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(values.count, 1))).squareRoot()
  }
}
