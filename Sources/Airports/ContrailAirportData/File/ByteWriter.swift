/// Writes the primitive values of the file format; see ``ByteReader``.
struct ByteWriter {
  var bytes: [UInt8] = []

  mutating func varint(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  mutating func count(_ value: Int) { varint(UInt64(value)) }

  mutating func text(_ text: String) {
    count(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func word(_ word: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
  }

  mutating func number(_ value: Double) {
    let (form, units) = NumberForm.shortest(for: value)
    varint(UInt64(bitPattern: units << 1 ^ units >> 63) << 3 | UInt64(form.rawValue))
    if form == .bits { word(value.bitPattern) }
  }
}
