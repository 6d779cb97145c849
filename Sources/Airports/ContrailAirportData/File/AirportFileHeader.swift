/// The part of the file formats from the cycle to the time zones.
enum AirportFileHeader {
  private static let maximumSources = 64
  private static let maximumTimeZones = 4096

  // MARK: Writing

  /// Writes the header of airports.
  ///
  /// - Returns: The index of each time zone.
  static func write(
    _ airports: [Airport], cycle: AIRACCycle, sources: [AirportSource], to writer: inout ByteWriter
  ) -> [String: Int] {
    let timeZones = Set(airports.compactMap { $0.timeZone }).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    writer.count(cycle.effectiveDay.daysSince1970)
    writer.count(sources.count)
    for source in sources {
      writer.text(source.name)
      writer.varint(source.asOf.map { 1 + UInt64(bitPattern: $0 << 1 ^ $0 >> 63) } ?? 0)
    }
    writer.count(airports.count)
    writer.count(airports.reduce(0) { $0 + $1.runways.count })
    writer.count(timeZones.count)
    for timeZone in timeZones { writer.text(timeZone) }
    return Dictionary(uniqueKeysWithValues: zip(timeZones, timeZones.indices))
  }

  /// Writes the number of bytes of a record, and the record.
  static func writeRecord(_ airport: Airport, _ timeZones: [String: Int], to writer: inout ByteWriter) {
    var record = ByteWriter()
    AirportRecord.write(airport, timeZones: timeZones, to: &record)
    writer.count(record.bytes.count)
    writer.bytes.append(contentsOf: record.bytes)
  }

  // MARK: Reading

  static func cycle(_ reader: inout ByteReader) throws(AirportDataError) -> AIRACCycle {
    let days = try reader.count(atMost: 1 << 20, "days")
    guard let cycle = CivilDay(daysSince1970: days).flatMap(AIRACCycle.init(effectiveOn:)) else {
      throw reader.error(.damaged, "no cycle begins \(days) days after 1970-01-01")
    }
    return cycle
  }

  static func read(
    _ reader: inout ByteReader
  ) throws(AirportDataError) -> (header: AirportCycle, timeZones: [String]) {
    let cycle = try cycle(&reader)
    var sources: [AirportSource] = []
    for _ in 0..<(try reader.count(atMost: maximumSources, "sources")) {
      let name = try reader.text()
      let age = try reader.varint()
      let zigzag = age == 0 ? 0 : age - 1
      sources.append(AirportSource(name: name, asOf: age == 0 ? nil : Int64(zigzag >> 1) ^ -Int64(zigzag & 1)))
    }
    let airportCount = try reader.count(atMost: AirportFileReader.maximumAirports, "airports")
    let runwayCount = try reader.count(atMost: AirportFileReader.maximumRunways, "runways")
    var timeZones: [String] = []
    for _ in 0..<(try reader.count(atMost: maximumTimeZones, "time zones")) { timeZones.append(try reader.text()) }
    let header = AirportCycle(
      cycle: cycle, sources: sources, airportCount: airportCount, runwayCount: runwayCount)
    return (header, timeZones)
  }
}
