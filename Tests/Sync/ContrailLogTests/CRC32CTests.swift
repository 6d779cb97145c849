import ContrailTestSupport
import Testing

@testable import ContrailLog

@Suite struct CRC32CTests {
  /// RFC 3720, appendix B.4; the last is the check value of the Rocksoft catalogue.
  static let vectors: [(bytes: [UInt8], crc: UInt32)] = [
    ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
    ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
    (Array(0..<32), 0x46DD_794E),
    (Array((0..<32).reversed()), 0x113F_DB5C),
    (
      [
        0x01, 0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x18,
        0x28, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
      ], 0xD996_3A56
    ),
    (Array("123456789".utf8), 0xE306_9283),
    ([], 0),
  ]

  /// One bit at a time, as the definition has it.
  static func reference(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var register = ~UInt32(0)
    for byte in bytes {
      register ^= UInt32(byte)
      for _ in 0..<8 { register = register & 1 == 1 ? register >> 1 ^ 0x82F6_3B78 : register >> 1 }
    }
    return ~register
  }

  static func bySlices(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { ~CRC32C.bySlices(~0, $0) } }

  @Test(arguments: vectors.indices) func publishedVectorsHold(_ index: Int) {
    let (bytes, crc) = Self.vectors[index]
    #expect(CRC32C.checksum(bytes) == crc)
    #expect(Self.bySlices(bytes) == crc)
    #expect(Self.reference(bytes) == crc)
  }

  @Test func everyLengthEqualsTheReferenceWithAndWithoutTheInstruction() {
    var random = SplitMix64(seed: 1)
    let bytes = random.bytes(3400)
    var register = ~UInt32(0)
    for count in 0..<bytes.count {
      let prefix = Array(bytes[..<count])
      let isCheckedBySlices = count < 80 || count.isMultiple(of: 61)
      if ~register != CRC32C.checksum(prefix) || isCheckedBySlices && ~register != Self.bySlices(prefix) {
        Issue.record("wrong at length \(count)")
      }
      register ^= UInt32(bytes[count])
      for _ in 0..<8 { register = register & 1 == 1 ? register >> 1 ^ 0x82F6_3B78 : register >> 1 }
    }
  }

  @Test func anySplitGivesTheSame() {
    var random = SplitMix64(seed: 2)
    let bytes = random.bytes(5000)
    let whole = CRC32C.checksum(bytes)
    for _ in 0..<200 {
      var crc = CRC32C()
      var start = 0
      while start < bytes.count {
        let end = Int.random(in: start...bytes.count, using: &random)
        bytes.withUnsafeBytes { crc.update(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
        start = end
      }
      #expect(crc.value == whole)
    }
  }

  @Test func everyFlippedBitIsSeen() {
    var bytes = Array("{\"seq\":9,\"at\":17,\"kind\":\"clock.ticked\"".utf8)
    let whole = CRC32C.checksum(bytes)
    for bit in 0..<8 * bytes.count {
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(CRC32C.checksum(bytes) != whole)
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }
  }
}
