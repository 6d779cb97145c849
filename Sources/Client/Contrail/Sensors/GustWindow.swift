/// The last ten seconds of filtered acceleration, in bins of one second.
struct GustWindow: Sendable {
  static let binCount = 10

  /// One second.
  struct Bin: Sendable {
    var samples = 0
    var durationSeconds = 0.0
    /// The integrals over time of the filtered acceleration's magnitude, of its square, and of the airspeed.
    var magnitude = 0.0
    var square = 0.0
    var airspeed = 0.0
    var maximum = 0.0

    mutating func add(_ acceleration: Double, trueAirspeedMPS: Double, intervalSeconds: Double) {
      samples += 1
      durationSeconds += intervalSeconds
      magnitude += acceleration.magnitude * intervalSeconds
      square += acceleration * acceleration * intervalSeconds
      airspeed += trueAirspeedMPS * intervalSeconds
      maximum = max(maximum, acceleration.magnitude)
    }
  }

  /// The bins, oldest first; at most ``binCount``.
  private var bins: [Bin] = []

  var isFull: Bool { bins.count == Self.binCount }

  /// Adds a second, and removes the oldest if there are ten.
  mutating func add(_ bin: Bin) {
    if isFull { bins.removeFirst() }
    bins.append(bin)
  }

  private func sum(_ part: (Bin) -> Double) -> Double { bins.reduce(0) { $0 + part($1) } }

  private var durationSeconds: Double { sum(\.durationSeconds) }
  var variance: Double { sum(\.square) / durationSeconds }
  var trueAirspeedMPS: Double { sum(\.airspeed) / durationSeconds }
  var meanIntervalSeconds: Double { durationSeconds / sum { Double($0.samples) } }

  /// The greatest magnitude over the mean magnitude, leaving out of the mean the second of the greatest and its
  /// neighbours.
  ///
  /// It is about 3 in turbulence. A step gives a single pulse of about a second, and a ratio above 10.
  var crestRatio: Double {
    guard let peak = bins.indices.max(by: { bins[$0].maximum < bins[$1].maximum }) else { return 0 }
    var magnitude = 0.0
    var duration = 0.0
    for index in bins.indices where abs(index - peak) > 1 {
      magnitude += bins[index].magnitude
      duration += bins[index].durationSeconds
    }
    guard bins[peak].maximum > 0 else { return 0 }
    return magnitude > 0 ? bins[peak].maximum * duration / magnitude : .infinity
  }
}
