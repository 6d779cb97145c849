import ContrailGeodesy
import ContrailLog

/// A row with access to fields by column name.
struct NamedRow {
  let row: CSVRow
  let columns: [String: Int]
  /// Invalid optional values with their columns.
  private(set) var refusals: [(column: String, text: String)] = []

  init(row: CSVRow, columns: [String: Int]) {
    self.row = row
    self.columns = columns
  }

  /// The maximum length of a value in bytes.
  private static let maximumTextBytes = 1024

  /// Returns a field without surrounding white space, or `nil` if it is empty, too long or missing.
  func text(_ column: String) -> String? {
    guard let index = columns[column] else { return nil }
    let bytes = row.bytes(at: index)
    let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) }
    guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return nil }
    guard last - first < Self.maximumTextBytes else { return nil }
    // Removes zero characters, at which SQLite would end the text.
    return String(decoding: bytes[first...last].filter { $0 != 0 }, as: UTF8.self)
  }

  /// Returns a required field.
  func required(_ column: String) throws(InputError) -> String {
    guard let text = text(column) else { throw InputError(.row, "\(column) is empty or too long") }
    return text
  }

  /// Returns a required number.
  func number(_ column: String, in range: ClosedRange<Double>) throws(InputError) -> Double {
    let text = try required(column)
    guard let number = Self.number(text) else {
      throw InputError(.row, "\(column) isn't a number: '\(text.prefix(40))'")
    }
    guard range.contains(number) else {
      throw InputError(
        .row, "\(column) is out of range \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound)): \(text)")
    }
    return number
  }

  /// Returns an optional number. An invalid number is recorded and treated as missing.
  mutating func value(_ column: String, in range: ClosedRange<Double>) -> Double? {
    guard let text = text(column) else { return nil }
    if let number = Self.number(text), range.contains(number) { return number }
    refusals.append((column, String(text.prefix(40))))
    return nil
  }

  /// Returns a required WGS 84 position.
  func coordinate(_ latitude: String, _ longitude: String) throws(InputError) -> Coordinate {
    Coordinate(latitude: try number(latitude, in: -90...90), longitude: try number(longitude, in: -180...180))
  }

  /// Returns an optional position.
  mutating func place(_ latitude: String, _ longitude: String) -> Coordinate? {
    guard let latitude = value(latitude, in: -90...90), let longitude = value(longitude, in: -180...180) else {
      return nil
    }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// Parses a decimal number. Other formats of the standard library are rejected.
  static func number(_ text: String) -> Double? {
    let isDecimal = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+")].contains($0)
    }
    guard isDecimal, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  private static func text(_ bound: Double) -> String { bound.formatted(decimals: 0) }
}
