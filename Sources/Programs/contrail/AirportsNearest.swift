import ArgumentParser
import ContrailAirportData
import ContrailAirports
import ContrailGeodesy
import ContrailWire
import Foundation

/// The `contrail airports nearest` command: lists the airports around a point.
struct AirportsNearest: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nearest",
    abstract: "List the airports nearest to a point.",
    discussion: """
      A point is LAT,LON in degrees, signed or followed by N, S, E or W, or an airport identifier. Put a point that \
      begins with a minus sign last, after '--'.

      EXAMPLES
        contrail airports nearest 0,180
        contrail airports nearest 36.85S,174.76E --count 5
        contrail airports nearest --count 5 -- -36.85,174.76
        contrail airports nearest KORD --within 30 --runway 6000
      """)

  @Argument(help: ArgumentHelp("LAT,LON in degrees, or an airport identifier.", valueName: "point"))
  var point: String

  @Option(help: "The number of airports.")
  var count = 10

  @Option(
    help: ArgumentHelp("List all airports within this distance in nautical miles. Replaces --count.", valueName: "nm")
  )
  var within: Double?

  @Option(help: ArgumentHelp("List only airports with a runway at least this long, in feet.", valueName: "feet"))
  var runway: Double?

  @OptionGroup var store: AirportDatabaseOptions

  @Flag(help: "Print the airports and their runways as JSON.")
  var json = false

  /// Checks the values of the options.
  ///
  /// `validate()` would report an invalid value before an unknown option.
  private func check() throws {
    guard count > 0 else { throw ValidationError("--count: \(count) is invalid. Use 1 or more.") }
    guard within.map({ $0.isFinite && $0 >= 0 }) ?? true else {
      throw ValidationError("--within: \(within ?? 0) isn't a distance. Use 0 or more nautical miles.")
    }
  }

  func run() throws {
    try check()
    let database = try store.filled()
    let place = try place(in: database)
    let least = runway.map { $0 * Runway.metersPerFoot }
    let found =
      try within.map { try database.airports(within: $0, of: place, minimumRunwayMeters: least) }
      ?? database.airports(nearest: place, count: count, minimumRunwayMeters: least)
    if json {
      var json = JSONWriter()
      json.array { json in
        for hit in found { hit.airport.write(to: &json, distanceNM: hit.distanceNM, azimuth: hit.azimuth) }
      }
      print(json.text)
    } else if found.isEmpty {
      print("No airport found.")
    } else {
      var table = AirportTable([("NM", true), ("TRUE", true)] + Airport.columns)
      for hit in found {
        let distance = "\((hit.distanceNM * 10).rounded() / 10)"
        table.add([distance, "\(Int(hit.azimuth.rounded()) % 360)°"] + hit.airport.cells)
      }
      print(table.text)
    }
    if found.isEmpty { throw ExitCode(1) }
  }

  private func place(in database: AirportDatabase) throws -> Coordinate {
    if let place = Self.coordinate(point) { return place }
    guard let airport = try database.airport(identifier: point) else {
      throw ValidationError(
        "'\(point)' is neither a coordinate nor a known airport identifier. Use LAT,LON in degrees, such as 36.85S,174.76E."
      )
    }
    return airport.coordinate
  }

  /// Parses a coordinate. Returns `nil` if the text is invalid.
  static func coordinate(_ text: String) -> Coordinate? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = degrees(parts[0], "N", "S"), let longitude = degrees(parts[1], "E", "W")
    else { return nil }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    return coordinate.isValid ? coordinate : nil
  }

  private static func degrees(_ text: Substring, _ positive: Character, _ negative: Character) -> Double? {
    var text = text.trimmingCharacters(in: .whitespaces).uppercased()
    var sign = 1.0
    if let last = text.last, last == positive || last == negative {
      sign = last == negative ? -1 : 1
      text.removeLast()
    }
    return Double(text).map { $0 * sign }
  }
}
