public import ContrailXZ

/// Reads a cycle's airports from any form that is known, one after the other.
///
/// ```swift
/// var reader = try AirportReader(bytesOfTheFile)
/// while let airport = try reader.next() { use(airport) }
/// ```
public struct AirportReader: Sendable {
  /// What the file says of itself.
  public let header: AirportCycle

  private enum Form: Sendable {
    case file(AirportFileReader)
    case propertyList(AirportPropertyListReader)
  }

  private var form: Form
  /// An airport that had to be read to reach the header.
  private var first: Airport?

  /// Begins to read a file: packed or not, our own form (``AirportFile``) or a binary property list
  /// (``AirportPropertyListReader``), told by content and not by name.
  ///
  /// - Throws: ``AirportDataError``.
  public init(
    _ bytes: [UInt8], limits: XZDecoder.Limits = AirportUnpacker.defaultLimits
  ) throws(AirportDataError) {
    let unpacker = AirportUnpacker(limits: limits)
    try bytes.withUnsafeBufferPointer { bytes throws(AirportDataError) in
      try unpacker.append(UnsafeRawBufferPointer(bytes), isLast: true)
    }
    try self.init(unpacked: unpacker.bytes)
  }

  /// Begins to read a file that is unpacked.
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
      // Too short for a header; this says so.
      try reader.finish()
      throw AirportDataError(.truncated, at: bytes.count, "its header isn't complete")
    }
    self.header = header
    form = .file(reader)
  }

  /// The next airport; nil after the last, once all checks have agreed.
  ///
  /// - Throws: ``AirportDataError``; the reader is of no more use then.
  public mutating func next() throws(AirportDataError) -> Airport? {
    switch form {
    case .propertyList(var reader):
      // Taken out and put back, so that it stays the only owner of what it remembers.
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
