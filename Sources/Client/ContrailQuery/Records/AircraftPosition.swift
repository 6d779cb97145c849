public import ContrailGeodesy

/// The position and motion of the own aircraft.
public struct AircraftPosition: Hashable, Sendable {
  public var coordinate: Coordinate
  /// The barometric altitude in feet. If nil, turbulence at every altitude counts.
  public var altitudeFeet: Double?
  /// The track in degrees from true north, 0…360. Required away from a route.
  ///
  /// Other values are treated as unknown, such as Core Location's invalid course of −1.
  public var trackDegrees: Double?
  /// The ground speed in knots. If nil, alerts have no time to go.
  public var groundSpeedKnots: Double?

  public init(
    coordinate: Coordinate, altitudeFeet: Double?, trackDegrees: Double? = nil, groundSpeedKnots: Double? = nil
  ) {
    self.coordinate = coordinate
    self.altitudeFeet = altitudeFeet
    self.trackDegrees = trackDegrees
    self.groundSpeedKnots = groundSpeedKnots
  }

  /// The altitude, if it is known.
  var knownAltitude: Double? { altitudeFeet.flatMap { $0.isFinite ? $0 : nil } }
  /// The track, if it is known.
  var knownTrack: Double? { trackDegrees.flatMap { (0...360).contains($0) ? $0 : nil } }
}
