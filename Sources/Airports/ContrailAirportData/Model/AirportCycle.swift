/// The header of an airport file: the cycle, the sources and the counts.
public struct AirportCycle: Hashable, Sendable {
  /// The cycle of the airports.
  public var cycle: AIRACCycle
  /// The sources of the airports, in order of precedence.
  public var sources: [AirportSource]
  /// The number of airports.
  public var airportCount: Int
  /// The number of runway directions, or `nil` if the file doesn't contain it.
  public var runwayCount: Int?

  public init(cycle: AIRACCycle, sources: [AirportSource], airportCount: Int, runwayCount: Int? = nil) {
    self.cycle = cycle
    self.sources = sources
    self.airportCount = airportCount
    self.runwayCount = runwayCount
  }
}

/// A source of the airports in a cycle.
public struct AirportSource: Hashable, Sendable {
  /// The name, such as `FAA NASR` or `OurAirports`.
  public var name: String
  /// The date of the source in seconds since 1970, if it is known.
  public var asOf: Int64?

  public init(name: String, asOf: Int64? = nil) {
    self.name = name
    self.asOf = asOf
  }
}
