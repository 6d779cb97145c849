public import ContrailAirportData

/// An airport and where it lies, seen from a route.
public struct RouteAirport: Hashable, Sendable {
  /// The airport.
  public var airport: Airport
  /// The distance from the nearest point of the route, in nautical miles.
  public var distanceNM: Double
  /// How far along the route that point is, in nautical miles.
  public var alongNM: Double

  public init(airport: Airport, distanceNM: Double, alongNM: Double) {
    self.airport = airport
    self.distanceNM = distanceNM
    self.alongNM = alongNM
  }
}
