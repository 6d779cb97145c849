import ContrailCompression
import ContrailTestSupport
import Testing

@Suite struct GzipTests {
  @Test(arguments: [0, 1, 100, 32_768, 100_001]) func whatIsPackedUnpacks(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8.random(in: 97...105, using: &random) }
    let packed = try #require(Gzip.packed(bytes))
    #expect(Gzip.packed(bytes) == packed)
    #expect(try Gzip.unpacked(packed, limit: count) == bytes)
    #expect(try Gzip.unpacked(packed + packed, limit: 2 * count) == bytes + bytes)
    guard count > 0 else { return }
    #expect(throws: CompressionError.oversized(limitBytes: Int64(count - 1))) {
      try Gzip.unpacked(packed, limit: count - 1)
    }
  }

  private func isDamaged(_ error: any Error) -> Bool { (error as? CompressionError)?.code == "damaged" }

  @Test func whatIsDamagedIsRefused() throws {
    let packed = try #require(Gzip.packed(Array("turbulence".utf8)))
    for end in packed.indices {
      #expect { try Gzip.unpacked(Array(packed[..<end]), limit: 1000) } throws: { isDamaged($0) }
    }
    var wrong = packed
    wrong[packed.count - 6] ^= 1
    #expect { try Gzip.unpacked(wrong, limit: 1000) } throws: { isDamaged($0) }
    #expect { try Gzip.unpacked(packed + [1], limit: 1000) } throws: { isDamaged($0) }
  }
}
