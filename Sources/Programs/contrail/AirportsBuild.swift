import ArgumentParser
import ContrailAirportBuilder
import ContrailAirportData
import ContrailAirports
import Foundation

/// The `contrail airports build` command: builds the airport file of a cycle from NASR and OurAirports.
struct AirportsBuild: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Build the airport file of a cycle from FAA NASR and OurAirports.",
    discussion: """
      NASR takes precedence for the airports it contains. OurAirports fills in their missing fields and supplies the \
      rest of the world. Two records are the same airport if they share an identifier and are close to each other, or \
      if they are at the same place. Unreadable rows are skipped and listed in the report.

      NASR: APT_BASE.csv, APT_RWY.csv and APT_RWY_END.csv of the 28-day subscription (nfdc.faa.gov).
      OurAirports: airports.csv and runways.csv (ourairports.com/data). All files may be compressed as .xz. Neither has \
      time zones: make a table with Scripts/time-zones.

      EXAMPLES
        contrail airports build --nasr nasr/ --ourairports ourairports/ \\
          --cycle 2511 -o 2511.airports.xz
        contrail airports build --ourairports airports.csv \\
          --ourairports runways.csv --cycle 2511 -o 2511.airports.xz
        contrail airports build --nasr nasr/ --cycle 2511 --kinds airport \\
          --only-with-runway -o us.airports.xz --json
      """)

  @Option(
    help: ArgumentHelp("The directory that contains the three NASR files.", valueName: "directory"),
    completion: .directory)
  var nasr: String?

  @Option(
    help: ArgumentHelp(
      "The directory that contains the two OurAirports files. Or give the option twice: airports.csv, then runways.csv.",
      valueName: "path"), completion: .file())
  var ourairports: [String] = []

  @Option(
    help: ArgumentHelp("The day the OurAirports files were downloaded, such as 2025-10-30.", valueName: "day"))
  var ourairportsDay: String?

  @Option(
    help: ArgumentHelp(
      "The table of time zones that Scripts/time-zones makes from the sources.", valueName: "path"), completion: .file()
  )
  var timeZones: String?

  @Option(help: "The AIRAC cycle of the airports, such as 2511.")
  var cycle: String

  @Option(
    name: [.customShort("o"), .long], help: "The output file. A server expects the name <cycle>.airports.xz.",
    completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "The airport kinds to include, separated by commas: airport, seaplane-base, gliderport, ultralight, heliport, balloonport.",
      valueName: "kinds"), completion: .list(AirportKind.allCases.map(\.rawValue)))
  var kinds = "airport,seaplane-base,gliderport,ultralight"

  @Flag(help: "Skip airports without a runway.")
  var onlyWithRunway = false

  @Flag(help: "Print the report as JSON, with every unreadable row.")
  var json = false

  func run() throws {
    let cycle = try AIRACCycle.parse(cycle)
    let sources = try AirportSources(
      nasr: nasr.map { try .init(directory: $0) }, ourAirports: ourAirports(), timeZones: timeZones)
    guard sources.nasr != nil || sources.ourAirports != nil else {
      throw ValidationError("No source. Give --nasr, --ourairports or both.")
    }
    let options = BuildOptions(kinds: try parsedKinds(), requiresRunway: onlyWithRunway)
    var bar = ProgressBar(isOn: !json)
    defer { bar.clear() }
    let report = try AirportBuilder.build(sources, cycle: cycle, to: output, options: options) { progress in
      bar.show(progress.fraction, progress.label)
    }
    bar.clear()
    print(json ? report.json : "\(output): \(report.text)")
  }

  private func ourAirports() throws -> AirportSources.OurAirports? {
    var asOf: Int64?
    if let ourairportsDay { asOf = try MomentOptions.seconds(ofDay: ourairportsDay, option: "--ourairports-day") }
    switch ourairports.count {
    case 0: return nil
    case 1: return try .init(directory: ourairports[0], asOf: asOf)
    case 2: return .init(airports: ourairports[0], runways: ourairports[1], asOf: asOf)
    default: throw ValidationError("--ourairports: \(ourairports.count) paths. Give one directory or two files.")
    }
  }

  private func parsedKinds() throws -> Set<AirportKind> {
    Set(
      try kinds.split(separator: ",").map { text in
        guard let kind = AirportKind(rawValue: String(text)) else {
          let known = AirportKind.allCases.map(\.rawValue).joined(separator: ", ")
          throw ValidationError("--kinds: unknown kind '\(text)'. Use \(known).")
        }
        return kind
      })
  }
}

extension BuildProgress {
  fileprivate var label: String {
    switch self {
    case .reading(let file, _): "reading \(file)"
    case .merging: "merging"
    case .writing: "compressing"
    case .finished: "done"
    }
  }
}
