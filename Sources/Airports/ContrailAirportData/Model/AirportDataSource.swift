/// The source of an airport record.
public enum AirportDataSource: String, Hashable, Sendable, CaseIterable {
  /// The FAA's National Airspace System Resources for the United States.
  case nasr
  /// OurAirports, a worldwide database maintained by its community.
  case ourAirports
}
