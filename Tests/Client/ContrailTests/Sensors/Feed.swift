import Contrail

/// Feeds an estimator with samples at an even rate.
struct Feed {
  static let response = AircraftResponse(gustResponsePerSecond: 0.4)

  var estimator = TurbulenceEstimator(response: Feed.response)
  var rateHZ = 20.0
  var airspeedMPS = 230.0
  /// The time of the next sample.
  var timeSeconds = 1000.0
  var estimates: [TurbulenceEstimate] = []

  mutating func add(seconds: Double, accelerationMPS2: (_ secondsSinceStart: Double) -> Double) {
    let start = timeSeconds
    for index in 0..<Int((seconds * rateHZ).rounded()) {
      timeSeconds = start + Double(index) / rateHZ
      add(accelerationMPS2(timeSeconds - start))
    }
    timeSeconds = start + seconds
  }

  mutating func add(gusts: inout Gusts, seconds: Double) {
    add(seconds: seconds) { _ in 0.4 * gusts.next() }
  }

  mutating func add(_ accelerationMPS2: Double) {
    let sample = MotionSample(
      timeSeconds: timeSeconds, verticalAccelerationMPS2: accelerationMPS2, trueAirspeedMPS: airspeedMPS)
    if let estimate = estimator.add(sample) { estimates.append(estimate) }
  }

  /// The EDR of the mean variance of all windows that don't overlap.
  var edr: Double {
    let windows = estimates.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element.edr)
    return (windows.reduce(0) { $0 + $1 * $1 } / Double(max(windows.count, 1))).squareRoot()
  }
}
