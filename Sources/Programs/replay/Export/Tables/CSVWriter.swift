import ContrailGeodesy
import ContrailReplay
import ContrailWire

/// Writes rows of comma-separated values (RFC 4180), with lines that end in LF. An unknown value is an empty field.
struct CSVWriter: Sendable {
  private(set) var bytes: [UInt8] = []
  private var isAtStart = true

  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  mutating func field(_ text: String?) {
    separate()
    guard let text else { return }
    let needsQuotes = text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
    guard needsQuotes else {
      bytes += text.utf8
      return
    }
    bytes.append(0x22)
    for byte in text.utf8 {
      if byte == 0x22 { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(0x22)
  }

  mutating func field(_ number: Int64?) { field(number.map(String.init)) }

  /// Writes a time as milliseconds since 1970 and as ISO 8601 in UTC.
  mutating func time(_ milliseconds: Int64?) {
    field(milliseconds)
    field(milliseconds.map(Words.utc))
  }

  /// Writes latitude and longitude in degrees.
  mutating func place(_ point: FixedCoordinate?) {
    decimal(point?.latitudeE7, digits: 7)
    decimal(point?.longitudeE7, digits: 7)
  }

  /// Writes a number in units of 10^-`digits`.
  mutating func decimal(_ scaled: Int64?, digits: Int) {
    guard let scaled else { return field(String?.none) }
    var json = JSONWriter()
    json.decimal(scaled, digits: digits)
    field(json.withBytes { String(decoding: $0, as: UTF8.self) })
  }

  mutating func endRow() {
    bytes.append(0x0A)
    isAtStart = true
  }

  private mutating func separate() {
    if !isAtStart { bytes.append(0x2C) }
    isAtStart = false
  }
}
