import ContrailGeodesy

/// Estimates the eddy dissipation rate (EDR) from vertical acceleration and airspeed.
///
///     var estimator = TurbulenceEstimator()
///     if let estimate = estimator.add(sample), estimate.severity > .none { show(estimate.peakEDR) }
///
/// The one-sided spectrum of vertical gusts that an aircraft meets at the true airspeed `V` is, in the inertial subrange,
///
///     S(ω) = 0.7 (ε V)^(2/3) ω^(−5/3)        ω in rad/s
///     S(f) = 0.7 ε^(2/3) (V / 2π)^(2/3) f^(−5/3)   f in Hz
///
/// (Kolmogorov's spectrum with Taylor's hypothesis; 0.7 = 24/55 × 1.6, Pope, "Turbulent Flows", 2000, section 6.5.3). The
/// aircraft's acceleration is the gust times a response `R`, see ``AircraftResponse``, and the filter has the gain `B(f)`.
/// The variance of the filtered acceleration is then
///
///     σ² = 0.7 R² ε^(2/3) (V / 2π)^(2/3) I,    I = ∫ |B(f)|² f^(−5/3) df
///
/// and the EDR is
///
///     ε^(1/3) = σ / (R √(0.7 I) (V / 2π)^(1/3))
///
/// That turbulence is measured by the variance of a band in the inertial subrange, scaled by `V^(1/3)`, is due to MacCready,
/// "Standardization of gustiness values from aircraft", J. Appl. Meteor. 3 (1964). Vertical acceleration and the aircraft's
/// response are used by Cornman, Morse and Cunning, "Real-time estimation of atmospheric turbulence severity from in-situ
/// aircraft measurements", J. Aircraft 32 (1995). The peak and the mean of a minute are those of Sharman et al.,
/// "Description and derived climatologies of automated in situ eddy-dissipation-rate reports of atmospheric turbulence",
/// J. Appl. Meteor. Climatol. 53 (2014). The filter and the test for steps are our own.
///
/// Samples come at 8–100 Hz, at even or uneven intervals. An estimate is made every five seconds, first 15 s after the
/// start or a gap.
public struct TurbulenceEstimator: Sendable {
  /// Kolmogorov's constant for the transverse spectrum, one-sided and by angular frequency.
  static let spectralConstant = 0.7
  /// A longer interval is a gap and resets the filter.
  static let gapSeconds = 0.4
  /// A window with fewer samples is rejected: at 8 Hz, one in eight may be missing.
  static let greatestMeanIntervalSeconds = 1.0 / 7
  /// The time that the filter takes to forget its start.
  static let settlingSeconds = 5
  static let hopSeconds = 5
  static let windowsPerMinute = 11
  /// A greater ratio of the greatest to the mean magnitude is a step, see ``GustWindow/crestRatio``.
  static let greatestCrestRatio = 6.0
  /// Turbulence is severe from 0.45, and this is three times as strong. A device that is swung about gives more.
  static let greatestEDR = 1.5
  /// Beyond the limit loads of transport aircraft (2.5 g, EASA CS-25.337) by a factor of two.
  static let greatestAccelerationMPS2 = 40.0
  /// Below, the aircraft is on the ground; above, the value is wrong.
  static let airspeedsMPS = 40.0...400.0

  /// How strongly the aircraft responds to gusts. It may be changed in flight, and counts from the next estimate.
  public var response: AircraftResponse
  /// The samples that were left out since the start.
  public private(set) var exclusions = Exclusions()

  private var run: Run?
  /// Windows of the last minute, oldest first; at most ``windowsPerMinute``.
  private var minute: [Window] = []
  /// The filter's integral and the interval that it is for.
  private var integral = (intervalSeconds: 0.0, value: 0.0)

  /// The number of samples and windows that were left out, by reason.
  public struct Exclusions: Hashable, Sendable {
    /// Samples with a value that isn't finite.
    public internal(set) var notFinite = 0
    /// Samples with an acceleration above 40 m/s², or an airspeed outside 40…400 m/s.
    public internal(set) var outOfRange = 0
    /// Samples with the time of the sample before.
    public internal(set) var repeated = 0
    /// Samples earlier than the one before: all is forgotten.
    public internal(set) var clockSetBack = 0
    /// Intervals above 0.4 s, which reset the filter.
    public internal(set) var gaps = 0
    /// Windows with a single step, such as that of a device that is picked up.
    public internal(set) var steps = 0
    /// Windows with too few samples, or an EDR above 1.5.
    public internal(set) var implausible = 0
  }

  /// Samples without a gap.
  private struct Run: Sendable {
    let startSeconds: Double
    var lastSeconds: Double
    var filter: GustFilter
    var window = GustWindow()
    var bin = GustWindow.Bin()
    /// The number of seconds that are over.
    var binCount = 0

