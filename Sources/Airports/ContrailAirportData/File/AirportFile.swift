import ContrailCompression

/// The file format for the airports of one cycle. It is compact, can be read as a stream, and is deterministic.
///
/// | part | content |
/// |---|---|
/// | magic | the eight bytes `CTRAIRPT` |
/// | version | number: 1 |
/// | cycle | number: the effective date in days since 1970-01-01 |
/// | sources | count, then for each: text name; number 0 if the date is unknown, else 1 + zigzag(seconds since 1970) |
/// | counts | number of airports, number of runways |
/// | time zones | count, then texts, ascending |
/// | airports | for each: number of bytes, then the record; ascending by the bytes of the record ID, which is unique |
/// | digest | eight bytes, little-endian: the ``AirportDigest`` of all airports |
///
/// A *number* is unsigned, with seven bits per byte, lowest first, and 0x80 on all bytes except the last; at most nine
/// bytes. A *text* is a number of bytes followed by UTF-8. A *decimal* is a number whose lowest three bits are the unit
/// and whose other bits are a zigzag count of units: 0 ones, 1 feet of 0.3048, 2 tenths of such feet, 3 hundredths, 4
/// millionths, 5 hundred-millionths. With unit 7, the eight bytes of a double follow. The writer uses the first unit
/// that represents the double exactly.
///
/// A *record* is a number of flags (1 ICAO, 2 IATA, 4 city, 8 elevation, 16 variation, 32 time zone: present; 64: from
/// OurAirports), then the texts record ID, location ID, \[ICAO], \[IATA], name, \[city]; the decimals latitude,
/// longitude, \[elevation], \[variation]; the number \[index of the time zone]; the count of runways. A *runway* is a
/// number of flags, a byte for the ``RunwaySurface``, the text name, then the fields that the flags select, from the
/// lowest: the decimals heading, length, width, elevation, take-off run, take-off distance, accelerate-stop distance,
/// landing distance, displaced threshold, gradient; the text reciprocal name; two decimals for the end. Lengths are in
/// metres, angles in degrees.
///
/// Files are stored as one `.xz` stream (``packed(_:cycle:sources:preset:)``), whose checksum covers all bytes.
public enum AirportFile {
  /// The version of the format that is written.
  public static let version = 1

  package static let magic = Array("CTRAIRPT".utf8)

  /// Encodes airports as an uncompressed file.
  ///
  /// - Parameters:
  ///   - airports: The airports, in any order.
  ///   - cycle: The cycle of the airports.
  ///   - sources: The sources of the airports.
  /// - Returns: The contents of the file.
  /// - Throws: ``AirportDataError/Code/unwritable`` if two airports have the same record ID, a number isn't finite, a
  ///   coordinate is invalid, or a text is longer than 4,096 bytes.
  /// - Complexity: O(*n* log *n*).
  public static func encoded(
    _ airports: some Sequence<Airport>, cycle: AIRACCycle, sources: [AirportSource]
  ) throws(AirportDataError) -> [UInt8] {
    let airports = try sorted(airports)
    var writer = ByteWriter()
    writer.bytes.append(contentsOf: magic)
    writer.count(version)
    let timeZones = AirportFileHeader.write(airports, cycle: cycle, sources: sources, to: &writer)
    var digest = AirportDigest()
    for airport in airports {
      AirportFileHeader.writeRecord(airport, timeZones, to: &writer)
      digest.add(airport)
    }
    writer.word(digest.value)
    return writer.bytes
  }

  /// Encodes airports as a file and compresses it as `.xz`.
  ///
  /// - Parameters:
  ///   - airports: The airports, in any order.
  ///   - cycle: The cycle of the airports.
  ///   - sources: The sources of the airports.
  ///   - preset: The compression level, from 0 (fast) to 9 (small).
  /// - Returns: The contents of the file.
  /// - Throws: ``AirportDataError`` as for ``encoded(_:cycle:sources:)``.
  public static func packed(
    _ airports: some Sequence<Airport>, cycle: AIRACCycle, sources: [AirportSource], preset: Int = 6
  ) throws(AirportDataError) -> [UInt8] {
    let bytes = try encoded(airports, cycle: cycle, sources: sources)
    do throws(CompressionError) {
      return try XZ.compress(bytes, preset: preset)
    } catch {
      throw AirportDataError(error)
    }
  }

  /// Returns airports in the order of a file, after checking that they can be written.
  static func sorted(_ airports: some Sequence<Airport>) throws(AirportDataError) -> [Airport] {
    let airports = airports.sorted { $0.recordID.utf8.lexicographicallyPrecedes($1.recordID.utf8) }
    try check(airports)
    return airports
  }

  private static func check(_ airports: [Airport]) throws(AirportDataError) {
    for (index, airport) in airports.enumerated() {
      if let fault = AirportRecord.fault(of: airport) {
        throw AirportDataError(.unwritable, at: 0, "airport '\(airport.recordID)' can't be written: \(fault)")
      }
      if index > 0, airports[index - 1].recordID == airport.recordID {
        throw AirportDataError(.unwritable, at: 0, "two airports have the record ID '\(airport.recordID)'")
      }
    }
  }
}
