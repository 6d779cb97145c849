import ContrailCompression
import ContrailTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite(.enabled(if: SharedData.folder != nil, "CONTRAIL_DATA names no folder of shared data"))
struct RealDataTests {
  private func contents(_ name: String) throws -> [UInt8] {
    let file = try #require(fopen("\(SharedData.folder ?? "")/airports/\(name)", "rb"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&block, 1, block.count, file)
      if count == 0 { return bytes }
      bytes += block[..<count]
    }
  }

  @Test(arguments: ["sf50-2025-10-02.plist.lzma", "sf50-2025-10-30.plist.lzma"])
  func airportCyclesUnpackToPropertyListsWhateverTheirName(_ name: String) throws {
    let packed = try contents(name)
    #expect(packed.withUnsafeBytes { XZFormat.isXZ($0) })
    let unpacked = try XZ.decompress(packed, limits: .init(memoryBytes: 80 << 20, outputBytes: 16 << 20))
    #expect(unpacked.starts(with: "bplist00".utf8))
    #expect((8_000_000..<8_300_000).contains(unpacked.count))
  }

  @Test func ourAirportsUnpackToCSV() throws {
    let unpacked = try XZ.decompress(try contents("ourairports-runways.csv.xz"))
    #expect(unpacked.count { $0 == UInt8(ascii: "\n") } == 48_185)
  }
}
