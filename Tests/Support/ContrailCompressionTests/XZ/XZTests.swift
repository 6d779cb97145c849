import ContrailCompression
import ContrailTestSupport
import Testing

/// Something that packs well but not to nothing.
func text(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var random = SplitMix64(seed: seed)
  let words = ["runway", "taxiway", "apron", "threshold", "displaced", "16GRASS"]
  var bytes: [UInt8] = []
  while bytes.count < count {
    bytes += Array((words.randomElement(using: &random) ?? "").utf8) + [UInt8.random(in: 32...47, using: &random)]
  }
  return Array(bytes.prefix(count))
}

/// Unpacks in pieces of random sizes.
func unpackInPieces(
  _ packed: [UInt8], seed: UInt64, limits: XZDecoder.Limits = .init()
) throws -> [UInt8] {
  var random = SplitMix64(seed: seed)
  let decoder = XZDecoder(limits: limits)
  var result: [UInt8] = []
  var output = [UInt8](repeating: 0, count: 700)
  var start = 0
  var isAtEnd = false
  while !isAtEnd {
    let end = min(packed.count, start + Int.random(in: 0...300, using: &random))
    let room = Int.random(in: 1...output.count, using: &random)
    let step = try packed[start..<end].withUnsafeBytes { input in
      try output.withUnsafeMutableBytes {
        try decoder.decode(
          input, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<room]), isLast: end == packed.count)
      }
    }
    result += output[..<step.producedBytes]
    start += step.consumedBytes
    isAtEnd = step.isAtEnd
  }
  #expect(decoder.consumedBytes == Int64(packed.count))
  #expect(decoder.producedBytes == Int64(result.count))
  return result
}

func unpackError(_ packed: [UInt8], limits: XZDecoder.Limits = .init()) -> CompressionError? {
  do {
    _ = try XZ.decompress(packed, limits: limits)
    return nil
  } catch {
    return error
  }
}

@Suite struct XZTests {
  /// `printf 'hello, legacy\n' | xz --format=lzma`, with the end marked and the size left open.
  static let lzma: [UInt8] = [
    0x5D, 0x00, 0x00, 0x80, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x34, 0x19, 0x49, 0xEE,
    0x8D, 0xEF, 0x8C, 0x6A, 0x55, 0xDC, 0xF4, 0x9F, 0x65, 0x1A, 0x59, 0x47, 0x80, 0x59, 0xFF, 0xFE, 0xFE, 0x78,
    0x00,
  ]

  @Test(arguments: [0, 1, 2, 63, 4096, 65_535, 65_536, 65_537, 300_000])
  func whatIsPackedUnpacks(_ count: Int) throws {
    let bytes = text(count)
    for preset in [0, 6] {
      let packed = try XZ.compress(bytes, preset: preset)
      #expect(try XZ.decompress(packed) == bytes)
      #expect(try unpackInPieces(packed, seed: UInt64(count)) == bytes)
    }
  }

  @Test func packingInPiecesGivesWhatPackingAtOnceGives() throws {
    let bytes = text(100_000)
    let encoder = try XZEncoder(preset: 1)
    var random = SplitMix64(seed: 7)
    var packed: [UInt8] = []
    var output = [UInt8](repeating: 0, count: 999)
    var start = 0
    var isAtEnd = false
    while !isAtEnd {
      let end = min(bytes.count, start + Int.random(in: 0...5000, using: &random))
      let step = try bytes[start..<end].withUnsafeBytes { input in
        try output.withUnsafeMutableBytes { try encoder.encode(input, into: $0, isLast: end == bytes.count) }
      }
      packed += output[..<step.producedBytes]
      start += step.consumedBytes
      isAtEnd = step.isAtEnd
    }
    #expect(try XZ.decompress(packed) == bytes)
    #expect(try packed == XZ.compress(bytes, preset: 1))
  }

