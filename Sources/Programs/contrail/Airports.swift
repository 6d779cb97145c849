import ArgumentParser
import ContrailAirportData
import ContrailAirports
import ContrailLog
import Foundation

/// The `contrail airports` command: builds, loads and queries the airports of an AIRAC cycle.
struct Airports: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Build, load and query the airports of an AIRAC cycle.",
    discussion: """
      A cycle is 28 days of aeronautical data, identified by year and number: 2511 is the eleventh cycle of 2025.

      EXAMPLES
        contrail airports build --nasr nasr/ --ourairports ourairports/ \\
          --cycle 2511 -o 2511.airports.xz
        contrail airports publish public/airports 2511.airports.xz
        contrail airports load 2511.airports.xz
        contrail airports status
        contrail airports search heathr
        contrail airports nearest 0,180

      EXIT STATUS
        0   success
        1   failure, or no airport found
        64  invalid arguments
      """,
    subcommands: [
      AirportsBuild.self, AirportsDelta.self, AirportsPublish.self, AirportsLoad.self, AirportsSearch.self,
      AirportsNearest.self, AirportsStatus.self,
    ])
}

/// The option that selects the airport database.
struct AirportDatabaseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The airport database. Default: $CONTRAIL_AIRPORTS, or contrail/airports.sqlite in the user's application data folder.",
      valueName: "path"), completion: .file())
  var database: String?

  var path: String {
    if let path = database ?? ProcessInfo.processInfo.environment["CONTRAIL_AIRPORTS"], !path.isEmpty { return path }
    let folder =
      FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? FileManager.default.temporaryDirectory
    return folder.appendingPathComponent("contrail/airports.sqlite").path
  }

  /// Whether the file exists.
  var exists: Bool { FileManager.default.fileExists(atPath: path) }

  private var noAirports: InputError {
    InputError(
      .database,
      "No airports are loaded in \(path). Load a cycle with 'contrail airports load FILE', or select another database with --database."
    )
  }

  /// Opens the database. Throws an error if the file doesn't exist.
  func existing() throws -> AirportDatabase {
    guard exists else { throw noAirports }
    try InputPath.check(path, "--database")
    let database = try AirportDatabase(path: path)
    if let recovery = database.recovery {
      printError("Warning: the database was damaged (\(recovery.reason)) and was moved to \(recovery.movedTo).")
    }
    return database
  }

  /// Opens the database. Throws an error if no cycle is in use.
  func filled() throws -> AirportDatabase {
    let database = try existing()
    guard try database.status().current != nil else { throw noAirports }
    return database
  }
}

/// The option that replaces the current time.
struct MomentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use the start of this UTC day instead of the current time, such as 2025-11-01.", valueName: "day"))
  var at: String?

  /// The time to use, in seconds since 1970.
  func seconds() throws -> Int64 {
    try at.map { try Self.seconds(ofDay: $0, option: "--at") } ?? Int64(Date().timeIntervalSince1970)
  }

  /// Parses a day and returns its start in seconds since 1970.
  static func seconds(ofDay text: String, option: String) throws -> Int64 {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      let date = CivilDay(year: year, month: month, day: day)
    else { throw ValidationError("\(option): '\(text)' isn't a date. Use the form 2025-11-01.") }
    return date.start
  }
}

extension AIRACCycle {
  /// Parses a cycle identifier given on the command line.
  static func parse(_ text: String) throws -> AIRACCycle {
    guard let cycle = AIRACCycle(identifier: text) else {
      throw ValidationError(
        "'\(text)' isn't an AIRAC cycle. Use two digits for the year and two for the number, such as 2511.")
    }
    return cycle
  }
}
