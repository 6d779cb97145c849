public import ContrailGeodesy

/// Where the own aircraft is, and where it goes.
public struct AircraftPosition: Hashable, Sendable {
  public var coordinate: Coordinate
  /// Barometric feet; nil where it isn't known, and then turbulence at every altitude counts.
  public var altitudeFeet: Double?
  /// The direction of flight in degrees from true north; nil where it isn't known. Needed where there is no route.
  public var trackDegrees: Double?
  /// Knots; nil where it isn't known, and then alerts say no time.
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
