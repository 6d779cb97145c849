public import ContrailAirportData
import ContrailLog

/// Builds the airports of one cycle from FAA NASR and OurAirports.
///
/// ```swift
/// let sources = AirportSources(
///   nasr: try .init(directory: "nasr"), ourAirports: try .init(directory: "ourairports"))
/// let report = try AirportBuilder.build(sources, cycle: cycle, to: "2511.airports.xz")
/// print(report.text)
/// ```
///
/// - NASR takes precedence for the airports it contains. OurAirports adds missing values, such as IATA codes, and the
///   rest of the world.
/// - Two records are the same airport if they share an identifier and are close to each other, or if they are at the
///   same place; see <doc:Merging>.
/// - Closed airports, closed runways and unwanted kinds (``BuildOptions``) are dropped.
/// - Values that no source contains are `nil`: OurAirports has no magnetic variation, and neither source has time zones,
///   which come from a table of their own (``AirportSources/timeZones``). A missing heading is computed from the positions of the runway ends or from the reciprocal heading.
/// - Unreadable rows are counted and listed in the report. They don't stop the build.
///
/// Files are read as streams, and only the airports are kept in memory. The same sources produce the same bytes.
public enum AirportBuilder {
  /// Reads and merges the sources.
  ///
  /// - Parameters:
  ///   - sources: The source files.
  ///   - cycle: The cycle of the airports.
  ///   - options: The airports to include.
  ///   - progress: A closure that is called with the progress.
  /// - Returns: The airports sorted by record ID, their sources, and the report.
  /// - Throws: ``AirportBuildError`` if a file can't be read. Unreadable rows don't throw.
  /// - Complexity: O(*n* log *n*).
  public static func merge(
    _ sources: AirportSources, cycle: AIRACCycle, options: BuildOptions = BuildOptions(),
    progress: (BuildProgress) -> Void = { _ in }
  ) throws(AirportBuildError) -> (airports: [Airport], sources: [AirportSource], report: BuildReport) {
    guard sources.nasr != nil || sources.ourAirports != nil else {
      throw AirportBuildError(.noSource, file: "", reason: "no source is given")
    }
    var reading = SourceReading(sources, report: BuildReport(cycle: cycle))
    try reading.run(progress: progress)
    progress(.merging)
    var merger = AirportMerger(options: options, report: reading.report)
    var airports = merger.merge(nasr: reading.nasr, ourAirports: reading.ourAirports)
    airports.sort { $0.recordID.utf8.lexicographicallyPrecedes($1.recordID.utf8) }
    var report = merger.report
    if let path = sources.timeZones {
      let table = try TimeZoneTable(path: path) { report.addMalformed($0, $1, $2) }
      report.timeZoneCount = table.fill(&airports)
    }
    report.airportCount = airports.count
    report.runwayCount = airports.reduce(0) { $0 + $1.runways.count }
    report.digest = AirportDigest(airports)
    var made: [AirportSource] = []
    if sources.nasr != nil { made.append(AirportSource(name: "FAA NASR", asOf: reading.nasrDay?.start)) }
    if let ours = sources.ourAirports { made.append(AirportSource(name: "OurAirports", asOf: ours.asOf)) }
    if sources.timeZones != nil { made.append(AirportSource(name: TimeZoneTable.sourceName)) }
    return (airports, made, report)
  }

  /// Builds the file of a cycle.
  ///
  /// The file is written completely or not at all.
  ///
  /// - Parameters:
  ///   - sources: The source files.
  ///   - cycle: The cycle of the airports.
  ///   - path: The path of the file. A server expects the name `<cycle>.airports.xz`. An existing airport file is
  ///     replaced.
  ///   - options: The airports to include.
  ///   - progress: A closure that is called with the progress.
  /// - Returns: The report.
  /// - Throws: ``AirportBuildError``. Nothing is written in that case.
  public static func build(
    _ sources: AirportSources, cycle: AIRACCycle, to path: String, options: BuildOptions = BuildOptions(),
    progress: (BuildProgress) -> Void = { _ in }
  ) throws(AirportBuildError) -> BuildReport {
    try writing(to: path) { () throws(LogError) in try StagedOutput.check(path, replacing: .airports) }
    var (airports, made, report) = try merge(sources, cycle: cycle, options: options, progress: progress)
    guard !airports.isEmpty else {
      throw AirportBuildError(.noAirports, file: path, reason: "no airport is left after merging")
    }
    progress(.writing)
    let bytes: [UInt8]
    do throws(AirportDataError) {
      bytes = try AirportFile.packed(airports, cycle: cycle, sources: made, preset: options.preset)
    } catch {
      throw AirportBuildError(.unwritable, file: path, reason: error.reason)
    }
    try writing(to: path) { () throws(LogError) in
      try StagedOutput.write(bytes, to: path, replacing: .airports, creating: .shared)
    }
    report.fileBytes = bytes.count
    progress(.finished)
    return report
  }

  /// Runs `body` and converts its error to an error of this module.
  private static func writing(to path: String, _ body: () throws(LogError) -> Void) throws(AirportBuildError) {
    do throws(LogError) {
      try body()
    } catch {
      throw AirportBuildError(.unwritable, file: path, reason: error.reason)
    }
  }
}

extension StagedOutput.Replaceable {
  /// Airport files, recognised by their first bytes.
  fileprivate static let airports = StagedOutput.Replaceable("an airport file") { path in
    let block = try? ByteSource(path: path).next()
    return block?.starts(with: AirportFile.magic) ?? false
  }
}
