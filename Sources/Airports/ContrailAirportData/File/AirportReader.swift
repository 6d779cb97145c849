package import ContrailCompression

/// Reads the airports of a cycle from any supported format.
///
/// ```swift
/// var reader = try AirportReader(bytesOfTheFile)
/// while let airport = try reader.next() { use(airport) }
/// ```
public struct AirportReader: Sendable {
  /// The header of the file.
  public let header: AirportCycle

  private enum Form: Sendable {
    case file(AirportFileReader)
    case propertyList(AirportPropertyListReader)
  }

  private var form: Form
  /// The first airport, which is read together with the header.
  private var first: Airport?

  /// Creates a reader for a file, compressed or not.
  ///
  /// The format is detected by content: an airport file (``AirportFile``) or a binary property list
  /// (``AirportPropertyListReader``).
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - limits: The limits for decompression.
  /// - Throws: ``AirportDataError``.
  package init(
    _ bytes: [UInt8], limits: XZDecoder.Limits = AirportUnpacker.defaultLimits
  ) throws(AirportDataError) {
    let unpacker = AirportUnpacker(limits: limits)
    try bytes.withUnsafeBufferPointer { bytes throws(AirportDataError) in
      try unpacker.append(UnsafeRawBufferPointer(bytes), isLast: true)
    }
    try self.init(unpacked: unpacker.bytes)
  }

  /// Creates a reader for an uncompressed file.
  ///
  /// - Throws: ``AirportDataError``.
  public init(unpacked bytes: [UInt8]) throws(AirportDataError) {
    if bytes.starts(with: PropertyListView.magic) {
      let reader = try AirportPropertyListReader(bytes)
      header = reader.header
      form = .propertyList(reader)
      return
    }
    var reader = AirportFileReader()
    reader.append(bytes)
    first = try reader.next()
    guard let header = reader.header else {
      // The file is too short for a header. This call throws the error.
      try reader.finish()
      throw AirportDataError(.truncated, at: bytes.count, "the header isn't complete")
    }
    self.header = header
    form = .file(reader)
  }

  /// Returns the next airport, or `nil` after the last one and after all checks succeeded.
  ///
  /// - Throws: ``AirportDataError``. The reader can't be used after an error.
  public mutating func next() throws(AirportDataError) -> Airport? {
    switch form {
    case .propertyList(var reader):
      // Moves the reader out of the enum and back, so that its state has a single owner.
      form = .file(AirportFileReader())
      defer { form = .propertyList(reader) }
      return try reader.nextAirport()
    case .file(var reader):
      if let first {
        self.first = nil
        return first
      }
      form = .file(AirportFileReader())
      defer { form = .file(reader) }
      if let airport = try reader.next() { return airport }
      try reader.finish()
      return nil
    }
  }
}
