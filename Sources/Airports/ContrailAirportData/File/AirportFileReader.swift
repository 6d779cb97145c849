/// Reads an airport file (``AirportFile``) incrementally, with memory that doesn't depend on the file size.
///
/// ```swift
/// var reader = AirportFileReader()
/// while let block = try source.next() {
///   reader.append(block)
///   while let airport = try reader.next() { use(airport) }
/// }
/// try reader.finish()
/// ```
public struct AirportFileReader: Sendable {
  /// The header of the file, or `nil` until enough bytes were appended.
  public private(set) var header: AirportCycle?

  private var buffer: [UInt8] = []
  /// The number of buffered bytes that were read.
  private var position = 0
  /// The offset of the buffer in the file.
  private var base = 0
  private var timeZones: [String] = []
  private var lastRecordID = ""
  private var airportCount = 0
  private var runwayCount = 0
  private var digest = AirportDigest()
  /// Whether the digest was read and matches.
  private var isComplete = false

  static let maximumAirports = 1 << 22
  /// The maximum number of runways of all airports. It must fit an `Int` of 32 bits.
  static let maximumRunways = 1 << 30
  private static let maximumHeaderBytes = 1 << 20
  private static let maximumRecordBytes = 1 << 20
  /// The number of read bytes after which the buffer is trimmed.
  private static let slackBytes = 1 << 18

  /// Creates a reader.
  public init() {}

  /// The number of airports read.
  public var count: Int { airportCount }

  /// Appends the next bytes of the file.
  public mutating func append(_ bytes: some Sequence<UInt8>) {
    if position > Self.slackBytes {
      base += position
      buffer.removeFirst(position)
      position = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Returns the next airport, or `nil` if more bytes are needed or the last airport was returned.
  ///
  /// - Throws: ``AirportDataError``. The reader can't be used after an error.
  public mutating func next() throws(AirportDataError) -> Airport? {
    if header == nil {
      guard try readHeader() else { return nil }
    }
    guard let header, !isComplete else { return nil }
    guard airportCount < header.airportCount else {
      try readDigest(header)
      return nil
    }
    let (start, timeZones) = (position, self.timeZones)
    let read = try buffer.withUnsafeBufferPointer { bytes throws(AirportDataError) -> (Airport, Int)? in
      let bytes = UnsafeRawBufferPointer(bytes)
      guard let (begin, end) = try Self.record(bytes, start, base) else { return nil }
      var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[..<end]), offset: begin, base: base)
      let airport: Airport
      do throws(AirportDataError) {
        airport = try AirportRecord.read(&reader, timeZones: timeZones)
      } catch  where error.code == .truncated {
        // The record is complete, so its length must be wrong.
        throw reader.error(.damaged, "a record is longer than its length field")
      }
      guard reader.isAtEnd else { throw reader.error(.damaged, "a record is shorter than its length field") }
      return (airport, end)
    }
    guard let (airport, end) = read else { return nil }
    guard airportCount == 0 || lastRecordID.utf8.lexicographicallyPrecedes(airport.recordID.utf8) else {
      throw AirportDataError(.damaged, at: base + position, "the record IDs aren't in ascending order")
    }
    position = end
    lastRecordID = airport.recordID
    airportCount += 1
    runwayCount += airport.runways.count
    digest.add(airport)
    if airportCount == header.airportCount { try readDigest(header) }
    return airport
  }

  /// Marks the end of the file.
  ///
  /// - Throws: ``AirportDataError/Code/truncated`` if the file isn't complete.
  public mutating func finish() throws(AirportDataError) {
    if !isComplete, let header, airportCount == header.airportCount { try readDigest(header) }
    guard isComplete else {
      let wanted =
        header.map { "only \(airportCount) of \($0.airportCount) airports are present" } ?? "the header isn't complete"
      throw AirportDataError(.truncated, at: base + buffer.count, wanted)
    }
  }

  /// Returns the range of the record at an offset, or `nil` if it isn't complete.
  private static func record(
    _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ base: Int
  ) throws(AirportDataError) -> (Int, Int)? {
    var reader = ByteReader(bytes, offset: offset, base: base)
    let length: Int
    do throws(AirportDataError) {
      length = try reader.count(atMost: maximumRecordBytes, "bytes of one airport")
    } catch  where error.code == .truncated {
      return nil
    }
    return length <= bytes.count - reader.offset ? (reader.offset, reader.offset + length) : nil
  }

  private mutating func readHeader() throws(AirportDataError) -> Bool {
    let read: (AirportCycle, [String], Int)
    do throws(AirportDataError) {
      read = try buffer.withUnsafeBufferPointer { bytes throws(AirportDataError) in
        var reader = ByteReader(UnsafeRawBufferPointer(bytes))
        let (header, timeZones) = try Self.header(&reader)
        return (header, timeZones, reader.offset)
      }
    } catch  where error.code == .truncated && buffer.count < Self.maximumHeaderBytes {
      return false
    }
    (header, timeZones, position) = read
    return true
  }

  private static func header(_ reader: inout ByteReader) throws(AirportDataError) -> (AirportCycle, [String]) {
    for expected in AirportFile.magic {
      guard try reader.byte() == expected else {
        throw AirportDataError(.unknownFormat, at: 0, "the data doesn't begin like an airport file")
      }
    }
    let version = try reader.varint()
    guard version == AirportFile.version else {
      throw reader.error(version == 0 ? .damaged : .newerFormat, "the file has version \(version)")
    }
    return try AirportFileHeader.read(&reader)
  }

  /// Reads and compares the digest after the last airport, if it is available.
  private mutating func readDigest(_ header: AirportCycle) throws(AirportDataError) {
    guard buffer.count - position >= 8 else { return }
    let (start, base) = (position, base)
    let written = try buffer.withUnsafeBufferPointer { bytes throws(AirportDataError) in
      var reader = ByteReader(UnsafeRawBufferPointer(bytes), offset: start, base: base)
      return try reader.word()
    }
    guard written == digest.value, runwayCount == header.runwayCount else {
      throw AirportDataError(
        .damaged, at: base + start, "the airports don't match the digest or the runway count of the file")
    }
    position += 8
    guard position == buffer.count else {
      throw AirportDataError(.concatenated, at: base + position, "there are bytes after the end")
    }
    isComplete = true
  }
}
