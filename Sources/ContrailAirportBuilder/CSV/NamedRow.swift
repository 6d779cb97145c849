import ContrailGeodesy

/// Why a row whose fields could be told apart is of no use.
struct RowFault: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// A row whose fields are asked for by the names of their columns.
struct NamedRow {
  let row: CSVRow
  let columns: [String: Int]
  /// Values that were there and can't be true: the column, and the text.
  private(set) var refusals: [(column: String, text: String)] = []

  init(row: CSVRow, columns: [String: Int]) {
    self.row = row
    self.columns = columns
  }

  /// What is longer is no name or number of anything.
  private static let maximumTextBytes = 1024

  /// A field without the blanks around it; nil if it is empty, too long to be true, or there is no such column.
  func text(_ column: String) -> String? {
    guard let index = columns[column] else { return nil }
    let bytes = row.bytes(at: index)
    let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) }
    guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return nil }
    guard last - first < Self.maximumTextBytes else { return nil }
    // Where data are made of text, a database would take the text to end there.
    return String(decoding: bytes[first...last].filter { $0 != 0 }, as: UTF8.self)
  }

  /// A field that must be there.
  func required(_ column: String) throws(RowFault) -> String {
    guard let text = text(column) else { throw RowFault("\(column) is empty, or too long to be true") }
    return text
  }

  /// A number that must be there.
  func number(_ column: String, in range: ClosedRange<Double>) throws(RowFault) -> Double {
    let text = try required(column)
    guard let number = Self.number(text) else { throw RowFault("\(column) isn't a number: '\(text.prefix(40))'") }
    guard range.contains(number) else {
      throw RowFault("\(column) is beyond \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound)): \(text)")
    }
    return number
  }

  /// A number that may be missing; one that can't be true is noted and counts as missing.
  mutating func value(_ column: String, in range: ClosedRange<Double>) -> Double? {
    guard let text = text(column) else { return nil }
    if let number = Self.number(text), range.contains(number) { return number }
    refusals.append((column, String(text.prefix(40))))
    return nil
  }

  /// A position that must be there, WGS 84.
  func coordinate(_ latitude: String, _ longitude: String) throws(RowFault) -> Coordinate {
    Coordinate(latitude: try number(latitude, in: -90...90), longitude: try number(longitude, in: -180...180))
  }

  /// A position that may be missing.
  mutating func place(_ latitude: String, _ longitude: String) -> Coordinate? {
    guard let latitude = value(latitude, in: -90...90), let longitude = value(longitude, in: -180...180) else {
      return nil
    }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// A decimal number; none of the other forms that the standard library reads.
  static func number(_ text: String) -> Double? {
    let isDecimal = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+")].contains($0)
    }
    guard isDecimal, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  private static func text(_ bound: Double) -> String { bound.formatted(decimals: 0) }
}
