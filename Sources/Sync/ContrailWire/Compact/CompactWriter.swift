/// Writes the compact form of an answer: bytes, variable-length integers, and texts.
struct CompactWriter {
  private(set) var bytes: [UInt8] = []

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  /// Writes an unsigned integer, seven bits per byte from the lowest, with the top bit set in all bytes but the last (LEB128).
  mutating func number(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func number(_ value: Int) { number(UInt64(max(value, 0))) }

  /// Writes a signed integer: 0, −1, 1, −2, … as 0, 1, 2, 3, … (ZigZag).
  mutating func signed(_ value: Int64) { number(UInt64(bitPattern: value << 1 ^ value >> 63)) }

  /// Writes an angle in 1e-7 degrees. Its lowest bit is 0 for four decimals, which most sources have, and 1 for seven.
  mutating func degrees(_ value: Int64) { degrees(value, isCoarse: value % 1000 == 0) }

  /// Writes an angle in the given unit: 1e-4 degrees or 1e-7.
  mutating func degrees(_ value: Int64, isCoarse: Bool) {
    let number = isCoarse ? value / 1000 : value
    self.number(UInt64(bitPattern: number << 1 ^ number >> 63) << 1 | (isCoarse ? 0 : 1))
  }

  /// Writes nil as 0, and any other value one higher than ``signed(_:)`` would.
  mutating func optional(_ value: Int?) {
    guard let value = value.map(Int64.init) else { return number(UInt64(0)) }
    number(UInt64(bitPattern: value << 1 ^ value >> 63) + 1)
  }

  /// Writes eight bytes, from the lowest.
  mutating func word(_ value: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift))) }
  }

  /// Writes the number of UTF-8 bytes, and the bytes.
  mutating func text(_ text: String) {
    number(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }
  /// Writes the number of bytes, and the bytes.
  mutating func block(_ block: [UInt8]) {
    number(block.count)
    bytes.append(contentsOf: block)
  }
}
