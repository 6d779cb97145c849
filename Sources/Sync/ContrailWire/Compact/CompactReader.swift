/// Reads the compact form of an answer. Every read checks its bounds.
struct CompactReader {
  private let bytes: UnsafeRawBufferPointer
  private(set) var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { offset == bytes.count }

  func fault(_ reason: String) -> CompactError { CompactError(offset: offset, reason: reason) }

  mutating func byte() throws(CompactError) -> UInt8 {
    guard offset < bytes.count else { throw fault("the answer ends too early") }
    defer { offset += 1 }
    return bytes[offset]
  }

  mutating func number() throws(CompactError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      guard shift < 63 || byte <= 1 else { throw fault("a number has more than 64 bits") }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
      guard shift <= 63 else { throw fault("a number has more than 64 bits") }
    }
  }

  mutating func number(upTo limit: UInt64, _ name: StaticString) throws(CompactError) -> UInt64 {
    let value = try number()
    guard value <= limit else { throw fault("'\(name)' is \(value); the limit is \(limit)") }
    return value
  }

  mutating func signed() throws(CompactError) -> Int64 {
    let value = try number()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// Reads an angle in 1e-7 degrees; see ``CompactWriter/degrees(_:)``.
  mutating func degrees(limit: Int64) throws(CompactError) -> Int64 { try degreesWithUnit(limit: limit).degrees }

  /// Reads an angle, and whether its unit is 1e-4 degrees.
  mutating func degreesWithUnit(limit: Int64) throws(CompactError) -> (degrees: Int64, isCoarse: Bool) {
    let value = try number()
    let number = Int64(bitPattern: value >> 2) ^ -Int64(bitPattern: (value >> 1) & 1)
    let (degrees, isOverflow) = number.multipliedReportingOverflow(by: value & 1 == 0 ? 1000 : 1)
    guard !isOverflow, degrees.magnitude <= UInt64(limit) * 10_000_000 else {
      throw fault("a position isn't on the earth")
    }
    return (degrees, value & 1 == 0)
  }

  mutating func optional(in range: ClosedRange<Int>, _ name: StaticString) throws(CompactError) -> Int? {
    let value = try number()
    guard value > 0 else { return nil }
    let number = Int64(bitPattern: (value - 1) >> 1) ^ -Int64(bitPattern: (value - 1) & 1)
    guard let result = Int(exactly: number), range.contains(result) else {
      throw fault("'\(name)' is \(number), which is outside \(range.lowerBound)…\(range.upperBound)")
    }
    return result
  }

  mutating func word() throws(CompactError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 8) { value |= UInt64(try byte()) << shift }
    return value
  }

  /// Reads a number of records, each of at least `leastBytes`. A number that the remaining bytes can't contain is rejected before
  /// anything is allocated.
  mutating func count(leastBytes: Int, _ name: StaticString) throws(CompactError) -> Int {
    let value = try number()
    guard value <= UInt64(bytes.count - offset) / UInt64(leastBytes) else {
      throw fault("\(value) \(name) don't fit into the remaining \(bytes.count - offset) bytes")
    }
    return Int(value)
  }

  /// Reads a number of bytes, and the bytes.
  mutating func block() throws(CompactError) -> [UInt8] {
    let length = try count(leastBytes: 1, "bytes")
    defer { offset += length }
    return Array(bytes[offset..<offset + length])
  }

  mutating func text() throws(CompactError) -> String {
    let length = try count(leastBytes: 1, "bytes of text")
    let slice = bytes[offset..<offset + length]
    let text = String(decoding: slice, as: UTF8.self)
    guard text.utf8.elementsEqual(slice) else { throw fault("a text isn't UTF-8") }
    offset += length
    return text
  }
}

/// The reason why an answer in the compact form can't be read.
package struct CompactError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The offset of the first invalid byte.
  package let offset: Int
  /// The reason, as a clause without a full stop.
  package let reason: String

  package init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }

  package var description: String { "byte \(offset) of the compact answer: \(reason)" }
}
