/// Reads the primitive values of the file format with bounds checks.
struct ByteReader {
  let bytes: UnsafeRawBufferPointer
  var offset: Int
  /// The offset of `bytes` in the data, for errors.
  let base: Int

  /// The maximum length of a text in bytes.
  static let maximumTextBytes = 4096

  init(_ bytes: UnsafeRawBufferPointer, offset: Int = 0, base: Int = 0) {
    self.bytes = bytes
    self.offset = offset
    self.base = base
  }

  var isAtEnd: Bool { offset == bytes.count }

  func error(_ code: AirportDataError.Code, _ reason: String) -> AirportDataError {
    AirportDataError(code, at: base + offset, reason)
  }

  mutating func byte() throws(AirportDataError) -> UInt8 {
    guard offset < bytes.count else { throw error(.truncated, "a byte is missing") }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Reads an unsigned number of at most 63 bits, with seven bits per byte, lowest first.
  mutating func varint() throws(AirportDataError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
      guard shift < 63 else { throw error(.damaged, "a number is too long") }
    }
  }

  /// Reads a count and checks its limit.
  mutating func count(atMost limit: Int, _ what: String) throws(AirportDataError) -> Int {
    let value = try varint()
    guard value <= UInt64(limit) else { throw error(.damaged, "\(value) \(what) exceed the limit of \(limit)") }
    return Int(value)
  }

  mutating func text() throws(AirportDataError) -> String {
    let length = try count(atMost: Self.maximumTextBytes, "bytes of text")
    guard length <= bytes.count - offset else { throw error(.truncated, "a text is truncated") }
    let text = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
    // SQLite would end the text at a zero character.
    guard !text.contains(0) else { throw error(.damaged, "a text contains a zero character") }
    offset += length
    return String(decoding: text, as: UTF8.self)
  }

  mutating func word() throws(AirportDataError) -> UInt64 {
    guard bytes.count - offset >= 8 else { throw error(.truncated, "eight bytes are missing") }
    defer { offset += 8 }
    return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Reads a number in the format of ``NumberForm``.
  mutating func number() throws(AirportDataError) -> Double {
    let tagged = try varint()
    guard let form = NumberForm(rawValue: UInt8(tagged & 7)) else {
      throw error(.damaged, "the unit of a number is unknown")
    }
    if form == .bits {
      let value = Double(bitPattern: try word())
      guard value.isFinite else { throw error(.damaged, "a number isn't finite") }
      return value
    }
    let zigzag = tagged >> 3
    return form.value(Int64(zigzag >> 1) ^ -Int64(zigzag & 1))
  }
}
