import ContrailTestSupport
import Testing

@testable import ContrailViewer

/// The text of a page's elements. `Tests/Browser` reads it with the page's own script.
@Suite struct DenseTextTests {
  /// Reads the text as `parts.js` does.
  static func decode(_ text: String, _ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var (word, bits) = (0, 0)
    for scalar in text.unicodeScalars {
      let value = Int(scalar.value)
      word = value < 128 ? word << 7 | value : word << 16 | [0, 13, 60][(value - 256) >> 9] << 9 | (value - 256) & 511
      bits += value < 128 ? 7 : 16
      while bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> bits))
      }
      word &= 0xFF
    }
    return Array(bytes.prefix(count))
  }

  @Test func allBytesAreReadBack() {
    var random = SplitMix64(seed: 3)
    for count in 0..<600 {
      // Half of the bytes often give characters that can't be written.
      let bytes = (0..<count).map { _ in
        random.chance(50)
          ? [0, 13, 60, 120, 30, 255].randomElement(using: &random) ?? 0
          : UInt8.random(in: 0...255, using: &random)
      }
      let text = DenseText.encode(bytes)
      #expect(String(validating: text, as: UTF8.self) != nil)
      #expect(!text.contains(0) && !text.contains(13) && !text.contains(UInt8(ascii: "<")))
      #expect(Self.decode(String(decoding: text, as: UTF8.self), count) == bytes, "\(count) bytes")
    }
  }

  @Test func packedBytesGrowByLessThan14Percent() {
    var random = SplitMix64(seed: 4)
    let bytes = (0..<70_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(DenseText.encode(bytes).count < 70_000 * 114 / 100)
  }
}