  @Test func concatenatedStreamsAndPaddingAreReadAsOne() throws {
    let first = text(1000, seed: 1)
    let second = text(3000, seed: 2)
    let zeros = [UInt8](repeating: 0, count: 8)
    let packed = try XZ.compress(first) + zeros + XZ.compress([]) + XZ.compress(second) + zeros[..<4]
    #expect(try XZ.decompress(packed) == first + second)
    for seed in 0..<20 { #expect(try unpackInPieces(packed, seed: UInt64(seed)) == first + second) }
  }

  @Test func legacyFormatIsToldByContent() throws {
    let unpacked = try XZ.decompress(Self.lzma)
    #expect(unpacked == Array("hello, legacy\n".utf8))
    for (packed, format) in [(Self.lzma, XZFormat.lzma), (try XZ.compress(unpacked), .xz)] {
      let decoder = XZDecoder()
      var output = [UInt8](repeating: 0, count: 100)
      _ = try packed.withUnsafeBytes { input in
        try output.withUnsafeMutableBytes { try decoder.decode(input, into: $0, isLast: true) }
      }
      #expect(decoder.format == format)
    }
    #expect(try unpackInPieces(Self.lzma, seed: 1) == unpacked)
    #expect(unpackError(Self.lzma + [0]) == .trailingGarbage(offset: Int64(Self.lzma.count)))
  }

  @Test func cutAnywhereIsTruncated() throws {
    let packed = try XZ.compress(text(5000)) + XZ.compress(text(50))
    let firstEnd = try XZ.compress(text(5000)).count
    for count in packed.indices where count != firstEnd {
      guard case .truncated(let offset) = unpackError(Array(packed[..<count])), offset == count else {
        Issue.record("cut to \(count): \(String(describing: unpackError(Array(packed[..<count]))))")
        continue
      }
    }
    for count in 0..<Self.lzma.count - 1 {
      guard case .truncated = unpackError(Array(Self.lzma[..<count])) else {
        Issue.record("legacy, cut to \(count): \(String(describing: unpackError(Array(Self.lzma[..<count]))))")
        continue
      }
    }
  }

  @Test func anyFlippedByteIsSeen() throws {
    let bytes = text(2000)
    let packed = try XZ.compress(bytes)
    for index in packed.indices {
      var damaged = packed
      damaged[index] ^= 0x55
      switch unpackError(damaged) {
      case .damaged, .truncated, .notCompressed, .unsupported, .memoryLimited: break
      case let other: Issue.record("byte \(index): \(String(describing: other))")
      }
    }
  }

  @Test func flippedByteInsideIsDamagedAndNotAnythingElse() throws {
    var packed = try XZ.compress(text(200_000))
    packed[packed.count / 2] ^= 0x10
    guard case .damaged(let offset) = unpackError(packed) else {
      Issue.record("not damaged")
      return
    }
    #expect(offset <= packed.count)
  }

  @Test func outputIsLimitedToTheByte() throws {
    let packed = try XZ.compress(text(10_000))
    #expect(unpackError(packed, limits: .init(outputBytes: 10_000)) == nil)
    #expect(unpackError(packed, limits: .init(outputBytes: 9999)) == .oversized(limitBytes: 9999))
    #expect(unpackError(packed, limits: .init(outputBytes: 0)) == .oversized(limitBytes: 0))
    #expect(unpackError(try XZ.compress([]), limits: .init(outputBytes: 0)) == nil)
    #expect(unpackError(packed + packed, limits: .init(outputBytes: 19_999)) == .oversized(limitBytes: 19_999))
    #expect(throws: CompressionError.oversized(limitBytes: 5000)) {
      _ = try unpackInPieces(packed, seed: 3, limits: .init(outputBytes: 5000))
    }
  }

  #if os(Linux)
    @Test func memoryIsLimited() throws {
      let packed = try XZ.compress(text(1000), preset: 9)
      guard case .memoryLimited(let needed, let limit) = unpackError(packed, limits: .init(memoryBytes: 1 << 20)) else {
        Issue.record("not limited")
        return
      }
      #expect(needed > 64 << 20)
      #expect(limit == 1 << 20)
      #expect(unpackError(packed, limits: .init(memoryBytes: needed)) == nil)
    }
  #endif

  @Test func whatFollowsIsNamed() throws {
    let packed = try XZ.compress(text(100))
    let end = Int64(packed.count)
    #expect(unpackError(packed + Array("PK".utf8)) == .trailingGarbage(offset: end))
    #expect(unpackError(packed + [0, 0, 0]) == .trailingGarbage(offset: end + 3))
    #expect(unpackError(packed + [0, 0, 0] + packed) == .trailingGarbage(offset: end + 3))
    #expect(unpackError(packed + [0xFD, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) == .trailingGarbage(offset: end))
  }

  @Test(arguments: [
    "bplist00", "{\"a\":1}", "LZIP\u{1}", "PK\u{3}\u{4}............", "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n",
  ])
  func whatIsNotCompressedIsSaid(_ text: String) {
    #expect(unpackError(Array((text + "0123456789abcdef").utf8)) == .notCompressed)
  }

  @Test func progressEndsAtAll() throws {
    let packed = try XZ.compress(text(1_000_000), preset: 0)
    var seen: [Int] = []
    _ = try XZ.decompress(packed) { consumed, total in
      #expect(total == packed.count)
      seen.append(consumed)
    }
    #expect(seen.count > 10)
    #expect(seen == seen.sorted())
    #expect(seen.last == packed.count)
  }

  @Test func noInputMakesItTrap() {
    var random = SplitMix64(seed: 11)
    let seeds = [(try? XZ.compress(text(300))) ?? [], Self.lzma]
    for _ in 0..<3000 {
      var bytes = seeds.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = unpackError(bytes, limits: .init(memoryBytes: 8 << 20, outputBytes: 10_000))
    }
  }
}
