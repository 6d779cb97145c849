/// Bytes as text for an HTML element that isn't run: seven bits in each character.
///
/// The characters that HTML changes or could understand (NUL, carriage return and `<`) are written together with the next
/// nine bits as one character above 255, which takes two bytes. Of compressed data it makes 13.5 % more, where Base64 makes a third.
/// The page's `parts.js` reads it.
enum DenseText {
  private static let replaced: [UInt8] = [0x00, 0x0D, 0x3C]

  /// Returns the UTF-8 of the text. The number of bytes must be said elsewhere: the last character is filled up with zeros.
  ///
  /// - Complexity: O(*n*).
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 8 / 7 + 2)
    var next = 0
    var word = 0
    var bits = 0
    func take(_ count: Int) -> Int {
      while bits < count {
        word = word << 8 | (next < bytes.count ? Int(bytes[next]) : 0)
        next += 1
        bits += 8
      }
      bits -= count
      defer { word &= 1 << bits - 1 }
      return word >> bits
    }
    while next < bytes.count || bits > 0 && next == bytes.count {
      let digit = UInt8(take(7))
      if let index = replaced.firstIndex(of: digit) {
        let scalar = 256 + index << 9 + take(9)
        text.append(0xC0 | UInt8(scalar >> 6))
        text.append(0x80 | UInt8(scalar & 0x3F))
      } else {
        text.append(digit)
      }
    }
    return text
  }
}
