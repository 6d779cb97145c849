package import ContrailCompression

extension AirportDelta {
  private static let maximumRecordBytes = 1 << 20

  /// Reads a delta file, compressed or not.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - limits: The limits for decompression.
  /// - Throws: ``AirportDataError``.
  /// - Complexity: O(*n*) in the decompressed bytes.
  package init(_ bytes: [UInt8], limits: XZDecoder.Limits) throws(AirportDataError) {
    let unpacker = AirportUnpacker(limits: limits)
    try bytes.withUnsafeBufferPointer { bytes throws(AirportDataError) in
      try unpacker.append(UnsafeRawBufferPointer(bytes), isLast: true)
    }
    try self.init(unpacked: unpacker.bytes)
  }

  /// Reads a delta file, compressed or not.
  ///
  /// - Throws: ``AirportDataError``.
  public init(_ bytes: [UInt8]) throws(AirportDataError) { try self.init(bytes, limits: Self.limits) }

  /// Reads an uncompressed delta file.
  ///
  /// - Throws: ``AirportDataError``.
  public init(unpacked bytes: [UInt8]) throws(AirportDataError) {
    self = try bytes.withUnsafeBufferPointer { bytes throws(AirportDataError) in
      var reader = ByteReader(UnsafeRawBufferPointer(bytes))
      return try Self.read(&reader)
    }
  }

  private static func read(_ reader: inout ByteReader) throws(AirportDataError) -> AirportDelta {
    for expected in magic {
      guard try reader.byte() == expected else {
        throw AirportDataError(.unknownFormat, at: 0, "the data doesn't begin like a delta of airports")
      }
    }
    let version = try reader.varint()
    guard version == Self.version else {
      throw reader.error(version == 0 ? .damaged : .newerFormat, "the delta has version \(version)")
    }
    let base = try AirportFileHeader.cycle(&reader)
    let baseDigest = AirportDigest(value: try reader.word())
    let (header, timeZones) = try AirportFileHeader.read(&reader)
    let model = try model(&reader)
    let states = try states(&reader)
    var variations: [Int64] = []
    for state in states where state == .variationByModel || state == .variationByOldValue {
      let zigzag = try reader.varint()
      variations.append(Int64(zigzag >> 1) ^ -Int64(zigzag & 1))
    }
    var replaced: [Airport] = []
    for state in states where state == .replaced { replaced.append(try record(&reader, timeZones)) }
    var added: [Airport] = []
    for _ in 0..<(try reader.count(atMost: AirportFileReader.maximumAirports, "added airports")) {
      let airport = try record(&reader, timeZones)
      guard added.last.map({ $0.recordID.utf8.lexicographicallyPrecedes(airport.recordID.utf8) }) ?? true else {
        throw reader.error(.damaged, "the record IDs of the added airports aren't in ascending order")
      }
      added.append(airport)
    }
    let digest = AirportDigest(value: try reader.word())
    guard reader.isAtEnd else { throw reader.error(.concatenated, "there are bytes after the end") }
    return AirportDelta(
      base: base, baseDigest: baseDigest, header: header, digest: digest, model: model, states: states,
      variations: variations, replaced: replaced, added: added)
  }

  private static func model(_ reader: inout ByteReader) throws(AirportDataError) -> MagneticModel? {
    let number = try reader.varint()
    if number == 0 { return nil }
    guard let edition = MagneticModel.Edition(rawValue: Int(clamping: number)) else {
      throw reader.error(.newerFormat, "the magnetic model \(number) is unknown")
    }
    let year = Double(bitPattern: try reader.word())
    guard (1900...2100).contains(year) else { throw reader.error(.damaged, "the date of the model is out of range") }
    return MagneticModel(edition, year: year)
  }

  private static func states(_ reader: inout ByteReader) throws(AirportDataError) -> [State] {
    let count = try reader.count(atMost: AirportFileReader.maximumAirports, "airports in the base")
    guard count <= reader.bytes.count - reader.offset else {
      throw reader.error(.truncated, "the states of the airports are truncated")
    }
    var states: [State] = []
    states.reserveCapacity(count)
    for _ in 0..<count {
      guard let state = State(rawValue: try reader.byte()) else {
        throw reader.error(.damaged, "the state of an airport is unknown")
      }
      states.append(state)
    }
    return states
  }

  private static func record(
    _ reader: inout ByteReader, _ timeZones: [String]
  ) throws(AirportDataError) -> Airport {
    let length = try reader.count(atMost: maximumRecordBytes, "bytes of one airport")
    let end = reader.offset + length
    guard end <= reader.bytes.count else { throw reader.error(.truncated, "a record is truncated") }
    let airport = try AirportRecord.read(&reader, timeZones: timeZones)
    guard reader.offset == end else { throw reader.error(.damaged, "the length of a record is wrong") }
    return airport
  }
}
