/// The bytes of a JSON string between the quotes, with escapes unresolved.
///
/// It compares with a literal without creating a `String`. It is valid only as long as the bytes that were read.
package struct JSONKey {
  package let bytes: UnsafeRawBufferPointer
  /// Whether the bytes contain no escapes.
  let isPlain: Bool

  /// Returns where the text begins in the bytes that were read.
  func offset(in whole: UnsafeRawBufferPointer) -> Int {
    guard let start = bytes.baseAddress, let base = whole.baseAddress else { return 0 }
    return start - base
  }

  /// The text with escapes resolved.
  package var string: String {
    if isPlain { return String(decoding: bytes, as: UTF8.self) }
    var units: [UInt16] = []
    var text = ""
    var index = 0
    func flush() {
      text += String(decoding: units, as: UTF16.self)
      units.removeAll()
    }
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
        if !units.isEmpty { flush() }
        let end = bytes[index...].dropFirst().firstIndex(of: UInt8(ascii: "\\")) ?? bytes.count
        text += String(decoding: bytes[index..<end], as: UTF8.self)
        index = end
        continue
      }
      let letter = bytes[index + 1]
      if letter == UInt8(ascii: "u") {
        units.append(Self.hexUnit(bytes, at: index + 2) ?? 0xFFFD)
        index += 6
        continue
      }
      let unit: UInt8 =
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
      units.append(UInt16(unit))
      index += 2
    }
    flush()
    return text
  }

  /// Calls `body` with the text's UTF-8, escapes resolved. Without escapes, the text is not copied.
  package func withUTF8<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T {
    isPlain ? body(bytes) : Array(string.utf8).withUnsafeBytes(body)
  }

  /// Whether the text equals `literal`.
  package static func ~= (literal: StaticString, key: JSONKey) -> Bool {
    guard key.isPlain else { return literal.withUTF8Buffer { key.string.utf8.elementsEqual($0) } }
    guard key.bytes.count == literal.utf8CodeUnitCount else { return false }
    for index in 0..<key.bytes.count where key.bytes[index] != literal.utf8Start[index] { return false }
    return true
  }

  static func hexUnit(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt16? {
    guard offset + 4 <= bytes.count else { return nil }
    var unit: UInt16 = 0
    for index in offset..<offset + 4 {
      guard let digit = Hex.digit(bytes[index]) else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}
