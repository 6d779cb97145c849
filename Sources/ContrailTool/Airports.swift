#if Online
  import ArgumentParser
  import ContrailAirportData
  import ContrailAirports
  import Foundation

  /// `contrail airports`: the airports of a cycle, from the sources to a database that can be asked.
  struct Airports: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Build, load and ask the airports of an AIRAC cycle.",
      discussion: """
        A cycle is 28 days of aeronautical data, named by year and number: 2511 is the eleventh that begins in 2025.

        EXAMPLES
          contrail airports build --nasr nasr/ --ourairports ourairports/ --cycle 2511 -o 2511.airports.xz
          contrail airports load 2511.airports.xz
          contrail airports status
          contrail airports search heathr
          contrail airports nearest 0,180

        EXIT STATUS
          0   done
          1   not done, or nothing found
          64  the command line is wrong
        """,
      subcommands: [
        AirportsBuild.self, AirportsLoad.self, AirportsSearch.self, AirportsNearest.self, AirportsStatus.self,
      ])
  }

  /// Where the airports are.
  struct AirportDatabaseOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "The database of airports. Default: $CONTRAIL_AIRPORTS, else contrail/airports.sqlite where this system keeps programs' data.",
        valueName: "path"))
    var database: String?

    var path: String {
      if let path = database ?? ProcessInfo.processInfo.environment["CONTRAIL_AIRPORTS"], !path.isEmpty { return path }
      let folder =
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        ?? FileManager.default.temporaryDirectory
      return folder.appendingPathComponent("contrail/airports.sqlite").path
    }

    /// The database, which isn't made if it isn't there.
    func existing() throws -> AirportDatabase {
      guard FileManager.default.fileExists(atPath: path) else { throw NoAirports(path: path) }
      let database = try AirportDatabase(path: path)
      if let recovery = database.recovery {
        FileHandle.standardError.write(
          Data("Warning: the database was damaged (\(recovery.reason)); it is now at \(recovery.movedTo).\n".utf8))
      }
      return database
    }

    /// The database, with a cycle in use.
    func filled() throws -> AirportDatabase {
      let database = try existing()
      guard try database.status().current != nil else { throw NoAirports(path: path) }
      return database
    }
  }

  /// There is nothing to ask yet.
  struct NoAirports: Error, CustomStringConvertible {
    var path: String

    var description: String {
      "There are no airports at \(path). Load some with 'contrail airports load FILE', or name the database with --database."
    }
  }

  /// When it is.
  struct MomentOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp("Take the beginning of this UTC day for now, such as 2025-11-01.", valueName: "day"))
    var at: String?

    /// In seconds since 1970.
    func seconds() throws -> Int64 {
      try at.map { try Self.seconds(ofDay: $0, option: "--at") } ?? Int64(Date().timeIntervalSince1970)
    }

    /// The first moment of a day as an option has it, in seconds since 1970.
    static func seconds(ofDay text: String, option: String) throws -> Int64 {
      let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
        let date = CivilDay(year: year, month: month, day: day)
      else { throw ValidationError("\(option) is a day such as 2025-11-01.") }
      return date.start
    }
  }

  extension AIRACCycle {
    /// A cycle as an option has it.
    static func parse(_ text: String) throws -> AIRACCycle {
      guard let cycle = AIRACCycle(identifier: text) else {
        throw ValidationError("'\(text)' is no cycle: two digits of the year and two of the number, such as 2511.")
      }
      return cycle
    }
  }
#endif
