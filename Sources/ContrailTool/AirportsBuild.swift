#if Online
  import ArgumentParser
  import ContrailAirportBuilder
  import ContrailAirportData
  import ContrailAirports
  import Foundation

  /// `contrail airports build`: one cycle's file from NASR and OurAirports.
  struct AirportsBuild: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "build",
      abstract: "Build a cycle's airports from FAA NASR and OurAirports.",
      discussion: """
        NASR wins for the airports that it has, OurAirports gives them what they lack and fills the rest of the world. Two records are \
        one airport if they share an identifier and lie near each other, or lie in one place. Rows that can't be read are named in \
        the report and left out.

        NASR: APT_BASE.csv, APT_RWY.csv and APT_RWY_END.csv of the 28-day subscription (nfdc.faa.gov).
        OurAirports: airports.csv and runways.csv (ourairports.com/data). All may be packed as .xz.

        EXAMPLES
          contrail airports build --nasr nasr/ --ourairports ourairports/ --cycle 2511 -o 2511.airports.xz
          contrail airports build --ourairports airports.csv --ourairports runways.csv --cycle 2511 -o 2511.airports.xz
          contrail airports build --nasr nasr/ --cycle 2511 --kinds airport --only-with-runway -o us.airports.xz --json
        """)

    @Option(help: ArgumentHelp("The directory with NASR's three files.", valueName: "directory"))
    var nasr: String?

    @Option(
      help: ArgumentHelp(
        "The directory with OurAirports' two files; or, given twice, airports.csv and then runways.csv.",
        valueName: "path"))
    var ourairports: [String] = []

    @Option(
      help: ArgumentHelp("The day on which OurAirports' files were fetched, such as 2025-10-30.", valueName: "day"))
    var ourairportsDay: String?

    @Option(help: "The cycle that the airports are to be of, such as 2511.")
    var cycle: String

    @Option(name: [.customShort("o"), .long], help: "Where the file goes. A server wants <cycle>.airports.xz.")
    var output: String

    @Option(
      help: ArgumentHelp(
        "The kinds that are kept, with commas between: airport, seaplane-base, gliderport, ultralight, heliport, balloonport.",
        valueName: "kinds"))
    var kinds = "airport,seaplane-base,gliderport,ultralight"

    @Flag(help: "Leave out airports without a runway.")
    var onlyWithRunway = false

    @Flag(help: "Print the report as JSON, with all rows that couldn't be read.")
    var json = false

    func run() throws {
      let cycle = try AIRACCycle.parse(cycle)
      let sources = try AirportSources(nasr: nasr.map { try .init(directory: $0) }, ourAirports: ourAirports())
      guard sources.nasr != nil || sources.ourAirports != nil else {
        throw ValidationError("Give --nasr, --ourairports, or both.")
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
      default: throw ValidationError("--ourairports is a directory, or two files.")
      }
    }

    private func parsedKinds() throws -> Set<AirportKind> {
      Set(
        try kinds.split(separator: ",").map { text in
          guard let kind = AirportKind(rawValue: String(text)) else {
            let known = AirportKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--kinds: '\(text)' is none of \(known).")
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
      case .writing: "packing"
      case .finished: "done"
      }
    }
  }
#endif