    init(_ sample: MotionSample) {
      startSeconds = sample.timeSeconds
      lastSeconds = sample.timeSeconds
      filter = GustFilter(input: sample.verticalAccelerationMPS2)
    }
  }

  private struct Window: Sendable {
    let middleSeconds: Double
    let edr: Double
  }

  public init(response: AircraftResponse = .mediumTransport) {
    self.response = response
  }

  /// Adds a sample and returns an estimate if one is due.
  ///
  /// Samples that can't be used are counted in ``exclusions`` and otherwise ignored.
  ///
  /// - Complexity: O(1) in time and memory.
  public mutating func add(_ sample: MotionSample) -> TurbulenceEstimate? {
    guard isUsable(sample) else { return nil }
    guard var run else {
      run = Run(sample)
      return nil
    }
    let interval = sample.timeSeconds - run.lastSeconds
    guard interval > 0 else {
      if interval == 0 {
        exclusions.repeated += 1
      } else {
        exclusions.clockSetBack += 1
        minute = []
        self.run = Run(sample)
      }
      return nil
    }
    guard interval <= Self.gapSeconds else {
      exclusions.gaps += 1
      self.run = Run(sample)
      return nil
    }
    // The only copy: the window is changed in place.
    self.run = nil
    defer { self.run = run }

    var estimate: TurbulenceEstimate?
    if sample.timeSeconds - run.startSeconds >= Double(run.binCount + 1) {
      run.binCount += 1
      if run.binCount > Self.settlingSeconds { run.window.add(run.bin) }
      run.bin = GustWindow.Bin()
      if run.window.isFull, run.binCount.isMultiple(of: Self.hopSeconds) {
        estimate = self.estimate(run.window, endSeconds: run.startSeconds + Double(run.binCount))
      }
    }
    let filtered = run.filter.add(sample.verticalAccelerationMPS2, intervalSeconds: interval)
    run.bin.add(filtered, trueAirspeedMPS: sample.trueAirspeedMPS, intervalSeconds: interval)
    run.lastSeconds = sample.timeSeconds
    return estimate
  }

  /// Starts anew after what isn't turbulence: a manoeuvre flown by hand, or a device that was moved.
  ///
  /// The estimates of the last minute remain.
  public mutating func interrupt() { run = nil }

  private mutating func isUsable(_ sample: MotionSample) -> Bool {
    guard
      sample.timeSeconds.isFinite, sample.verticalAccelerationMPS2.isFinite, sample.trueAirspeedMPS.isFinite
    else {
      exclusions.notFinite += 1
      return false
    }
    guard
      sample.verticalAccelerationMPS2.magnitude <= Self.greatestAccelerationMPS2,
      Self.airspeedsMPS.contains(sample.trueAirspeedMPS)
    else {
      exclusions.outOfRange += 1
      return false
    }
    return true
  }

  /// Returns the EDR of a full window, or nil if it is no turbulence.
  private mutating func edr(_ window: GustWindow) -> Double? {
    let interval = window.meanIntervalSeconds
    guard interval <= Self.greatestMeanIntervalSeconds, response.isValid else {
      exclusions.implausible += 1
      return nil
    }
    guard window.crestRatio <= Self.greatestCrestRatio else {
      exclusions.steps += 1
      return nil
    }
    // The integral changes by less than 0.1% for an interval that changes by 1%.
    if (interval / integral.intervalSeconds - 1).magnitude > 0.01 || integral.value == 0 {
      integral = (interval, GustFilter.inertialIntegral(intervalSeconds: interval))
    }
    let gain =
      response.gustResponsePerSecond * (Self.spectralConstant * integral.value).squareRoot()
      * Libm.power(window.trueAirspeedMPS / (2 * .pi), 1.0 / 3)
    let edr = window.variance.squareRoot() / gain
    guard edr <= Self.greatestEDR else {
      exclusions.implausible += 1
      return nil
    }
    return edr
  }

  private mutating func estimate(_ window: GustWindow, endSeconds: Double) -> TurbulenceEstimate? {
    guard let edr = edr(window) else { return nil }
    let latest = Window(middleSeconds: endSeconds - Double(GustWindow.binCount) / 2, edr: edr)
    // A window of the last minute began at most 60 s ago: its middle is at most 50 s before that of the latest.
    minute.removeAll { $0.middleSeconds < latest.middleSeconds - 50.5 }
    minute.append(latest)
    if minute.count > Self.windowsPerMinute { minute.removeFirst() }
    let peak = minute.reduce(latest) { $1.edr > $0.edr ? $1 : $0 }
    let meanSquare = minute.reduce(0) { $0 + $1.edr * $1.edr } / Double(minute.count)
    return TurbulenceEstimate(
      timeSeconds: endSeconds, edr: edr, meanEDR: meanSquare.squareRoot(), peakEDR: peak.edr,
      peakTimeSeconds: peak.middleSeconds, trueAirspeedMPS: window.trueAirspeedMPS, windowCount: minute.count)
  }
}
