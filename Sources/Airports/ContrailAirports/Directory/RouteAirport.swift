public import ContrailAirportData

/// An airport with its position relative to a route.
public struct RouteAirport: Hashable, Sendable {
  /// The airport.
  public var airport: Airport
  /// The distance to the nearest point of the route in nautical miles.
  public var distanceNM: Double
  /// The distance along the route to that point in nautical miles.
  public var alongNM: Double

  public init(airport: Airport, distanceNM: Double, alongNM: Double) {
    self.airport = airport
    self.distanceNM = distanceNM
    self.alongNM = alongNM
  }
}
