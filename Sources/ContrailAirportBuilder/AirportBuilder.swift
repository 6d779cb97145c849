public import ContrailAirportData
import ContrailLog

/// Builds the airports of one cycle from the FAA's NASR and from OurAirports.
///
/// ```swift
/// let sources = AirportSources(
///   nasr: try .init(directory: "nasr"), ourAirports: try .init(directory: "ourairports"))
/// let report = try AirportBuilder.build(sources, cycle: cycle, to: "2511.airports.xz")
/// print(report.text)
/// ```
///
/// - NASR wins for the airports that it has; OurAirports gives them what they lack, such as IATA codes, and fills the rest of the world.
/// - Two records are one airport if they share an identifier and lie near each other, or if they lie in one place: see <doc:Merging>.
/// - Closed airports and runways are dropped, and kinds that aren't wanted (``BuildOptions``).
/// - What no source says stays nil: neither has time zones, and OurAirports no magnetic variation. A heading is computed from the ends'
///   positions, or from the reciprocal's, where the source has none.
/// - Rows that can't be read are counted and named in the report, never fatal.
///
/// Files are read as streams; what is kept of them is the airports. The same sources give the same bytes.
public enum AirportBuilder {
  /// Reads and merges the sources.
  ///
  /// - Parameters:
  ///   - sources: What to read.
  ///   - cycle: The cycle that the airports are to be of.
  ///   - options: Which airports are wanted.
  ///   - progress: Is told how far the build is.
  /// - Returns: The airports by record ID, what they were made from, and the report.
  /// - Throws: ``AirportBuildError`` where a file as a whole can't be read.
  /// - Complexity: O(*n* log *n*).
  public static func merge(
    _ sources: AirportSources, cycle: AIRACCycle, options: BuildOptions = BuildOptions(),
    progress: (BuildProgress) -> Void = { _ in }
  ) throws(AirportBuildError) -> (airports: [Airport], sources: [AirportSource], report: BuildReport) {
    guard sources.nasr != nil || sources.ourAirports != nil else {
      throw AirportBuildError(.noSource, file: "", reason: "there is nothing to build from")
    }
    var reading = SourceReading(sources, report: BuildReport(cycle: cycle))
    try reading.run(progress: progress)
    progress(.merging)
    var merger = AirportMerger(options: options, report: reading.report)
    var airports = merger.merge(nasr: reading.nasr, ourAirports: reading.ourAirports)
    airports.sort { $0.recordID.utf8.lexicographicallyPrecedes($1.recordID.utf8) }
    var report = merger.report
    report.airportCount = airports.count
    report.runwayCount = airports.reduce(0) { $0 + $1.runways.count }
    report.digest = AirportDigest(airports)
    var made: [AirportSource] = []
    if sources.nasr != nil { made.append(AirportSource(name: "FAA NASR", asOf: reading.nasrDay?.start)) }
    if let ours = sources.ourAirports { made.append(AirportSource(name: "OurAirports", asOf: ours.asOf)) }
    return (airports, made, report)
  }

  /// Builds a cycle's file.
  ///
  /// The file appears whole or not at all.
  ///
  /// - Parameters:
  ///   - sources: What to read.
  ///   - cycle: The cycle that the airports are to be of.
  ///   - path: Where the file goes; a server wants it named `<cycle>.airports.xz`. A file of airports that is there is replaced.
  ///   - options: Which airports are wanted.
  ///   - progress: Is told how far the build is.
  /// - Throws: ``AirportBuildError``; nothing is written then.
  public static func build(
    _ sources: AirportSources, cycle: AIRACCycle, to path: String, options: BuildOptions = BuildOptions(),
    progress: (BuildProgress) -> Void = { _ in }
  ) throws(AirportBuildError) -> BuildReport {
    try writing(to: path) { () throws(LogError) in try StagedOutput.check(path, replacing: .airports) }
    var (airports, made, report) = try merge(sources, cycle: cycle, options: options, progress: progress)
    guard !airports.isEmpty else {
      throw AirportBuildError(.noAirports, file: path, reason: "nothing is left of what was read")
    }
    progress(.writing)
    let bytes: [UInt8]
    do throws(AirportDataError) {
      bytes = try AirportFile.packed(airports, cycle: cycle, sources: made, preset: options.preset)
    } catch {
      throw AirportBuildError(.unwritable, file: path, reason: error.reason)
    }
    try writing(to: path) { () throws(LogError) in try StagedOutput.write(bytes, to: path, replacing: .airports) }
    report.fileBytes = bytes.count
    progress(.finished)
    return report
  }

  /// Runs `body` and throws this module's error for the log's.
  private static func writing(to path: String, _ body: () throws(LogError) -> Void) throws(AirportBuildError) {
    do throws(LogError) {
      try body()
    } catch {
      throw AirportBuildError(.unwritable, file: path, reason: error.reason)
    }
  }
}

extension StagedOutput.Replaceable {
  /// Files of airports, told by how they begin.
  fileprivate static let airports = StagedOutput.Replaceable("a file of airports") { path in
    let block = try? ByteSource(path: path).next()
    return block?.starts(with: AirportFile.magic) ?? false
  }
}
