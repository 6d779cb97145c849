public import ContrailGeodesy

/// Estimates turbulence along a flight: an estimator that remembers where the aircraft was in the last minute.
public struct FlightTurbulence: Sendable {
  /// Where the aircraft is.
  public struct Position: Hashable, Sendable {
    public var coordinate: Coordinate
    /// The barometric altitude in feet.
    public var altitudeFeet: Double

    public init(_ coordinate: Coordinate, altitudeFeet: Double) {
      self.coordinate = coordinate
      self.altitudeFeet = altitudeFeet
    }
  }

  /// An estimate and the place of its peak.
  public struct Located: Hashable, Sendable {
    public let estimate: TurbulenceEstimate
    /// Where the aircraft met the peak of the last minute.
    public let position: Position
  }

  public var estimator: TurbulenceEstimator

  /// Where the aircraft was, about once a second, oldest first; at most ``trackCount``.
  private var track: [(timeSeconds: Double, position: Position)] = []
  private static let trackCount = 72

  public init(response: AircraftResponse = .mediumTransport) {
    estimator = TurbulenceEstimator(response: response)
  }

  /// Adds a sample and returns an estimate with its place if one is due.
  ///
  /// - Complexity: O(1) in time and memory.
  public mutating func add(_ sample: MotionSample, at position: Position) -> Located? {
    if let last = track.last, sample.timeSeconds < last.timeSeconds { track = [] }
    if sample.timeSeconds.isFinite, position.coordinate.isValid, position.altitudeFeet.isFinite,
      track.last.map({ sample.timeSeconds - $0.timeSeconds >= 1 }) ?? true
    {
      if track.count == Self.trackCount { track.removeFirst() }
      track.append((sample.timeSeconds, position))
    }
    guard let estimate = estimator.add(sample) else { return nil }
    let nearest = track.min {
      abs($0.timeSeconds - estimate.peakTimeSeconds) < abs($1.timeSeconds - estimate.peakTimeSeconds)
    }
    // A place of ten seconds before or after is less than a third of a cell away.
    guard let nearest, abs(nearest.timeSeconds - estimate.peakTimeSeconds) <= 10 else { return nil }
    return Located(estimate: estimate, position: nearest.position)
  }
}
