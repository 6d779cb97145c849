public import ContrailAirportData

/// An airport with its distance and direction from a point.
public struct NearbyAirport: Hashable, Sendable {
  /// The airport.
  public var airport: Airport
  /// The distance along the great circle, in nautical miles.
  public var distanceNM: Double
  /// The initial bearing from the point to the airport in degrees from true north.
  public var azimuth: Double

  public init(airport: Airport, distanceNM: Double, azimuth: Double) {
    self.airport = airport
    self.distanceNM = distanceNM
    self.azimuth = azimuth
  }
}
