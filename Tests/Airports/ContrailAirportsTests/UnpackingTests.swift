import ContrailAirportData
import ContrailAirports
import ContrailCompression
import Testing

@Suite struct UnpackingTests {
  private static let airports: [Airport] = {
    var random = RandomAirports(seed: 41)
    return random.make(60)
  }()

  private func plain() throws -> [UInt8] { try AirportFile.encoded(Self.airports, cycle: Times.cycle, sources: []) }

  private func packed() throws -> [UInt8] { try AirportFile.packed(Self.airports, cycle: Times.cycle, sources: []) }

  private func read(_ bytes: [UInt8], limits: XZDecoder.Limits = AirportUnpacker.defaultLimits) throws -> [Airport] {
    var reader = try AirportReader(bytes, limits: limits)
    var airports: [Airport] = []
    while let airport = try reader.next() { airports.append(airport) }
    return airports
  }

  private func code(_ bytes: [UInt8], limits: XZDecoder.Limits = AirportUnpacker.defaultLimits) -> AirportDataError
    .Code?
  {
    (#expect(throws: AirportDataError.self) { try read(bytes, limits: limits) })?.code
  }

  @Test func packedOrNotIsToldByContent() throws {
    let sorted = Self.airports.sorted { $0.recordID.utf8.lexicographicallyPrecedes($1.recordID.utf8) }
    #expect(try read(plain()) == sorted)
    #expect(try read(packed()) == sorted)
  }

  @Test(arguments: [8, 100, 65_536]) func blocksOfAnySizeComeToTheSame(_ size: Int) throws {
    for bytes in [try plain(), try packed()] {
      let unpacker = AirportUnpacker()
      var offset = 0
      while offset < bytes.count {
        let end = min(offset + size, bytes.count)
        try bytes.withUnsafeBytes {
          try unpacker.append(UnsafeRawBufferPointer(rebasing: $0[offset..<end]), isLast: end == bytes.count)
        }
        offset = end
      }
      #expect(try unpacker.bytes == plain())
    }
  }

  @Test func eachFaultHasItsOwnError() throws {
    let packed = try packed()
    var damaged = packed
    damaged[packed.count / 2] ^= 0x55
    #expect(code(damaged) == .notUnpacked)
    #expect(code(Array(packed.dropLast(20))) == .truncated)
    #expect(code(packed, limits: .init(outputBytes: 100)) == .oversized)
    #expect(code(packed, limits: .init(memoryBytes: 1 << 16)) == .oversized)
    #expect(code(packed + packed) == .concatenated)
    #expect(code(try plain() + plain()) == .concatenated)
    #expect(code(packed + [1, 2, 3, 4]) == .concatenated)
    #expect(code([]) == .truncated)
    #expect(code(Array("neither packed nor a list of airports".utf8)) == .unknownFormat)
    #expect(code(try XZ.compress(Array("something else".utf8))) == .unknownFormat)
    #expect(code(try plain(), limits: .init(outputBytes: 100)) == .oversized)
  }
}
