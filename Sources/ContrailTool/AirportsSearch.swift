#if Online
  import ArgumentParser
  import ContrailAirportData
  import ContrailAirports
  import ContrailWire

  /// `contrail airports search`: by identifier, name or city.
  struct AirportsSearch: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "search",
      abstract: "Search airports by identifier, name or city.",
      discussion: """
        Words need only be begun, and case and diacritics make no difference: 'zur' finds Zürich. An airport that has the text as its \
        identifier comes first. A single airport is shown with its runways, the longest first.

        EXAMPLES
          contrail airports search heathr
          contrail airports search EGLL
          contrail airports search san jose --limit 5 --json
        """)

    @Argument(help: "What to look for.")
    var text: [String]

    @Option(help: "How many at most.")
    var limit = 25

    @OptionGroup var store: AirportDatabaseOptions

    @Flag(help: "Print as JSON, runways included.")
    var json = false

    func validate() throws {
      guard limit > 0 else { throw ValidationError("--limit is at least 1.") }
      guard !text.isEmpty else { throw ValidationError("Say what to look for.") }
    }

    func run() throws {
      let text = text.joined(separator: " ")
      let airports = try store.filled().airports(matching: text, limit: limit)
      if json {
        var json = JSONWriter()
        json.array { json in for airport in airports { airport.write(to: &json) } }
        print(json.text)
      } else if airports.isEmpty {
        print("No airport matches '\(text)'.")
      } else {
        var table = AirportTable(Airport.columns)
        for airport in airports { table.add(airport.cells) }
        print(table.text)
        if airports.count == 1, let airport = airports.first, !airport.runways.isEmpty {
          print("\n\(airport.runwayTable)")
        }
      }
      if airports.isEmpty { throw ExitCode(1) }
    }
  }
#endif
