/// Where the record of an airport comes from.
public enum AirportDataSource: String, Hashable, Sendable, CaseIterable {
  /// The FAA's National Airspace System Resources, for the United States.
  case nasr
  /// OurAirports, kept by its community, for the world.
  case ourAirports
}
