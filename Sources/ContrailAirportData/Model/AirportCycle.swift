/// What a file of airports says of itself: which cycle, from which sources, how much.
public struct AirportCycle: Hashable, Sendable {
  /// The cycle that the airports are of.
  public var cycle: AIRACCycle
  /// What they were made from, in the order of precedence.
  public var sources: [AirportSource]
  /// How many airports.
  public var airportCount: Int
  /// How many runways, each direction counted by itself; nil where the file doesn't say.
  public var runwayCount: Int?

  public init(cycle: AIRACCycle, sources: [AirportSource], airportCount: Int, runwayCount: Int? = nil) {
    self.cycle = cycle
    self.sources = sources
    self.airportCount = airportCount
    self.runwayCount = runwayCount
  }
}

/// One of the sources that a cycle's airports were made from.
public struct AirportSource: Hashable, Sendable {
  /// A name: `FAA NASR`, `OurAirports`.
  public var name: String
  /// How new the source was, in seconds since 1970, if that is known.
  public var asOf: Int64?

  public init(name: String, asOf: Int64? = nil) {
    self.name = name
    self.asOf = asOf
  }
}
