import ArgumentParser
import ContrailAirportData
import ContrailAirports
import ContrailWire

/// The `contrail airports search` command: finds airports by identifier, name or city.
struct AirportsSearch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Find airports by identifier, name or city.",
    discussion: """
      Each word matches the beginning of a word, ignoring case and diacritics: 'zur' finds Zürich. An airport whose \
      identifier equals the text comes first. A single result is shown with its runways, longest first.

      EXAMPLES
        contrail airports search heathr
        contrail airports search EGLL
        contrail airports search san jose --limit 5 --json
      """)

  @Argument(help: "The text to search for.")
  var text: [String]

  @Option(help: "The maximum number of results.")
  var limit = 25

  @OptionGroup var store: AirportDatabaseOptions

  @Flag(help: "Print the airports and their runways as JSON.")
  var json = false

  /// Checks the values of the options.
  ///
  /// `validate()` would report an invalid value before an unknown option.
  private func check() throws {
    guard limit > 0 else { throw ValidationError("--limit: \(limit) is invalid. Use 1 or more.") }
    guard !text.isEmpty else { throw ValidationError("No search text. Give an identifier, a name or a city.") }
  }

  func run() throws {
    try check()
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
