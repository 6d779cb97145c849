import ContrailAirportData
import ContrailLog

/// The time zones of airports by source and record ID, as `Scripts/time-zones` makes them.
struct TimeZoneTable {
  /// The name of the source in an airport file. The licence of the boundaries requires it.
  static let sourceName = "time zones (c) OpenStreetMap contributors, ODbL 1.0"

  private struct Key: Hashable {
    var source: AirportDataSource
    var recordID: String
  }

  private var zones: [Key: String] = [:]

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - path: The path of the CSV file, which may be compressed as `.xz`.
  ///   - isMalformed: A closure that is called with the file name, the line and the reason of each unreadable row.
  /// - Throws: ``AirportBuildError``.
  init(path: String, isMalformed: (_ file: String, _ line: Int, _ reason: String) -> Void) throws(AirportBuildError) {
    let file = CSVFile(path: path)
    let name = file.name
    var found: [Key: String] = [:]
    try file.read(
      requiring: ["source", "record_id", "time_zone"],
      isRow: { row throws(InputError) in
        let text = try row.required("source")
        guard let source = AirportDataSource(rawValue: text) else {
          throw InputError(.row, "source is unknown: \(text)")
        }
        let zone = try row.required("time_zone")
        guard Self.isZone(zone) else { throw InputError(.row, "time_zone isn't a name of the IANA database: \(zone)") }
        found[Key(source: source, recordID: try row.required("record_id"))] = zone
      },
      isMalformed: { isMalformed(name, $0, $1) }, isTaken: { _ in })
    zones = found
  }

  /// Whether a text has the form of a name in the IANA database, such as `America/Port-au-Prince` or `Etc/GMT+2`.
  private static func isZone(_ text: String) -> Bool {
    !text.hasPrefix("/") && !text.hasSuffix("/") && text.utf8.count <= 64
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 65...90, 97...122, 48...57: true
        default: "/_-+".utf8.contains(byte)
        }
      }
  }

  /// Sets the time zones of airports that have none.
  ///
  /// - Returns: The number of airports that have a time zone afterwards.
  func fill(_ airports: inout [Airport]) -> Int {
    var count = 0
    for index in airports.indices {
      if airports[index].timeZone == nil {
        airports[index].timeZone =
          zones[
            Key(source: airports[index].dataSource, recordID: airports[index].recordID)]
      }
      if airports[index].timeZone != nil { count += 1 }
    }
    return count
  }
}
