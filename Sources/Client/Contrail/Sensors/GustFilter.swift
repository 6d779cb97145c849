import ContrailGeodesy

/// A band-pass filter for vertical acceleration, 0.1–0.8 Hz, for samples at any interval.
///
/// Three filters in a row: a low-pass of fourth order at 0.8 Hz, a high-pass of second order at 0.1 Hz (all Butterworth)
/// and a high-pass of first order at 0.8 Hz. The last one whitens: the spectrum of turbulence falls with `f^(−5/3)`, and
/// the filter makes it nearly flat in the band, so that each frequency contributes about equally. A variance without it
/// is mostly that of the lowest frequencies: its effective bandwidth is 0.30 Hz, and the EDR of ten seconds would scatter
/// by 29% (`1 / √(4 B T)`) instead of 17%.
///
/// Each filter integrates by the trapezoidal rule with the interval of the sample (Zavalishin, "The Art of VA Filter
/// Design", 2018, chapters 3–5), so that uneven intervals need no resampling. With `g = tan(π f₀ Δt)`, the gain at a
/// frequency `f` is that of the analogue filter at `tan(π f Δt) / g` times its corner frequency.
struct GustFilter: Sendable {
  static let lowHZ = 0.1
  static let highHZ = 0.8
  /// Below this frequency the gain is negligible.
  private static let leastHZ = 0.01
  /// `1/Q` of the sections of a Butterworth low-pass of fourth order: 2 sin(π/8), 2 sin(3π/8).
  private static let dampings = (first: 1.847_759_065_022_573_5, second: 0.765_366_864_730_179_5)

  private var first: Section
  private var second: Section
  private var detrending: Section
  private var whitening = Whitening()
  private var corners = Corners(intervalSeconds: 0.05)

  /// Creates a filter at rest, as if the acceleration had always been `input`.
  init(input: Double) {
    first = Section(input: input)
    second = Section(input: input)
    detrending = Section(input: input)
  }

  /// Returns the filtered acceleration.
  ///
  /// - Complexity: O(1)
  mutating func add(_ input: Double, intervalSeconds: Double) -> Double {
    if intervalSeconds != corners.intervalSeconds { corners = Corners(intervalSeconds: intervalSeconds) }
    first.add(input, g: corners.high, damping: Self.dampings.first)
    second.add(first.low, g: corners.high, damping: Self.dampings.second)
    detrending.add(second.low, g: corners.low, damping: 2.0.squareRoot())
    return whitening.add(detrending.high, g: corners.high)
  }

  // MARK: The gain

  /// Returns the square of the gain at a frequency.
  static func power(atHZ frequency: Double, intervalSeconds: Double) -> Double {
    let corners = Corners(intervalSeconds: intervalSeconds)
    let warped = Libm.tan(.pi * frequency * intervalSeconds)
    let high = (warped / corners.high) * (warped / corners.high)
    let low = (warped / corners.low) * (warped / corners.low)
    let lowPass = 1 / (1 + high * high * high * high)
    let highPass = low * low / (1 + low * low)
    return lowPass * highPass * high / (1 + high)
  }

  /// Returns the integral over all frequencies of the squared gain times `f^(−5/3)`, in Hz^(−2/3).
  ///
  /// - Complexity: O(1), 128 evaluations of ``power(atHZ:intervalSeconds:)``.
  static func inertialIntegral(intervalSeconds: Double) -> Double {
    let steps = 128
    let start = Libm.logarithm(leastHZ)
    // The gain is zero at half the sampling frequency.
    let width = (Libm.logarithm(min(0.5 / intervalSeconds, 20)) - start) / Double(steps)
    var sum = 0.0
    for step in 1..<steps {
      let frequency = Libm.exponential(start + Double(step) * width)
      sum += power(atHZ: frequency, intervalSeconds: intervalSeconds) * Libm.power(frequency, -2.0 / 3)
    }
    return sum * width
  }

  // MARK: Its parts

  /// `tan(π f₀ Δt)` for the two corner frequencies.
  private struct Corners: Sendable {
    let intervalSeconds: Double
    let low: Double
    let high: Double

    init(intervalSeconds: Double) {
      self.intervalSeconds = intervalSeconds
      low = Libm.tan(.pi * GustFilter.lowHZ * intervalSeconds)
      high = Libm.tan(.pi * GustFilter.highHZ * intervalSeconds)
    }
  }

  /// A state-variable filter of second order.
  private struct Section: Sendable {
    private(set) var high = 0.0
    private var band = 0.0
    private(set) var low: Double

    init(input: Double) { low = input }

    mutating func add(_ input: Double, g: Double, damping: Double) {
      let bandState = band + g * high
      let lowState = low + g * band
      high = (input - (damping + g) * bandState - lowState) / (1 + damping * g + g * g)
      band = g * high + bandState
      low = g * band + lowState
    }
  }

  /// A high-pass of first order.
  private struct Whitening: Sendable {
    private var high = 0.0
    private var low = 0.0

    mutating func add(_ input: Double, g: Double) -> Double {
      let state = low + g * high
      high = (input - state) / (1 + g)
      low = g * high + state
      return high
    }
  }
}
