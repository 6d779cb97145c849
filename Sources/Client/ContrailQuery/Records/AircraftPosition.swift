public import ContrailGeodesy

/// The position and motion of the own aircraft.
public struct AircraftPosition: Hashable, Sendable {
  public var coordinate: Coordinate
  /// The barometric altitude in feet. If nil, turbulence at every altitude counts.
  public var altitudeFeet: Double?
  /// The track in degrees from true north. Required if there is no route.
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
}
