#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// What airports are built from: the FAA's NASR, OurAirports, or both.
public struct AirportSources: Hashable, Sendable {
  /// The files of the FAA's 28-day NASR subscription, CSV or CSV in `.xz`.
  public struct NASR: Hashable, Sendable {
    /// `APT_BASE.csv`: the sites.
    public var base: String
    /// `APT_RWY.csv`: the runways.
    public var runways: String
    /// `APT_RWY_END.csv`: the runways' ends.
    public var runwayEnds: String

    public init(base: String, runways: String, runwayEnds: String) {
      self.base = base
      self.runways = runways
      self.runwayEnds = runwayEnds
    }

    /// Finds the files in a directory.
    ///
    /// - Throws: ``AirportBuildError/Code/missingFile``.
    public init(directory: String) throws(AirportBuildError) {
      base = try AirportSources.find(["APT_BASE"], in: directory)
      runways = try AirportSources.find(["APT_RWY"], in: directory)
      runwayEnds = try AirportSources.find(["APT_RWY_END"], in: directory)
    }
  }

  /// The files of OurAirports, CSV or CSV in `.xz`.
  public struct OurAirports: Hashable, Sendable {
    /// `airports.csv`.
    public var airports: String
    /// `runways.csv`.
    public var runways: String
    /// How new they are, in seconds since 1970, if that is known: the files don't say.
    public var asOf: Int64?

    public init(airports: String, runways: String, asOf: Int64? = nil) {
      self.airports = airports
      self.runways = runways
      self.asOf = asOf
    }

    /// Finds the files in a directory: `airports.csv` and `runways.csv`, or with `ourairports-` before.
    ///
    /// - Throws: ``AirportBuildError/Code/missingFile``.
    public init(directory: String, asOf: Int64? = nil) throws(AirportBuildError) {
      airports = try AirportSources.find(["airports", "ourairports-airports"], in: directory)
      runways = try AirportSources.find(["runways", "ourairports-runways"], in: directory)
      self.asOf = asOf
    }
  }

  /// What wins for the airports that it has.
  public var nasr: NASR?
  /// What fills the rest.
  public var ourAirports: OurAirports?

  public init(nasr: NASR? = nil, ourAirports: OurAirports? = nil) {
    self.nasr = nasr
    self.ourAirports = ourAirports
  }

  private static func find(_ stems: [String], in directory: String) throws(AirportBuildError) -> String {
    for stem in stems {
      for suffix in [".csv", ".csv.xz"] {
        let path = "\(directory.hasSuffix("/") ? String(directory.dropLast()) : directory)/\(stem)\(suffix)"
        if access(path, R_OK) == 0 { return path }
      }
    }
    throw AirportBuildError(
      .missingFile, file: directory, reason: "it has no \(stems.map { $0 + ".csv" }.joined(separator: " or "))")
  }
}
