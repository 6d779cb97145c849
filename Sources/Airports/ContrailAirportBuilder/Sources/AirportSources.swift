#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The sources of a build: FAA NASR, OurAirports, or both.
public struct AirportSources: Hashable, Sendable {
  /// The files of the FAA's 28-day NASR subscription, as CSV or CSV in `.xz`.
  public struct NASR: Hashable, Sendable {
    /// The path of `APT_BASE.csv` with the sites.
    public var base: String
    /// The path of `APT_RWY.csv` with the runways.
    public var runways: String
    /// The path of `APT_RWY_END.csv` with the runway ends.
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

  /// The files of OurAirports, as CSV or CSV in `.xz`.
  public struct OurAirports: Hashable, Sendable {
    /// The path of `airports.csv`.
    public var airports: String
    /// The path of `runways.csv`.
    public var runways: String
    /// The date of the files in seconds since 1970, if it is known. The files don't contain it.
    public var asOf: Int64?

    public init(airports: String, runways: String, asOf: Int64? = nil) {
      self.airports = airports
      self.runways = runways
      self.asOf = asOf
    }

    /// Finds `airports.csv` and `runways.csv` in a directory, also with the prefix `ourairports-`.
    ///
    /// - Throws: ``AirportBuildError/Code/missingFile``.
    public init(directory: String, asOf: Int64? = nil) throws(AirportBuildError) {
      airports = try AirportSources.find(["airports", "ourairports-airports"], in: directory)
      runways = try AirportSources.find(["runways", "ourairports-runways"], in: directory)
      self.asOf = asOf
    }
  }

  /// The files of NASR, which take precedence.
  public var nasr: NASR?
  /// The files of OurAirports, which fill the gaps.
  public var ourAirports: OurAirports?
  /// The path of the table of time zones that `Scripts/time-zones` makes, if there is one.
  public var timeZones: String?

  public init(nasr: NASR? = nil, ourAirports: OurAirports? = nil, timeZones: String? = nil) {
    self.nasr = nasr
    self.ourAirports = ourAirports
    self.timeZones = timeZones
  }

  private static func find(_ stems: [String], in directory: String) throws(AirportBuildError) -> String {
    for stem in stems {
      for suffix in [".csv", ".csv.xz"] {
        let path = "\(directory.hasSuffix("/") ? String(directory.dropLast()) : directory)/\(stem)\(suffix)"
        if access(path, R_OK) == 0 { return path }
      }
    }
    throw AirportBuildError(
      .missingFile, file: directory,
      reason: "the directory has no \(stems.map { $0 + ".csv" }.joined(separator: " or "))")
  }
}
